/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcaccess.h"

#include "gstzcallocator.h"
#include "gstzcbarrier.h"
#include "gstzccapture.h"
#include "gstzcformat.h"
#include "gstzcreservation.h"

static gboolean
check_is_cuda (GstMemory *memory, GError **error)
{
  if (gst_is_cuda_memory (memory))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_CUDA,
      "The buffer holds %s memory where CUDA memory is needed: put zcupload "
      "before this",
      memory->allocator ? memory->allocator->mem_type : "unknown");
  return FALSE;
}

gboolean
zc_access_check_memories (GstBuffer *buffer, GError **error)
{
  guint i, n = gst_buffer_n_memory (buffer);

  if (n == 0 || n > GST_ZC_MAX_PLANES) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "The buffer has %u memories, a picture needs 1 to %d", n,
        GST_ZC_MAX_PLANES);
    return FALSE;
  }
  for (i = 0; i < n; i++) {
    if (!check_is_cuda (gst_buffer_peek_memory (buffer, i), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
get_device (GstBuffer *buffer, guint memory, gint *device, GError **error)
{
  g_autoptr (ZcContext) context =
      zc_context_get (((GstCudaMemory *) gst_buffer_peek_memory (buffer,
                           memory))
                          ->context,
          error);

  if (!context)
    return FALSE;
  *device = context->device;
  return TRUE;
}

gboolean
zc_access_check_one_device (GstBuffer *buffer, gint *device, GError **error)
{
  guint i;
  gint other;

  if (!zc_access_check_memories (buffer, error) ||
      !get_device (buffer, 0, device, error))
    return FALSE;
  for (i = 1; i < gst_buffer_n_memory (buffer); i++) {
    if (!get_device (buffer, i, &other, error))
      return FALSE;
    if (other == *device)
      continue;
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
        "The buffer has memory of CUDA devices %d and %d: a picture must be on "
        "one",
        *device, other);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_device (GstBuffer *buffer, GstZcStream *stream, GError **error)
{
  gint device;

  if (!zc_access_check_one_device (buffer, &device, error))
    return FALSE;
  if (device == stream->key.context->device)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
      "The buffer lives on CUDA device %d, the stream on device %d: use one "
      "cuda-device-id, or download and upload between the two",
      device, stream->key.context->device);
  return FALSE;
}

static gboolean
is_read_only (GstBuffer *buffer)
{
  guint i;

  for (i = 0; i < gst_buffer_n_memory (buffer); i++) {
    if (GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (buffer, i)))
      return TRUE;
  }
  return FALSE;
}

static gboolean
check_writable (GstBuffer *buffer, GError **error)
{
  gboolean writable = gst_buffer_is_writable (buffer);

  if (is_read_only (buffer)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_WRITABLE,
        "The buffer's memory is read-only, as its owner said: write to a "
        "buffer "
        "of your own");
    return FALSE;
  }
  if (writable && gst_buffer_is_all_memory_writable (buffer))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_WRITABLE,
      "The %s is shared and can't be mapped for writing: write to a buffer of "
      "your own",
      writable ? "buffer's memory" : "buffer");
  return FALSE;
}

gboolean
zc_access_check (GstBuffer *buffer, GstMapFlags flags, GstZcStream *stream,
    GError **error)
{
  return check_device (buffer, stream, error) &&
      (!stream->borrowed || zc_capture_check_stream (&stream->key, error)) &&
      (!(flags & GST_MAP_WRITE) || check_writable (buffer, error));
}

static gboolean
acquire (GstMemory *memory, GstMapFlags flags, gboolean uploads,
    GstZcStream *stream, GError **error)
{
  ZcReservation *reservation = zc_reservation_get (memory, error);

  if (!reservation)
    return FALSE;
  if (uploads)
    zc_reservation_note_upload (reservation);
  /* Nobody tells us when a CPU writes again there. */
  if (uploads && !zc_is_own_memory (memory) &&
      !zc_reservation_finish_upload (reservation, error))
    return FALSE;
  return zc_reservation_acquire (reservation, flags, &stream->key, error);
}

gboolean
zc_access_end (GstMemory *memory, GstMapFlags flags, GstZcStream *stream,
    GError **error)
{
  ZcReservation *reservation = zc_reservation_get (memory, error);

  return reservation &&
      zc_reservation_release (reservation, flags, &stream->key, error);
}

gboolean
zc_access_begin (GstMemory *memory, GstMapInfo *map, GstMapFlags flags,
    GstZcStream *stream, GError **error)
{
  gboolean uploads;

  /* The whole picture will be overwritten: what the CPU left in the staging
   * memory must not be uploaded over it. */
  if (!(flags & GST_MAP_READ) && zc_barrier_holds (ZC_BARRIER_STALE_UPLOAD))
    GST_MEMORY_FLAG_UNSET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD);

  uploads =
      GST_MEMORY_FLAG_IS_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD);
  if (!gst_memory_map (memory, map, flags | GST_MAP_CUDA | ZC_MAP_OWN)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
        "CUDA memory could not be mapped for %s: somebody else has it mapped "
        "in a way that excludes this",
        flags & GST_MAP_WRITE ? "writing" : "reading");
    return FALSE;
  }
  /* Mapping may have queued an upload on the memory's stream, so only now. */
  if (acquire (memory, flags, uploads, stream, error))
    return TRUE;
  gst_memory_unmap (memory, map);
  return FALSE;
}
