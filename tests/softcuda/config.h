/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the environment says, read once, and the dice. */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum
{
  SC_POLICY_LAZY,       /* only what somebody waits for runs */
  SC_POLICY_RANDOM,     /* any operation that may run, in any order */
  SC_POLICY_PRIORITIES, /* each stream has a random priority */
  SC_POLICY_EAGER,      /* at once, where nothing stands in the way */
} ScPolicy;

typedef enum
{
  SC_FREE_WAITS,
  SC_FREE_NEVER_WAITS,
  SC_FREE_RANDOM,
} ScFreeMode;

typedef enum
{
  SC_RACES_OFF,
  SC_RACES_COUNT, /* without a word */
  SC_RACES_REPORT,
  SC_RACES_ABORT,
} ScRaces;

typedef enum
{
  SC_PEERS_ACCESS, /* each device reaches the memory of each other one */
  SC_PEERS_STAGED, /* none does, and copies go by way of the host */
  SC_PEERS_NONE,   /* copies between devices are refused, too */
} ScPeers;

typedef struct
{
  bool stub;
  bool strict;
  ScPolicy policy;
  ScFreeMode free_mode;
  ScRaces races;
  bool backtrace; /* of each operation, for reports of races */
  uint64_t seed;
  ScPeers peers;
  int devices;
  size_t memory; /* bytes of each device */
  int capability; /* 90 for 9.0 */
  bool integrated; /* says that it shares the host's memory */
} ScConfig;

/* With the lock held. */
ScConfig *sc_config (void);
void sc_config_seed (uint64_t seed);
bool sc_config_set_policy (const char *name);
bool sc_config_set_races (const char *name);

/* A number below @n; true once in @n times. */
uint64_t sc_random (uint64_t n);
bool sc_chance (uint64_t n);
