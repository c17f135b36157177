/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracerverdict.h"

/* What comes out of an element. */
typedef struct
{
  gboolean gpu;
  gboolean cpu;
  gboolean no_video;
  gboolean other_context;
} Output;

static gboolean
is_gpu (const ZcLink *link)
{
  return zc_link_kind (link) == GST_ZC_TRACE_MEMORY_CUDA;
}

static Output
output_of (const ZcRun *run, const ZcLink *in)
{
  Output output = { 0 };

  for (guint i = 0; i < run->links->len; i++) {
    const ZcLink *link = g_ptr_array_index (run->links, i);

    if (link->src != in->sink)
      continue;
    output.no_video |= !link->is_video;
    output.gpu |= link->is_video && is_gpu (link);
    output.cpu |= link->is_video && !is_gpu (link);
    output.other_context |=
        link->is_video && is_gpu (link) && link->context != in->context;
  }
  return output;
}

static gboolean
copies_on_gpu (const ZcElement *element)
{
  const ZcCounts *counts = &element->counts;

  return counts->deeds[GST_ZC_TRACE_DEVICE_COPY].count > 0 ||
      counts->map_copies.count > 0;
}

ZcFate
zc_link_fate (const ZcRun *run, const ZcLink *link)
{
  Output output = output_of (run, link);

  if (!is_gpu (link))
    return output.gpu ? ZC_FATE_UP : ZC_FATE_STAYS_CPU;
  if (output.cpu)
    return ZC_FATE_DOWN;
  if (link->sink->counts.map_downloads.count > 0)
    return ZC_FATE_HIDDEN_DOWN;
  if (output.other_context)
    return ZC_FATE_MOVED;
  if (output.gpu && copies_on_gpu (link->sink))
    return ZC_FATE_GPU_COPY;
  return output.no_video ? ZC_FATE_ENCODED : ZC_FATE_STAYS_GPU;
}

const gchar *
zc_fate_name (ZcFate fate)
{
  static const gchar *const names[] = {
    [ZC_FATE_STAYS_GPU] = "stays-on-gpu",
    [ZC_FATE_ENCODED] = "encoded",
    [ZC_FATE_STAYS_CPU] = "stays-on-cpu",
    [ZC_FATE_UP] = "up",
    [ZC_FATE_DOWN] = "down",
    [ZC_FATE_HIDDEN_DOWN] = "hidden-down",
    [ZC_FATE_GPU_COPY] = "gpu-copy",
    [ZC_FATE_MOVED] = "other-context",
  };

  return names[fate];
}

gchar *
zc_fate_text (ZcFate fate, const ZcLink *link)
{
  const gchar *name = link->sink->name;

  switch (fate) {
    case ZC_FATE_STAYS_GPU:
      return g_strdup ("stays on the GPU");
    case ZC_FATE_ENCODED:
      return g_strdup_printf ("stays on the GPU until %s", name);
    case ZC_FATE_UP:
      return g_strdup_printf ("copied to the GPU by %s", name);
    case ZC_FATE_DOWN:
      return g_strdup_printf ("copied to the CPU by %s", name);
    case ZC_FATE_HIDDEN_DOWN:
      return g_strdup_printf ("read by the CPU in %s", name);
    case ZC_FATE_GPU_COPY:
      return g_strdup_printf ("copied on the GPU by %s", name);
    case ZC_FATE_MOVED:
      return g_strdup_printf ("to another CUDA context by %s", name);
    case ZC_FATE_STAYS_CPU:
    default:
      return g_strdup ("stays on the CPU");
  }
}

/* The way back: along links that stay on the CPU. */
static const ZcElement *
find_way (const ZcRun *run, const ZcElement *from, GHashTable *seen)
{
  const ZcElement *found = NULL;

  if (!g_hash_table_add (seen, (gpointer) from))
    return NULL;
  for (guint i = 0; i < run->links->len && found == NULL; i++) {
    const ZcLink *link = g_ptr_array_index (run->links, i);

    if (link->src != from || !link->is_video || is_gpu (link))
      continue;
    found = zc_link_fate (run, link) == ZC_FATE_UP
        ? link->sink
        : find_way (run, link->sink, seen);
  }
  return found;
}

