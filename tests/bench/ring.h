/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Times work on the device that goes from picture to picture of a ring which is
 * larger than the L2 cache, as pictures of a video do. */
#pragma once

#include <cuda.h>
#include <gst/zc/zc.h>

G_BEGIN_DECLS

typedef struct _Ring Ring;

/* Queues one frame's work on @stream; the addresses are 512-byte aligned. */
typedef gboolean (*RingJob) (CUdeviceptr from, CUdeviceptr to,
    GstZcStream *stream, gpointer data, GError **error);

typedef struct
{
  gdouble us; /* of the device, a frame */
  gdouble cpu_us; /* of the caller, a frame, while the device was held up */
} RingTime;

/* Two areas of @area bytes on device 0, one to read and one to write. softcuda
 * can't be held up; its times mean nothing. */
Ring *ring_new (gsize area, gboolean soft, GError **error);
void ring_free (Ring *self);

/* The median of several times of many frames of @frame_bytes each. All are
 * queued before the first one runs, so that the time is the device's alone. */
gboolean ring_time (Ring *self, gsize frame_bytes, guint n_frames, RingJob job,
    gpointer data, RingTime *time, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Ring, ring_free)

G_END_DECLS
