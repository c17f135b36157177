/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the transfer bench measures. */
#pragma once

#include "buslimits.h"
#include "play.h"

G_BEGIN_DECLS

#define TRANSFER_MAX_PICTURES 6

/* A bit each. */
typedef enum
{
  TRANSFER_1080P_NV12 = 1,
  TRANSFER_1080P_RGBA = 2,
  TRANSFER_4K = 4,
  TRANSFER_8K = 8,
  TRANSFER_ALL = 15
} TransferPictures;

typedef struct
{
  const gchar *format;
  gint width, height;
  TransferPictures kind;
} TransferPicture;

typedef enum
{
  TRANSFER_GAP = 1, /* a row of what lies between two copies */
  TRANSFER_CPU = 2, /* a row of the CPU's time */
  TRANSFER_PEER = 4 /* a row against the last one measured, the peer's */
} TransferDerived;

typedef struct
{
  const gchar *job;
  const gchar *who;
  const gchar *needs;  /* an element; not measured without it */
  const gchar *launch; /* what is between source and sink */
  FeedKind feed;
  LimitKind limit;
  gdouble least; /* the share of the limit that is asked for, or 0 */
  TransferPictures pictures;
  guint n_pipelines;
  gboolean null_stream; /* while work is launched there */
  gboolean pin_all;
  TransferDerived derived;
} TransferRow;

/* Ends with a row without a job. */
extern const TransferRow transfer_rows[];

const TransferPicture *transfer_pictures (gboolean small, guint *n_pictures);

G_END_DECLS
