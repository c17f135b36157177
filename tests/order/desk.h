/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a small program has before it: one source of pictures and two streams. */
#pragma once

#include "sources.h"

G_BEGIN_DECLS

typedef struct
{
  OrderRun *run;
  Source source;
  OrderStream a, b;
  GstAllocator *pinned; /* owned */
} Desk;

void desk_init (Desk *self, OrderRun *run, SourceKind kind);
void desk_clear (Desk *self);

/* A picture of @value, written by @user on @stream. */
GstBuffer *desk_new (Desk *self, User user, const OrderStream *stream,
    guint8 value);
void desk_write (Desk *self, User user, const OrderStream *stream,
    GstBuffer *buffer, guint8 value);
void desk_read (Desk *self, User user, const OrderStream *stream,
    GstBuffer *buffer, guint8 value);

/* A host buffer of the source's size. */
GstBuffer *desk_host_buffer (Desk *self, guint8 value);

G_END_DECLS
