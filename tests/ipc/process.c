/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "process.h"

void
process_start (Process *self, const gchar *const *values)
{
  g_autofree gchar *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (argv, program);
  for (; *values; values++)
    g_ptr_array_add (argv, (gpointer) *values);
  g_ptr_array_add (argv, NULL);
  self->process = g_subprocess_newv ((const gchar *const *) argv->pdata,
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  self->lines =
      g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
}

gchar *
process_read (Process *self)
{
  gchar *line = g_data_input_stream_read_line (self->lines, NULL, NULL, NULL);

  g_test_message ("%s: %s", g_subprocess_get_identifier (self->process),
      line ? line : "has ended");
  return line;
}

void
process_expect (Process *self, const gchar *expected)
{
  g_autofree gchar *line = process_read (self);

  g_assert_cmpstr (line, ==, expected);
}

void
process_finish (Process *self)
{
  g_autofree gchar *line = process_read (self);
  g_autoptr (GError) error = NULL;

  g_assert_null (line);
  g_subprocess_wait_check (self->process, NULL, &error);
  g_assert_no_error (error);
  g_clear_object (&self->lines);
  g_clear_object (&self->process);
}

void
process_kill (Process *self)
{
  g_subprocess_force_exit (self->process);
  g_subprocess_wait (self->process, NULL, NULL);
  g_clear_object (&self->lines);
  g_clear_object (&self->process);
}
