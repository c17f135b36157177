/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Properties as programs and gst-inspect see them: what pipelines in use rely
 * on. */

#include <gst/video/video.h>
#include <string.h>

#define RW (G_PARAM_READABLE | G_PARAM_WRITABLE)

typedef struct
{
  const gchar *name;
  const gchar *type;
  GParamFlags access;
  gint first;
  gint last;
  gint preset;
} Property;

typedef struct
{
  const gchar *factory;
  Property properties[6];
} Row;

#define DEVICE { "cuda-device-id", "gint", RW, -1, G_MAXINT, -1 }
#define STATS { "stats", "GstStructure", G_PARAM_READABLE }
#define PACKED { "packed", "gboolean", RW }
#define ARRAY_SYNC { "array-sync", "GstZcArraySync", RW, 0, 1, 0 }
/* In MiB. */
#define MAX_PINNED { "max-pinned-bytes", "guint64", RW, .preset = 256 }

static const Row rows[] = {
  { "zcupload", { DEVICE, STATS, PACKED, ARRAY_SYNC, MAX_PINNED } },
  { "zcdownload", { DEVICE, STATS, MAX_PINNED } },
  { "zcflip",
      { DEVICE, STATS, PACKED, ARRAY_SYNC,
          { "video-direction", "GstVideoOrientationMethod", RW,
              GST_VIDEO_ORIENTATION_IDENTITY, GST_VIDEO_ORIENTATION_CUSTOM,
              GST_VIDEO_ORIENTATION_IDENTITY } } },
};

static void
check_range (GParamSpec *spec, const Property *property)
{
  if (G_IS_PARAM_SPEC_INT (spec)) {
    g_assert_cmpint (G_PARAM_SPEC_INT (spec)->minimum, ==, property->first);
    g_assert_cmpint (G_PARAM_SPEC_INT (spec)->maximum, ==, property->last);
    g_assert_cmpint (G_PARAM_SPEC_INT (spec)->default_value, ==,
        property->preset);
  } else if (G_IS_PARAM_SPEC_UINT64 (spec)) {
    g_assert_cmpuint (G_PARAM_SPEC_UINT64 (spec)->minimum, ==, 0);
    g_assert_cmpuint (G_PARAM_SPEC_UINT64 (spec)->maximum, ==, G_MAXUINT64);
    g_assert_cmpuint (G_PARAM_SPEC_UINT64 (spec)->default_value, ==,
        (guint64) property->preset << 20);
  } else if (G_IS_PARAM_SPEC_ENUM (spec)) {
    GEnumClass *values = G_PARAM_SPEC_ENUM (spec)->enum_class;

    g_assert_cmpint (values->minimum, ==, property->first);
    g_assert_cmpint (values->maximum, >=, property->last);
    g_assert_cmpint (G_PARAM_SPEC_ENUM (spec)->default_value, ==,
        property->preset);
  }
}

/* A name for people, and a sentence that says more than the name does. */
static void
check_text (GParamSpec *spec)
{
  const gchar *blurb = g_param_spec_get_blurb (spec);

  g_assert_nonnull (g_param_spec_get_nick (spec));
  g_assert_nonnull (blurb);
  g_assert_cmpuint (strlen (blurb), >, strlen (spec->name));
  g_assert_true (g_ascii_isupper (blurb[0]));
}

static const Property *
find (const Row *row, const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (row->properties); i++)
    if (g_strcmp0 (row->properties[i].name, name) == 0)
      return &row->properties[i];
  g_error ("%s has a property that this test does not know: %s", row->factory,
      name);
}

static gboolean
is_ours (GParamSpec *spec)
{
  return spec->owner_type != GST_TYPE_OBJECT &&
      spec->owner_type != GST_TYPE_BASE_TRANSFORM;
}

static guint
count (const Row *row)
{
  guint n = 0;

  while (n < G_N_ELEMENTS (row->properties) && row->properties[n].name)
    n++;
  return n;
}

static void
test_properties (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (GstElement) element =
      gst_element_factory_make (row->factory, NULL);
  g_autofree GParamSpec **specs = NULL;
  guint n_specs, found = 0;

  g_assert_nonnull (element);
  gst_object_ref_sink (element);
  specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n_specs);
  for (guint i = 0; i < n_specs; i++) {
    const Property *property;

    if (!is_ours (specs[i]))
      continue;
    property = find (row, specs[i]->name);
    g_assert_cmpstr (g_type_name (specs[i]->value_type), ==, property->type);
    g_assert_cmpint (specs[i]->flags & RW, ==, property->access);
    check_range (specs[i], property);
    check_text (specs[i]);
    found++;
  }
  g_assert_cmpuint (found, ==, count (row));
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path =
        g_strdup_printf ("/properties/%s", rows[i].factory);

    g_test_add_data_func (path, &rows[i], test_properties);
  }
  return g_test_run ();
}
