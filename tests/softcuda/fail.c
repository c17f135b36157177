/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "config.h"
#include "context.h"
#include "thread.h"

#define MAX_RULES 32

typedef struct
{
  char name[48];
  unsigned nth; /* counted down to 0; each call if it starts at 0 */
  bool each, sticky;
  CUresult error;
} Rule;

static Rule rules[MAX_RULES];
static unsigned n_rules, random_one_in;
static CUresult random_error;
static bool loaded;
static _Thread_local ScContext *about;

void
sc_fail_add (const char *name, unsigned nth, CUresult error, bool sticky)
{
  Rule *rule = &rules[n_rules];

  if (n_rules == MAX_RULES)
    return;
  n_rules++;
  *rule =
      (Rule) { .nth = nth, .each = nth == 0, .sticky = sticky, .error = error };
  snprintf (rule->name, sizeof rule->name, "%s", name);
}

void
sc_fail_random (unsigned one_in, CUresult error)
{
  random_one_in = one_in;
  random_error = error;
}

void
sc_fail_clear (void)
{
  n_rules = 0;
  random_one_in = 0;
}

/* name:nth:code[:sticky], or random:one_in:code, separated by commas */
static void
add_from_text (char *text)
{
  char *save = NULL;
  const char *name = strtok_r (text, ":", &save);
  const char *nth = strtok_r (NULL, ":", &save);
  const char *code = strtok_r (NULL, ":", &save);
  const char *sticky = strtok_r (NULL, ":", &save);

  if (!code)
    fprintf (stderr, "softcuda: SOFTCUDA_FAIL wants name:nth:code[:sticky]\n");
  else if (!strcmp (name, "random"))
    sc_fail_random ((unsigned) atoi (nth), (CUresult) atoi (code));
  else
    sc_fail_add (name, (unsigned) atoi (nth), (CUresult) atoi (code),
        sticky && !strcmp (sticky, "sticky"));
}

static void
load (void)
{
  const char *variable = getenv ("SOFTCUDA_FAIL");
  char text[1024], *save = NULL;

  loaded = true;
  snprintf (text, sizeof text, "%s", variable ? variable : "");
  for (char *rule = strtok_r (text, ",", &save); rule;
      rule = strtok_r (NULL, ",", &save))
    add_from_text (rule);
}

static bool
rule_hits (Rule *rule, const char *name)
{
  if (strcmp (rule->name, name))
    return false;
  return rule->each || (rule->nth > 0 && --rule->nth == 0);
}

static bool
may_fail_at_random (const char *name)
{
  return strncmp (name, "cuGetError", 10) && strstr (name, "Ctx") == NULL &&
      strstr (name, "Destroy") == NULL && strstr (name, "Free") == NULL;
}

void
sc_fail_about (ScContext *ctx)
{
  about = ctx;
}

static ScContext *
take_about (void)
{
  ScContext *ctx = about ? about : sc_thread_current ();

  about = NULL;
  return ctx && sc_context_check (ctx) == CUDA_SUCCESS ? ctx : NULL;
}

CUresult
sc_fail_next (const char *name)
{
  ScContext *ctx = take_about ();

  if (!loaded)
    load ();
  for (unsigned i = 0; i < n_rules; i++)
    if (rule_hits (&rules[i], name)) {
      if (rules[i].sticky && ctx)
        sc_context_lose (ctx, rules[i].error);
      return rules[i].error == CUDA_SUCCESS ? SC_SKIPPED : rules[i].error;
    }
  if (random_one_in && may_fail_at_random (name) && sc_chance (random_one_in))
    return random_error;
  return CUDA_SUCCESS;
}
