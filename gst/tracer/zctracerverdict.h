/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Is a pipeline zero-copy? With the tracer's lock. */

#pragma once

#include "zctracermodel.h"

G_BEGIN_DECLS

/* What happens to the pictures that a link brings. */
typedef enum
{
  ZC_FATE_STAYS_GPU,
  ZC_FATE_ENCODED,
  ZC_FATE_STAYS_CPU,
  ZC_FATE_UP,
  ZC_FATE_DOWN,
  ZC_FATE_HIDDEN_DOWN,
  ZC_FATE_GPU_COPY,
  ZC_FATE_MOVED,
} ZcFate;

ZcFate zc_link_fate (const ZcRun *run, const ZcLink *link);
/* For JSON: "stays-on-gpu", "down", ... */
const gchar *zc_fate_name (ZcFate fate);
/* For people. (transfer full) */
gchar *zc_fate_text (ZcFate fate, const ZcLink *link);

typedef enum
{
  ZC_ANSWER_NO_VIDEO,
  ZC_ANSWER_NO_GPU,
  ZC_ANSWER_YES,
  ZC_ANSWER_ALMOST,
  ZC_ANSWER_NO,
} ZcAnswer;

/* @text: a sentence. (out) (transfer full) */
ZcAnswer zc_run_answer (const ZcRun *run, gchar **text);
const gchar *zc_answer_name (ZcAnswer answer);

/* The element where pictures that @down brought to the CPU go up again, or
 * NULL. */
const ZcElement *zc_run_way_back (const ZcRun *run, const ZcElement *down);

/* What to do about it, a sentence each. (transfer full) */
GPtrArray *zc_run_hints (const ZcRun *run);

G_END_DECLS
