/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracersummary.h"

#include "zcjson.h"
#include "zctracerverdict.h"

static const gchar *const kind_keys[ZC_N_KINDS] = {
  [GST_ZC_TRACE_MEMORY_NONE] = "none",
  [GST_ZC_TRACE_MEMORY_SYSTEM] = "system",
  [GST_ZC_TRACE_MEMORY_PINNED] = "pinned",
  [GST_ZC_TRACE_MEMORY_CUDA] = "cuda",
  [GST_ZC_TRACE_MEMORY_OTHER] = "other",
  [GST_ZC_TRACE_MEMORY_MIXED] = "mixed",
};

static const gchar *const deed_keys[ZC_N_DEEDS] = {
  [GST_ZC_TRACE_UPLOAD] = "uploads",
  [GST_ZC_TRACE_DOWNLOAD] = "downloads",
  [GST_ZC_TRACE_DEVICE_COPY] = "device-copies",
  [GST_ZC_TRACE_KERNEL] = "kernels",
  [GST_ZC_TRACE_HOST_WAIT] = "host-waits",
  [GST_ZC_TRACE_EVENT_WAIT] = "event-waits",
  [GST_ZC_TRACE_EVENT_RECORD] = "event-records",
  [GST_ZC_TRACE_DEVICE_ALLOC] = "device-allocations",
  [GST_ZC_TRACE_HOST_ALLOC] = "host-allocations",
  [GST_ZC_TRACE_OTHER] = "others",
};

static void
add_tally (ZcJson *json, const gchar *key, const ZcTally *tally)
{
  zc_json_open (json, key, '{');
  zc_json_int (json, "count", tally->count);
  zc_json_int (json, "bytes", tally->bytes);
  zc_json_close (json, '}');
}

static void
add_counts (ZcJson *json, const gchar *key, const ZcCounts *counts)
{
  zc_json_open (json, key, '{');
  for (guint i = 0; i < ZC_N_DEEDS; i++)
    add_tally (json, deed_keys[i], &counts->deeds[i]);
  zc_json_int (json, "gpu-maps", counts->gpu_maps);
  zc_json_int (json, "cpu-maps", counts->cpu_maps);
  add_tally (json, "uploads-in-maps", &counts->map_uploads);
  add_tally (json, "downloads-in-maps", &counts->map_downloads);
  add_tally (json, "memory-copies", &counts->map_copies);
  zc_json_int (json, "new-memories", counts->memories);
  zc_json_int (json, "host-waits-of-states", counts->state_waits);
  zc_json_close (json, '}');
}

static void
add_link (ZcJson *json, const ZcRun *run, const ZcLink *link)
{
  zc_json_open (json, NULL, '{');
  zc_json_string (json, "from", link->src->name);
  zc_json_string (json, "from-pad", link->src_pad);
  zc_json_string (json, "to", link->sink->name);
  zc_json_string (json, "to-pad", link->sink_pad);
  zc_json_bool (json, "video", link->is_video);
  zc_json_int (json, "buffers", link->buffers);
  zc_json_int (json, "bytes", link->bytes);
  zc_json_open (json, "memory", '{');
  for (guint i = 0; i < ZC_N_KINDS; i++)
    if (link->kinds[i] > 0)
      zc_json_int (json, kind_keys[i], link->kinds[i]);
  zc_json_close (json, '}');
  zc_json_string (json, "allocator", link->type);
  zc_json_int (json, "device", link->device);
  zc_json_int (json, "context", link->context);
  zc_json_int (json, "stream", link->stream);
  zc_json_int (json, "need-upload", link->need_upload);
  zc_json_int (json, "need-download", link->need_download);
  zc_json_int (json, "pooled", link->pooled);
  zc_json_int (json, "new-memories", link->memories);
  zc_json_string (json, "fate",
      link->is_video ? zc_fate_name (zc_link_fate (run, link)) : NULL);
  zc_json_close (json, '}');
}

static void
add_element (ZcJson *json, const ZcElement *element)
{
  zc_json_open (json, NULL, '{');
  zc_json_string (json, "name", element->name);
  zc_json_string (json, "factory", element->factory);
  add_counts (json, "did", &element->counts);
  zc_json_close (json, '}');
}

static void
add_hints (ZcJson *json, const ZcRun *run)
{
  g_autoptr (GPtrArray) hints = zc_run_hints (run);

  zc_json_open (json, "hints", '[');
  for (guint i = 0; i < hints->len; i++)
    zc_json_string (json, NULL, g_ptr_array_index (hints, i));
  zc_json_close (json, ']');
}

static void
add_run (ZcJson *json, const ZcRun *run)
{
  g_autofree gchar *why = NULL;
  ZcAnswer answer = zc_run_answer (run, &why);

  zc_json_open (json, NULL, '{');
  zc_json_string (json, "pipeline", run->name);
  zc_json_int (json, "times", run->times);
  zc_json_string (json, "zero-copy", zc_answer_name (answer));
  zc_json_string (json, "why", why);
  zc_json_open (json, "links", '[');
  for (guint i = 0; i < run->links->len; i++)
    add_link (json, run, g_ptr_array_index (run->links, i));
  zc_json_close (json, ']');
  zc_json_open (json, "elements", '[');
  for (guint i = 0; i < run->elements->len; i++)
    add_element (json, g_ptr_array_index (run->elements, i));
  zc_json_close (json, ']');
  add_hints (json, run);
  zc_json_close (json, '}');
}

gchar *
zc_summary_json (void)
{
  GPtrArray *runs = zc_tracer_model_get_runs ();
  GString *text = g_string_new (NULL);
  ZcJson json = ZC_JSON_INIT (text);

  zc_json_open (&json, NULL, '{');
  zc_json_string (&json, "version", ZC_VERSION);
  zc_json_bool (&json, "sees-own-calls", gst_zc_trace_sees_own ());
  zc_json_bool (&json, "sees-other-calls", gst_zc_trace_sees_others ());
  zc_json_open (&json, "pipelines", '[');
  for (guint i = 0; i < runs->len; i++)
    add_run (&json, g_ptr_array_index (runs, i));
  zc_json_close (&json, ']');
  add_counts (&json, "elsewhere", zc_tracer_model_elsewhere ());
  zc_json_close (&json, '}');
  return g_string_free (text, FALSE);
}
