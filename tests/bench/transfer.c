/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How near to the speed of the bus frames come to the GPU and back, next to
 * GStreamer's own elements. The limits are measured in the same run. */

#include "buslimits.h"
#include "figures.h"
#include "nullstream.h"
#include "transferrows.h"

static gdouble seconds = 0;
static gchar *only = NULL;
static gboolean small_pictures = FALSE;

static const GOptionEntry options[] = {
  { "seconds", 's', 0, G_OPTION_ARG_DOUBLE, &seconds,
      "how long each figure is measured (2)", "N" },
  { "only", 'o', 0, G_OPTION_ARG_STRING, &only,
      "measure the rows that match, as in 'upload.*NV12 3840'", "REGEX" },
  { "small", 0, 0, G_OPTION_ARG_NONE, &small_pictures,
      "small pictures only, to see that all works", NULL },
  { NULL },
};

typedef struct
{
  Figures *figures;
  GstCudaContext *context;
  Limits limits[TRANSFER_MAX_PICTURES];
  const TransferPicture *pictures;
  guint n_pictures;
  GRegex *only; /* NULL: all */
} Bench;

static gboolean
is_wanted (const Bench *self, const TransferRow *row,
    const TransferPicture *picture)
{
  g_autofree gchar *text = g_strdup_printf ("%s %s %s %dx%d", row->job,
      row->who, picture->format, picture->width, picture->height);
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (row->needs);

  return factory && row->pictures & picture->kind &&
      (!self->only || g_regex_match (self->only, text, 0, NULL));
}

static gboolean
element_exists (const gchar *name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);

  return factory != NULL;
}

static gboolean
measure (const Bench *self, const TransferRow *row, const Limits *limits,
    Pace *pace)
{
  const Play play = {
    .launch = row->launch,
    .feed = row->feed,
    .info = limits->info,
    .context = self->context,
    .n_pipelines = row->n_pipelines,
    .pin_all = row->pin_all,
  };
  NullStream *null_stream =
      row->null_stream ? null_stream_start (self->context) : NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok = play_for (&play, seconds, pace, &error);

  null_stream_stop (null_stream);
  if (!ok)
    g_printerr ("%s\n  %s\n", row->launch, error->message);
  return ok;
}

static void
add_against (const Bench *self, Figure figure, const gchar *job, gdouble us,
    const gchar *limit, gdouble limit_us, gdouble least)
{
  figure.job = job;
  figure.us = us;
  figure.limit = limit;
  figure.limit_us = limit_us;
  figure.least = least;
  figure.bytes = 0;
  figures_add (self->figures, &figure);
}

/* What comes of one measurement beside its own row. @peer_us: of the row before,
 * or 0. */
static void
add_derived (const Bench *self, const TransferRow *row, const Figure *figure,
    const Pace *pace, gdouble peer_us)
{
  g_autofree gchar *gap = g_strdup_printf ("gap of %s", row->job);
  g_autofree gchar *cpu = g_strdup_printf ("CPU of %s", row->job);

  if (row->derived & TRANSFER_GAP)
    add_against (self, *figure, gap, MAX (0, pace->us - figure->limit_us), NULL,
        0, 0);
  if (row->derived & TRANSFER_CPU)
    add_against (self, *figure, cpu, pace->cpu_us, "1 core, 2000 frames/s", 500,
        row->least > 0 ? 1 : 0);
  if (row->derived & TRANSFER_PEER && peer_us > 0)
    add_against (self, *figure, "new to nvcodec", pace->us, "nvcodec", peer_us,
        2);
}

static void
run_row (Bench *self, const TransferRow *row, guint picture, gdouble *last_us)
{
  const TransferPicture *what = &self->pictures[picture];
  Limits *limits = &self->limits[picture];
  gdouble peer_us = *last_us;
  Pace pace = { .us = FIGURE_NOT_THERE };
  Figure figure = {
    .job = row->job,
    .who = row->who,
    .format = what->format,
    .width = what->width,
    .height = what->height,
    .limit = limit_name (row->limit),
    .limit_us = limits_get (limits, row->limit),
    .least = row->least,
    .bytes = GST_VIDEO_INFO_SIZE (&limits->info),
  };

  if (!element_exists (row->needs) || !measure (self, row, limits, &pace))
    pace.us = FIGURE_NOT_THERE;
  figure.us = *last_us = pace.us;
  figures_add (self->figures, &figure);
  if (figure.us > 0)
    add_derived (self, row, &figure, &pace, peer_us);
}

static void
run_rows (Bench *self)
{
  gdouble last_us[TRANSFER_MAX_PICTURES] = { 0 };

  for (const TransferRow *row = transfer_rows; row->job; row++) {
    for (guint i = 0; i < self->n_pictures; i++) {
      if (is_wanted (self, row, &self->pictures[i]))
        run_row (self, row, i, &last_us[i]);
    }
  }
}

static void
add_limits (Bench *self)
{
  for (guint i = 0; i < self->n_pictures; i++) {
    const TransferPicture *picture = &self->pictures[i];
    Limits *limits = &self->limits[i];

    for (LimitKind kind = LIMIT_UP; kind < LIMIT_KINDS; kind++) {
      if (limits->us[kind] > 0)
        figures_add (self->figures,
            &(Figure) { .job = "limit",
                .who = limit_name (kind),
                .format = picture->format,
                .width = picture->width,
                .height = picture->height,
                .us = limits->us[kind],
                .bytes = GST_VIDEO_INFO_SIZE (&limits->info) });
    }
  }
}

static gboolean
bench_init (Bench *self, GError **error)
{
  small_pictures |= figures_soft (self->figures);
  if (seconds <= 0)
    seconds = small_pictures ? 0.02 : 2;
  if (only && !(self->only = g_regex_new (only, 0, 0, error)))
    return FALSE;
  self->context = gst_zc_context_new (0, error);
  if (!self->context)
    return FALSE;
  self->pictures = transfer_pictures (small_pictures, &self->n_pictures);
  for (guint i = 0; i < self->n_pictures; i++) {
    const TransferPicture *picture = &self->pictures[i];
    GstVideoInfo info;

    gst_video_info_set_format (&info,
        gst_video_format_from_string (picture->format), picture->width,
        picture->height);
    limits_init (&self->limits[i], self->context, &info, seconds / 2);
  }
  return TRUE;
}

int
main (int argc, char **argv)
{
  Bench bench = { .figures =
                      figures_begin ("transfer", options, &argc, &argv) };
  g_autoptr (GError) error = NULL;

  if (bench_init (&bench, &error)) {
    run_rows (&bench);
    add_limits (&bench);
  } else {
    g_printerr ("%s\n", error->message);
  }
  limits_end ();
  gst_clear_object (&bench.context);
  g_clear_pointer (&bench.only, g_regex_unref);
  return figures_end (bench.figures) || error;
}
