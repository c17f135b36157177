/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Plays such a pipeline and looks at what comes out. */
#pragma once

#include "faultfeed.h"

G_BEGIN_DECLS

typedef enum
{
  PLAYED_TO_END,
  PLAYED_TO_ERROR,
  PLAYED_STUCK
} Played;

typedef struct _FaultPlayer FaultPlayer;

typedef struct
{
  FaultPlayer *player;
  guint index;
  guint next; /* the number of the frame that may come */
  guint n; /* frames that came */
} FaultSink;

struct _FaultPlayer
{
  const FaultPipe *pipe;
  GstElement *pipeline;
  FaultSource source;
  FaultSink sink[FAULT_SINKS];
  GPtrArray *contexts; /* of GstCudaContext: those of its own */

  GMutex lock; /* for the rest */
  GPtrArray *stash; /* of GstSample in CUDA memory */
  gchar *wrong; /* what was wrong first, or NULL */
  GPtrArray *errors; /* of text: what elements of ours said */
  GPtrArray *others; /* ... and those of others */
};

void fault_player_init (FaultPlayer *self, const FaultPipe *pipe);
void fault_player_clear (FaultPlayer *self, gboolean lost);

/* What sinks see from now on is another run. */
void fault_player_reset (FaultPlayer *self);

/* Fills the source; then plays to the end or the first error; then stops. */
void fault_player_fill (FaultPlayer *self);
Played fault_player_play (FaultPlayer *self);
gboolean fault_player_stop (FaultPlayer *self);

/* Looks at frames in CUDA memory, which calls the driver. */
void fault_player_look (FaultPlayer *self);
/* All frames came, right ones. */
gboolean fault_player_is_whole (const FaultPlayer *self);

G_END_DECLS
