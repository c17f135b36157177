/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcdevicepool-private.h"

#include <gst/cuda/gstcudabufferpool.h>
#include <gst/video/video.h>

#include "gstzcallocator.h"
#include "gstzcbarrier.h"
#include "gstzcreservation.h"

#define PACKED_FIELD "zc-packed"

/* What a config asks for. */
typedef struct
{
  GstVideoInfo info;
  gboolean packed;
  GstCudaStream *bridge;        /* owned */
} Frames;

typedef struct
{
  GstCudaBufferPool parent;

  Frames frames;                /* bridge is NULL before the first config */
  GstMemory *trial;             /* owned, atomic: for the first buffer */
  /* Owned, from start to stop. The bridge would wait for the legacy stream. */
  GstZcStream *clearer;
} ZcDevicePool;

typedef struct
{
  GstCudaBufferPoolClass parent_class;
} ZcDevicePoolClass;

G_DEFINE_TYPE (ZcDevicePool, zc_device_pool, GST_TYPE_CUDA_BUFFER_POOL)

/* GstBufferPool's own: GstCudaBufferPool's functions are about an allocator
 * that it makes itself. */
static GstBufferPoolClass *pool_class;

static GstMemory *
alloc_memory (ZcDevicePool *self, const Frames *frames)
{
  g_autoptr (GError) error = NULL;
  GstMemory *memory = zc_allocator_alloc (zc_allocator_get (),
      GST_CUDA_BUFFER_POOL (self)->context, frames->bridge, &frames->info,
      frames->packed, &error);

  if (memory == NULL)
    GST_ERROR_OBJECT (self, "No device memory: %s", error->message);
  return memory;
}

/* Both may be NULL. (transfer full) */
static void
take_frames (ZcDevicePool *self, const Frames *frames, GstMemory *trial)
{
  GstMemory *old = g_atomic_pointer_exchange (&self->trial, trial);

  if (old != NULL)
    gst_memory_unref (old);
  gst_clear_cuda_stream (&self->frames.bridge);
  if (frames != NULL)
    self->frames = *frames;
}

/* The stream of the config, else the one we have, else a new one. */
static GstCudaStream *
choose_bridge (ZcDevicePool *self, GstStructure *config)
{
  GstCudaStream *bridge = gst_buffer_pool_config_get_cuda_stream (config);

  if (bridge != NULL)
    return bridge;
  if (self->frames.bridge != NULL)
    return gst_cuda_stream_ref (self->frames.bridge);
  bridge = gst_cuda_stream_new (GST_CUDA_BUFFER_POOL (self)->context);
  if (bridge == NULL)
    GST_ERROR_OBJECT (self, "The context gives no CUDA stream");
  return bridge;
}

static gboolean
parse_caps (ZcDevicePool *self, GstStructure *config, GstVideoInfo *info)
{
  GstCaps *caps;

  if (gst_buffer_pool_config_get_params (config, &caps, NULL, NULL, NULL) &&
      caps != NULL && gst_video_info_from_caps (info, caps))
    return TRUE;
  GST_WARNING_OBJECT (self,
      "Refused a config without fixed raw video caps: %" GST_PTR_FORMAT,
      config);
  return FALSE;
}

/* Consumers read size and stream from the config. */
static void
complete_config (GstStructure *config, const Frames *frames, gsize size)
{
  GstCaps *caps;
  guint min_buffers, max_buffers;

  gst_buffer_pool_config_get_params (config, &caps, NULL, &min_buffers,
      &max_buffers);
  gst_buffer_pool_config_set_params (config, caps, size, min_buffers,
      max_buffers);
  gst_buffer_pool_config_set_cuda_stream (config, frames->bridge);
}

static gboolean
zc_device_pool_set_config (GstBufferPool *pool, GstStructure *config)
{
  ZcDevicePool *self = (ZcDevicePool *) pool;
  Frames frames = { 0 };
  GstMemory *trial = NULL;

  if (!parse_caps (self, config, &frames.info))
    return FALSE;
  gst_structure_get_boolean (config, PACKED_FIELD, &frames.packed);
  frames.bridge = choose_bridge (self, config);
  /* What a frame takes is known once there is one. It is kept for the first
   * buffer, since a free waits for the device. */
  if (frames.bridge != NULL)
    trial = alloc_memory (self, &frames);
  if (trial == NULL) {
    gst_clear_cuda_stream (&frames.bridge);
    return FALSE;
  }
  complete_config (config, &frames, trial->size);
  take_frames (self, &frames, trial);
  return pool_class->set_config (pool, config);
}

/* Not when it is allocated: a trial is seldom used, and what is being cleared
 * can't be freed at once. (transfer full) both. */
static GstMemory *
cleared (ZcDevicePool *self, GstMemory *memory)
{
  g_autoptr (GError) error = NULL;

  if (memory == NULL || zc_allocator_clear (memory, self->clearer, &error))
    return memory;
  GST_ERROR_OBJECT (self, "Device memory can't be cleared: %s", error->message);
  gst_memory_unref (memory);
  return NULL;
}

