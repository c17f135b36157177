/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The race search: cases, each a program or a pipeline whose picture values are
 * known, run again and again while a seed decides what the driver does first.
 * A run fails if a value is wrong, if something is let go of too early or too
 * late, or if softcuda reports anything. */
#pragma once

#include <gst/zc/zc.h>

#include "cudatest.h"
#include "softcuda-panel.h"

G_BEGIN_DECLS

typedef enum
{
  ORDER_PIXELS,
  ORDER_LIFETIME,
  ORDER_REPORT, /* by softcuda */
  ORDER_ERROR, /* of a call that should have worked */
  ORDER_N_FAULTS
} OrderFault;

typedef enum
{
  ORDER_MIXED,
  ORDER_BLOCKING,
  ORDER_NON_BLOCKING
} OrderStreams;

/* What holds for all runs of a search. */
typedef struct
{
  guint delay_ms; /* in front of each access; on a GPU */
  guint frames; /* of a pipeline, steps of a program; 0: as the case says */
  OrderStreams streams; /* that a case makes for itself */
  const gchar *policy; /* NULL: by seed */
  gboolean no_reports; /* are faults */
  gboolean trace; /* print what is done */
} OrderOptions;

/* One run of a case. */
typedef struct
{
  const OrderOptions *options;
  guint64 seed;
  GstCudaContext *context; /* the primary one of device 0 */
  const SoftcudaPanel *panel; /* NULL on a GPU */

  GMutex lock; /* for what follows */
  GRand *random;
  guint n_faults[ORDER_N_FAULTS];
  gchar *first; /* what went wrong first */
  GArray *looks; /* of what was read, and should have been */
  guint8 value;
} OrderRun;

typedef struct
{
  const gchar *name;
  void (*run) (OrderRun *run, gconstpointer data);
  gconstpointer data;
  guint cost; /* runs of it count so often in a long search; 0: 1 */
} OrderCase;

const OrderCase *order_case_find (const gchar *name);
/* Calls @func for each. */
void order_case_foreach (void (*func) (const OrderCase *one, gpointer data),
    gpointer data);

/* FALSE where there is no device. */
gboolean order_init (GError **error);
/* Runs @one with @seed; FALSE if it failed. @first gets the text. */
gboolean order_run (const OrderCase *one, guint64 seed,
    const OrderOptions *options, guint n_faults[ORDER_N_FAULTS], gchar **first);
const gchar *order_fault_name (OrderFault fault);
const gchar *order_policy (const OrderOptions *options, guint64 seed);

/* For cases. */
void order_fault (OrderRun *self, OrderFault fault, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);
/* FALSE, and a fault of the run, if @ok is FALSE; clears @error. */
gboolean order_check (OrderRun *self, gboolean ok, const gchar *what,
    GError **error);
/* Prints what is done next, where that is asked for. */
void order_trace (OrderRun *self, const gchar *format, ...)
    G_GNUC_PRINTF (2, 3);
/* A number below @n. */
guint order_random (OrderRun *self, guint n);
guint order_steps (OrderRun *self, guint usual);
/* A value that no picture of this run had yet, if there are not too many. */
guint8 order_new_value (OrderRun *self);
/* Queues a look at all samples of @image on @stream: they must be @value. What
 * was seen is compared at the end of the run. */
void order_look (OrderRun *self, GstZcStream *stream, const GstZcImage *image,
    guint8 value, const gchar *who);
/* Holds @stream up, where that is asked for. */
void order_delay (OrderRun *self, GstZcStream *stream);
/* Waits for all work of @context and for all looks, and compares what was seen
 * so far. */
void order_settle (OrderRun *self, GstCudaContext *context);

G_END_DECLS
