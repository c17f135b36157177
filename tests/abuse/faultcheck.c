/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <string.h>

#include "faulterrors.h"
#include "faultrun.h"

#define SETTLING (2 * G_TIME_SPAN_SECOND)

void
fault_wrong (FaultRun *self, const gchar *format, ...)
{
  va_list args;

  if (self->result->outcome == FAULT_WRONG)
    return;
  self->result->outcome = FAULT_WRONG;
  va_start (args, format);
  g_vsnprintf (self->result->text, CHILD_TEXT, format, args);
  va_end (args);
}

/* Errors on the bus */

guint
fault_n_errors (const FaultRun *self)
{
  return self->player.errors->len;
}

const gchar *
fault_first_error (const FaultRun *self)
{
  return fault_n_errors (self) > 0 ? g_ptr_array_index (self->player.errors, 0)
                                   : "none";
}

/* A message says which call failed, or what there is none of. */
static gboolean
is_clear (const gchar *text)
{
  static const gchar *const words[] = { "CUDA_ERROR_", "device", "driver",
    "memory", "kernel" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    if (strstr (text, words[i]) != NULL)
      return TRUE;
  }
  return FALSE;
}

/* TRUE if an element has said two things. */
static gboolean
is_repeated (const FaultRun *self)
{
  g_autoptr (GHashTable) seen =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < fault_n_errors (self); i++) {
    const gchar *text = g_ptr_array_index (self->player.errors, i);

    if (!g_hash_table_add (seen, g_strndup (text, strchr (text, ':') - text)))
      return TRUE;
  }
  return FALSE;
}

/* What fails again and again, as all does in a lost context, may be met by more
 * than one element. */
void
fault_check_errors (FaultRun *self)
{
  const FaultCase *fault = self->fault;
  gboolean once = fault->nth > 0 && !fault->sticky;

  for (guint i = 0; i < fault_n_errors (self); i++) {
    if (!is_clear (g_ptr_array_index (self->player.errors, i)))
      fault_wrong (self, "what is the matter with '%s'?",
          (gchar *) g_ptr_array_index (self->player.errors, i));
  }
  if (is_repeated (self) || (fault_n_errors (self) > 1 && once))
    fault_wrong (self, "%u errors: '%s', '%s'", fault_n_errors (self),
        fault_first_error (self),
        (gchar *) g_ptr_array_index (self->player.errors, 1));
  if (self->played == PLAYED_TO_ERROR && fault_n_errors (self) == 0 &&
      !fault->pipe->foreign)
    fault_wrong (self, "no element of ours says why it stopped: '%s'",
        (gchar *) g_ptr_array_index (self->player.others, 0));
}

/* Leaks */

typedef struct
{
  const gchar *name;
  gsize offset;
} Kind;

#define KIND(name) { #name, offsetof (SoftcudaOutstanding, name) }

static const Kind kinds[] = { KIND (contexts), KIND (streams), KIND (events),
  KIND (modules), KIND (device_allocations), KIND (pinned_allocations),
  KIND (registrations) };

static guint64
count_of (const SoftcudaOutstanding *outstanding, const Kind *kind)
{
  return *(const guint64 *) ((const guint8 *) outstanding + kind->offset);
}

/* What can't be freed stays: a thing for each free that failed, or all that was
 * to be freed in a context which could not be made current. */
static guint
may_stay (const FaultCase *fault)
{
  if (g_str_has_prefix (fault->function, "cuCtxPushCurrent") ||
      g_str_has_prefix (fault->function, "cuThreadExchange"))
    return G_MAXUINT;
  if (!fault_frees (fault->function))
    return 0;
  return fault->nth == 0 ? G_MAXUINT : 1;
}

/* The kind of which more stays than may, or NULL. */
static const Kind *
find_leak (FaultRun *self, SoftcudaOutstanding *now)
{
  guint most = may_stay (self->fault);

  self->panel->get_outstanding (now);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    guint64 n = count_of (now, &kinds[i]);
    guint64 usual = count_of (&self->fault->usual, &kinds[i]);

    if (n > usual && n - usual > most)
      return &kinds[i];
  }
  return NULL;
}

/* Our thread lets go of things a little later than the elements do. */
void
fault_check_leaks (FaultRun *self)
{
  gint64 end = g_get_monotonic_time () + SETTLING;
  SoftcudaOutstanding now;
  const Kind *leak;

  if (self->fault->code == 0) {
    g_usleep (SETTLING / 10);
    self->panel->get_outstanding (&((FaultCount *) self->result->words)->left);
    return;
  }
  while ((leak = find_leak (self, &now)) && g_get_monotonic_time () < end)
    g_usleep (1000);
  if (leak != NULL)
    fault_wrong (self,
        "%" G_GUINT64_FORMAT " %s stay, %" G_GUINT64_FORMAT " usually",
        count_of (&now, leak), leak->name,
        count_of (&self->fault->usual, leak));
}

static guint64
count_reports (FaultRun *self)
{
  SoftcudaCounters counters;

  self->panel->get_counters (&counters);
  return counters.errors;
}

/* A thread's stack of contexts is out of step after a push or a pop that failed,
 * since gst-cuda pops nevertheless. Nothing in a lost context runs any more, which
 * the race detector does not know. */
static gboolean
reports_are_due (FaultRun *self)
{
  return strstr (self->fault->function, "Current") != NULL || self->lost;
}

void
fault_check_reports (FaultRun *self)
{
  if (count_reports (self) > 0 && !reports_are_due (self))
    fault_wrong (self, "softcuda: %s", self->panel->last_error ());
}

/* Of a build with the address sanitizer. */
extern int __lsan_do_recoverable_leak_check (void) __attribute__ ((weak));

/* What a thread that is about to end holds looks lost for a moment. */
void
fault_check_host_leaks (FaultRun *self)
{
  gboolean leaks = __lsan_do_recoverable_leak_check != NULL;

  for (guint i = 0; leaks && i < 5; i++) {
    if (i > 0)
      g_usleep (SETTLING / 5);
    leaks = __lsan_do_recoverable_leak_check () != 0;
  }
  if (leaks)
    fault_wrong (self, "host memory leaks");
}
