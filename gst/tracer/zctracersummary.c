/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracersummary.h"

#include "zctracertable.h"
#include "zctracerverdict.h"

/* Kinds of pipelines that are shown. */
#define MAX_RUNS 4
#define MAX_HINTS 6

static const gchar *const kind_names[ZC_N_KINDS] = {
  [GST_ZC_TRACE_MEMORY_NONE] = "none",
  [GST_ZC_TRACE_MEMORY_SYSTEM] = "system",
  [GST_ZC_TRACE_MEMORY_PINNED] = "pinned",
  [GST_ZC_TRACE_MEMORY_CUDA] = "CUDA",
  [GST_ZC_TRACE_MEMORY_OTHER] = "other",
  [GST_ZC_TRACE_MEMORY_MIXED] = "mixed",
};

static gchar *
bytes_text (guint64 bytes)
{
  if (bytes < 1000)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " B", bytes);
  if (bytes < 1000000)
    return g_strdup_printf ("%.1f kB", bytes / 1e3);
  if (bytes < 1000000000)
    return g_strdup_printf ("%.1f MB", bytes / 1e6);
  return g_strdup_printf ("%.1f GB", bytes / 1e9);
}

/* "source:src_1 > sink"; the pads that most elements have go without saying. */
static gchar *
link_text (const ZcLink *link)
{
  gboolean plain_src = g_str_equal (link->src_pad, "src");
  gboolean plain_sink = g_str_equal (link->sink_pad, "sink");

  return g_strdup_printf ("%s%s%s > %s%s%s", link->src->name,
      plain_src ? "" : ":", plain_src ? "" : link->src_pad, link->sink->name,
      plain_sink ? "" : ":", plain_sink ? "" : link->sink_pad);
}

static gchar *
several_kinds_text (const ZcLink *link)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ZC_N_KINDS; i++)
    if (link->kinds[i] > 0)
      g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT,
          text->len > 0 ? ", " : "", kind_names[i], link->kinds[i]);
  return g_string_free (text, FALSE);
}

static gchar *
cuda_text (const ZcLink *link)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "CUDA %d", link->device);
  if (link->context > 1 || link->n_contexts > 1)
    g_string_append_printf (text, ", context %u", link->context);
  if (link->stream > 0)
    g_string_append_printf (text, ", stream %u", link->stream);
  return g_string_free (text, FALSE);
}

static gchar *
memory_text (const ZcLink *link)
{
  GstZcTraceMemoryKind kind = zc_link_kind (link);

  if (link->kinds[kind] != link->buffers)
    return several_kinds_text (link);
  if (kind == GST_ZC_TRACE_MEMORY_CUDA)
    return cuda_text (link);
  return g_strdup (kind == GST_ZC_TRACE_MEMORY_OTHER ? link->type
                                                     : kind_names[kind]);
}

static void
append_links (GString *text, const ZcRun *run)
{
  static const gchar *const heads[] = { "pictures", "link", "memory",
    "what happens to them" };
  g_autoptr (ZcTable) table = zc_table_new (G_N_ELEMENTS (heads), 1, heads);

  for (guint i = 0; i < run->links->len; i++) {
    const ZcLink *link = g_ptr_array_index (run->links, i);

    if (!link->is_video)
      continue;
    zc_table_take (table,
        g_strdup_printf ("%" G_GUINT64_FORMAT, link->buffers));
    zc_table_take (table, link_text (link));
    zc_table_take (table, memory_text (link));
    zc_table_take (table, zc_fate_text (zc_link_fate (run, link), link));
  }
  if (zc_table_rows (table) > 0)
    zc_table_append_to (table, text);
}

/* Elements */

/* TRUE if pictures change their place in it, whoever saw its calls. */
static gboolean
moves_pictures (const ZcRun *run, const ZcElement *element)
{
  for (guint i = 0; i < run->links->len; i++) {
    const ZcLink *link = g_ptr_array_index (run->links, i);
    ZcFate fate = zc_link_fate (run, link);

    if (link->sink == element && link->is_video &&
        (fate == ZC_FATE_UP || fate == ZC_FATE_DOWN || fate == ZC_FATE_MOVED))
      return TRUE;
  }
  return FALSE;
}

static gboolean
did_something (const ZcElement *element)
{
  static const GstZcTraceDeed shown[] = { GST_ZC_TRACE_UPLOAD,
    GST_ZC_TRACE_DOWNLOAD, GST_ZC_TRACE_DEVICE_COPY, GST_ZC_TRACE_KERNEL,
    GST_ZC_TRACE_HOST_WAIT, GST_ZC_TRACE_DEVICE_ALLOC,
    GST_ZC_TRACE_HOST_ALLOC };

  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    if (element->counts.deeds[shown[i]].count > 0)
      return TRUE;
  return element->counts.map_downloads.count > 0;
}

/* What driver calls could not tell, GStreamer's maps may. */
static gchar *
tally_text (const ZcTally *tally, const ZcTally *maps, gboolean seen)
{
  const ZcTally *shown = tally->count > 0 ? tally : maps;
  g_autofree gchar *bytes = NULL;

  if (shown == NULL || shown->count == 0)
    return g_strdup (seen ? "-" : "?");
  bytes = bytes_text (shown->bytes);
  return g_strdup_printf ("%" G_GUINT64_FORMAT ", %s", shown->count, bytes);
}