const ZcElement *
zc_run_way_back (const ZcRun *run, const ZcElement *down)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  return find_way (run, down, seen);
}

/* Names of the elements with @fate, each once: "a and b". (transfer full)
 * (nullable) */
static gchar *
names_with (const ZcRun *run, ZcFate fate)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GString *text;

  for (guint i = 0; i < run->links->len; i++) {
    const ZcLink *link = g_ptr_array_index (run->links, i);

    if (link->is_video && zc_link_fate (run, link) == fate &&
        !g_ptr_array_find_with_equal_func (names, link->sink->name, g_str_equal,
            NULL))
      g_ptr_array_add (names, link->sink->name);
  }
  if (names->len == 0)
    return NULL;
  text = g_string_new (g_ptr_array_index (names, 0));
  for (guint i = 1; i < names->len; i++)
    g_string_append_printf (text, "%s%s", i + 1 < names->len ? ", " : " and ",
        (const gchar *) g_ptr_array_index (names, i));
  return g_string_free (text, FALSE);
}

/* A way back from any element that brings pictures down. (nullable) */
static gchar *
round_trip_text (const ZcRun *run)
{
  for (guint i = 0; i < run->links->len; i++) {
    const ZcLink *link = g_ptr_array_index (run->links, i);
    const ZcElement *up;

    if (!link->is_video || zc_link_fate (run, link) != ZC_FATE_DOWN)
      continue;
    up = zc_run_way_back (run, link->sink);
    if (up != NULL)
      return g_strdup_printf ("down in %s and up again in %s", link->sink->name,
          up->name);
  }
  return NULL;
}

static gchar *
yes_text (const ZcRun *run)
{
  g_autofree gchar *up = names_with (run, ZC_FATE_UP);
  g_autofree gchar *down = names_with (run, ZC_FATE_DOWN);

  if (up != NULL && down != NULL)
    return g_strdup_printf ("up in %s, down in %s, no copy in between", up,
        down);
  if (up != NULL)
    return g_strdup_printf ("up in %s, and they stay on the GPU", up);
  if (down != NULL)
    return g_strdup_printf ("from the GPU, down in %s", down);
  return g_strdup ("they never leave the GPU");
}

static ZcAnswer
answer_gpu (const ZcRun *run, gchar **text)
{
  g_autofree gchar *trip = round_trip_text (run);
  g_autofree gchar *hidden = names_with (run, ZC_FATE_HIDDEN_DOWN);
  g_autofree gchar *copied = names_with (run, ZC_FATE_GPU_COPY);

  if (trip != NULL) {
    *text = g_steal_pointer (&trip);
    return ZC_ANSWER_NO;
  }
  if (hidden != NULL) {
    *text =
        g_strdup_printf ("read by the CPU, which copies them, in %s", hidden);
    return ZC_ANSWER_NO;
  }
  if (copied != NULL) {
    *text = g_strdup_printf ("copied from one place on the GPU to another in "
                             "%s",
        copied);
    return ZC_ANSWER_ALMOST;
  }
  *text = yes_text (run);
  return ZC_ANSWER_YES;
}

ZcAnswer
zc_run_answer (const ZcRun *run, gchar **text)
{
  gboolean video = FALSE, gpu = FALSE;

  for (guint i = 0; i < run->links->len; i++) {
    const ZcLink *link = g_ptr_array_index (run->links, i);

    video |= link->is_video;
    gpu |= link->is_video && link->kinds[GST_ZC_TRACE_MEMORY_CUDA] > 0;
  }
  if (gpu)
    return answer_gpu (run, text);
  *text = g_strdup (video ? "no picture was in GPU memory"
                          : "there was no raw video");
  return video ? ZC_ANSWER_NO_GPU : ZC_ANSWER_NO_VIDEO;
}

const gchar *
zc_answer_name (ZcAnswer answer)
{
  static const gchar *const names[] = {
    [ZC_ANSWER_NO_VIDEO] = "no-video",
    [ZC_ANSWER_NO_GPU] = "no-gpu",
    [ZC_ANSWER_YES] = "yes",
    [ZC_ANSWER_ALMOST] = "almost",
    [ZC_ANSWER_NO] = "no",
  };

  return names[answer];
}
