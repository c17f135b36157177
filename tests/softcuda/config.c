/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY ((size_t) 16 << 30)

static ScConfig config;
static uint64_t dice;
static bool loaded;

static uint64_t
number (const char *variable, uint64_t standard)
{
  const char *text = getenv (variable);

  return text && *text ? strtoull (text, NULL, 0) : standard;
}

static bool
word_is (const char *variable, const char *word)
{
  const char *text = getenv (variable);

  return text && !strcmp (text, word);
}

/* The index of @name; < 0: it is none of the @n. */
static int
index_of (const char *name, const char *const *names, int n)
{
  while (name && n-- > 0)
    if (!strcmp (name, names[n]))
      return n;
  return -1;
}

bool
sc_config_set_policy (const char *name)
{
  static const char *const names[] = { "lazy", "random", "priorities",
    "eager" };
  int i = index_of (name, names, 4);

  if (i >= 0)
    config.policy = (ScPolicy) i;
  return i >= 0;
}

bool
sc_config_set_races (const char *name)
{
  static const char *const names[] = { "off", "count", "report", "abort" };
  int i = index_of (name, names, 4);

  if (i >= 0)
    config.races = (ScRaces) i;
  return i >= 0;
}

void
sc_config_seed (uint64_t seed)
{
  config.seed = seed;
  dice = seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
}

static void
load (void)
{
  const char *policy = getenv ("SOFTCUDA_POLICY");

  loaded = true;
  if (policy && *policy && !sc_config_set_policy (policy))
    fprintf (stderr,
        "softcuda: SOFTCUDA_POLICY=%s is none of lazy, random, "
        "priorities, eager: lazy is taken\n",
        policy);
  config.races = SC_RACES_REPORT;
  sc_config_set_races (getenv ("SOFTCUDA_RACES"));
  config.backtrace = number ("SOFTCUDA_BACKTRACE", 0);
  config.stub = word_is ("SOFTCUDA_MODE", "stub");
  config.strict = number ("SOFTCUDA_STRICT", 0);
  config.devices = (int) number ("SOFTCUDA_DEVICES", 2);
  config.peers = word_is ("SOFTCUDA_PEERS", "none") ? SC_PEERS_NONE
      : word_is ("SOFTCUDA_PEERS", "staged")        ? SC_PEERS_STAGED
                                                    : SC_PEERS_ACCESS;
  config.memory = number ("SOFTCUDA_MEMORY", DEFAULT_MEMORY);
  config.capability = (int) number ("SOFTCUDA_CAPABILITY", 90);
  config.integrated = number ("SOFTCUDA_INTEGRATED", 0);
  config.free_mode = word_is ("SOFTCUDA_FREE", "never") ? SC_FREE_NEVER_WAITS
      : word_is ("SOFTCUDA_FREE", "random")             ? SC_FREE_RANDOM
                                                        : SC_FREE_WAITS;
  sc_config_seed (number ("SOFTCUDA_SEED", 1));
}

ScConfig *
sc_config (void)
{
  if (!loaded)
    load ();
  return &config;
}

uint64_t
sc_random (uint64_t n)
{
  uint64_t z;

  if (!loaded)
    load ();
  /* splitmix64 */
  z = dice += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (z ^ (z >> 31)) % n;
}

bool
sc_chance (uint64_t n)
{
  return sc_random (n) == 0;
}
