/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "wraps.h"

#include <string.h>

#define MAX_BLOCKS 16
#define BLOCK_SIZE 4096
#define PATIENCE (5 * G_TIME_SPAN_SECOND)

struct _Wraps
{
  OrderRun *run;
  GstCudaContext *context; /* owned */
  GstVideoInfo info;

  GMutex lock; /* for what follows */
  GCond given_back;
  guint n_out; /* pictures */
  GPtrArray *idle; /* of Block */
  GPtrArray *all; /* owned; of Block */
};

/* Memory for a picture; what its owner knows it by. */
typedef struct
{
  Wraps *wraps;
  guint64 address[GST_ZC_MAX_PLANES]; /* of each plane's allocation */
  guint n_notify;
} Block;

Wraps *
wraps_new (OrderRun *run, GstCudaContext *context, const GstVideoInfo *info)
{
  Wraps *self = g_new0 (Wraps, 1);

  self->run = run;
  self->context = gst_object_ref (context);
  self->info = *info;
  g_mutex_init (&self->lock);
  g_cond_init (&self->given_back);
  self->idle = g_ptr_array_new ();
  self->all = g_ptr_array_new_with_free_func (g_free);
  return self;
}

static void
wait_for_all (Wraps *self)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  g_mutex_lock (&self->lock);
  while (self->n_out > 0 &&
      g_cond_wait_until (&self->given_back, &self->lock, end))
    ;
  if (self->n_out > 0)
    order_fault (self->run, ORDER_LIFETIME, "%u pictures were not given back",
        self->n_out);
  g_mutex_unlock (&self->lock);
}

void
wraps_free (Wraps *self)
{
  wait_for_all (self);
  for (guint i = 0; i < self->all->len; i++) {
    Block *block = g_ptr_array_index (self->all, i);

    for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (&self->info); p++)
      cuda_test_free (self->context, block->address[p]);
  }
  g_ptr_array_unref (self->idle);
  g_ptr_array_unref (self->all);
  g_cond_clear (&self->given_back);
  g_mutex_clear (&self->lock);
  gst_object_unref (self->context);
  g_free (self);
}

static Block *
block_new (Wraps *self)
{
  Block *block = g_new0 (Block, 1);

  block->wraps = self;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&self->info); i++)
    block->address[i] = cuda_test_alloc (self->context, BLOCK_SIZE);
  g_ptr_array_add (self->all, block);
  return block;
}

/* The one that was given back last: its readers had the least time. */
static Block *
take_block (Wraps *self)
{
  Block *block;

  g_mutex_lock (&self->lock);
  block = self->idle->len > 0
      ? g_ptr_array_steal_index (self->idle, self->idle->len - 1)
      : block_new (self);
  self->n_out++;
  g_mutex_unlock (&self->lock);
  return block;
}

static void
give_back (gpointer data)
{
  Block *block = data;
  Wraps *self = block->wraps;

  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->idle, block);
  self->n_out--;
  g_cond_signal (&self->given_back);
  g_mutex_unlock (&self->lock);
}

static void
describe (Wraps *self, const Block *block, GstZcImage *image)
{
  gint64 stride[GST_ZC_MAX_PLANES] = { 128, 128, 128, 128 };
  g_autoptr (GError) error = NULL;

  gst_zc_image_init (image, GST_VIDEO_INFO_FORMAT (&self->info),
      GST_VIDEO_INFO_WIDTH (&self->info), GST_VIDEO_INFO_HEIGHT (&self->info),
      0, block->address, stride, &error);
  g_assert_no_error (error);
}

/* How a producer tells of itself. */
typedef enum
{
  TELLS_STREAM,
  TELLS_EVENT,
  TELLS_HANDLE,
  TELLS_SENTINEL,
  TELLS_LEGACY,
  TELLS_NOTHING,
  N_TELLS
} Tells;

/* Fills in @producer; @event is to be freed after the wrap. */
static void
tell (Wraps *self, Tells tells, OrderStream *stream, GstZcProducer *producer,
    gpointer *event)
{
  gpointer handle = gst_zc_stream_get_handle (stream->zc);

  *event = NULL;
  *producer = (GstZcProducer) { GST_ZC_PRODUCER_CAI };
  switch (tells) {
    case TELLS_STREAM:
      *producer = (GstZcProducer) { GST_ZC_PRODUCER_STREAM, handle };
      break;
    case TELLS_EVENT:
      *event = cuda_test_event_new (stream->zc);
      *producer = (GstZcProducer) { GST_ZC_PRODUCER_EVENT, *event };
      break;
    case TELLS_HANDLE:
      producer->cai_stream = (gint64) (guintptr) handle;
      break;
    case TELLS_SENTINEL:
      producer->cai_stream = order_random (self->run, 3);
      break;
    case TELLS_LEGACY:
      producer->cai_stream = GST_ZC_CAI_NO_STREAM;
      break;
    default:
      gst_zc_stream_synchronize (stream->zc, NULL);
      producer->cai_stream = GST_ZC_CAI_NONE;
      if (order_random (self->run, 2))
        *producer = (GstZcProducer) { GST_ZC_PRODUCER_NONE };
      break;
  }
}

static OrderStreamKind
stream_kind (Wraps *self, Tells tells)
{
  if (tells == TELLS_LEGACY)
    return ORDER_STREAM_LEGACY;
  /* The handle of the legacy stream would be a sentinel. */
  if (tells == TELLS_HANDLE)
    return self->run->options->streams == ORDER_BLOCKING ? ORDER_STREAM_DEFAULT
                                                         : ORDER_STREAM_OWN;
  return order_stream_kind (self->run);
}

GstBuffer *
wraps_take (Wraps *self, guint8 value)
{
  Tells tells = order_random (self->run, N_TELLS);
  Block *block = take_block (self);
  OrderStream stream;
  GstZcProducer producer;
  GError *error = NULL;
  GstZcImage image;
  GstBuffer *buffer;
  gpointer event;

  describe (self, block, &image);
  order_stream_init (&stream, self->context, stream_kind (self, tells));
  order_delay (self->run, stream.zc);
  cuda_test_fill (stream.zc, &image, value);
  tell (self, tells, &stream, &producer, &event);
  buffer = gst_zc_buffer_new_wrapped (self->context, &image, &producer, block,
      give_back, &error);
  g_assert_no_error (error);
  if (event)
    cuda_test_event_free (self->context, event);
  order_stream_clear (&stream);
  return buffer;
}
