/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Negotiation of the three elements with caps of any kind: nothing but what a
 * filter lets through comes out, and what can be fixated can be worked with. */

#include <gst/base/gstbasetransform.h>

#include "fuzz.h"

#define N_ELEMENTS 3

static GstBaseTransform *elements[N_ELEMENTS];

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  static const gchar *const names[N_ELEMENTS] = { "zcupload", "zcdownload",
    "zcflip" };

  fuzz_init (argc, argv);
  for (guint i = 0; i < N_ELEMENTS; i++) {
    GstElement *element = gst_element_factory_make (names[i], NULL);

    if (element == NULL)
      g_error ("there is no element %s", names[i]);
    elements[i] = gst_object_ref_sink (element);
  }
  return 0;
}

/* Values */

static void
set_int (FuzzInput *in, GValue *value, gint usual)
{
  gint a = fuzz_near_int (in, usual), b = fuzz_near_int (in, usual);

  if (fuzz_chance (in, 4) && a != b) {
    g_value_init (value, GST_TYPE_INT_RANGE);
    gst_value_set_int_range (value, MIN (a, b), MAX (a, b));
  } else {
    g_value_init (value, G_TYPE_INT);
    g_value_set_int (value, a);
  }
}

static gint
denominator (FuzzInput *in)
{
  gint d = fuzz_near_int (in, 1);

  return d > 0 ? d : 1;
}

static void
set_fraction (FuzzInput *in, GValue *value, gint usual)
{
  gint n = fuzz_near_int (in, usual), d = denominator (in);

  n = MAX (n, -G_MAXINT);
  if (fuzz_chance (in, 4) && n > 0) {
    g_value_init (value, GST_TYPE_FRACTION_RANGE);
    gst_value_set_fraction_range_full (value, fuzz_chance (in, 2) ? 0 : -1, d,
        n, d);
  } else {
    g_value_init (value, GST_TYPE_FRACTION);
    gst_value_set_fraction (value, n, d);
  }
}

static void
set_word (FuzzInput *in, GValue *value, const gchar *const *words, guint n)
{
  g_value_init (value, G_TYPE_STRING);
  g_value_set_static_string (value, words[fuzz_below (in, n)]);
}

static void
set_format (FuzzInput *in, GValue *value)
{
  g_value_init (value, G_TYPE_STRING);
  g_value_set_static_string (value,
      gst_video_format_to_string (fuzz_format (in)));
}

/* One value of a field, by the number of the field. */
static void
set_value (FuzzInput *in, GValue *value, guint field)
{
  static const gchar *const modes[] = { "progressive", "interleaved", "mixed",
    "fields", "alternate", "nonsense" };
  static const gchar *const words[] = { "mpeg2", "jpeg", "dv", "1:4:7:1",
    "bt709", "top-field-first", "" };

  if (fuzz_chance (in, 32))
    field = fuzz_below (in, 10);
  switch (field) {
    case 0:
      set_format (in, value);
      break;
    case 1:
    case 2:
    case 3:
      set_int (in, value, 64);
      break;
    case 4:
      set_fraction (in, value, 30);
      break;
    case 5:
      set_fraction (in, value, 1);
      break;
    case 6:
      set_word (in, value, modes, G_N_ELEMENTS (modes));
      break;
    default:
      set_word (in, value, words, G_N_ELEMENTS (words));
      break;
  }
}

static gboolean
is_range (const GValue *value)
{
  return GST_VALUE_HOLDS_INT_RANGE (value) ||
      GST_VALUE_HOLDS_FRACTION_RANGE (value);
}

/* GStreamer's own functions stumble over ranges in lists, and over lists of more
 * than one type. */
static void
append (GValue *list, GValue *one)
{
  if (!is_range (one) &&
      (gst_value_list_get_size (list) == 0 ||
          G_VALUE_TYPE (gst_value_list_get_value (list, 0)) ==
              G_VALUE_TYPE (one)))
    gst_value_list_append_and_take_value (list, one);
  else
    g_value_unset (one);
}

/* A value, or a list of some. */
static void
set_field (FuzzInput *in, GstStructure *structure, guint field)
{
  static const gchar *const names[] = { "format", "width", "height", "views",
    "framerate", "pixel-aspect-ratio", "interlace-mode", "colorimetry",
    "chroma-site", "field-order" };
  GValue value = G_VALUE_INIT, one = G_VALUE_INIT;
  guint n = fuzz_chance (in, 4) ? fuzz_below (in, 4) : 0;

  if (n == 0) {
    set_value (in, &value, field);
  } else {
    g_value_init (&value, GST_TYPE_LIST);
    for (; n > 0; n--) {
      set_value (in, &one, field);
      append (&value, &one);
    }
  }
  if (GST_VALUE_HOLDS_LIST (&value) && gst_value_list_get_size (&value) == 0)
    g_value_unset (&value);
  else
    gst_structure_take_value (structure, names[field], &value);
}

