/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcdlpack.h"

#include "gstzcdlpackabi.h"
#include "gstzcloan.h"
#include "gstzcstream-private.h"

#define N_DIMS 3

/* A tensor and what it points to. */
typedef struct
{
  union
  {
    ZcDLManagedTensor plain;
    ZcDLManagedTensorVersioned versioned;
  } tensor;
  gint64 shape[N_DIMS];
  gint64 strides[N_DIMS];
  GstZcLoan *loan; /* owned */
} Export;

static void
export_free (Export *export)
{
  gst_zc_loan_unref (export->loan);
  g_free (export);
}

static void
delete_plain (ZcDLManagedTensor *tensor)
{
  export_free (tensor->manager_ctx);
}

static void
delete_versioned (ZcDLManagedTensorVersioned *tensor)
{
  export_free (tensor->manager_ctx);
}

static gboolean
check_plane (const GstZcPlane *plane, GError **error)
{
  if (plane->row_stride % plane->channel_bytes == 0 &&
      plane->pixel_stride % plane->channel_bytes == 0)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "DLPack counts strides in elements, and rows that are %" G_GINT64_FORMAT
      " bytes apart are no whole number of elements of %d bytes: use the CUDA "
      "Array Interface, or a pool whose strides are even",
      plane->row_stride, plane->channel_bytes);
  return FALSE;
}

/* Orders the consumer after @frame; @told if there is nothing more to know. */
static gboolean
hand_over (const GstZcFrame *frame, gint64 stream, gboolean *told,
    GError **error)
{
  const ZcStreamKey *ours = &frame->stream->key;
  ZcStreamKey consumer;

  *told = FALSE;
  if (stream == GST_ZC_DLPACK_NO_WAIT)
    return TRUE;
  if (stream <= 0) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "A stream of %" G_GINT64_FORMAT " says nothing in DLPack: give 1 for "
        "the legacy stream, 2 for the thread's own, -1 for no wait, or a "
        "handle",
        stream);
    return FALSE;
  }
  if (!zc_stream_key_init (&consumer, ours->context,
          (CUstream) (guintptr) stream, error) ||
      !zc_stream_key_wait_tail (&consumer, ours, error))
    return FALSE;
  *told = zc_stream_key_equal (&consumer, ours);
  return TRUE;
}

static ZcDLTensor
describe (Export *export, const GstZcPlane *plane, gint device)
{
  const gint bytes = plane->channel_bytes;

  export->shape[0] = plane->height;
  export->shape[1] = plane->width;
  export->shape[2] = plane->n_channels;
  export->strides[0] = plane->row_stride / bytes;
  export->strides[1] = plane->pixel_stride / bytes;
  export->strides[2] = 1;
  return (ZcDLTensor) {
    .data = (gpointer) (guintptr) plane->data,
    .device_type = ZC_DL_CUDA,
    .device_id = device,
    .ndim = N_DIMS,
    .dtype = { .code = ZC_DL_UINT, .bits = bytes * 8, .lanes = 1 },
    .shape = export->shape,
    .strides = export->strides,
  };
}

static gpointer
export_new (const GstZcFrame *frame, const GstZcPlane *plane,
    GstZcDLPackFlags flags, GstZcLoan *loan)
{
  Export *export = g_new0 (Export, 1);
  ZcDLTensor tensor = describe (export, plane, frame->image.device);

  export->loan = loan;
  if (!(flags & GST_ZC_DLPACK_VERSIONED)) {
    export->tensor.plain = (ZcDLManagedTensor) {
      .dl_tensor = tensor, .manager_ctx = export, .deleter = delete_plain
    };
    return &export->tensor.plain;
  }
  export->tensor.versioned = (ZcDLManagedTensorVersioned) {
    .major = ZC_DL_MAJOR,
    .minor = ZC_DL_MINOR,
    .manager_ctx = export,
    .deleter = delete_versioned,
    .flags = frame->flags & GST_MAP_WRITE ? 0 : ZC_DL_READ_ONLY,
    .dl_tensor = tensor,
  };
  return &export->tensor.versioned;
}

gpointer
gst_zc_frame_export_dlpack (GstZcFrame *frame, const GstZcPlane *plane,
    GstZcDLPackFlags flags, gint64 stream, GError **error)
{
  GstZcLoan *loan;
  gboolean told;

  g_return_val_if_fail (frame != NULL, NULL);
  g_return_val_if_fail (plane != NULL, NULL);

  if (!frame->buffer) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
        "A plane of a frame is exported that is not mapped; call "
        "gst_zc_frame_map() first");
    return NULL;
  }
  if (!check_plane (plane, error) || !hand_over (frame, stream, &told, error))
    return NULL;
  loan = gst_zc_frame_lend (frame, told, error);
  return loan ? export_new (frame, plane, flags, loan) : NULL;
}
