/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The one context of a fuzzer, on softcuda, with some memory in it. */
#pragma once

#include <gst/zc/zc.h>

#include "fuzz.h"

G_BEGIN_DECLS

#define FUZZ_BLOCKS 3

typedef struct
{
  guint64 start; /* device address */
  gsize size;
} FuzzBlock;

typedef struct
{
  GstCudaContext *context;
  GstZcStream *stream;
  FuzzBlock block[FUZZ_BLOCKS];
} FuzzDevice;

/* Made by the first call; NULL where there is no softcuda. */
const FuzzDevice *fuzz_device (void);
/* Has all queued work done: nobody else sees to it. */
void fuzz_device_drain (void);

/* From the lowest to the highest byte of a plane; FALSE if that is more than can
 * be. By a rule of its own: no function of the library. */
gboolean fuzz_extent (const GstZcPlane *plane, guint64 *first, guint64 *size);

/* Fails unless all planes of @image lie in an allocation each. */
void fuzz_check_image (const GstZcImage *image);
/* Maps @buffer, and unless it is a copy, as of pictures that are stored bottom-up,
 * looks at the planes as above. */
void fuzz_check_buffer (GstBuffer *buffer, const GstVideoInfo *info,
    gboolean is_copy);

G_END_DECLS
