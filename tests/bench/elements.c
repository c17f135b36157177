/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Microseconds a frame for each element and its neighbours, side by side in
 * one run. */

#include "figures.h"
#include "measure.h"

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

static const GOptionEntry options[] = {
  { "seconds", 's', 0, G_OPTION_ARG_DOUBLE, &seconds,
      "how long each figure is measured (2)", "N" },
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
    return FIGURE_NOT_THERE;
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

int
main (int argc, char **argv)
{
  Figures *figures = figures_begin ("elements", options, &argc, &argv);
  gboolean soft = figures_soft (figures);
  const Picture *list = soft ? small_pictures : pictures;
  gsize n = soft ? G_N_ELEMENTS (small_pictures) : G_N_ELEMENTS (pictures);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
    for (gsize j = 0; j < n; j++)
      figures_add (figures,
          &(Figure) { rows[i].job, rows[i].element, list[j].format,
              list[j].width, list[j].height, measure (&rows[i], &list[j]) });
  }
  return figures_end (figures);
}
