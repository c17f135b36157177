/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "lock.h"
#include "report.h"

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_uint threads;
static _Thread_local ScThread *self;

static int
owed_pops (const ScThread *thread)
{
  int owed = 0;

  for (int i = 0; i < thread->depth; i++)
    owed += thread->pushed[i];
  return owed;
}

static void
thread_ends (void *data)
{
  ScThread *thread = data;

  if (owed_pops (thread)) {
    sc_lock ();
    self = thread;
    thread->call = "a thread that ends";
    sc_report ("%d contexts pushed and not popped", owed_pops (thread));
    sc_unlock ();
  }
  self = NULL;
  sc_clock_clear (&thread->clock);
  free (thread);
}

static void
make_key (void)
{
  pthread_key_create (&key, thread_ends);
}

ScThread *
sc_thread (void)
{
  if (self)
    return self;
  pthread_once (&once, make_key);
  self = calloc (1, sizeof *self);
  if (!self)
    abort ();
  self->id = atomic_fetch_add (&threads, 1) + 1;
  pthread_setspecific (key, self);
  return self;
}

ScContext *
sc_thread_current (void)
{
  const ScThread *thread = sc_thread ();

  return thread->depth ? thread->stack[thread->depth - 1] : NULL;
}
