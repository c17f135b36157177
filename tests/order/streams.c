/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "streams.h"

void
order_stream_init (OrderStream *self, GstCudaContext *context,
    OrderStreamKind kind)
{
  g_autoptr (GError) error = NULL;

  self->context = gst_object_ref (context);
  self->ours = kind == ORDER_STREAM_DEFAULT;
  switch (kind) {
    case ORDER_STREAM_DEFAULT:
      self->zc = cuda_test_blocking_stream (context);
      break;
    case ORDER_STREAM_LEGACY:
      self->zc = gst_zc_stream_new_borrowed (context, NULL, &error);
      break;
    default:
      self->zc = gst_zc_stream_new (context, &error);
      break;
  }
  g_assert_no_error (error);
}

void
order_stream_clear (OrderStream *self)
{
  gpointer handle = gst_zc_stream_get_handle (self->zc);

  g_clear_pointer (&self->zc, gst_zc_stream_unref);
  if (self->ours)
    cuda_test_stream_destroy (self->context, handle);
  gst_clear_object (&self->context);
}

OrderStreamKind
order_stream_kind (OrderRun *run)
{
  switch (run->options->streams) {
    case ORDER_BLOCKING:
      return ORDER_STREAM_DEFAULT;
    case ORDER_NON_BLOCKING:
      return ORDER_STREAM_OWN;
    default:
      return order_random (run, ORDER_N_STREAMS);
  }
}
