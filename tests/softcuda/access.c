/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "access.h"

size_t
sc_access_extent (const ScAccess *access)
{
  return access->rows ? (access->rows - 1) * access->pitch + access->width : 0;
}

bool
sc_access_meets (const ScAccess *access, uintptr_t start, size_t size)
{
  return access->start < start + size &&
      start < access->start + sc_access_extent (access);
}

/* Whether a row of @access has a byte of the @width ones from @start on: only
 * the first row that ends behind @start can, the later ones lie higher. */
static bool
has_row_in (const ScAccess *access, uintptr_t start, size_t width)
{
  size_t row = 0;

  if (start >= access->start + access->width && access->rows > 1 &&
      access->pitch > 0)
    row = (start - access->start - access->width) / access->pitch + 1;
  if (row >= access->rows)
    return false;
  start -= row * access->pitch;
  return access->start < start + width && start < access->start + access->width;
}

bool
sc_access_overlaps (const ScAccess *a, const ScAccess *b)
{
  if (!sc_access_meets (a, b->start, sc_access_extent (b)))
    return false;
  if (a->rows > b->rows)
    return sc_access_overlaps (b, a);
  for (size_t y = 0; y < a->rows; y++)
    if (has_row_in (b, a->start + y * a->pitch, a->width))
      return true;
  return false;
}

static bool
is_gapless (const ScAccess *access)
{
  return access->rows == 1 || access->pitch <= access->width;
}

static bool
encloses (const ScAccess *outer, const ScAccess *inner)
{
  return outer->start <= inner->start &&
      inner->start + sc_access_extent (inner) <=
      outer->start + sc_access_extent (outer);
}

bool
sc_access_covers (const ScAccess *outer, const ScAccess *inner)
{
  if (is_gapless (outer))
    return encloses (outer, inner);
  return outer->start == inner->start && outer->pitch == inner->pitch &&
      outer->width >= inner->width && outer->rows >= inner->rows;
}
