/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* CV-CUDA's libnvcv_types, the real one, found at run time. What is declared here
 * is the part of its C interface that the tests call. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NVCV_MAX_RANK 15

typedef struct _NvcvObject *NvcvHandle;
typedef void (*NvcvCleanup) (gpointer context, gconstpointer data);

/* NVCVTensorData */
typedef struct
{
  guint64 dtype;
  gchar layout[NVCV_MAX_RANK + 1];
  gint32 layout_rank;
  gint32 rank;
  gint64 shape[NVCV_MAX_RANK];
  gint32 buffer_type;
  gint64 strides[NVCV_MAX_RANK];
  guint64 data;
} NvcvTensor;

/* 0 is success in all of them. */
typedef struct
{
  const gchar *(*ImageFormatGetName) (guint64 format);
  gint (*ImageFormatGetNumPlanes) (guint64 format, gint32 *n_planes);
  gint (*ImageFormatGetPlaneSize) (guint64 format, gint32 plane, gint32 width,
      gint32 height, gint32 *plane_width, gint32 *plane_height);
  gint (*ImageFormatGetColorSpec) (guint64 format, gint *spec);
  const gchar *(*ColorSpecGetName) (gint spec);
  gint (*ImageWrapDataConstruct) (gconstpointer data, NvcvCleanup cleanup,
      gpointer context, NvcvHandle *image);
  gint (*ImageExportData) (NvcvHandle image, gpointer data);
  gint (*ImageGetSize) (NvcvHandle image, gint32 *width, gint32 *height);
  gint (*ImageGetFormat) (NvcvHandle image, guint64 *format);
  gint (*ImageDecRef) (NvcvHandle image, gint *left);
  gint (*TensorWrapImageConstruct) (NvcvHandle image, NvcvHandle *tensor);
  gint (*TensorExportData) (NvcvHandle tensor, NvcvTensor *data);
  gint (*TensorDecRef) (NvcvHandle tensor, gint *left);
} Nvcv;

/* NULL after g_test_skip() where the library is not there. */
const Nvcv *nvcv_load (void);

G_END_DECLS
