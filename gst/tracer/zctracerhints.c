/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What to do about what the tracer saw. */

#include "zctracerverdict.h"

/* Fewer pictures than this may be a pool that fills. */
#define MIN_PICTURES 16

typedef gchar *(*HintFunc) (const ZcRun *run, const ZcLink *link, ZcFate fate);

static gchar *
hint_way_back (const ZcRun *run, const ZcLink *link, ZcFate fate)
{
  const ZcElement *up;

  if (fate != ZC_FATE_DOWN || !(up = zc_run_way_back (run, link->sink)))
    return NULL;
  return g_strdup_printf ("between %s and %s pictures are on the CPU: use "
                          "elements for memory:CUDAMemory there, or none",
      link->sink->name, up->name);
}

static gchar *
hint_hidden (const ZcRun *run, const ZcLink *link, ZcFate fate)
{
  if (fate != ZC_FATE_HIDDEN_DOWN)
    return NULL;
  return g_strdup_printf ("%s maps GPU memory for the CPU, which copied "
                          "%" G_GUINT64_FORMAT " pictures down: put zcdownload "
                          "before it, or leave it out",
      link->sink->name, link->sink->counts.map_downloads.count);
}

static gchar *
hint_cpu_write (const ZcRun *run, const ZcLink *link, ZcFate fate)
{
  if (link->need_upload == 0)
    return NULL;
  return g_strdup_printf ("%s sent %" G_GUINT64_FORMAT
                          " pictures in GPU memory "
                          "that a CPU had written, which are copied up when "
                          "they are used: draw on the GPU, or before the "
                          "upload",
      link->src->name, link->need_upload);
}

static gchar *
hint_pageable (const ZcRun *run, const ZcLink *link, ZcFate fate)
{
  if (fate != ZC_FATE_UP || link->kinds[GST_ZC_TRACE_MEMORY_SYSTEM] == 0)
    return NULL;
  return g_strdup_printf ("%s got %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                          " pictures in pageable memory, which takes longer: "
                          "%s",
      link->sink->name, link->kinds[GST_ZC_TRACE_MEMORY_SYSTEM], link->buffers,
      g_str_equal (link->sink->factory, "zcupload")
          ? "the element before it did not take the pinned memory that it "
            "offers"
          : "zcupload offers pinned memory");
}

static gchar *
hint_pool (const ZcRun *run, const ZcLink *link, ZcFate fate)
{
  GstZcTraceMemoryKind kind = zc_link_kind (link);

  if (link->buffers < MIN_PICTURES || link->pooled * 2 > link->buffers ||
      link->memories * 2 < link->buffers ||
      (kind != GST_ZC_TRACE_MEMORY_CUDA && kind != GST_ZC_TRACE_MEMORY_PINNED))
    return NULL;
  return g_strdup_printf ("%s made new memory for %" G_GUINT64_FORMAT
                          " of %" G_GUINT64_FORMAT
                          " pictures: let it take its buffers from a pool",
      link->src->name, link->memories, link->buffers);
}

static gchar *
hint_context (const ZcRun *run, const ZcLink *link, ZcFate fate)
{
  if (fate != ZC_FATE_MOVED && link->n_contexts < 2)
    return NULL;
  return g_strdup_printf ("pictures change their CUDA context %s %s: give all "
                          "elements one, with "
                          "gst_element_set_context (), or one cuda-device-id",
      fate == ZC_FATE_MOVED ? "in" : "before", link->sink->name);
}

static gchar *
hint_stream (const ZcRun *run, const ZcLink *link, ZcFate fate)
{
  if (zc_link_kind (link) != GST_ZC_TRACE_MEMORY_CUDA || link->stream != 0 ||
      link->memories == 0)
    return NULL;
  return g_strdup_printf ("memory of %s has no CUDA stream, so each use waits "
                          "for all others of its context",
      link->src->name);
}

static void
add_once (GPtrArray *hints, gchar *hint)
{
  if (hint == NULL)
    return;
  if (g_ptr_array_find_with_equal_func (hints, hint, g_str_equal, NULL))
    g_free (hint);
  else
    g_ptr_array_add (hints, hint);
}

GPtrArray *
zc_run_hints (const ZcRun *run)
{
  static const HintFunc funcs[] = { hint_way_back, hint_hidden, hint_cpu_write,
    hint_pageable, hint_pool, hint_context, hint_stream };
  GPtrArray *hints = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (funcs); i++)
    for (guint j = 0; j < run->links->len; j++) {
      const ZcLink *link = g_ptr_array_index (run->links, j);

      if (link->is_video)
        add_once (hints, funcs[i](run, link, zc_link_fate (run, link)));
    }
  return hints;
}
