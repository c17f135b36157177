/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "watch.h"

#include "lock.h"
#include "thread.h"

static SoftcudaWatchFunc watcher;
static void *watcher_data;

void
softcuda_watch (SoftcudaWatchFunc func, void *data)
{
  sc_lock ();
  watcher = func;
  watcher_data = data;
  sc_unlock ();
}

void
sc_watch_enter (void)
{
  ScDeeds *deeds = &sc_thread ()->deeds;

  deeds->n = 0;
  deeds->start = watcher ? sc_now () : 0;
}

void
sc_watch_note (const char *what, void *stream, uint64_t bytes)
{
  ScDeeds *deeds = &sc_thread ()->deeds;

  if (deeds->n < SC_MAX_DEEDS)
    deeds->deeds[deeds->n++] = (ScDeed) { what, stream, bytes };
}

bool
sc_watch_leave (ScDeeds *deeds)
{
  *deeds = sc_thread ()->deeds;
  return watcher && deeds->n > 0 && deeds->start > 0;
}

void
sc_watch_tell (const ScDeeds *deeds, const char *call)
{
  SoftcudaWatchFunc func;
  void *data;
  int64_t end;

  sc_lock ();
  func = watcher;
  data = watcher_data;
  end = sc_now ();
  sc_unlock ();
  for (unsigned i = 0; func && i < deeds->n; i++)
    func (call, deeds->deeds[i].what, deeds->deeds[i].stream,
        deeds->deeds[i].bytes, deeds->start, end, data);
}
