/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcfliptags.h"

GstVideoOrientationMethod
zc_flip_tags_get (const ZcFlipTags *self)
{
  return self->has_stream ? self->stream : self->global;
}

void
zc_flip_tags_clear (ZcFlipTags *self)
{
  g_free (self->stream_id);
  *self = (ZcFlipTags) { .global = GST_VIDEO_ORIENTATION_IDENTITY };
}

void
zc_flip_tags_start_stream (ZcFlipTags *self, GstEvent *event)
{
  const gchar *stream_id;

  gst_event_parse_stream_start (event, &stream_id);
  if (g_strcmp0 (stream_id, self->stream_id) == 0)
    return;
  zc_flip_tags_clear (self);
  self->stream_id = g_strdup (stream_id);
}

void
zc_flip_tags_take (ZcFlipTags *self, GstEvent *event)
{
  GstVideoOrientationMethod orientation = GST_VIDEO_ORIENTATION_IDENTITY;
  GstTagList *tags;
  gboolean found;

  gst_event_parse_tag (event, &tags);
  found = gst_video_orientation_from_tag (tags, &orientation);

  if (gst_tag_list_get_scope (tags) == GST_TAG_SCOPE_STREAM) {
    self->has_stream = found;
    self->stream = orientation;
  } else {
    self->global = orientation;
  }
}

GstEvent *
zc_flip_tags_rewrite (GstEvent *event)
{
  GstVideoOrientationMethod orientation;
  GstEvent *upright;
  GstTagList *tags;

  gst_event_parse_tag (event, &tags);
  if (!gst_video_orientation_from_tag (tags, &orientation))
    return event;

  tags = gst_tag_list_copy (tags);
  gst_tag_list_add (tags, GST_TAG_MERGE_REPLACE, GST_TAG_IMAGE_ORIENTATION,
      "rotate-0", NULL);
  upright = gst_event_new_tag (tags);
  gst_event_set_seqnum (upright, gst_event_get_seqnum (event));
  gst_event_unref (event);
  return upright;
}
