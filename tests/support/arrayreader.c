/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "arrayreader.h"

GstZcPlane
array_reader_plane (const GstZcArray *array)
{
  g_assert_cmpuint (array->n_dims, ==, 3);
  return (GstZcPlane) {
    .data = array->data,
    .row_stride = array->strides[0],
    .pixel_stride = array->strides[1],
    .width = array->shape[1],
    .height = array->shape[0],
    .n_channels = array->shape[2],
    .channel_bytes = array->strides[2],
  };
}

void
array_reader_wait (const GstZcArray *array, GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcStream) named = NULL;

  if (array->cai_stream == GST_ZC_CAI_NONE)
    return;
  named = gst_zc_stream_new_borrowed (gst_zc_stream_get_context (stream),
      (gpointer) (guintptr) array->cai_stream, &error);
  g_assert_no_error (error);
  cuda_test_wait_for (stream, named);
}

guint8 *
array_reader_bytes (const GstZcArray *array)
{
  g_autoptr (GError) error = NULL;
  GstZcPlane plane = array_reader_plane (array);
  gsize size = gst_zc_plane_row_bytes (&plane) * plane.height;
  GstCudaContext *primary = gst_zc_context_new (array->device, &error);
  g_autoptr (GstZcStream) stream = gst_zc_stream_new (primary, &error);
  guint8 *pinned = cuda_test_alloc_pinned (primary, size);
  guint8 *bytes;

  g_assert_no_error (error);
  array_reader_wait (array, stream);
  cuda_test_read_rows (stream, &plane, pinned);
  gst_zc_stream_synchronize (stream, &error);
  g_assert_no_error (error);
  bytes = g_memdup2 (pinned, size);
  cuda_test_free_pinned (pinned);
  gst_object_unref (primary);
  return bytes;
}
