/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* One fault in one pipeline, and what has to come of it. */
#pragma once

#include "children.h"
#include "faultpipe.h"
#include "softcuda.h"

G_BEGIN_DECLS

#define FAULT_NAME 40
#define FAULT_MAX_FUNCTIONS 80

/* When queued work runs. */
typedef enum
{
  FAULT_LAZY,
  FAULT_RANDOM,
  FAULT_EAGER,
  FAULT_N_POLICIES
} FaultPolicy;

typedef struct
{
  const FaultPipe *pipe;
  gchar function[FAULT_NAME]; /* by the name of its symbol */
  guint nth; /* which of its calls fails, from 1; 0: each */
  gint code; /* a CUresult; 0: none, calls are counted */
  gboolean sticky;
  FaultPolicy policy; /* of softcuda */
  gboolean alone; /* else beside a pipeline of the same context that plays */
  SoftcudaOutstanding usual; /* what stays without a fault */
} FaultCase;

/* What a run without a fault calls, and what stays after it. */
typedef struct
{
  SoftcudaOutstanding left;
  guint n;
  struct
  {
    gchar name[FAULT_NAME];
    guint calls;
  } function[FAULT_MAX_FUNCTIONS];
} FaultCount;

typedef enum
{
  FAULT_HARMLESS, /* all frames, right ones, and no error */
  FAULT_STOPPED, /* one error; the next start is as if nothing had been */
  FAULT_LOST, /* errors; nothing starts any more, and says so */
  FAULT_UNREACHED, /* that call did not come */
  FAULT_WRONG,
  FAULT_N_OUTCOMES
} FaultOutcome;

const gchar *fault_outcome_name (FaultOutcome outcome);

/* As softcuda calls it. */
const gchar *fault_policy_name (FaultPolicy policy);

/* PIPELINE,FUNCTION,NTH,CODE,POLICY[,sticky][,alone] */
gchar *fault_case_name (const FaultCase *self);
gboolean fault_case_parse (FaultCase *self, const gchar *name);

/* A ChildFunc: leaves an outcome and why, and, of a case without a code, a
 * FaultCount. */
void fault_case_run (gconstpointer fault_case, ChildResult *result);

G_END_DECLS
