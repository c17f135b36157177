/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "faultfeed.h"

#include <string.h>

#include "pixels.h"

#define PATIENCE (10 * G_TIME_SPAN_SECOND)
#define PACE_US 2000

/* videotestsrc */

static void
paint (GstVideoFrame *to, const RefFrame *from)
{
  for (guint i = 0; i < from->n_planes; i++) {
    const RefPlane *plane = &from->plane[i];

    for (gint row = 0; row < plane->height; row++)
      memcpy ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (to, i) +
              row * GST_VIDEO_FRAME_PLANE_STRIDE (to, i),
          plane->data + row * plane->stride, ref_plane_row_bytes (plane));
  }
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  FaultSource *self = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_auto (RefFrame) frame = { 0 };
  GstVideoFrame mapped;
  GstVideoInfo info;

  fault_pipe_frame (self->pipe, fault_number_of (GST_BUFFER_PTS (buffer)),
      &frame);
  if (gst_video_info_from_caps (&info, caps) &&
      gst_video_frame_map (&mapped, &info, buffer, GST_MAP_WRITE)) {
    paint (&mapped, &frame);
    gst_video_frame_unmap (&mapped);
  } else {
    g_atomic_int_set (&self->broken, TRUE);
  }
  return GST_PAD_PROBE_OK;
}

static void
watch_source (FaultSource *self, GstElement *src)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (src, "src");

  if (g_object_get_data (G_OBJECT (src), "watched") == NULL)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, self, NULL);
  g_object_set_data (G_OBJECT (src), "watched", src);
}

/* appsrc */

/* Each plane is a piece of one memory, which nobody else holds. */
static GstBuffer *
new_shared (const RefFrame *frame)
{
  GstBuffer *whole = pixel_buffer_default (frame), *part;
  gsize luma = ref_plane_row_bytes (&frame->plane[0]) * frame->height;

  part = gst_buffer_append (gst_buffer_copy_region (whole,
                                GST_BUFFER_COPY_MEMORY, 0, luma),
      gst_buffer_copy_region (whole, GST_BUFFER_COPY_MEMORY, luma, -1));
  gst_buffer_unref (whole);
  return part;
}

/* All frames after each other in one memory. */
static void
init_whole (FaultSource *self)
{
  GstMemory *memory;

  self->whole = gst_buffer_new ();
  for (guint i = 0; i < FAULT_FRAMES; i++) {
    g_auto (RefFrame) frame = { 0 };

    fault_pipe_frame (self->pipe, i, &frame);
    self->whole =
        gst_buffer_append (self->whole, pixel_buffer_default (&frame));
  }
  memory = gst_buffer_get_all_memory (self->whole);
  gst_buffer_replace_all_memory (self->whole, memory);
}

static GstBuffer *
new_again (FaultSource *self, guint number)
{
  gsize size = gst_buffer_get_size (self->whole) / FAULT_FRAMES;

  return gst_buffer_copy_region (self->whole, GST_BUFFER_COPY_MEMORY,
      number * size, size);
}

static GstBuffer *
new_uploaded (FaultSource *self, const RefFrame *frame)
{
  return chain_run (self->upload, pixel_buffer_default (frame));
}

/* TRUE if a picture was given back as often as it was wrapped. */
static gboolean
came_back (FaultSource *self, guint number)
{
  ForeignPicture *picture = &self->picture[number];
  gint64 end = g_get_monotonic_time () + PATIENCE;
  gboolean waiting = TRUE, all;

  g_mutex_lock (&picture->lock);
  while (picture->n_notify < self->n_wraps[number] && waiting)
    waiting = g_cond_wait_until (&picture->given_back, &picture->lock, end);
  all = picture->n_notify == self->n_wraps[number];
  g_mutex_unlock (&picture->lock);
  return all;
}

static GstBuffer *
new_wrapped (FaultSource *self, guint number, const RefFrame *frame)
{
  const GstZcProducer producer = { .kind = GST_ZC_PRODUCER_NONE };
  ForeignPicture *picture = &self->picture[number];

  if (!came_back (self, number))
    g_error ("wrapped picture %u is still away", number);
  self->n_wraps[number]++;
  foreign_picture_write (picture, frame);
  return foreign_picture_wrap (picture, &producer);
}

