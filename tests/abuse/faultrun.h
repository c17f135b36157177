/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the files that run one case share. */
#pragma once

#include "faultcase.h"
#include "faultplayer.h"
#include "neighbour.h"
#include "softcuda-panel.h"

G_BEGIN_DECLS

/* One case under way. */
typedef struct
{
  const FaultCase *fault;
  const SoftcudaPanel *panel;
  ChildResult *result;
  FaultPlayer player;
  Neighbour neighbour;
  Played played;
  gboolean reached;
  gboolean lost; /* a context of the pipeline's */
  gboolean dead; /* no cuInit: gst-cuda and we ask once a process */
  gboolean neighbour_lost; /* the one that all share */
} FaultRun;

/* The first thing that was wrong is kept. */
void fault_wrong (FaultRun *self, const gchar *format, ...)
    G_GNUC_PRINTF (2, 3);

/* faultcheck.c: what elements of ours said */
guint fault_n_errors (const FaultRun *self);
const gchar *fault_first_error (const FaultRun *self);
void fault_check_errors (FaultRun *self);
/* What softcuda found; what stays on the device; what stays on the host. */
void fault_check_reports (FaultRun *self);
void fault_check_leaks (FaultRun *self);
void fault_check_host_leaks (FaultRun *self);

G_END_DECLS
