/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <gst/app/gstappsrc.h>
#include <gst/cuda/gstcudamemory.h>
#include <poll.h>
#include <string.h>

#include "devicetest.h"
#include "ends.h"
#include "pipeline.h"
#include "softcuda-panel.h"

#define FRAME_MS 5
#define PATIENCE (10 * GST_SECOND)

typedef struct
{
  GstElement *pipeline;
  GstVideoFormat format;
  gint sent, own; /* atomic */
} Sender;

/* What reaches the sink. */
static GstPadProbeReturn
count (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  Sender *self = data;

  g_assert_true (gst_is_cuda_memory (memory));
  /* So that it can go to another process. */
  g_assert_true (device_test_is_legacy_ipc_capable (buffer));
  if (g_str_has_prefix (G_OBJECT_TYPE_NAME (memory->allocator), "Zc"))
    g_atomic_int_inc (&self->own);
  g_atomic_int_inc (&self->sent);
  return GST_PAD_PROBE_OK;
}

static void
watch_sink (Sender *self, gboolean is_mmap)
{
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");

  if (!is_mmap)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count, self, NULL);
}

/* mmap: what can be given away is not what softcuda has. */
static const gchar *
why_not (const gchar *mode)
{
  gboolean virtual_memory, os_handle;
  GstCudaContext *context;

  if (!g_str_equal (mode, "mmap"))
    return NULL;
  context = gst_zc_context_new (0, NULL);
  g_object_get (context, "virtual-memory", &virtual_memory, "os-handle",
      &os_handle, NULL);
  gst_object_unref (context);
  return virtual_memory && os_handle
      ? NULL
      : "the driver has no virtual memory that file descriptors can carry";
}

static gboolean
stdin_has_ended (void)
{
  struct pollfd input = { .fd = 0, .events = POLLIN };

  return poll (&input, 1, FRAME_MS) != 0;
}

/* TRUE if all went well. */
static gboolean
feed (Sender *self, GstAppSrc *in)
{
  for (guint n = 0; !stdin_has_ended (); n++) {
    g_auto (RefFrame) frame = { 0 };

    ipc_frame (&frame, self->format, n);
    if (gst_app_src_push_buffer (in, pixel_buffer (&frame, TRUE)) !=
        GST_FLOW_OK)
      break;
    if (ipc_says_error (self->pipeline))
      return FALSE;
  }
  gst_app_src_end_of_stream (in);
  return TRUE;
}

static gboolean
wait_for_end (Sender *self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

  if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    return TRUE;
  ipc_say ("error: no end of the stream");
  return FALSE;
}

static guint64
count_copies (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();

  return panel ? panel->call_count ("cuMemcpy2DAsync_v2") : 0;
}

gint
ipc_send (gchar **values)
{
  g_autofree gchar *launch = g_strdup_printf (
      "appsrc name=in format=time block=true max-buffers=4 ! %s ! cudaipcsink "
      "name=sink sync=false async=false address=%s ipc-mode=%s",
      values[3], values[0], values[1]);
  g_autoptr (GstElement) in = NULL;
  g_autoptr (GstCaps) caps = NULL;
  Sender self = { NULL, gst_video_format_from_string (values[2]) };
  gboolean ok;

  if (why_not (values[1])) {
    ipc_say ("skip: %s", why_not (values[1]));
    return 0;
  }
  self.pipeline = pipeline_new (launch);
  in = gst_bin_get_by_name (GST_BIN (self.pipeline), "in");
  caps = pixel_caps (self.format, IPC_WIDTH, IPC_HEIGHT);
  gst_app_src_set_caps (GST_APP_SRC (in), caps);
  watch_sink (&self, g_str_equal (values[1], "mmap"));
  gst_element_set_state (self.pipeline, GST_STATE_PLAYING);
  ipc_say ("playing");
  ok = feed (&self, GST_APP_SRC (in)) && wait_for_end (&self);
  gst_element_set_state (self.pipeline, GST_STATE_NULL);
  if (ok)
    ipc_say ("sent %d, own %d, copies %" G_GUINT64_FORMAT, self.sent, self.own,
        count_copies ());
  gst_clear_object (&self.pipeline);
  return ok ? 0 : 1;
}
