/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How fast the bus is: the driver's own copies of as many bytes as a frame has,
 * between page-locked and device memory, with nothing around them. */
#pragma once

#include <gst/video/video.h>
#include <gst/zc/zc.h>

G_BEGIN_DECLS

typedef enum
{
  LIMIT_NONE,
  LIMIT_UP, /* host to device */
  LIMIT_DOWN, /* device to host */
  LIMIT_BOTH, /* both at once, a frame each */
  LIMIT_ROUND /* up, a flip, down, then the next frame */
} LimitKind;

#define LIMIT_KINDS (LIMIT_ROUND + 1)

typedef struct
{
  GstCudaContext *context; /* not owned */
  GstVideoInfo info;
  gdouble seconds; /* how long each is measured */
  gdouble us[LIMIT_KINDS];
} Limits;

void limits_init (Limits *self, GstCudaContext *context,
    const GstVideoInfo *info, gdouble seconds);

/* Microseconds a frame, measured when first asked for. */
gdouble limits_get (Limits *self, LimitKind kind);

/* Frees the memory that all of them share. */
void limits_end (void);

/* As it stands in the table. */
const gchar *limit_name (LimitKind kind);

G_END_DECLS
