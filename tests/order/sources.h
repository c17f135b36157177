/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Where pictures in device memory come from. */
#pragma once

#include "users.h"

G_BEGIN_DECLS

typedef enum
{
  SOURCE_POOL, /* of this library */
  SOURCE_FOREIGN, /* GstCudaBufferPool, with a stream */
  SOURCE_NULL, /* GstCudaBufferPool without one */
  SOURCE_WRAPPED, /* memory of the program, see wraps.h */
  N_SOURCES
} SourceKind;

typedef struct
{
  OrderRun *run;
  SourceKind kind;
  GstCudaContext *context; /* owned */
  GstVideoInfo info;
  GstBufferPool *pool; /* owned */
  struct _Wraps *wraps; /* owned */
} Source;

void source_init (Source *self, OrderRun *run, SourceKind kind,
    GstCudaContext *context, GstVideoFormat format);
/* Buffers may still be out, and work on them queued. */
void source_clear (Source *self);
/* A picture; TRUE if it has @value already. */
gboolean source_take (Source *self, GstBuffer **buffer, guint8 value);

/* A small format, by chance. */
GstVideoFormat source_format (OrderRun *run);

G_END_DECLS
