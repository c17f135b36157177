/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "play.h"

#include <gst/cuda/gstcuda.h>
#include <sys/resource.h>

/* Frames of each pipeline, and seconds, before the clock starts: memory is
 * allocated, registered and faulted in by then. */
#define WARM_UP_FRAMES 40
#define WARM_UP_SECONDS 0.3
#define START_SECONDS 60

typedef struct
{
  GstElement *pipeline;
  Feed *feed;
  gint frames; /* atomic: how many came to the sink */
} Line;

typedef struct
{
  gint64 us;
  gint64 cpu_us;
  gint64 frames;
} Moment;

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer line)
{
  g_atomic_int_inc (&((Line *) line)->frames);
  return GST_PAD_PROBE_OK;
}

static void
share_context (GstElement *pipeline, GstCudaContext *context)
{
  g_autoptr (GstContext) shared = gst_context_new_cuda_context (context);

  gst_element_set_context (pipeline, shared);
}

static void
raise_pinned (GstElement *pipeline)
{
  g_autoptr (GstElement) up = gst_bin_get_by_name (GST_BIN (pipeline), "up");

  if (up &&
      g_object_class_find_property (G_OBJECT_GET_CLASS (up),
          "max-pinned-bytes"))
    gst_util_set_object_arg (G_OBJECT (up), "max-pinned-bytes", "2147483648");
}

static gboolean
line_init (Line *self, const Play *play, GError **error)
{
  g_autofree gchar *launch =
      g_strdup_printf ("appsrc name=source ! %s ! fakesink name=sink "
                       "sync=false enable-last-sample=false",
          play->launch);
  g_autoptr (GstElement) source = NULL, sink = NULL;
  g_autoptr (GstPad) pad = NULL;

  self->pipeline =
      gst_parse_launch_full (launch, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (!self->pipeline)
    return FALSE;
  share_context (self->pipeline, play->context);
  if (play->pin_all)
    raise_pinned (self->pipeline);
  source = gst_bin_get_by_name (GST_BIN (self->pipeline), "source");
  self->feed =
      feed_new (GST_APP_SRC (source), play->feed, &play->info, play->context);
  sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, self, NULL);
  return TRUE;
}

static void
line_clear (Line *self)
{
  if (!self->pipeline)
    return;
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_clear_pointer (&self->feed, feed_free);
  gst_clear_object (&self->pipeline);
}

static gboolean
has_failed (const Line *self, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  if (message)
    gst_message_parse_error (message, error, NULL);
  return message != NULL;
}

static gboolean
warm_up (Line *lines, guint n, gdouble seconds, GError **error)
{
  gint64 end = g_get_monotonic_time () + START_SECONDS * G_USEC_PER_SEC;

  for (guint i = 0; i < n; i++) {
    while (g_atomic_int_get (&lines[i].frames) < WARM_UP_FRAMES) {
      if (has_failed (&lines[i], error))
        return FALSE;
      if (g_get_monotonic_time () > end) {
        g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
            "no %d frames within %d s", WARM_UP_FRAMES, START_SECONDS);
        return FALSE;
      }
      g_usleep (1000);
    }
  }
  g_usleep ((gulong) (MIN (seconds, WARM_UP_SECONDS) * G_USEC_PER_SEC));
  return TRUE;
}

static gint64
microseconds (const struct timeval *time)
{
  return time->tv_sec * G_USEC_PER_SEC + time->tv_usec;
}

/* A frame that comes to the sink of an upload may still be on its way, but no
 * more than the source has buffers: as many at the start as at the end. */
static Moment
look (Line *lines, guint n)
{
  struct rusage usage;
  Moment moment = { 0 };

  getrusage (RUSAGE_SELF, &usage);
  moment.us = g_get_monotonic_time ();
  moment.cpu_us =
      microseconds (&usage.ru_utime) + microseconds (&usage.ru_stime);
  for (guint i = 0; i < n; i++)
    moment.frames += g_atomic_int_get (&lines[i].frames);
  return moment;
}

static gboolean
run_lines (Line *lines, guint n, gdouble seconds, Pace *pace, GError **error)
{
  Moment start, end;
  gdouble frames;

  for (guint i = 0; i < n; i++)
    gst_element_set_state (lines[i].pipeline, GST_STATE_PLAYING);
  if (!warm_up (lines, n, seconds, error))
    return FALSE;
  start = look (lines, n);
  g_usleep ((gulong) (seconds * G_USEC_PER_SEC));
  end = look (lines, n);
  for (guint i = 0; i < n; i++) {
    if (has_failed (&lines[i], error))
      return FALSE;
  }
  frames = MAX (1, end.frames - start.frames);
  pace->us = (end.us - start.us) / frames;
  pace->cpu_us = (end.cpu_us - start.cpu_us) / frames;
  return TRUE;
}

gboolean
play_for (const Play *play, gdouble seconds, Pace *pace, GError **error)
{
  g_autofree Line *lines = g_new0 (Line, play->n_pipelines);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < play->n_pipelines; i++)
    ok = line_init (&lines[i], play, error);
  ok = ok && run_lines (lines, play->n_pipelines, seconds, pace, error);
  for (guint i = 0; i < play->n_pipelines; i++)
    line_clear (&lines[i]);
  return ok;
}
