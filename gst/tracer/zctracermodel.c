/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracermodel.h"

#include "zctracerfold.h"
#include "zctracernumbers.h"

GMutex zc_tracer_lock;

static GPtrArray *runs; /* NULL: not started */
static ZcCounts elsewhere;

/* Elements */

ZcElement *
zc_element_new (const gchar *name, const gchar *factory)
{
  ZcElement *self = g_new0 (ZcElement, 1);

  self->refs = 1;
  self->name = g_strdup (name);
  self->factory = g_strdup (factory);
  return self;
}

ZcElement *
zc_element_ref (ZcElement *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
zc_element_unref (ZcElement *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->refs))
    return;
  g_free (self->name);
  g_free (self->factory);
  g_free (self);
}

/* Links */

ZcLink *
zc_link_ref (ZcLink *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
zc_link_unref (ZcLink *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->refs))
    return;
  zc_element_unref (self->src);
  zc_element_unref (self->sink);
  g_free (self->src_pad);
  g_free (self->sink_pad);
  g_free (self);
}

static void
note_place (ZcLink *self, const GstZcTraceMemory *memory)
{
  guint context = zc_tracer_context_number (memory->context);

  if (context != self->context)
    self->n_contexts++;
  self->device = memory->device;
  self->context = context;
  self->stream = zc_tracer_stream_number (memory->context, memory->stream);
}

void
zc_link_count (ZcLink *self, const GstZcTraceMemory *memory, gsize bytes,
    guint fresh, gboolean pooled)
{
  self->buffers++;
  self->bytes += bytes;
  self->kinds[memory->kind]++;
  self->type = memory->type;
  if (memory->kind == GST_ZC_TRACE_MEMORY_CUDA)
    note_place (self, memory);
  self->need_upload += memory->need_upload;
  self->need_download += memory->need_download;
  self->pooled += pooled;
  self->memories += fresh;
  self->src->counts.memories += fresh;
}

GstZcTraceMemoryKind
zc_link_kind (const ZcLink *self)
{
  guint kind = GST_ZC_TRACE_MEMORY_NONE;

  for (guint i = 0; i < ZC_N_KINDS; i++)
    if (self->kinds[i] > self->kinds[kind])
      kind = i;
  return kind;
}

/* Runs */

static void
leave_run (gpointer data)
{
  ZcElement *element = data;

  element->run = NULL;
  zc_element_unref (element);
}

static void
end_link (gpointer data)
{
  ZcLink *link = data;

  link->run = NULL;
  zc_link_unref (link);
}

static void
run_free (gpointer data)
{
  ZcRun *self = data;

  g_ptr_array_unref (self->links);
  g_ptr_array_unref (self->elements);
  g_free (self->name);
  g_free (self);
}

ZcRun *
zc_run_new (const gchar *name)
{
  ZcRun *self = g_new0 (ZcRun, 1);

  self->name = g_strdup (name);
  self->times = 1;
  self->elements = g_ptr_array_new_with_free_func (leave_run);
  self->links = g_ptr_array_new_with_free_func (end_link);
  g_ptr_array_add (runs, self);
  return self;
}

static void
replace_end (ZcLink *link, ZcElement *live, ZcElement *kept)
{
  ZcElement **ends[] = { &link->src, &link->sink };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    if (*ends[i] != live)
      continue;
    *ends[i] = zc_element_ref (kept);
    zc_element_unref (live);
  }
}

/* Its elements and pads may live on, and play in another pipeline. */
static void
freeze (ZcRun *self)
{
  for (guint i = 0; i < self->elements->len; i++) {
    ZcElement *live = g_ptr_array_index (self->elements, i);
    ZcElement *kept = zc_element_new (live->name, live->factory);

    kept->is_own = live->is_own;
    kept->counts = live->counts;
    live->counts = (ZcCounts) { 0 };
    live->run = NULL;
    for (guint j = 0; j < self->links->len; j++)
      replace_end (g_ptr_array_index (self->links, j), live, kept);
    self->elements->pdata[i] = kept;
    zc_element_unref (live);
  }
  for (guint j = 0; j < self->links->len; j++)
    ((ZcLink *) g_ptr_array_index (self->links, j))->run = NULL;
}

void
zc_run_end (ZcRun *self)
{
  self->ended = TRUE;
  freeze (self);
  for (guint i = 0; i < runs->len; i++) {
    ZcRun *other = g_ptr_array_index (runs, i);

    if (other == self || !other->ended || !zc_runs_alike (other, self))
      continue;
    zc_run_fold (other, self);
    g_ptr_array_remove (runs, self);
    return;
  }
}

/* What it did before belongs to it. */
static void
join (ZcRun *self, ZcElement *element)
{
  if (element->run != NULL)
    return;
  element->run = self;
  g_ptr_array_add (self->elements, zc_element_ref (element));
}

ZcLink *
zc_run_link (ZcRun *self, ZcElement *src, const gchar *src_pad, ZcElement *sink,
    const gchar *sink_pad, gboolean is_video)
{
  ZcLink *link;

  for (guint i = 0; i < self->links->len; i++) {
    link = g_ptr_array_index (self->links, i);
    if (link->src == src && link->sink == sink && link->is_video == is_video &&
        g_str_equal (link->src_pad, src_pad) &&
        g_str_equal (link->sink_pad, sink_pad))
      return link;
  }

  join (self, src);
  join (self, sink);
  link = g_new0 (ZcLink, 1);
  link->refs = 1;
  link->run = self;
  link->src = zc_element_ref (src);
  link->sink = zc_element_ref (sink);
  link->src_pad = g_strdup (src_pad);
  link->sink_pad = g_strdup (sink_pad);
  link->is_video = is_video;
  link->type = "none";
  link->device = -1;
  g_ptr_array_add (self->links, link);
  return link;
}

/* Counts */

static void
add (ZcTally *tally, guint64 bytes)
{
  tally->count++;
  tally->bytes += bytes;
}

void
zc_counts_add_call (ZcCounts *self, const GstZcTraceCall *call,
    gboolean is_state)
{
  add (&self->deeds[call->deed], call->bytes);
  self->state_waits += is_state && call->deed == GST_ZC_TRACE_HOST_WAIT;
}

void
zc_counts_add_map (ZcCounts *self, const GstZcTraceMap *map)
{
  if (map->copied) {
    add (&self->map_copies, map->bytes);
    return;
  }
  if (map->cuda)
    self->gpu_maps++;
  else
    self->cpu_maps++;
  if (map->uploads)
    add (&self->map_uploads, map->bytes);
  if (map->downloads)
    add (&self->map_downloads, map->bytes);
}

/* The model */

void
zc_tracer_model_start (void)
{
  g_mutex_lock (&zc_tracer_lock);
  runs = g_ptr_array_new_with_free_func (run_free);
  elsewhere = (ZcCounts) { 0 };
  g_mutex_unlock (&zc_tracer_lock);
}

void
zc_tracer_model_stop (void)
{
  g_mutex_lock (&zc_tracer_lock);
  g_clear_pointer (&runs, g_ptr_array_unref);
  zc_tracer_numbers_clear ();
  g_mutex_unlock (&zc_tracer_lock);
}

gboolean
zc_tracer_model_runs (void)
{
  return runs != NULL;
}

GPtrArray *
zc_tracer_model_get_runs (void)
{
  return runs;
}

ZcCounts *
zc_tracer_model_elsewhere (void)
{
  return &elsewhere;
}
