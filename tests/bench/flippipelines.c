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

#define CPU_ROUNDS 7

typedef enum
{
  BARE,
  ONE,
  THREE,
  N_CHAINS
} Chain;

static const gchar *const cpu_jobs[] = { NULL, "CPU of 1", "CPU of 3" };

typedef struct
{
  gdouble round[CPU_ROUNDS]; /* microseconds, without the bare pipeline's */
} Added;

static gchar *
new_chain (const Player *player, Chain chain)
{
  static const gchar *const turns[] = { "90r", "180", "90l" };
  guint n = chain == BARE ? 0 : chain == ONE ? 1 : G_N_ELEMENTS (turns);
  GString *flips = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (flips, "! %s video-direction=%s ", player->element,
        turns[i]);
  return g_string_free (flips, FALSE);
}

static void
run_round (const Player *player, const gchar *format, const Size *size,
    gdouble seconds, guint round, Added *added)
{
  MeasuredTime bare = { 0 };

  for (guint i = 0; i < N_CHAINS; i++) {
    g_autofree gchar *chain = new_chain (player, i);
    MeasuredTime time;
    gboolean ok = run (player, format, size, chain, seconds, &time);

    if (i == BARE)
      bare = time;
    added[i].round[round] =
        ok ? MAX (time.cpu_us - bare.cpu_us, 0) : FIGURE_NOT_THERE;
  }
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

static gdouble
median (Added *added, guint rounds)
{
  qsort (added->round, rounds, sizeof (gdouble), compare);
  return added->round[rounds / 2];
}

/* Neighbours of the machine come and go: the players take turns, and the median
 * of their rounds counts. */
static void
run_cpu (Figures *figures, const gchar *format, const Size *size,
    gdouble seconds)
{
  guint rounds = figures_soft (figures) ? 1 : CPU_ROUNDS;
  Added added[2][N_CHAINS];

  for (guint r = 0; r < rounds; r++) {
    for (guint p = 0; p < G_N_ELEMENTS (added); p++)
      run_round (&players[p], format, size, seconds, r, added[p]);
  }
  for (guint p = 0; p < G_N_ELEMENTS (added); p++) {
    for (guint i = ONE; i < N_CHAINS; i++)
      figures_add (figures,
          &(Figure) { cpu_jobs[i], players[p].element, format, size->width,
              size->height, median (&added[p][i], rounds) });
  }
}

void
flip_on_cpu (Figures *figures, gchar **wanted, gdouble seconds)
{
  static const gchar *const cpu_formats[] = { "NV12", "RGBA" };
  const Size hd = { 1280, 720 };
  const Size *size = figures_soft (figures) ? small_sizes : &hd;

  for (guint i = 0; i < G_N_ELEMENTS (cpu_formats); i++) {
    if (is_wanted (wanted, cpu_formats[i]))
      run_cpu (figures, cpu_formats[i], size, seconds);
  }
}