static gchar *
count_text (guint64 count, gboolean seen)
{
  if (count == 0)
    return g_strdup (seen ? "-" : "?");
  return g_strdup_printf ("%" G_GUINT64_FORMAT, count);
}

/* Pictures that it was the first to push, in how many memories. */
static gchar *
made_text (const ZcRun *run, const ZcElement *element)
{
  guint64 made = element->counts.memories, pictures = 0;

  for (guint i = 0; i < run->links->len; i++) {
    const ZcLink *link = g_ptr_array_index (run->links, i);

    if (link->src == element && link->is_video && link->memories > 0)
      pictures += link->buffers;
  }
  if (made == 0)
    return g_strdup ("-");
  return g_strdup_printf ("%" G_GUINT64_FORMAT " for %" G_GUINT64_FORMAT, made,
      pictures);
}

static void
take_element (ZcTable *table, const ZcRun *run, const ZcElement *element)
{
  const ZcCounts *counts = &element->counts;
  const ZcTally *deeds = counts->deeds;
  gboolean seen = element->is_own || gst_zc_trace_sees_others ();
  guint64 waits = deeds[GST_ZC_TRACE_HOST_WAIT].count - counts->state_waits;
  guint64 allocations = deeds[GST_ZC_TRACE_DEVICE_ALLOC].count +
      deeds[GST_ZC_TRACE_HOST_ALLOC].count;

  zc_table_take (table, g_strdup (element->name));
  zc_table_take (table,
      tally_text (&deeds[GST_ZC_TRACE_UPLOAD], &counts->map_uploads, seen));
  zc_table_take (table,
      tally_text (&deeds[GST_ZC_TRACE_DOWNLOAD], &counts->map_downloads, seen));
  zc_table_take (table,
      tally_text (&deeds[GST_ZC_TRACE_DEVICE_COPY], &counts->map_copies, seen));
  zc_table_take (table, count_text (deeds[GST_ZC_TRACE_KERNEL].count, seen));
  zc_table_take (table, count_text (waits, seen));
  zc_table_take (table, count_text (allocations, seen));
  zc_table_take (table, made_text (run, element));
}

static void
append_elements (GString *text, const ZcRun *run)
{
  static const gchar *const heads[] = { "element", "copied up", "down",
    "on GPU", "kernels", "host waits", "allocations", "memories" };
  g_autoptr (ZcTable) table = zc_table_new (G_N_ELEMENTS (heads), 0xfe, heads);

  for (guint i = 0; i < run->elements->len; i++) {
    const ZcElement *element = g_ptr_array_index (run->elements, i);

    if (did_something (element) || moves_pictures (run, element))
      take_element (table, run, element);
  }
  if (zc_table_rows (table) > 0)
    zc_table_append_to (table, text);
}

/* Runs */

static void
append_head (GString *text, const ZcRun *run)
{
  static const gchar *const words[] = {
    [ZC_ANSWER_NO_VIDEO] = "Nothing to say",
    [ZC_ANSWER_NO_GPU] = "Nothing to copy",
    [ZC_ANSWER_YES] = "Yes",
    [ZC_ANSWER_ALMOST] = "Almost",
    [ZC_ANSWER_NO] = "No",
  };
  g_autofree gchar *why = NULL;
  ZcAnswer answer = zc_run_answer (run, &why);

  g_string_append_printf (text, "zc: is %s", run->name);
  if (run->times > 1)
    g_string_append_printf (text, " (and %u more like it)", run->times - 1);
  g_string_append_printf (text, " zero-copy? %s: %s.\n", words[answer], why);
}

static void
append_hints (GString *text, const ZcRun *run)
{
  g_autoptr (GPtrArray) hints = zc_run_hints (run);

  for (guint i = 0; i < MIN (hints->len, MAX_HINTS); i++)
    g_string_append_printf (text, "  hint: %s\n",
        (const gchar *) g_ptr_array_index (hints, i));
  if (hints->len > MAX_HINTS)
    g_string_append_printf (text,
        "  %u more hints are in the timeline's "
        "summary\n",
        hints->len - MAX_HINTS);
}

static void
append_sight (GString *text)
{
  if (!gst_zc_trace_sees_own ())
    g_string_append (text,
        "  driver calls: not seen; the driver was not used, "
        "or before the tracer was there\n");
  else if (!gst_zc_trace_sees_others ())
    g_string_append (text,
        "  ? driver calls of other plugins: not seen, with "
        "this driver\n");
}

gchar *
zc_summary_text (void)
{
  GPtrArray *runs = zc_tracer_model_get_runs ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (runs->len, MAX_RUNS); i++) {
    const ZcRun *run = g_ptr_array_index (runs, i);

    append_head (text, run);
    append_links (text, run);
    append_elements (text, run);
    append_hints (text, run);
  }
  if (runs->len > MAX_RUNS)
    g_string_append_printf (text, "zc: and %u other kinds of pipelines\n",
        runs->len - MAX_RUNS);
  if (runs->len == 0)
    g_string_append (text, "zc: no data went through a pipeline\n");
  else
    append_sight (text);
  return g_string_free (text, FALSE);
}
