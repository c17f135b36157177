/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "measure.h"

#include <time.h>

#define WARM_UP_FRAMES 20
#define START_SECONDS 60

typedef struct
{
  gint64 wanted; /* microseconds */
  gint64 start;  /* when the warm-up ended, microseconds */
  gint64 spent;  /* microseconds, set once at the end */
  gint64 cpu_start, cpu_spent;
  guint frames;  /* since the pipeline started */
} Clock;

/* Device memory is mapped for the CPU, which waits for its pixels: work that
 * is only queued does not count as done. */
static void
wait_for_pixels (GstBuffer *buffer)
{
  GstMapInfo map;

  if (gst_buffer_map (buffer, &map, GST_MAP_READ))
    gst_buffer_unmap (buffer, &map);
}

static void
post_end (GstPad *pad)
{
  g_autoptr (GstElement) sink = gst_pad_get_parent_element (pad);

  gst_element_post_message (sink,
      gst_message_new_application (GST_OBJECT (sink),
          gst_structure_new_empty ("measured")));
}

/* Of all threads, in microseconds */
static gint64
cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Clock *clock = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  if (++clock->frames == WARM_UP_FRAMES) {
    wait_for_pixels (buffer);
    clock->cpu_start = cpu_time ();
    clock->start = g_get_monotonic_time ();
  } else if (clock->start && !clock->spent &&
      g_get_monotonic_time () - clock->start >= clock->wanted) {
    clock->cpu_spent = cpu_time () - clock->cpu_start;
    wait_for_pixels (buffer);
    clock->spent = g_get_monotonic_time () - clock->start;
    post_end (pad);
    return GST_PAD_PROBE_REMOVE;
  }
  return GST_PAD_PROBE_OK;
}

static gboolean
play (GstElement *pipeline, gdouble seconds, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus,
      (GstClockTime) ((seconds + START_SECONDS) * GST_SECOND),
      GST_MESSAGE_ERROR | GST_MESSAGE_APPLICATION);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (!message)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
        "no result after %d s", START_SECONDS);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, error, NULL);
  return message && GST_MESSAGE_TYPE (message) != GST_MESSAGE_ERROR;
}

gboolean
measure_pipeline_cpu (const gchar *description, gdouble seconds,
    MeasuredTime *time, GError **error)
{
  Clock clock = { .wanted = (gint64) (seconds * G_USEC_PER_SEC) };
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstPad) pad = NULL;
  gdouble frames;

  pipeline = gst_parse_launch_full (description, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (!pipeline)
    return FALSE;
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, &clock, NULL);
  if (!play (pipeline, seconds, error))
    return FALSE;
  frames = clock.frames - WARM_UP_FRAMES;
  *time = (MeasuredTime) { clock.spent / frames, clock.cpu_spent / frames };
  return TRUE;
}

gdouble
measure_pipeline (const gchar *description, gdouble seconds, GError **error)
{
  MeasuredTime time;

  return measure_pipeline_cpu (description, seconds, &time, error) ? time.us
                                                                   : -1;
}
