/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: the structs of DLPack 1.0, as dlpack.h lays them out. Of our own, so
 * that building needs no more; a test compares them with the real ones. */

#include <glib.h>

G_BEGIN_DECLS

#define ZC_DL_CUDA 2
#define ZC_DL_CUDA_MANAGED 13
#define ZC_DL_UINT 1
#define ZC_DL_MAJOR 1
#define ZC_DL_MINOR 0
#define ZC_DL_READ_ONLY G_GUINT64_CONSTANT (1)

typedef struct
{
  guint8 code;
  guint8 bits; /* of a lane */
  guint16 lanes;
} ZcDLDataType;

typedef struct
{
  gpointer data;
  gint32 device_type;
  gint32 device_id;
  gint32 ndim;
  ZcDLDataType dtype;
  gint64 *shape;
  gint64 *strides; /* elements; NULL: rows follow each other */
  guint64 byte_offset;
} ZcDLTensor;

/* The deleter may be NULL. */
typedef struct _ZcDLManagedTensor
{
  ZcDLTensor dl_tensor;
  gpointer manager_ctx;
  void (*deleter) (struct _ZcDLManagedTensor *self);
} ZcDLManagedTensor;

typedef struct _ZcDLManagedTensorVersioned
{
  guint32 major;
  guint32 minor;
  gpointer manager_ctx;
  void (*deleter) (struct _ZcDLManagedTensorVersioned *self);
  guint64 flags;
  ZcDLTensor dl_tensor;
} ZcDLManagedTensorVersioned;

G_END_DECLS