static GstFlowReturn
zc_device_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer,
    GstBufferPoolAcquireParams *params)
{
  ZcDevicePool *self = (ZcDevicePool *) pool;
  GstMemory *memory = g_atomic_pointer_exchange (&self->trial, NULL);
  GstVideoInfo *layout;

  if (memory == NULL)
    memory = alloc_memory (self, &self->frames);
  memory = cleared (self, memory);
  if (memory == NULL)
    return GST_FLOW_ERROR;
  layout = &GST_CUDA_MEMORY_CAST (memory)->info;
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, memory);
  gst_buffer_add_video_meta_full (*buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (layout), GST_VIDEO_INFO_WIDTH (layout),
      GST_VIDEO_INFO_HEIGHT (layout), GST_VIDEO_INFO_N_PLANES (layout),
      layout->offset, layout->stride);
  return GST_FLOW_OK;
}

static ZcUntold
settle_reads (GstMemory *memory, GError **error)
{
  ZcReservation *reservation = zc_reservation_get (memory, error);

  if (reservation == NULL)
    return ZC_UNTOLD_FAILED;
  return zc_reservation_settle_foreign_reads (reservation, error);
}

/* Makes @memory fit for the next writer. FALSE without an error if that can't be
 * done yet. */
static gboolean
settle (GstMemory *memory, GError **error)
{
  ZcUntold result;

  if (!zc_is_own_memory (memory))
    return TRUE;
  result = settle_reads (memory, error);
  if (result == ZC_UNTOLD_FAILED ||
      (result == ZC_UNTOLD_OWED && zc_barrier_holds (ZC_BARRIER_OWED_READ)))
    return FALSE;
  /* What a CPU write left in the staging memory must not be uploaded over the
   * next picture. Others that share it see the flags: not theirs. */
  if (gst_memory_is_writable (memory) &&
      zc_barrier_holds (ZC_BARRIER_RECYCLED_UPLOAD))
    GST_MEMORY_FLAG_UNSET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD);
  return TRUE;
}

/* The reaper keeps the memory of what is given up until its users are done. */
static void
log_given_up (GstBufferPool *pool, const GError *error)
{
  GST_DEBUG_CATEGORY_STATIC (category);

  if (error != NULL) {
    GST_ERROR_OBJECT (pool, "A buffer is given up: %s", error->message);
    return;
  }
  GST_DEBUG_CATEGORY_GET (category, "GST_PERFORMANCE");
  GST_CAT_INFO_OBJECT (category, pool,
      "A stream is being captured into a CUDA graph, so who read a buffer on "
      "streams that nobody tells can't be waited for yet: another one will be "
      "allocated in its place");
}

static void
zc_device_pool_release_buffer (GstBufferPool *pool, GstBuffer *buffer)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    if (settle (gst_buffer_peek_memory (buffer, i), &error))
      continue;
    log_given_up (pool, error);
    /* GstBufferPool frees buffers so tagged instead of keeping them. */
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_TAG_MEMORY);
    break;
  }
  pool_class->release_buffer (pool, buffer);
}

static gboolean
open_clearer (ZcDevicePool *self)
{
  g_autoptr (GError) error = NULL;

  self->clearer =
      gst_zc_stream_new (GST_CUDA_BUFFER_POOL (self)->context, &error);
  if (self->clearer == NULL)
    GST_ERROR_OBJECT (self, "No stream: %s", error->message);
  return self->clearer != NULL;
}

static gboolean
zc_device_pool_stop (GstBufferPool *pool)
{
  gboolean ok = pool_class->stop (pool);

  g_clear_pointer (&((ZcDevicePool *) pool)->clearer, gst_zc_stream_unref);
  return ok;
}

/* GstBufferPool never frees what it had allocated when a start fails. */
static gboolean
zc_device_pool_start (GstBufferPool *pool)
{
  ZcDevicePool *self = (ZcDevicePool *) pool;

  if (open_clearer (self) && pool_class->start (pool))
    return TRUE;
  zc_device_pool_stop (pool);
  return FALSE;
}

static void
zc_device_pool_dispose (GObject *object)
{
  ZcDevicePool *self = (ZcDevicePool *) object;

  take_frames (self, NULL, NULL);
  G_OBJECT_CLASS (zc_device_pool_parent_class)->dispose (object);
}

static void
zc_device_pool_class_init (ZcDevicePoolClass *klass)
{
  GstBufferPoolClass *buffer_pool_class = GST_BUFFER_POOL_CLASS (klass);

  pool_class = g_type_class_peek (GST_TYPE_BUFFER_POOL);
  G_OBJECT_CLASS (klass)->dispose = zc_device_pool_dispose;
  buffer_pool_class->set_config = zc_device_pool_set_config;
  buffer_pool_class->start = zc_device_pool_start;
  buffer_pool_class->stop = zc_device_pool_stop;
  buffer_pool_class->alloc_buffer = zc_device_pool_alloc_buffer;
  buffer_pool_class->release_buffer = zc_device_pool_release_buffer;
}

static void
zc_device_pool_init (ZcDevicePool *self)
{
}

GstBufferPool *
gst_zc_device_pool_new (GstCudaContext *context)
{
  GstBufferPool *pool = g_object_new (zc_device_pool_get_type (), NULL);

  gst_object_ref_sink (pool);
  GST_CUDA_BUFFER_POOL (pool)->context = gst_object_ref (context);
  return pool;
}

void
gst_zc_device_pool_config_set_packed (GstStructure *config, gboolean packed)
{
  gst_structure_set (config, PACKED_FIELD, G_TYPE_BOOLEAN, packed, NULL);
}