static GstStructure *
make_structure (FuzzInput *in)
{
  GstStructure *structure =
      gst_structure_new_empty (fuzz_chance (in, 16) ? "image/jpeg"
                                                    : "video/x-raw");

  for (guint field = 0; field < 10; field++) {
    if (!fuzz_chance (in, field < 3 ? 8 : 2))
      set_field (in, structure, field);
  }
  return structure;
}

static GstCapsFeatures *
make_features (FuzzInput *in)
{
  static const gchar *const features[] = { "memory:CUDAMemory",
    "memory:SystemMemory", "memory:GLMemory", "memory:CUDAMemory, meta:Other",
    "format:Interlaced" };

  switch (fuzz_below (in, 4)) {
    case 0:
      return NULL;
    case 1:
      return fuzz_chance (in, 8) ? gst_caps_features_new_any ()
                                 : gst_caps_features_new_empty ();
    default:
      return gst_caps_features_from_string (features[fuzz_below (in,
          G_N_ELEMENTS (features))]);
  }
}

static GstCaps *
make_caps (FuzzInput *in)
{
  guint n = fuzz_chance (in, 2) ? fuzz_below (in, 4) : 1;
  GstCaps *caps;

  if (fuzz_chance (in, 32))
    return gst_caps_new_any ();
  caps = gst_caps_new_empty ();
  for (guint i = 0; i < n; i++)
    gst_caps_append_structure_full (caps, make_structure (in),
        make_features (in));
  return caps;
}

/* What has to be */

static void
check_transform (GstBaseTransform *element, GstPadDirection direction,
    GstCaps *caps, GstCaps *filter)
{
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (element);
  g_autoptr (GstCaps) before = gst_caps_copy (caps);
  g_autoptr (GstCaps) filter_before = filter ? gst_caps_copy (filter) : NULL;
  g_autoptr (GstCaps) out =
      klass->transform_caps (element, direction, caps, filter);

  fuzz_assert (GST_IS_CAPS (out));
  fuzz_assert (gst_caps_is_equal (caps, before));
  fuzz_assert (GST_MINI_OBJECT_REFCOUNT_VALUE (caps) == 1);
  if (filter != NULL) {
    fuzz_assert (gst_caps_is_equal (filter, filter_before));
    fuzz_assert (gst_caps_is_subset (out, filter));
  }
}

static gboolean
can_be_fixated (const GstCaps *caps)
{
  return !gst_caps_is_any (caps) && !gst_caps_is_empty (caps);
}

/* As the base class does it: what the other side may be, then one of it. */
static void
check_fixate (GstBaseTransform *element, GstPadDirection direction,
    GstCaps *caps)
{
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (element);
  g_autoptr (GstCaps) fixed = NULL, out = NULL;
  GstCaps *other;

  if (!can_be_fixated (caps))
    return;
  fixed = gst_caps_fixate (gst_caps_copy (caps));
  other = klass->transform_caps (element, direction, fixed, NULL);
  if (!gst_caps_is_fixed (fixed) || !can_be_fixated (other)) {
    gst_caps_unref (other);
    return;
  }
  out = klass->fixate_caps (element, direction, fixed, other);
  fuzz_assert (gst_caps_is_fixed (out));
}

static void
check_queries (GstBaseTransform *element, GstCaps *caps, GstCaps *filter)
{
  GstPad *pads[] = { GST_BASE_TRANSFORM_SINK_PAD (element),
    GST_BASE_TRANSFORM_SRC_PAD (element) };

  for (guint i = 0; i < G_N_ELEMENTS (pads); i++) {
    g_autoptr (GstCaps) answer = gst_pad_query_caps (pads[i], filter);

    if (filter != NULL)
      fuzz_assert (gst_caps_is_subset (answer, filter));
    if (gst_caps_is_fixed (caps))
      gst_pad_query_accept_caps (pads[i], caps);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  FuzzInput in = { data, size };
  GstBaseTransform *element = elements[fuzz_below (&in, N_ELEMENTS)];
  GstPadDirection direction = fuzz_chance (&in, 2) ? GST_PAD_SRC : GST_PAD_SINK;
  g_autoptr (GstCaps) caps = NULL, filter = NULL;

  if (element == elements[2])
    g_object_set (element, "video-direction", fuzz_below (&in, 9), NULL);
  caps = make_caps (&in);
  if (fuzz_chance (&in, 2))
    filter = make_caps (&in);
  check_transform (element, direction, caps, filter);
  check_fixate (element, direction, caps);
  check_queries (element, caps, filter);
  return 0;
}
