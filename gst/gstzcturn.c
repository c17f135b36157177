/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcturn.h"

/* An orientation is: change x and y if it says so, then mirror in the result. */
typedef struct
{
  gboolean swap;
  gboolean mirror_x;
  gboolean mirror_y;
} Turn;

static const Turn turns[] = {
  [GST_VIDEO_ORIENTATION_IDENTITY] = { FALSE, FALSE, FALSE },
  [GST_VIDEO_ORIENTATION_90R] = { TRUE, TRUE, FALSE },
  [GST_VIDEO_ORIENTATION_180] = { FALSE, TRUE, TRUE },
  [GST_VIDEO_ORIENTATION_90L] = { TRUE, FALSE, TRUE },
  [GST_VIDEO_ORIENTATION_HORIZ] = { FALSE, TRUE, FALSE },
  [GST_VIDEO_ORIENTATION_VERT] = { FALSE, FALSE, TRUE },
  [GST_VIDEO_ORIENTATION_UL_LR] = { TRUE, FALSE, FALSE },
  [GST_VIDEO_ORIENTATION_UR_LL] = { TRUE, TRUE, TRUE },
};

static gboolean
clip (guint limit, guint *start, guint *length)
{
  if (*start >= limit || *length == 0)
    return FALSE;
  *length = MIN (*length, limit - *start);
  return TRUE;
}

gboolean
zc_turn_rect (GstVideoOrientationMethod orientation, guint width, guint height,
    ZcRect *rect)
{
  const Turn *turn = &turns[orientation];
  guint out_width = turn->swap ? height : width;
  guint out_height = turn->swap ? width : height;
  ZcRect r = *rect;

  if (!clip (width, &r.x, &r.w) || !clip (height, &r.y, &r.h))
    return FALSE;
  if (turn->swap)
    r = (ZcRect) { r.y, r.x, r.h, r.w };
  if (turn->mirror_x)
    r.x = out_width - r.x - r.w;
  if (turn->mirror_y)
    r.y = out_height - r.y - r.h;
  *rect = r;
  return TRUE;
}

void
zc_turn_back (GstVideoOrientationMethod orientation, guint width, guint height,
    gdouble *x, gdouble *y)
{
  const Turn *turn = &turns[orientation];
  /* The pixel at 0 comes from the one at width - 1. */
  gdouble back_x = turn->mirror_x ? width - 1.0 - *x : *x;
  gdouble back_y = turn->mirror_y ? height - 1.0 - *y : *y;

  *x = turn->swap ? back_y : back_x;
  *y = turn->swap ? back_x : back_y;
}

static void
add_crop (GstBuffer *out, const ZcRect *rect)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (out);

  crop->x = rect->x;
  crop->y = rect->y;
  crop->width = rect->w;
  crop->height = rect->h;
}

static void
turn_crop (GstVideoOrientationMethod orientation, guint width, guint height,
    GstBuffer *out, const GstVideoCropMeta *in)
{
  ZcRect rect = { in->x, in->y, in->width, in->height };

  if (zc_turn_rect (orientation, width, height, &rect))
    add_crop (out, &rect);
}

static void
turn_region (GstVideoOrientationMethod orientation, guint width, guint height,
    GstBuffer *out, const GstVideoRegionOfInterestMeta *in)
{
  ZcRect rect = { in->x, in->y, in->w, in->h };
  GstVideoRegionOfInterestMeta *region;

  if (!zc_turn_rect (orientation, width, height, &rect))
    return;
  region = gst_buffer_add_video_region_of_interest_meta_id (out, in->roi_type,
      rect.x, rect.y, rect.w, rect.h);
  region->id = in->id;
  region->parent_id = in->parent_id;
  region->params = g_list_copy_deep (in->params,
      (GCopyFunc) (GCallback) gst_structure_copy, NULL);
}

static gboolean
is_geometric (GType api)
{
  return gst_meta_api_type_has_tag (api,
             g_quark_from_static_string (GST_META_TAG_VIDEO_SIZE_STR)) ||
      gst_meta_api_type_has_tag (api,
          g_quark_from_static_string (GST_META_TAG_VIDEO_ORIENTATION_STR));
}

gboolean
zc_turn_keeps_meta (GType api)
{
  return api == GST_VIDEO_CROP_META_API_TYPE ||
      api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE || !is_geometric (api);
}

gboolean
zc_turn_meta (GstVideoOrientationMethod orientation, guint width, guint height,
    GstBuffer *out, GstMeta *meta)
{
  GType api = meta->info->api;

  if (api == GST_VIDEO_CROP_META_API_TYPE)
    turn_crop (orientation, width, height, out, (GstVideoCropMeta *) meta);
  else if (api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
    turn_region (orientation, width, height, out,
        (GstVideoRegionOfInterestMeta *) meta);
  else
    return !is_geometric (api);
  return FALSE;
}
