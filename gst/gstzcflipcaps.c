/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <gst/zc/zc.h>

#include "gstzcflipcaps.h"

typedef gboolean (*MapFunc) (const GValue *in, GValue *out, gpointer data);

/* Maps a value, or each value of a list; FALSE if nothing is left. */
static gboolean
map_values (const GValue *in, GValue *out, MapFunc func, gpointer data)
{
  guint n;

  if (!GST_VALUE_HOLDS_LIST (in))
    return func (in, out, data);

  n = gst_value_list_get_size (in);
  g_value_init (out, GST_TYPE_LIST);
  for (guint i = 0; i < n; i++) {
    GValue one = G_VALUE_INIT;

    if (func (gst_value_list_get_value (in, i), &one, data))
      gst_value_list_append_and_take_value (out, &one);
  }
  if (gst_value_list_get_size (out) > 0)
    return TRUE;
  g_value_unset (out);
  return FALSE;
}

static gboolean
map_field (GstStructure *structure, const gchar *name, MapFunc func,
    gpointer data)
{
  const GValue *in = gst_structure_get_value (structure, name);
  GValue out = G_VALUE_INIT;

  if (in == NULL)
    return TRUE;
  if (!map_values (in, &out, func, data))
    return FALSE;
  gst_structure_take_value (structure, name, &out);
  return TRUE;
}

static gboolean
copy_value (const GValue *in, GValue *out)
{
  g_value_init (out, G_VALUE_TYPE (in));
  g_value_copy (in, out);
  return TRUE;
}

/* Caps of a query hold what anybody likes: NULL if it is no word. */
static const gchar *
word_of (const GValue *value)
{
  return G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : NULL;
}

static gboolean
keep_format (const GValue *in, GValue *out, gpointer data)
{
  const GstVideoOrientationMethod *orientation = data;
  const gchar *name = word_of (in);

  return name != NULL &&
      gst_zc_format_can_orient (gst_video_format_from_string (name),
          *orientation) &&
      copy_value (in, out);
}

static gboolean
keep_progressive (const GValue *in, GValue *out, gpointer data)
{
  return g_strcmp0 (word_of (in), "progressive") == 0 && copy_value (in, out);
}

static void
set_inverse (GValue *out, const GValue *fraction)
{
  gint n = gst_value_get_fraction_numerator (fraction);
  gint d = gst_value_get_fraction_denominator (fraction);

  /* A range that starts at 0 ends at infinity. */
  if (n <= 0)
    gst_value_set_fraction (out, G_MAXINT, 1);
  else
    gst_value_set_fraction (out, d, n);
}

static gboolean
invert_range (const GValue *in, GValue *out)
{
  GValue low = G_VALUE_INIT, high = G_VALUE_INIT;

  /* No ratio is below 0. */
  if (gst_value_get_fraction_numerator (
          gst_value_get_fraction_range_max (in)) <= 0)
    return FALSE;
  g_value_init (&low, GST_TYPE_FRACTION);
  g_value_init (&high, GST_TYPE_FRACTION);
  set_inverse (&low, gst_value_get_fraction_range_max (in));
  set_inverse (&high, gst_value_get_fraction_range_min (in));
  if (gst_value_compare (&low, &high) != GST_VALUE_LESS_THAN)
    return copy_value (&low, out);
  g_value_init (out, GST_TYPE_FRACTION_RANGE);
  gst_value_set_fraction_range (out, &low, &high);
  return TRUE;
}

static gboolean
invert (const GValue *in, GValue *out, gpointer data)
{
  if (GST_VALUE_HOLDS_FRACTION_RANGE (in))
    return invert_range (in, out);
  if (!GST_VALUE_HOLDS_FRACTION (in))
    return FALSE;
  g_value_init (out, GST_TYPE_FRACTION);
  set_inverse (out, in);
  return TRUE;
}

static void
move_field (GstStructure *to, const gchar *to_name, const GstStructure *from,
    const gchar *from_name)
{
  const GValue *value = gst_structure_get_value (from, from_name);

  if (value != NULL)
    gst_structure_set_value (to, to_name, value);
  else
    gst_structure_remove_field (to, to_name);
}

/* (transfer full) (nullable) */
static GstStructure *
turn (const GstStructure *in, GstVideoOrientationMethod orientation)
{
  GstStructure *out = gst_structure_copy (in);
  gboolean possible;

  possible = map_field (out, "format", keep_format, &orientation);
  if (!zc_flip_keeps_fields (orientation))
    possible &= map_field (out, "interlace-mode", keep_progressive, NULL);
  if (gst_zc_orientation_transposes (orientation)) {
    move_field (out, "width", in, "height");
    move_field (out, "height", in, "width");
    possible &= map_field (out, "pixel-aspect-ratio", invert, NULL);
  }
  if (!possible)
    g_clear_pointer (&out, gst_structure_free);
  return out;
}

GstCaps *
zc_flip_turn_caps (GstCaps *caps, GstVideoOrientationMethod orientation)
{
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *structure =
        turn (gst_caps_get_structure (caps, i), orientation);
    GstCapsFeatures *features = gst_caps_get_features (caps, i);

    if (structure != NULL)
      gst_caps_append_structure_full (result, structure,
          gst_caps_features_copy (features));
  }
  return result;
}

static void
explain_one (const GstStructure *structure,
    GstVideoOrientationMethod orientation, GError **why)
{
  const gchar *format = gst_structure_get_string (structure, "format");
  const gchar *mode = gst_structure_get_string (structure, "interlace-mode");

  if (format != NULL &&
      !gst_zc_format_can_orient (gst_video_format_from_string (format),
          orientation))
    g_set_error (why, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "%s can't be turned by 90 degrees, since its chroma is halved in one "
        "direction only: put videoconvert and a filter for another format, for "
        "instance I420, before zcupload",
        format);
  else if (mode != NULL && !g_str_equal (mode, "progressive") &&
      !zc_flip_keeps_fields (orientation))
    g_set_error (why, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "Interlaced video (%s) can only be mirrored left and right, since its "
        "fields are rows: put deinterlace before zcupload",
        mode);
}

/* By the first structure that has a reason. */
GError *
zc_flip_explain (GstCaps *caps, GstVideoOrientationMethod orientation)
{
  g_autoptr (GstCaps) turned = zc_flip_turn_caps (caps, orientation);
  GError *why = NULL;

  if (!gst_caps_is_empty (turned))
    return NULL;
  for (guint i = 0; why == NULL && i < gst_caps_get_size (caps); i++)
    explain_one (gst_caps_get_structure (caps, i), orientation, &why);
  return why;
}

gboolean
zc_flip_keeps_fields (GstVideoOrientationMethod orientation)
{
  return orientation == GST_VIDEO_ORIENTATION_IDENTITY ||
      orientation == GST_VIDEO_ORIENTATION_HORIZ;
}

gboolean
zc_flip_agree (GstVideoOrientationMethod a, GstVideoOrientationMethod b)
{
  gboolean both_work = a != GST_VIDEO_ORIENTATION_IDENTITY &&
      b != GST_VIDEO_ORIENTATION_IDENTITY;

  return a == b ||
      (both_work &&
          gst_zc_orientation_transposes (a) ==
              gst_zc_orientation_transposes (b) &&
          zc_flip_keeps_fields (a) == zc_flip_keeps_fields (b));
}
