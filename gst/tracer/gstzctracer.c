/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/**
 * SECTION:tracer-zc
 * @title: zc
 *
 * Is a pipeline zero-copy? Tells at the end, on stderr, in what memory pictures
 * went over each link, what was done with them there, and what to change.
 *
 * |[
 * GST_TRACERS=zc gst-launch-1.0 videotestsrc num-buffers=30 ! zcupload !
 *     zcflip video-direction=180 ! zcdownload ! fakesink
 * ]|
 *
 * With `GST_TRACERS="zc(trace=out.json)"` it writes a timeline of the threads
 * and CUDA streams, too, for Perfetto; `summary=FILE` puts the summary into a
 * file, and `json=FILE` all that was counted.
 */

#include "gstzctracer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gsttracer.h>

#include "zctracerfile.h"
#include "zctracerhooks.h"
#include "zctracersummary.h"

#define GST_TYPE_ZC_TRACER (gst_zc_tracer_get_type ())
G_DECLARE_FINAL_TYPE (GstZcTracer, gst_zc_tracer, GST, ZC_TRACER, GstTracer)

struct _GstZcTracer
{
  GstTracer parent;
};

G_DEFINE_FINAL_TYPE (GstZcTracer, gst_zc_tracer, GST_TYPE_TRACER)

static gchar *summary_path, *json_path;
static gint n_tracers; /* atomic: one at a time */

/* FALSE after it said why. */
static gboolean
write_file (const gchar *path, const gchar *text)
{
  g_autoptr (GError) error = NULL;

  if (g_file_set_contents (path, text, -1, &error))
    return TRUE;
  g_printerr ("zc: the summary can't be written: %s\n", error->message);
  return FALSE;
}

static void
write_summary (const gchar *text, const gchar *json)
{
  if (summary_path == NULL || !write_file (summary_path, text))
    g_printerr ("%s", text);
  if (json_path != NULL)
    write_file (json_path, json);
  g_clear_pointer (&summary_path, g_free);
  g_clear_pointer (&json_path, g_free);
}

/* At gst_deinit (), or else when the program ends. */
static void
report (void)
{
  g_autofree gchar *text = NULL;
  g_autofree gchar *json = NULL;

  if (!g_atomic_int_compare_and_exchange (&n_tracers, 1, 0))
    return;
  gst_zc_trace_finish_work ();
  gst_zc_trace_stop ();
  g_mutex_lock (&zc_tracer_lock);
  text = zc_summary_text ();
  json = zc_summary_json ();
  g_mutex_unlock (&zc_tracer_lock);
  zc_tracer_model_stop ();
  zc_file_close (json);
  write_summary (text, json);
}

static GstStructure *
parse_params (GstZcTracer *self)
{
  g_autofree gchar *params = NULL;
  g_autofree gchar *text = NULL;
  GstStructure *structure;

  g_object_get (self, "params", &params, NULL);
  if (params == NULL || *params == '\0')
    return NULL;
  text = g_strdup_printf ("zc,%s", params);
  structure = gst_structure_from_string (text, NULL);
  if (structure == NULL)
    g_printerr ("zc: \"%s\" is not understood: write GST_TRACERS="
                "\"zc(trace=FILE,summary=FILE,json=FILE)\", a FILE with spaces "
                "in "
                "quotes\n",
        params);
  return structure;
}

static void
take_params (GstZcTracer *self)
{
  GstStructure *params = parse_params (self);
  const gchar *path;

  if (params == NULL)
    return;
  path = gst_structure_get_string (params, "trace");
  if (path != NULL)
    zc_file_open (path);
  summary_path = g_strdup (gst_structure_get_string (params, "summary"));
  json_path = g_strdup (gst_structure_get_string (params, "json"));
  gst_structure_free (params);
}

static void
gst_zc_tracer_constructed (GObject *object)
{
  static gsize at_exit = 0;

  G_OBJECT_CLASS (gst_zc_tracer_parent_class)->constructed (object);
  if (!g_atomic_int_compare_and_exchange (&n_tracers, 0, 1)) {
    GST_WARNING_OBJECT (object, "there is a zc tracer already");
    return;
  }
  take_params (GST_ZC_TRACER (object));
  zc_tracer_model_start ();
  zc_tracer_hooks_register (GST_TRACER (object));
  if (g_once_init_enter (&at_exit)) {
    atexit (report);
    g_once_init_leave (&at_exit, 1);
  }
}

static void
gst_zc_tracer_finalize (GObject *object)
{
  report ();
  G_OBJECT_CLASS (gst_zc_tracer_parent_class)->finalize (object);
}

static void
gst_zc_tracer_class_init (GstZcTracerClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = gst_zc_tracer_constructed;
  G_OBJECT_CLASS (klass)->finalize = gst_zc_tracer_finalize;
}

static void
gst_zc_tracer_init (GstZcTracer *self)
{
}

gboolean
gst_zc_tracer_register (GstPlugin *plugin)
{
  return gst_tracer_register (plugin, "zc", GST_TYPE_ZC_TRACER);
}
