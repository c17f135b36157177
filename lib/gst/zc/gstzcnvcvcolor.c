/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcnvcvcolor.h"

/* Where the parts stand in a spec, and what chroma locations all of CV-CUDA's
 * named video specs have: even columns, even rows. */
#define SPACE(x) ((guint) (x))
#define TRANSFER(x) ((guint) (x) << 3)
#define ENCODING(x) ((guint) (x) << 7)
#define EVEN_CHROMA ((1u << 10) | (1u << 12))
#define LIMITED (1u << 14)

#define SPACE_OF(spec) ((spec) & 7)
#define TRANSFER_OF(spec) (((spec) >> 3) & 15)
#define ENCODING_OF(spec) (((spec) >> 7) & 7)

/* Numbers of CV-CUDA. NONE: it has none. */
enum
{
  NONE = -1,

  SPACE_BT601 = 0,
  SPACE_BT709,
  SPACE_BT2020,
  SPACE_DCIP3,

  TRANSFER_LINEAR = 0,
  TRANSFER_SRGB,
  TRANSFER_SYCC,
  TRANSFER_PQ,
  TRANSFER_BT709,
  TRANSFER_BT2020,
  TRANSFER_SMPTE240M,

  ENCODING_UNDEFINED = 0,
  ENCODING_BT601,
  ENCODING_BT709,
  ENCODING_BT2020,
  ENCODING_BT2020C,
  ENCODING_SMPTE240M,

  /* CV-CUDA's UNDEFINED, that its RGB formats have */
  SPEC_RGB = SPACE_BT709
};

static gint
encoding_of (GstVideoColorMatrix matrix)
{
  switch (matrix) {
    case GST_VIDEO_COLOR_MATRIX_UNKNOWN:
    case GST_VIDEO_COLOR_MATRIX_BT601:
      return ENCODING_BT601;
    case GST_VIDEO_COLOR_MATRIX_BT709:
      return ENCODING_BT709;
    case GST_VIDEO_COLOR_MATRIX_BT2020:
      return ENCODING_BT2020;
    case GST_VIDEO_COLOR_MATRIX_SMPTE240M:
      return ENCODING_SMPTE240M;
    default:
      return NONE;
  }
}

/* Of video in general; BT.601, 709 and 2020 have one curve, under two numbers. */
static gint
usual_transfer (gint encoding)
{
  switch (encoding) {
    case ENCODING_BT2020:
      return TRANSFER_BT2020;
    case ENCODING_SMPTE240M:
      return TRANSFER_SMPTE240M;
    default:
      return TRANSFER_BT709;
  }
}

static gint
transfer_of (GstVideoTransferFunction transfer, gint encoding)
{
  switch (transfer) {
    case GST_VIDEO_TRANSFER_UNKNOWN:
    case GST_VIDEO_TRANSFER_BT601:
    case GST_VIDEO_TRANSFER_BT709:
    case GST_VIDEO_TRANSFER_BT2020_10:
    case GST_VIDEO_TRANSFER_BT2020_12:
      return usual_transfer (encoding);
    case GST_VIDEO_TRANSFER_SMPTE240M:
      return TRANSFER_SMPTE240M;
    case GST_VIDEO_TRANSFER_SRGB:
      return TRANSFER_SRGB;
    case GST_VIDEO_TRANSFER_GAMMA10:
      return TRANSFER_LINEAR;
    case GST_VIDEO_TRANSFER_SMPTE2084:
      return TRANSFER_PQ;
    default:
      return NONE;
  }
}

/* CV-CUDA's own BT.601 has the primaries of BT.709: so have those that come with
 * it here. */
static gint
space_of (GstVideoColorPrimaries primaries, gint encoding)
{
  switch (primaries) {
    case GST_VIDEO_COLOR_PRIMARIES_UNKNOWN:
      return encoding == ENCODING_BT2020 ? SPACE_BT2020 : SPACE_BT709;
    case GST_VIDEO_COLOR_PRIMARIES_BT709:
    case GST_VIDEO_COLOR_PRIMARIES_BT470BG:
    case GST_VIDEO_COLOR_PRIMARIES_SMPTE170M:
    case GST_VIDEO_COLOR_PRIMARIES_SMPTE240M:
      return SPACE_BT709;
    case GST_VIDEO_COLOR_PRIMARIES_BT2020:
      return SPACE_BT2020;
    case GST_VIDEO_COLOR_PRIMARIES_SMPTERP431:
    case GST_VIDEO_COLOR_PRIMARIES_SMPTEEG432:
      return SPACE_DCIP3;
    case GST_VIDEO_COLOR_PRIMARIES_EBU3213:
      return SPACE_BT601;
    default:
      return NONE;
  }
}

