/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "cases.h"
#include "random.h"

#define ALL ((1u << N_USERS) - 1)
#define OURS (1u << USER_FRAME | 1u << USER_MARK | 1u << USER_HOST)
#define THEIRS                                                                 \
  (1u << USER_FRAME | 1u << USER_CPU | 1u << USER_BRIDGE | 1u << USER_OTHER)

static const RandomProgram pool = {
  .sources = { SOURCE_POOL, SOURCE_POOL },
  .users = ALL,
  .copies = TRUE,
};
/* No user that waits on the host hides what the others get wrong. */
static const RandomProgram events_alone = {
  .sources = { SOURCE_POOL, SOURCE_POOL },
  .users = OURS | 1u << USER_ADVERTISED,
};
static const RandomProgram foreign_users = {
  .sources = { SOURCE_POOL, SOURCE_POOL },
  .users = THEIRS,
};
static const RandomProgram foreign_pool = {
  .sources = { SOURCE_FOREIGN, SOURCE_FOREIGN },
  .users = ALL,
  .copies = TRUE,
};
static const RandomProgram no_stream = {
  .sources = { SOURCE_NULL, SOURCE_NULL },
  .users = ALL,
};
static const RandomProgram wrapped = {
  .sources = { SOURCE_WRAPPED, SOURCE_WRAPPED },
  .users = ALL,
  .copies = TRUE,
};
static const RandomProgram mixed = {
  .sources = { SOURCE_POOL, SOURCE_FOREIGN },
  .users = ALL,
  .copies = TRUE,
};
static const RandomProgram private_context = {
  .sources = { SOURCE_POOL, SOURCE_WRAPPED },
  .users = ALL,
  .copies = TRUE,
  .private_context = TRUE,
};

/* What works in another context than the memory's is seen only if it tells. */
static const RandomProgram two_contexts = {
  .sources = { SOURCE_POOL, SOURCE_FOREIGN },
  .users = ALL & ~(1u << USER_OTHER),
  .private_context = TRUE,
  .primary_streams = TRUE,
};

const OrderCase random_cases[] = {
  { "random/pool", random_program_run, &pool },
  { "random/events-alone", random_program_run, &events_alone },
  { "random/foreign-users", random_program_run, &foreign_users },
  { "random/foreign-pool", random_program_run, &foreign_pool },
  { "random/no-stream", random_program_run, &no_stream },
  { "random/wrapped", random_program_run, &wrapped },
  { "random/mixed", random_program_run, &mixed },
  { "random/private-context", random_program_run, &private_context },
  { "random/two-contexts", random_program_run, &two_contexts },
  { "random/pair-pool", random_pair_run, &pool },
  { "random/pair-wrapped", random_pair_run, &wrapped },
  { NULL },
};
