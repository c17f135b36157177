/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Microseconds a frame for each element and its neighbours, side by side in
 * one run. Prints a table; --json FILE also writes the figures there. */

#include "measure.h"

#include <stdio.h>

typedef struct
{
  const gchar *job;
  const gchar *element; /* what must exist for the row to be measured */
  const gchar *before;  /* what makes the frames that the row's job needs */
  const gchar *tested;
} Row;

typedef struct
{
  const gchar *format;
  gint width, height;
} Picture;

/* Caps filters, for fakesink would also take what passes through. */
#define ON_GPU " ! video/x-raw(memory:CUDAMemory)"
#define ON_CPU " ! video/x-raw ! identity drop-allocation=true"

static const Row rows[] = {
  { "upload", "zcupload", "", "zcupload" ON_GPU },
  { "upload", "cudaupload", "", "cudaupload" ON_GPU },
  { "download", "zcdownload", "zcupload" ON_GPU, "zcdownload" ON_CPU },
  { "download", "cudadownload", "cudaupload" ON_GPU, "cudadownload" ON_CPU },
  { "up and down", "zcdownload", "", "zcupload" ON_GPU " ! zcdownload" ON_CPU },
  { "up and down", "cudadownload", "",
      "cudaupload" ON_GPU " ! cudadownload" ON_CPU },
  { "flip 180", "zcflip", "zcupload", "zcflip video-direction=180" },
  { "flip 180", "cudaconvertscale", "cudaupload",
      "cudaconvertscale video-direction=180" },
  { "flip 180", "videoflip", "", "videoflip video-direction=180" },
  { "flip 90r", "zcflip", "zcupload", "zcflip video-direction=90r" },
  { "flip 90r", "cudaconvertscale", "cudaupload",
      "cudaconvertscale video-direction=90r" },
  { "flip 90r", "videoflip", "", "videoflip video-direction=90r" },
  { "all of it", "zcflip", "",
      "zcupload ! zcflip video-direction=90r ! zcdownload" ON_CPU },
  { "all of it", "cudaconvertscale", "",
      "cudaupload ! cudaconvertscale video-direction=90r ! "
      "cudadownload" ON_CPU },
};

static const Picture pictures[] = {
  { "NV12", 1920, 1080 },
  { "NV12", 3840, 2160 },
  { "RGBA", 3840, 2160 },
};

static const Picture small_pictures[] = {
  { "NV12", 320, 240 },
  { "RGBA", 320, 240 },
};

static gdouble seconds = 2;
static gchar *json_path = NULL;

static const GOptionEntry options[] = {
  { "seconds", 's', 0, G_OPTION_ARG_DOUBLE, &seconds,
      "how long each figure is measured (2)", "N" },
  { "json", 'j', 0, G_OPTION_ARG_FILENAME, &json_path,
      "where to write the figures as JSON", "FILE" },
  { NULL },
};

static gboolean
element_exists (const gchar *name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);

  return factory != NULL;
}

static gdouble
measure (const Row *row, const Picture *picture)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *description = NULL;
  gdouble result;

  if (!element_exists (row->element))
    return -1;
  description = g_strdup_printf (
      "videotestsrc num-buffers=1 ! video/x-raw,format=%s,width=%d,height=%d "
      "%s%s ! imagefreeze ! %s ! fakesink name=sink sync=false",
      picture->format, picture->width, picture->height,
      *row->before ? "! " : "", row->before, row->tested);
  result = measure_pipeline (description, seconds, &error);
  if (error)
    g_printerr ("%s\n  %s\n", description, error->message);
  return result;
}

static void
print_head (const Picture *list, gsize n)
{
  g_print ("%-12s %-18s", "us a frame", "");
  for (gsize i = 0; i < n; i++)
    g_print ("  %4s %4dx%-4d", list[i].format, list[i].width, list[i].height);
  g_print ("\n");
}

static void
add_json (GString *json, const Row *row, const Picture *picture, gdouble us)
{
  gchar figure[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (json,
      "%s{\"job\": \"%s\", \"element\": \"%s\", \"format\": \"%s\", "
      "\"width\": %d, \"height\": %d, \"us\": %s}",
      json->len ? ",\n  " : "", row->job, row->element, picture->format,
      picture->width, picture->height,
      us < 0 ? "null" : g_ascii_formatd (figure, sizeof figure, "%.2f", us));
}

static void
run_row (const Row *row, const Picture *list, gsize n, GString *json)
{
  g_print ("%-12s %-18s", row->job, row->element);
  for (gsize i = 0; i < n; i++) {
    gdouble us = measure (row, &list[i]);

    if (us < 0)
      g_print ("  %14s", "not there");
    else
      g_print ("  %14.1f", us);
    add_json (json, row, &list[i], us);
  }
  g_print ("\n");
}

static gboolean
write_json (const GString *json, GError **error)
{
  g_autofree gchar *text = g_strdup_printf ("[\n  %s\n]\n", json->str);

  return g_file_set_contents (json_path, text, -1, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  gboolean soft = g_strcmp0 (g_getenv ("ZC_DRIVER"), "softcuda") == 0;
  const Picture *list = soft ? small_pictures : pictures;
  gsize n = soft ? G_N_ELEMENTS (small_pictures) : G_N_ELEMENTS (pictures);

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (soft)
    g_print ("softcuda stands in for the GPU: these figures mean nothing\n");
  print_head (list, n);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    run_row (&rows[i], list, n, json);
  if (json_path && !write_json (json, &error)) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  return 0;
}
