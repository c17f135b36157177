/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define UUID_TEXT_SIZE 41 /* with GPU- and the end */
#define NONE (-1)

/* They differ in the first digits, so that a prefix is enough. */
void
sc_card_uuid (int number, unsigned char uuid[SC_UUID_SIZE])
{
  memcpy (uuid + 1, "softcuda-device", SC_UUID_SIZE - 1);
  uuid[0] = (unsigned char) (number + 1);
}

static void
write_uuid (int number, char text[UUID_TEXT_SIZE])
{
  unsigned char uuid[SC_UUID_SIZE];
  int length = snprintf (text, UUID_TEXT_SIZE, "GPU-");

  sc_card_uuid (number, uuid);
  for (int i = 0; i < SC_UUID_SIZE; i++)
    length += snprintf (text + length, (size_t) (UUID_TEXT_SIZE - length),
        "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

/* As strtoul does: what follows the digits is not looked at. */
static int
card_by_index (const char *entry, size_t length, int cards)
{
  char *end;
  long number = strtol (entry, &end, 10);

  if (end == entry || end > entry + length || number < 0 || number >= cards)
    return NONE;
  return (int) number;
}

/* By as many digits as make it the only one. */
static int
card_by_uuid (const char *entry, size_t length, int cards)
{
  char text[UUID_TEXT_SIZE];
  int found = NONE;

  for (int i = 0; i < cards; i++) {
    write_uuid (i, text);
    if (length >= UUID_TEXT_SIZE || strncasecmp (text, entry, length))
      continue;
    if (found != NONE)
      return NONE;
    found = i;
  }
  return found;
}

static bool
is_uuid (const char *entry)
{
  return !strncmp (entry, "GPU-", 4);
}

/* The first entry says what all are. */
static int
card_of (const char *entry, size_t length, int cards, bool by_uuid)
{
  if (by_uuid)
    return is_uuid (entry) ? card_by_uuid (entry, length, cards) : NONE;
  return card_by_index (entry, length, cards);
}

static bool
contains (const int *numbers, int n, int number)
{
  while (n-- > 0)
    if (numbers[n] == number)
      return true;
  return false;
}

/* The list ends at the first entry that names no card. One that comes twice
 * spoils it. */
static int
parse (const char *list, int cards, int numbers[SC_MAX_DEVICES])
{
  bool by_uuid = is_uuid (list);
  int n = 0;

  while (*list && n < SC_MAX_DEVICES) {
    size_t length = strcspn (list, ",");
    int number = card_of (list, length, cards, by_uuid);

    if (number == NONE)
      return n;
    if (contains (numbers, n, number))
      return SC_WRONG_LIST;
    numbers[n++] = number;
    list += length + (list[length] == ',');
  }
  return n;
}

int
sc_visible_cards (int cards, int numbers[SC_MAX_DEVICES])
{
  const char *list = getenv ("CUDA_VISIBLE_DEVICES");

  if (cards > SC_MAX_DEVICES)
    cards = SC_MAX_DEVICES;
  if (list)
    return parse (list, cards, numbers);
  for (int i = 0; i < cards; i++)
    numbers[i] = i;
  return cards;
}
