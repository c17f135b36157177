/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include "sources.h"

G_BEGIN_DECLS

/* What a made-up program may do. */
typedef struct
{
  SourceKind sources[2]; /* one, if they are the same */
  guint users; /* bits 1 << User */
  gboolean copies; /* deep ones */
  gboolean private_context; /* which is dropped at the end */
  gboolean primary_streams; /* even so */
} RandomProgram;

/* Two at once, by two threads. */
void random_pair_run (OrderRun *run, gconstpointer data);
void random_program_run (OrderRun *run, gconstpointer data);

G_END_DECLS
