/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* For consumers that use our pixels without a frame map. */

#include "gstzcaccess.h"
#include "gstzcallocator.h"
#include "gstzcbufferhold.h"
#include "gstzcforeign.h"
#include "gstzcreservation.h"

/* What is to be done with each memory of a buffer. */
typedef gboolean (*Step) (GstMemory *memory, GstMapFlags flags,
    GstZcStream *stream, GError **error);

static gboolean
for_each_memory (GstBuffer *buffer, GstMapFlags flags, GstZcStream *stream,
    Step step, GError **error)
{
  guint i;

  if (!zc_access_check (buffer, flags, stream, error))
    return FALSE;
  for (i = 0; i < gst_buffer_n_memory (buffer); i++) {
    if (!step (gst_buffer_peek_memory (buffer, i), flags, stream, error))
      return FALSE;
  }
  zc_buffer_hold (buffer);
  return TRUE;
}

gboolean
gst_zc_buffer_mark_read (GstBuffer *buffer, GstZcStream *stream, GError **error)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);
  g_return_val_if_fail (stream != NULL, FALSE);

  return for_each_memory (buffer, GST_MAP_READ, stream, zc_access_end, error);
}

static gboolean
wait_step (GstMemory *memory, GstMapFlags flags, GstZcStream *stream,
    GError **error)
{
  GstMapInfo map;

  /* A map also brings what a CPU wrote, and says that one must download. */
  if (!zc_access_begin (memory, &map, flags, stream, error))
    return FALSE;
  gst_memory_unmap (memory, &map);
  return TRUE;
}

static gboolean
written_step (GstMemory *memory, GstMapFlags flags, GstZcStream *stream,
    GError **error)
{
  return wait_step (memory, flags, stream, error) &&
      zc_access_end (memory, flags, stream, error);
}

gboolean
gst_zc_buffer_mark_written (GstBuffer *buffer, GstZcStream *stream,
    GError **error)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);
  g_return_val_if_fail (stream != NULL, FALSE);

  return for_each_memory (buffer, GST_MAP_WRITE, stream, written_step, error);
}

gboolean
gst_zc_buffer_wait (GstBuffer *buffer, GstMapFlags flags, GstZcStream *stream,
    GError **error)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);
  g_return_val_if_fail (stream != NULL, FALSE);
  g_return_val_if_fail (flags & GST_MAP_READWRITE, FALSE);

  return for_each_memory (buffer, flags & GST_MAP_READWRITE, stream, wait_step,
      error);
}

/* The stream that GStreamer's own rule works on; ours wait for it, it for
 * them. */
static GstZcStream *
bridge_of (GstMemory *memory, GError **error)
{
  GstCudaMemory *cuda = (GstCudaMemory *) memory;
  g_autoptr (ZcContext) context = zc_context_get (cuda->context, error);

  return context
      ? zc_stream_new_lent (context, gst_cuda_memory_get_stream (cuda), error)
      : NULL;
}

static GstZcStream *
writer_of (GstMemory *memory)
{
  ZcReservation *reservation = zc_reservation_get (memory, NULL);

  return reservation ? zc_reservation_find_writer (reservation) : NULL;
}

/* The stream that wrote all memories of @buffer, or NULL. */
static GstZcStream *
find_writer (GstBuffer *buffer)
{
  g_autoptr (GstZcStream) writer =
      writer_of (gst_buffer_peek_memory (buffer, 0));
  guint i;

  for (i = 0; writer && i < gst_buffer_n_memory (buffer); i++) {
    g_autoptr (GstZcStream) other =
        writer_of (gst_buffer_peek_memory (buffer, i));

    if (!other || !zc_stream_key_equal (&other->key, &writer->key))
      return NULL;
  }
  return g_steal_pointer (&writer);
}

GstZcStream *
gst_zc_buffer_get_writer_stream (GstBuffer *buffer, GError **error)
{
  GstZcStream *stream;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  if (!zc_access_check_memories (buffer, error))
    return NULL;
  stream = find_writer (buffer);
  if (stream)
    return stream;
  stream = bridge_of (gst_buffer_peek_memory (buffer, 0), error);
  if (stream && !gst_zc_buffer_wait (buffer, GST_MAP_READ, stream, error))
    g_clear_pointer (&stream, gst_zc_stream_unref);
  return stream;
}
