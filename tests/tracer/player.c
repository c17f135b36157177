/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Plays pipelines as an application does, for the tests of the tracer:
 *
 *   player [--repeat N] [--map] [--no-deinit] LAUNCH...
 *
 * All pipelines play at once, N times. With --map the application maps what
 * comes out of the appsinks. Prints what softcuda counted, if it is there. */

#include <gst/app/app.h>
#include <gst/gst.h>
#include <locale.h>

#include "softcuda-panel.h"

#define PATIENCE (60 * GST_SECOND)

static gint repeat = 1;
static gboolean map, no_deinit;
static gchar **launches;

static const GOptionEntry options[] = { { "repeat", 0, 0, G_OPTION_ARG_INT,
                                            &repeat, "times", "N" },
  { "map", 0, 0, G_OPTION_ARG_NONE, &map, "map what appsinks get", NULL },
  { "no-deinit", 0, 0, G_OPTION_ARG_NONE, &no_deinit, "just exit", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &launches, "pipelines",
      "LAUNCH..." },
  { NULL } };

static GstElement *
start (const gchar *launch)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);

  g_assert_no_error (error);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

static void
pull_and_map (GstElement *pipeline)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "app");
  GstSample *sample;

  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink)))) {
    GstMapInfo info;

    g_assert_true (gst_buffer_map (gst_sample_get_buffer (sample), &info,
        GST_MAP_READ));
    gst_buffer_unmap (gst_sample_get_buffer (sample), &info);
    gst_sample_unref (sample);
  }
}

static void
finish (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  if (map)
    pull_and_map (pipeline);
  message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
play_all (void)
{
  guint n = g_strv_length (launches);
  g_autofree GstElement **pipelines = g_new (GstElement *, n);

  for (guint i = 0; i < n; i++)
    pipelines[i] = start (launches[i]);
  for (guint i = 0; i < n; i++)
    finish (pipelines[i]);
}

static void
print_counters (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();
  SoftcudaCounters c;

  if (!panel)
    return;
  panel->get_counters (&c);
#define PRINT(name, value)                                                     \
  g_print ("softcuda: " name " %" G_GUINT64_FORMAT "\n", value)
  PRINT ("uploads", c.uploads);
  PRINT ("uploads.bytes", c.bytes_uploaded);
  PRINT ("downloads", c.downloads);
  PRINT ("downloads.bytes", c.bytes_downloaded);
  PRINT ("device-copies", c.device_copies);
  PRINT ("kernels", c.launches);
  PRINT ("host-waits", c.host_waits);
  PRINT ("event-waits", c.event_waits);
  PRINT ("device-allocations", c.allocations);
  PRINT ("host-allocations", c.host_allocations);
#undef PRINT
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || !launches) {
    g_printerr ("%s\n", error ? error->message : "no pipeline");
    return 2;
  }
  for (gint i = 0; i < repeat; i++)
    play_all ();
  print_counters ();
  if (!no_deinit)
    gst_deinit ();
  return 0;
}
