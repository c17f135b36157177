/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the tracer keeps at objects of GStreamer's: pads, elements, pipelines
 * and memories, as long as they live. */

#pragma once

#include "zctracermodel.h"

G_BEGIN_DECLS

typedef struct _ZcPad ZcPad;
struct _ZcPad
{
  gint refs;
  ZcElement *element; /* owned; NULL: a pad of a bin, which hands on */
  gchar *name;
  /* With the tracer's lock. */
  ZcPad *peer; /* owned; of a source pad */
  GstCaps *caps; /* owned; that is_video was asked of */
  gboolean is_video;
  ZcLink *link; /* owned; of a sink pad: of the last buffer */
  ZcPad *from; /* owned; of a sink pad: where that came from */
};

/* The record of @element, made if there is none. Takes object locks. Good as
 * long as @element. */
ZcElement *zc_record_element (GstElement *element);

/* The record of @pad, made if there is none. Takes object locks. Good as long as
 * @pad. */
ZcPad *zc_record_pad (GstPad *pad);
/* The one that @pad has, or NULL. Takes none. */
ZcPad *zc_record_peek_pad (GstPad *pad);
ZcPad *zc_pad_ref (ZcPad *self);
void zc_pad_unref (ZcPad *self);

/* The run of the pipeline that @pad is in, made if there is none. Takes object
 * locks, and the tracer's. */
ZcRun *zc_record_run (GstPad *pad);

/* With the tracer's lock: looks at @caps again if they are new. */
void zc_pad_take_caps (ZcPad *self, GstCaps *caps);

/* How many memories of @buffer nobody has pushed before. @sink has them now. */
guint zc_record_memories (GstBuffer *buffer, ZcElement *sink);
/* Who got @memory last, or NULL. (transfer full) */
ZcElement *zc_record_holder (GstMemory *memory);

G_END_DECLS
