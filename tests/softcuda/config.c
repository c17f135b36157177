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

bool
sc_config_set_policy (const char *name)
{
  static const char *const names[] = { "lazy", "random", "priorities",
    "eager" };

  for (unsigned i = 0; name && i < sizeof names / sizeof *names; i++)
    if (!strcmp (name, names[i])) {
      config.policy = (ScPolicy) i;
      return true;
    }
  return false;
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
  config.stub = word_is ("SOFTCUDA_MODE", "stub");
  config.strict = number ("SOFTCUDA_STRICT", 0);
  config.devices = (int) number ("SOFTCUDA_DEVICES", 2);
  config.memory = number ("SOFTCUDA_MEMORY", DEFAULT_MEMORY);
  config.capability = (int) number ("SOFTCUDA_CAPABILITY", 90);
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
