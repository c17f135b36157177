/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The cards of the machine, and which of them a process sees. */

#pragma once

#include "device.h"

#define SC_UUID_SIZE 16

#define SC_WRONG_LIST (-1)

/* The numbers of the cards behind the ordinals, by CUDA_VISIBLE_DEVICES. Returns
 * how many there are, or SC_WRONG_LIST. */
int sc_visible_cards (int cards, int numbers[SC_MAX_DEVICES]);

void sc_card_uuid (int number, unsigned char uuid[SC_UUID_SIZE]);
