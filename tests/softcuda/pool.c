/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

#define PER_CHUNK 128
#define KEEP_FREE 64

struct _ScPoolItem
{
  ScPoolItem *next;
  bool live;
  _Alignas (16) char data[];
};

struct _ScPoolChunk
{
  ScPoolChunk *next;
  unsigned used;
  _Alignas (16) char items[];
};

static size_t
item_bytes (const ScPool *pool)
{
  return (sizeof (ScPoolItem) + pool->size + 15) & ~(size_t) 15;
}

static ScPoolItem *
fresh_item (ScPool *pool)
{
  ScPoolChunk *chunk = pool->chunks;

  if (!chunk || chunk->used == PER_CHUNK) {
    chunk = calloc (1, sizeof *chunk + PER_CHUNK * item_bytes (pool));
    if (!chunk)
      return NULL;
    chunk->next = pool->chunks;
    pool->chunks = chunk;
  }
  return (ScPoolItem *) (chunk->items + chunk->used++ * item_bytes (pool));
}

static ScPoolItem *
used_item (ScPool *pool)
{
  ScPoolItem *item = pool->first;

  pool->first = item->next;
  if (!pool->first)
    pool->last = NULL;
  pool->n_free--;
  return item;
}

void *
sc_pool_take (ScPool *pool)
{
  bool again = pool->first && (pool->n_free > KEEP_FREE || sc_chance (2));
  ScPoolItem *item = again ? used_item (pool) : fresh_item (pool);

  if (!item)
    return NULL;
  memset (item->data, 0, pool->size);
  item->live = true;
  pool->n_live++;
  return item->data;
}

void
sc_pool_give (ScPool *pool, void *data)
{
  ScPoolItem *item =
      (ScPoolItem *) ((char *) data - offsetof (ScPoolItem, data));
  bool front = sc_chance (2);

  item->live = false;
  item->next = front ? pool->first : NULL;
  if (front || !pool->first)
    pool->first = item;
  else
    pool->last->next = item;
  if (!item->next)
    pool->last = item;
  pool->n_free++;
  pool->n_live--;
}

static ScPoolItem *
find_item (const ScPool *pool, uintptr_t address)
{
  for (ScPoolChunk *chunk = pool->chunks; chunk; chunk = chunk->next) {
    uintptr_t first = (uintptr_t) chunk->items + offsetof (ScPoolItem, data);
    size_t offset = address - first;
    if (address >= first && offset % item_bytes (pool) == 0 &&
        offset / item_bytes (pool) < chunk->used)
      return (ScPoolItem *) (address - offsetof (ScPoolItem, data));
  }
  return NULL;
}

bool
sc_pool_live (const ScPool *pool, const void *item)
{
  const ScPoolItem *found = find_item (pool, (uintptr_t) item);

  return found && found->live;
}

static unsigned
count_in_chunk (const ScPool *pool, const ScPoolChunk *chunk,
    bool (*test) (const void *item))
{
  unsigned n = 0;

  for (unsigned i = 0; i < chunk->used; i++) {
    const ScPoolItem *item =
        (const ScPoolItem *) (chunk->items + i * item_bytes (pool));
    n += item->live && test (item->data);
  }
  return n;
}

unsigned
sc_pool_count (const ScPool *pool, bool (*test) (const void *item))
{
  unsigned n = 0;

  for (const ScPoolChunk *chunk = pool->chunks; chunk; chunk = chunk->next)
    n += count_in_chunk (pool, chunk, test);
  return n;
}
