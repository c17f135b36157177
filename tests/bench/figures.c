/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "figures.h"

#include "machine.h"
#include "targets.h"

#include <stdio.h>
#include <stdlib.h>

struct _Figures
{
  gchar *name;
  gchar *json_path;
  Machine machine;
  GString *rows; /* JSON */
  Targets *targets;
  gboolean failed; /* the file can't be written, which was said */
};

gboolean
figures_soft (const Figures *self)
{
  return self->machine.soft;
}

static void
parse_options (Figures *self, const GOptionEntry *options, int *argc,
    char ***argv)
{
  const GOptionEntry shared[] = {
    { "json", 'j', 0, G_OPTION_ARG_FILENAME, &self->json_path,
        "where to write the figures as JSON", "FILE" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, shared, NULL);
  if (options)
    g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (g_option_context_parse (context, argc, argv, &error) && *argc == 1)
    return;
  g_printerr ("%s\n", error ? error->message : "this takes options only");
  exit (2);
}

Figures *
figures_begin (const gchar *name, const GOptionEntry *options, int *argc,
    char ***argv)
{
  Figures *self = g_new0 (Figures, 1);

  self->name = g_strdup (name);
  self->rows = g_string_new (NULL);
  self->targets = targets_new ();
  parse_options (self, options, argc, argv);
  machine_init (&self->machine);
  if (self->machine.soft)
    g_print ("softcuda stands in for the GPU: these figures mean nothing\n");
  g_print ("%s, driver %s, CUDA %s, GStreamer %s\n", self->machine.gpu,
      self->machine.driver, self->machine.cuda, self->machine.gstreamer);
  g_print ("%-24s %-18s %-9s %-9s %12s\n", "job", "who", "format", "size",
      "us a frame");
  return self;
}

static void
print_row (const Figure *figure)
{
  g_autofree gchar *size =
      g_strdup_printf ("%dx%d", figure->width, figure->height);

  g_print ("%-24s %-18s %-9s %-9s ", figure->job, figure->who, figure->format,
      size);
  if (figure->us < 0)
    g_print ("%12s", "not there");
  else
    g_print ("%12.2f", figure->us);
  if (figure->us > 0 && figure->bytes > 0)
    g_print (" %7.2f GB/s", figure->bytes / figure->us / 1000);
  if (figure->us >= 0 && figure->limit && figure->limit_us > 0)
    g_print ("  %6.3f x %s", figure->us / figure->limit_us, figure->limit);
  if (figure->us > 0 && figure->least > 0)
    g_print (", %.3f of it, asked for %.3f", figure->limit_us / figure->us,
        figure->least);
  g_print ("\n");
}

static void
append_number (GString *json, gdouble us)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json,
      us < 0 ? "null" : g_ascii_formatd (number, sizeof number, "%.3f", us));
}

static void
note_target (Figures *self, const Figure *figure)
{
  g_autofree gchar *what = g_strdup_printf ("%s, %s", figure->job, figure->who);
  g_autofree gchar *where = g_strdup_printf ("%s %dx%d", figure->format,
      figure->width, figure->height);

  if (figure->least > 0)
    targets_add (self->targets, what, where,
        figure->us > 0 ? figure->limit_us / figure->us : 0, figure->least);
}

static gboolean
write_json (const Figures *self, GError **error)
{
  const Machine *machine = &self->machine;
  g_autofree gchar *text =
      g_strdup_printf ("{\n  \"bench\": \"%s\",\n"
                       "  \"machine\": {\"gpu\": \"%s\", \"driver\": \"%s\", "
                       "\"cuda\": \"%s\", "
                       "\"gstreamer\": \"%s\"},\n  \"rows\": [\n%s\n  ]\n}\n",
          self->name, machine->gpu, machine->driver, machine->cuda,
          machine->gstreamer, self->rows->str);

  return g_file_set_contents (self->json_path, text, -1, error);
}

static void
save (Figures *self)
{
  g_autoptr (GError) error = NULL;

  if (!self->json_path || self->failed || write_json (self, &error))
    return;
  g_printerr ("%s\n", error->message);
  self->failed = TRUE;
}

void
figures_add (Figures *self, const Figure *figure)
{
  GString *json = self->rows;

  print_row (figure);
  note_target (self, figure);
  g_string_append_printf (json,
      "%s    {\"job\": \"%s\", \"who\": \"%s\", \"format\": \"%s\", "
      "\"width\": %d, \"height\": %d, \"us\": ",
      json->len ? ",\n" : "", figure->job, figure->who, figure->format,
      figure->width, figure->height);
  append_number (json, figure->us);
  if (figure->limit) {
    g_string_append_printf (json,
        ", \"limit\": {\"who\": \"%s\", \"us\": ", figure->limit);
    append_number (json, figure->limit_us);
    g_string_append_c (json, '}');
  }
  if (figure->least > 0) {
    g_string_append (json, ", \"least\": ");
    append_number (json, figure->least);
  }
  g_string_append_c (json,
      '}');  /* A bench that is stopped leaves what it has measured. */
  save (self);
}

int
figures_end (Figures *self)
{
  gboolean failed;

  save (self);
  failed = self->failed;
  if (!self->machine.soft)
    targets_print (self->targets);
  targets_free (self->targets);
  machine_clear (&self->machine);
  g_string_free (self->rows, TRUE);
  g_free (self->json_path);
  g_free (self->name);
  g_free (self);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
