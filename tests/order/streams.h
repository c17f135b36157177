/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Streams of the kinds that programs have. */
#pragma once

#include "order.h"

G_BEGIN_DECLS

typedef enum
{
  ORDER_STREAM_OWN, /* non-blocking, made by the library */
  ORDER_STREAM_DEFAULT, /* blocking, made by the program */
  ORDER_STREAM_LEGACY,
  ORDER_N_STREAMS
} OrderStreamKind;

typedef struct
{
  GstZcStream *zc;
  GstCudaContext *context; /* owned */
  gboolean ours; /* to be destroyed */
} OrderStream;

void order_stream_init (OrderStream *self, GstCudaContext *context,
    OrderStreamKind kind);
/* Work may still be queued on it. */
void order_stream_clear (OrderStream *self);
/* Of a kind that the options allow. */
OrderStreamKind order_stream_kind (OrderRun *run);

G_END_DECLS
