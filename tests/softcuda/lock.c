/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "lock.h"

#include <pthread.h>
#include <time.h>

#define NS 1000000000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
init_condition (void)
{
  pthread_condattr_t attr;

  pthread_condattr_init (&attr);
  pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
  pthread_cond_init (&changed, &attr);
  pthread_condattr_destroy (&attr);
}

void
sc_lock (void)
{
  pthread_once (&once, init_condition);
  pthread_mutex_lock (&mutex);
}

void
sc_unlock (void)
{
  pthread_mutex_unlock (&mutex);
}

void
sc_wait (int64_t deadline)
{
  struct timespec until = { deadline / NS, deadline % NS };

  if (deadline == INT64_MAX)
    pthread_cond_wait (&changed, &mutex);
  else
    pthread_cond_timedwait (&changed, &mutex, &until);
}

void
sc_wake (void)
{
  pthread_cond_broadcast (&changed);
}

int64_t
sc_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * NS + now.tv_nsec;
}
