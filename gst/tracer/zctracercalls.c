/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracercalls.h"

#include "zctracerfile.h"
#include "zctracernumbers.h"
#include "zctracerthread.h"

static void
add_call (const GstZcTraceCall *call)
{
  ZcElement *element = zc_thread_in ();
  gboolean is_state = zc_thread_in_state ();
  guint context = 0, stream = 0;

  if (element == NULL)
    element = zc_thread_loop ();
  g_mutex_lock (&zc_tracer_lock);
  if (zc_tracer_model_runs ()) {
    zc_counts_add_call (element ? &element->counts
                                : zc_tracer_model_elsewhere (),
        call, is_state);
    if (call->work != 0) {
      context = zc_tracer_context_number (call->context);
      stream = zc_tracer_stream_number (call->context, call->stream);
    }
  }
  g_mutex_unlock (&zc_tracer_lock);
  zc_file_call (call, element ? element->name : NULL, context, stream);
}

static void
add_work (const GstZcTraceWork *work)
{
  guint context = 0, stream = 0;

  g_mutex_lock (&zc_tracer_lock);
  if (zc_tracer_model_runs ()) {
    context = zc_tracer_context_number (work->context);
    stream = zc_tracer_stream_number (work->context, work->stream);
  }
  g_mutex_unlock (&zc_tracer_lock);
  if (context > 0)
    zc_file_work (work, context, stream);
}

/* A thread of the application maps what a sink gave it. */
static void
add_map (const GstZcTraceMap *map)
{
  ZcElement *element = zc_thread_in ();
  ZcElement *holder = NULL;

  if (element == NULL)
    element = holder = zc_record_holder (map->memory);
  if (element == NULL)
    element = zc_thread_loop ();
  g_mutex_lock (&zc_tracer_lock);
  if (zc_tracer_model_runs ())
    zc_counts_add_map (element ? &element->counts
                               : zc_tracer_model_elsewhere (),
        map);
  g_mutex_unlock (&zc_tracer_lock);
  zc_element_unref (holder);
}

static const GstZcTraceFuncs counting = { .call = add_call, .map = add_map };
static const GstZcTraceFuncs timing = {
  .call = add_call,
  .work = add_work,
  .map = add_map,
};

const GstZcTraceFuncs *
zc_tracer_funcs (gboolean with_times)
{
  return with_times ? &timing : &counting;
}
