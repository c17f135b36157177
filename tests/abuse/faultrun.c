/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "faultrun.h"

#include <string.h>

/* After the fault */

static gboolean
context_works (GstCudaContext *context)
{
  g_autoptr (GstZcStream) stream = gst_zc_stream_new (context, NULL);

  return stream != NULL;
}

static gboolean
primary_works (void)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);
  gboolean works = context != NULL && context_works (context);

  gst_clear_object (&context);
  return works;
}

/* nvcodec's own can't be asked. */
static gboolean
is_lost (FaultRun *self)
{
  GPtrArray *own = self->player.contexts;
  gboolean lost = !primary_works () || self->fault->pipe->foreign;

  for (guint i = 0; i < own->len; i++)
    lost |= !context_works (g_ptr_array_index (own, i));
  return lost && self->fault->sticky && self->reached;
}

static void
check_first_run (FaultRun *self)
{
  if (self->played == PLAYED_STUCK)
    fault_wrong (self, "stuck, no message");
  if (!self->lost)
    fault_player_look (&self->player);
  /* Work on a context that others were to wait for is not done once that is
   * lost, which does not reach those who wait. */
  if (self->player.wrong != NULL &&
      !(self->lost &&
          (self->fault->pipe->contexts || self->fault->pipe->foreign)))
    fault_wrong (self, "%s", self->player.wrong);
  fault_check_errors (self);
  if (self->played == PLAYED_TO_END && fault_n_errors (self) == 0 &&
      !self->lost && !fault_player_is_whole (&self->player))
    fault_wrong (self, "it ended without an error, but frames are missing");
}

static void
play_again (FaultRun *self)
{
  FaultPlayer *player = &self->player;

  fault_player_reset (player);
  fault_player_fill (player);
  self->played = fault_player_play (player);
  if (!fault_player_stop (player))
    fault_wrong (self, "can't be stopped after the second run");
  fault_player_look (player);
  if (self->played != PLAYED_TO_END || player->errors->len > 0)
    fault_wrong (self, "started again: %s, '%s'",
        self->played == PLAYED_STUCK ? "stuck" : "an error",
        fault_first_error (self));
  else if (!fault_player_is_whole (player))
    fault_wrong (self, "started again: %s",
        player->wrong ? player->wrong : "frames are missing");
}

static void
check_says_restart (FaultRun *self, const gchar *who, const gchar *text)
{
  const gchar *words = self->dead ? "" : "process must be restarted";

  if (text == NULL || strstr (text, words) == NULL)
    fault_wrong (self, "%s starts again after a lost context and says '%s'",
        who, text ? text : "nothing");
}

/* nvcodec makes itself a new context, so that its pipelines may even start. */
static void
refuse_again (FaultRun *self)
{
  FaultPlayer *player = &self->player;

  fault_player_reset (player);
  if (gst_element_set_state (player->pipeline, GST_STATE_READY) ==
          GST_STATE_CHANGE_FAILURE ||
      !self->fault->pipe->foreign)
    check_says_restart (self, "the pipeline", fault_first_error (self));
  fault_player_stop (player);
}

static guint
count_lines (const gchar *text)
{
  guint n = 0;

  for (; text != NULL && *text; text++)
    n += *text == '\n';
  return n;
}

static void
check_neighbour (FaultRun *self)
{
  g_autofree gchar *error = NULL, *again = NULL;
  gboolean right;

  if (self->fault->alone)
    neighbour_init (&self->neighbour);
  right = neighbour_exchange (&self->neighbour, &error);
  if (!self->neighbour_lost) {
    if (!right)
      fault_wrong (self, "the other pipeline is harmed: %s",
          error ? error : "no error, but no right frame");
  } else if (count_lines (error) != 1) {
    fault_wrong (self, "the other pipeline says, of a lost context: %s",
        error ? error : "nothing");
  }
  if (self->neighbour_lost) {
    again = neighbour_restart_error (&self->neighbour);
    check_says_restart (self, "the other pipeline", again);
  }
  neighbour_clear (&self->neighbour);
}

/* The run */

/* Once, so that what stays for ever is there: the primary context, its wrapper,
 * and what nvcodec leaves behind. */
static void
warm_up (FaultRun *self)
{
  g_autofree gchar *error = NULL;

  self->panel = softcuda_panel ();
  if (self->panel == NULL)
    g_error ("there is no softcuda");
  self->panel->set_policy (fault_policy_name (self->fault->policy));
  if (self->fault->pipe->foreign)
    gst_object_unref (gst_element_factory_make ("cudaupload", NULL));
  if (self->fault->alone)
    return;
  neighbour_init (&self->neighbour);
  if (!neighbour_exchange (&self->neighbour, &error))
    g_error ("the neighbour: %s", error);
}

static void
add_count (const char *name, uint64_t count, void *data)
{
  FaultCount *counts = data;

  if (counts->n == FAULT_MAX_FUNCTIONS)
    g_error ("room for more functions is needed");
  g_strlcpy (counts->function[counts->n].name, name, FAULT_NAME);
  counts->function[counts->n++].calls = count;
}

static void
play_with_fault (FaultRun *self)
{
  const FaultCase *fault = self->fault;

  fault_player_init (&self->player, fault->pipe);
  fault_player_fill (&self->player);
  fault_check_reports (self);
  self->panel->reset_counters ();
  if (fault->code != 0)
    self->panel->fail (fault->function, fault->nth, fault->code, fault->sticky);
  self->played = fault_player_play (&self->player);
  if (!fault_player_stop (&self->player))
    fault_wrong (self, "can't be stopped");
  if (fault->code == 0)
    self->panel->each_call (add_count, self->result->words);
  self->reached =
      self->panel->call_count (fault->function) >= MAX (fault->nth, 1);
}

static void
judge (FaultRun *self)
{
  gboolean said = fault_n_errors (self) > 0 || self->played != PLAYED_TO_END;

  if (self->result->outcome == FAULT_WRONG)
    return;
  self->result->outcome = !self->reached ? FAULT_UNREACHED
      : self->lost                       ? FAULT_LOST
      : said                             ? FAULT_STOPPED
                                         : FAULT_HARMLESS;
  g_strlcpy (self->result->text, fault_first_error (self), CHILD_TEXT);
}

static void
run (FaultRun *self)
{
  warm_up (self);
  play_with_fault (self);
  self->panel->fail_clear ();
  self->neighbour_lost = !primary_works ();
  self->dead = self->neighbour_lost && self->reached &&
      g_str_equal (self->fault->function, "cuInit");
  self->lost = is_lost (self) || self->dead;
  check_first_run (self);
  judge (self);
  if (self->lost)
    refuse_again (self);
  else
    play_again (self);
  check_neighbour (self);
  /* nvcodec leaves one behind when it is loaded. */
  if (!self->dead && !self->fault->pipe->foreign &&
      strstr (self->fault->function, "Current") == NULL &&
      cuda_test_current () != NULL)
    fault_wrong (self, "a context stays current");
}

void
fault_case_run (gconstpointer data, ChildResult *result)
{
  const FaultCase *fault = data;
  FaultRun self = { .fault = fault, .result = result };
  const gchar *source;

  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  run (&self);
  source = fault_source_check (&self.player.source);
  if (source != NULL && !fault->pipe->foreign)
    fault_wrong (&self, "%s", source);
  fault_player_clear (&self.player, self.lost);
  fault_check_reports (&self);
  if (!self.lost)
    fault_check_leaks (&self);
  fault_check_host_leaks (&self);
}
