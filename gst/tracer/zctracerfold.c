/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracerfold.h"

#include <string.h>

/* A run in an order that does not depend on which thread came first: elements
 * by factory and name, links by their ends. Names that GStreamer gave count up
 * in each pipeline in the same way. */
typedef struct
{
  GPtrArray *elements;
  GPtrArray *links;
} Sorted;

/* "queue9" before "queue10" */
static gint
compare_names (const gchar *a, const gchar *b)
{
  gsize a_length = strlen (a), b_length = strlen (b);

  return a_length != b_length ? (a_length < b_length ? -1 : 1) : strcmp (a, b);
}

static gint
compare_elements (gconstpointer a, gconstpointer b)
{
  const ZcElement *first = *(ZcElement *const *) a;
  const ZcElement *second = *(ZcElement *const *) b;
  gint order = g_strcmp0 (first->factory, second->factory);

  return order != 0 ? order : compare_names (first->name, second->name);
}

static guint
place_of (const Sorted *sorted, const ZcElement *element)
{
  guint place = G_MAXUINT;

  g_ptr_array_find (sorted->elements, element, &place);
  return place;
}

static gint
compare_uints (guint a, guint b)
{
  return a < b ? -1 : a > b;
}

static gint
compare_links (gconstpointer a, gconstpointer b, gpointer data)
{
  const ZcLink *first = *(ZcLink *const *) a;
  const ZcLink *second = *(ZcLink *const *) b;
  gint order =
      compare_uints (place_of (data, first->src), place_of (data, second->src));

  if (order == 0)
    order = compare_names (first->src_pad, second->src_pad);
  if (order == 0)
    order = compare_uints (place_of (data, first->sink),
        place_of (data, second->sink));
  if (order == 0)
    order = compare_names (first->sink_pad, second->sink_pad);
  return order != 0 ? order : first->is_video - second->is_video;
}

static void
sorted_init (Sorted *sorted, const ZcRun *run)
{
  sorted->elements = g_ptr_array_copy (run->elements, NULL, NULL);
  sorted->links = g_ptr_array_copy (run->links, NULL, NULL);
  g_ptr_array_set_free_func (sorted->elements, NULL);
  g_ptr_array_set_free_func (sorted->links, NULL);
  g_ptr_array_sort (sorted->elements, compare_elements);
  g_ptr_array_sort_with_data (sorted->links, compare_links, sorted);
}

static void
sorted_clear (Sorted *sorted)
{
  g_ptr_array_unref (sorted->elements);
  g_ptr_array_unref (sorted->links);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sorted, sorted_clear)

static gboolean
links_alike (const Sorted *a_run, const ZcLink *a, const Sorted *b_run,
    const ZcLink *b)
{
  return a->is_video == b->is_video && zc_link_kind (a) == zc_link_kind (b) &&
      a->device == b->device && a->type == b->type &&
      g_str_equal (a->src_pad, b->src_pad) &&
      g_str_equal (a->sink_pad, b->sink_pad) &&
      place_of (a_run, a->src) == place_of (b_run, b->src) &&
      place_of (a_run, a->sink) == place_of (b_run, b->sink);
}

static gboolean
sorted_alike (const Sorted *a, const Sorted *b)
{
  for (guint i = 0; i < a->elements->len; i++) {
    const ZcElement *first = g_ptr_array_index (a->elements, i);
    const ZcElement *second = g_ptr_array_index (b->elements, i);

    if (g_strcmp0 (first->factory, second->factory) != 0)
      return FALSE;
  }
  for (guint i = 0; i < a->links->len; i++)
    if (!links_alike (a, g_ptr_array_index (a->links, i), b,
            g_ptr_array_index (b->links, i)))
      return FALSE;
  return TRUE;
}

gboolean
zc_runs_alike (const ZcRun *a, const ZcRun *b)
{
  g_auto (Sorted) first = { NULL, NULL }, second = { NULL, NULL };

  sorted_init (&first, a);
  sorted_init (&second, b);
  return a->elements->len == b->elements->len &&
      a->links->len == b->links->len && sorted_alike (&first, &second);
}

static void
add_tally (ZcTally *to, const ZcTally *from)
{
  to->count += from->count;
  to->bytes += from->bytes;
}

static void
add_counts (ZcCounts *to, const ZcCounts *from)
{
  for (guint i = 0; i < ZC_N_DEEDS; i++)
    add_tally (&to->deeds[i], &from->deeds[i]);
  to->gpu_maps += from->gpu_maps;
  to->cpu_maps += from->cpu_maps;
  add_tally (&to->map_uploads, &from->map_uploads);
  add_tally (&to->map_downloads, &from->map_downloads);
  add_tally (&to->map_copies, &from->map_copies);
  to->memories += from->memories;
  to->state_waits += from->state_waits;
}

static void
add_link (ZcLink *to, const ZcLink *from)
{
  to->buffers += from->buffers;
  to->bytes += from->bytes;
  for (guint i = 0; i < ZC_N_KINDS; i++)
    to->kinds[i] += from->kinds[i];
  to->n_contexts = MAX (to->n_contexts, from->n_contexts);
  to->need_upload += from->need_upload;
  to->need_download += from->need_download;
  to->pooled += from->pooled;
  to->memories += from->memories;
}

void
zc_run_fold (ZcRun *self, const ZcRun *other)
{
  g_auto (Sorted) to = { NULL, NULL }, from = { NULL, NULL };

  sorted_init (&to, self);
  sorted_init (&from, other);
  self->times += other->times;
  for (guint i = 0; i < to.elements->len; i++) {
    ZcElement *element = g_ptr_array_index (to.elements, i);

    add_counts (&element->counts,
        &((const ZcElement *) g_ptr_array_index (from.elements, i))->counts);
  }
  for (guint i = 0; i < to.links->len; i++)
    add_link (g_ptr_array_index (to.links, i),
        g_ptr_array_index (from.links, i));
}
