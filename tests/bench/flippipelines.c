/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "flippipelines.h"

#include "measure.h"

typedef struct
{
  const gchar *element;
  const gchar *before;
  gint highest; /* pixels; above that it takes too long */
} Player;

static const Player players[] = {
  { "zcflip", "! zcupload", G_MAXINT },
  { "cudaconvertscale", "! cudaupload", G_MAXINT },
  { "videoflip", "", 2160 },
};

static const gchar *const directions[] = { "180", "90r" };

static const struct
{
  const gchar *name, *caps;
} formats[] = {
  { "NV12", "NV12" },
  { "P010", "P010_10LE" },
  { "I420", "I420" },
  { "RGBA", "RGBA" },
  { "RGB", "RGB" },
  { "YUY2", "YUY2" },
};

typedef struct
{
  gint width, height;
} Size;

static const Size sizes[] = { { 1920, 1080 }, { 3840, 2160 }, { 7680, 4320 } };
static const Size small_sizes[] = { { 64, 48 } };

static gboolean
is_wanted (gchar **wanted, const gchar *format)
{
  return wanted == NULL || g_strv_contains ((const gchar **) wanted, format);
}

static gboolean
element_exists (const gchar *name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);

  return factory != NULL;
}

/* One frame again and again, so that the source costs next to nothing. */
static gboolean
run (const Player *player, const gchar *format, const Size *size,
    const gchar *flips, gdouble seconds, MeasuredTime *time)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *description =
      g_strdup_printf ("videotestsrc num-buffers=1 ! "
                       "video/x-raw,format=%s,width=%d,height=%d "
                       "%s ! imagefreeze %s ! fakesink name=sink sync=false",
          format, size->width, size->height, player->before, flips);

  *time = (MeasuredTime) { FIGURE_NOT_THERE, FIGURE_NOT_THERE };
  if (!element_exists (player->element))
    return FALSE;
  if (measure_pipeline_cpu (description, seconds, time, &error))
    return TRUE;
  g_printerr ("%s\n  %s\n", description, error->message);
  return FALSE;
}

static void
run_size (Figures *figures, const Player *player, const gchar *direction,
    const Size *size, gchar **wanted, gdouble seconds)
{
  g_autofree gchar *job = g_strdup_printf ("%s in a pipeline", direction);
  g_autofree gchar *flip =
      g_strdup_printf ("! %s video-direction=%s", player->element, direction);
  MeasuredTime time;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    if (!is_wanted (wanted, formats[i].name))
      continue;
    run (player, formats[i].caps, size, flip, seconds, &time);
    figures_add (figures,
        &(Figure) { job, player->element, formats[i].name, size->width,
            size->height, time.us });
  }
}

void
flip_in_pipelines (Figures *figures, gchar **wanted, gdouble seconds)
{
  gboolean soft = figures_soft (figures);
  const Size *list = soft ? small_sizes : sizes;
  guint n = soft ? G_N_ELEMENTS (small_sizes) : G_N_ELEMENTS (sizes);

  for (guint i = 0; i < n; i++) {
    for (guint d = 0; d < G_N_ELEMENTS (directions); d++) {
      for (guint p = 0; p < G_N_ELEMENTS (players); p++) {
        if (list[i].height <= players[p].highest)
          run_size (figures, &players[p], directions[d], &list[i], wanted,
              seconds);
      }
    }
  }
}

/* A chain's time less that of the same pipeline without it. */
static void
run_chain (Figures *figures, const Player *player, const gchar *format,
    const Size *size, const MeasuredTime *bare, guint length, gdouble seconds)
{
  static const gchar *const chain[] = { "90r", "180", "90l" };
  g_autoptr (GString) flips = g_string_new (NULL);
  g_autofree gchar *job = g_strdup_printf ("CPU of %u", length);
  MeasuredTime time;

  for (guint i = 0; i < length; i++)
    g_string_append_printf (flips, "! %s video-direction=%s ", player->element,
        chain[i]);
  if (run (player, format, size, flips->str, seconds, &time))
    time.cpu_us = MAX (time.cpu_us - bare->cpu_us, 0);
  figures_add (figures,
      &(Figure) { job, player->element, format, size->width, size->height,
          time.cpu_us });
}

void
flip_on_cpu (Figures *figures, gchar **wanted, gdouble seconds)
{
  static const gchar *const cpu_formats[] = { "NV12", "RGBA" };
  const Size hd = { 1280, 720 };
  const Size *size = figures_soft (figures) ? small_sizes : &hd;

  for (guint p = 0; p < 2; p++) {
    for (guint i = 0; i < G_N_ELEMENTS (cpu_formats); i++) {
      MeasuredTime bare;

      if (!is_wanted (wanted, cpu_formats[i]))
        continue;
      run (&players[p], cpu_formats[i], size, "", seconds, &bare);
      run_chain (figures, &players[p], cpu_formats[i], size, &bare, 1, seconds);
      run_chain (figures, &players[p], cpu_formats[i], size, &bare, 3, seconds);
    }
  }
}