static GstBuffer *
new_buffer (FaultSource *self, guint number)
{
  g_auto (RefFrame) frame = { 0 };

  fault_pipe_frame (self->pipe, number, &frame);
  switch (self->pipe->feed) {
    case FEED_SHARED:
      return new_shared (&frame);
    case FEED_AGAIN:
      return new_again (self, number);
    case FEED_CUDA:
      return new_uploaded (self, &frame);
    case FEED_WRAPPED:
      return new_wrapped (self, number, &frame);
    default:
      return pixel_buffer_default (&frame);
  }
}

/* Before the start, since to make them may call the driver. */
static void
make_all (FaultSource *self)
{
  gboolean cuda =
      self->pipe->feed == FEED_CUDA || self->pipe->feed == FEED_WRAPPED;

  for (guint i = 0; i < FAULT_FRAMES; i++) {
    g_autoptr (GstCaps) caps = fault_pipe_caps (self->pipe, i, cuda);
    GstBuffer *buffer = new_buffer (self, i);

    GST_BUFFER_PTS (buffer) = fault_time_of (i);
    GST_BUFFER_DURATION (buffer) = fault_time_of (1);
    g_queue_push_tail (&self->samples,
        gst_sample_new (buffer, caps, NULL, NULL));
    gst_buffer_unref (buffer);
  }
}

static void
on_need_data (GstAppSrc *src, guint size, gpointer data)
{
  FaultSource *self = data;
  GstSample *sample = g_queue_pop_head (&self->samples);

  /* Such memory is registered by another thread. */
  if (self->pipe->feed == FEED_AGAIN)
    g_usleep (PACE_US);
  if (sample != NULL) {
    gst_app_src_push_sample (src, sample);
    gst_sample_unref (sample);
  } else {
    gst_app_src_end_of_stream (src);
  }
}

static void
drop_samples (FaultSource *self)
{
  g_queue_clear_full (&self->samples, (GDestroyNotify) gst_sample_unref);
}

void
fault_source_fill (FaultSource *self, GstElement *pipeline)
{
  static const GstAppSrcCallbacks callbacks = { .need_data = on_need_data };
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (pipeline), "src");

  drop_samples (self);
  if (!GST_IS_APP_SRC (src)) {
    watch_source (self, src);
    return;
  }
  make_all (self);
  gst_app_src_set_callbacks (GST_APP_SRC (src),
      (GstAppSrcCallbacks *) &callbacks, self, NULL);
}

static void
init_pictures (FaultSource *self)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);

  for (; self->n_pictures < FAULT_FRAMES; self->n_pictures++)
    foreign_picture_init (&self->picture[self->n_pictures], context,
        &foreign_one);
  gst_object_unref (context);
}

void
fault_source_init (FaultSource *self, const FaultPipe *pipe)
{
  *self = (FaultSource) { .pipe = pipe };
  if (pipe->feed == FEED_CUDA) {
    self->upload = chain_new ("zcupload");
    gst_harness_set_src_caps (self->upload, fault_pipe_caps (pipe, 0, FALSE));
  } else if (pipe->feed == FEED_AGAIN) {
    init_whole (self);
  } else if (pipe->feed == FEED_WRAPPED) {
    init_pictures (self);
  }
}

void
fault_source_clear (FaultSource *self, gboolean lost)
{
  drop_samples (self);
  gst_clear_buffer (&self->whole);
  g_clear_pointer (&self->upload, gst_harness_teardown);
  for (guint i = 0; i < self->n_pictures && !lost; i++)
    foreign_picture_clear (&self->picture[i]);
}

const gchar *
fault_source_check (FaultSource *self)
{
  if (g_atomic_int_get (&self->broken))
    return "a frame of the source could not be mapped for writing";
  drop_samples (self);
  for (guint i = 0; i < self->n_pictures; i++) {
    if (!came_back (self, i))
      return "a wrapped picture was not given back as often as it was wrapped";
  }
  return NULL;
}
