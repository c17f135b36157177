/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <gst/app/gstappsink.h>

#include "devicetest.h"
#include "ends.h"
#include "pipeline.h"

#define PATIENCE (20 * GST_SECOND)

/* Addresses of another process mean nothing here. */
static GstPadProbeReturn
look_at_source (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  g_assert_true (pixel_has_cuda (buffer));
  g_assert_null (gst_buffer_get_meta (buffer, GST_ZC_ARRAY_META_API_TYPE));
  return GST_PAD_PROBE_OK;
}

static void
watch_source (GstElement *pipeline)
{
  g_autoptr (GstElement) source =
      gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (source, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, look_at_source, NULL,
      NULL);
}

static gboolean
is_right (GstVideoFormat format, GstBuffer *buffer)
{
  g_auto (RefFrame) frame = { 0 };

  ipc_frame (&frame, format, ipc_number (format, buffer));
  return pixel_equal (&frame, buffer);
}

/* The next one; NULL at the end, which is told. */
static GstSample *
next (GstElement *pipeline, GstAppSink *out, guint n)
{
  GstSample *sample = gst_app_sink_try_pull_sample (out, PATIENCE);

  if (sample == NULL && !ipc_says_error (pipeline))
    ipc_say ("%s, right %u",
        gst_app_sink_is_eos (out) ? "eos" : "nothing comes", n);
  return sample;
}

/* One that is wrong and has no other after it was the last. */
static gint
leave_wrong (GstElement *pipeline, GstAppSink *out)
{
  g_autoptr (GstSample) sample = gst_app_sink_try_pull_sample (out, PATIENCE);

  ipc_say (sample ? "wrong" : "last wrong");
  return 0;
}

static gint
receive (GstElement *pipeline, GstAppSink *out, GstVideoFormat format,
    guint64 wanted)
{
  gboolean right = TRUE;

  for (guint n = 0; right && (wanted == 0 || n < wanted); n++) {
    g_autoptr (GstSample) sample = next (pipeline, out, n);

    if (sample == NULL)
      return 0;
    right = is_right (format, gst_sample_get_buffer (sample));
    if (n == 0 && right)
      ipc_say ("frame");
  }
  if (!right)
    return leave_wrong (pipeline, out);
  ipc_say ("right %" G_GUINT64_FORMAT, wanted);
  return 0;
}

gint
ipc_receive (gchar **values)
{
  g_autofree gchar *launch =
      g_strdup_printf ("cudaipcsrc name=source address=%s io-mode=%s "
                       "connection-timeout=15 ! %s ! appsink name=out "
                       "sync=false max-buffers=4",
          values[0], values[1], values[3]);
  GstElement *pipeline = pipeline_new (launch);
  g_autoptr (GstElement) out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  gint status;

  watch_source (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  status = receive (pipeline, GST_APP_SINK (out),
      gst_video_format_from_string (values[2]),
      g_ascii_strtoull (values[4], NULL, 10));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return status;
}
