/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#define _GNU_SOURCE /* memfd_create */
#include "children.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_US 500

typedef struct
{
  pid_t pid; /* 0: free */
  gint output;
  gint64 end;
  ChildResult *result;
} Slot;

static void
run_child (ChildFunc func, gconstpointer job, Slot *slot)
{
  dup2 (slot->output, STDOUT_FILENO);
  dup2 (slot->output, STDERR_FILENO);
  func (job, slot->result);
  fflush (NULL);
  /* Exit handlers are the parent's. */
  _exit (0);
}

static void
start (Slot *slot, ChildFunc func, gconstpointer job, guint seconds)
{
  slot->output = memfd_create ("output", MFD_CLOEXEC);
  g_assert_cmpint (slot->output, >=, 0);
  slot->end = g_get_monotonic_time () + seconds * G_TIME_SPAN_SECOND;
  fflush (NULL);
  slot->pid = fork ();
  g_assert_cmpint (slot->pid, >=, 0);
  if (slot->pid == 0)
    run_child (func, job, slot);
}

static void
read_output (gint fd, gchar *text)
{
  off_t size = lseek (fd, 0, SEEK_END), room = CHILD_OUTPUT - 1;

  if (pread (fd, text, room, MAX (size - room, 0)) < 0)
    text[0] = 0;
}

static void
finish (Slot *slot, gint status)
{
  ChildResult *result = slot->result;

  result->status = status;
  if (result->end != CHILD_HUNG)
    result->end = WIFEXITED (status) && WEXITSTATUS (status) == 0
        ? CHILD_DONE
        : CHILD_CRASHED;
  read_output (slot->output, result->output);
  close (slot->output);
  slot->pid = 0;
}

/* TRUE if the slot is free now. */
static gboolean
look (Slot *slot)
{
  gint status;

  if (slot->pid == 0)
    return TRUE;
  if (waitpid (slot->pid, &status, WNOHANG) == slot->pid) {
    finish (slot, status);
    return TRUE;
  }
  if (g_get_monotonic_time () > slot->end) {
    slot->result->end = CHILD_HUNG;
    kill (slot->pid, SIGKILL);
    slot->end += G_TIME_SPAN_SECOND;
  }
  return FALSE;
}

ChildResult *
children_run (ChildFunc func, gconstpointer jobs, gsize size, guint n,
    guint parallel, guint seconds)
{
  ChildResult *results = mmap (NULL, MAX (n, 1) * sizeof (ChildResult),
      PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_autofree Slot *slots = g_new0 (Slot, parallel);
  guint next = 0, busy;

  g_assert_true (results != MAP_FAILED);
  do {
    busy = 0;
    for (guint i = 0; i < parallel; i++) {
      if (look (&slots[i]) && next < n) {
        slots[i].result = &results[next];
        start (&slots[i], func, (const guint8 *) jobs + next++ * size, seconds);
      }
      busy += slots[i].pid != 0;
    }
    g_usleep (POLL_US);
  } while (busy > 0);
  return results;
}

void
children_free (ChildResult *results, guint n)
{
  munmap (results, MAX (n, 1) * sizeof (ChildResult));
}