static gboolean
fail (const gchar *what, const GstVideoColorimetry *colorimetry, GError **error)
{
  g_autofree gchar *text = gst_video_colorimetry_to_string (colorimetry);

  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
      "CV-CUDA has no code for the %s of colorimetry %s: give another "
      "colorimetry, or none",
      what, text ? text : "(unknown)");
  return FALSE;
}

gboolean
zc_nvcv_spec_of_ycbcr (const GstVideoColorimetry *colorimetry, guint *spec,
    GError **error)
{
  static const GstVideoColorimetry unknown = { 0 };
  gint encoding, transfer, space;

  if (!colorimetry)
    colorimetry = &unknown;
  encoding = encoding_of (colorimetry->matrix);
  transfer = transfer_of (colorimetry->transfer, encoding);
  space = space_of (colorimetry->primaries, encoding);
  if (encoding == NONE)
    return fail ("matrix", colorimetry, error);
  if (transfer == NONE)
    return fail ("transfer function", colorimetry, error);
  if (space == NONE)
    return fail ("primaries", colorimetry, error);
  *spec =
      SPACE (space) | TRANSFER (transfer) | ENCODING (encoding) | EVEN_CHROMA;
  if (colorimetry->range != GST_VIDEO_COLOR_RANGE_0_255)
    *spec |= LIMITED;
  return TRUE;
}

guint
zc_nvcv_spec_of_rgb (const GstVideoColorimetry *colorimetry)
{
  gboolean limited =
      colorimetry && colorimetry->range == GST_VIDEO_COLOR_RANGE_16_235;

  return SPEC_RGB | (limited ? LIMITED : 0);
}

static GstVideoColorMatrix
matrix_of (guint encoding)
{
  static const GstVideoColorMatrix matrices[8] = {
    [ENCODING_BT601] = GST_VIDEO_COLOR_MATRIX_BT601,
    [ENCODING_BT709] = GST_VIDEO_COLOR_MATRIX_BT709,
    [ENCODING_BT2020] = GST_VIDEO_COLOR_MATRIX_BT2020,
    [ENCODING_SMPTE240M] = GST_VIDEO_COLOR_MATRIX_SMPTE240M,
  };

  return matrices[encoding];
}

static GstVideoTransferFunction
gst_transfer_of (guint transfer, guint encoding)
{
  static const GstVideoTransferFunction transfers[16] = {
    [TRANSFER_LINEAR] = GST_VIDEO_TRANSFER_GAMMA10,
    [TRANSFER_SRGB] = GST_VIDEO_TRANSFER_SRGB,
    [TRANSFER_SYCC] = GST_VIDEO_TRANSFER_SRGB,
    [TRANSFER_PQ] = GST_VIDEO_TRANSFER_SMPTE2084,
    [TRANSFER_BT709] = GST_VIDEO_TRANSFER_BT709,
    [TRANSFER_BT2020] = GST_VIDEO_TRANSFER_BT2020_12,
    [TRANSFER_SMPTE240M] = GST_VIDEO_TRANSFER_SMPTE240M,
  };

  if (transfer == TRANSFER_BT709 && encoding == ENCODING_BT601)
    return GST_VIDEO_TRANSFER_BT601;
  return transfers[transfer];
}

static GstVideoColorPrimaries
primaries_of (guint space, guint encoding)
{
  static const GstVideoColorPrimaries primaries[8] = {
    [SPACE_BT601] = GST_VIDEO_COLOR_PRIMARIES_EBU3213,
    [SPACE_BT709] = GST_VIDEO_COLOR_PRIMARIES_BT709,
    [SPACE_BT2020] = GST_VIDEO_COLOR_PRIMARIES_BT2020,
    [SPACE_DCIP3] = GST_VIDEO_COLOR_PRIMARIES_SMPTEEG432,
  };

  if (space == SPACE_BT709 && encoding == ENCODING_BT601)
    return GST_VIDEO_COLOR_PRIMARIES_SMPTE170M;
  if (space == SPACE_BT709 && encoding == ENCODING_SMPTE240M)
    return GST_VIDEO_COLOR_PRIMARIES_SMPTE240M;
  return primaries[space];
}

void
zc_nvcv_colorimetry (guint spec, gboolean ycbcr,
    GstVideoColorimetry *colorimetry)
{
  guint encoding = ENCODING_OF (spec);

  colorimetry->range = spec & LIMITED ? GST_VIDEO_COLOR_RANGE_16_235
                                      : GST_VIDEO_COLOR_RANGE_0_255;
  if (ycbcr) {
    colorimetry->matrix = matrix_of (encoding);
    colorimetry->transfer = gst_transfer_of (TRANSFER_OF (spec), encoding);
    colorimetry->primaries = primaries_of (SPACE_OF (spec), encoding);
  } else {
    colorimetry->matrix = GST_VIDEO_COLOR_MATRIX_RGB;
    colorimetry->transfer = GST_VIDEO_TRANSFER_SRGB;
    colorimetry->primaries = primaries_of (SPACE_OF (spec), encoding);
  }
}
