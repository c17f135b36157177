/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Handles: fixed-size items that are never unmapped, so that a stale handle is
 * told from a live one, and that are used again at once or late, by seed. */

#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct _ScPoolItem ScPoolItem;
typedef struct _ScPoolChunk ScPoolChunk;

typedef struct
{
  size_t size; /* bytes of one item, without the pool's own header */
  ScPoolChunk *chunks;
  ScPoolItem *first, *last; /* free items */
  unsigned n_free, n_live;
} ScPool;

#define SC_POOL_INIT(type) { .size = sizeof (type) }

/* Zeroed; NULL without memory. */
void *sc_pool_take (ScPool *pool);
void sc_pool_give (ScPool *pool, void *item);
/* Whether @item is a live item of this pool; any pointer may be asked. */
bool sc_pool_live (const ScPool *pool, const void *item);
/* How many live items @test says yes to. */
unsigned sc_pool_count (const ScPool *pool, bool (*test) (const void *item));
