/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Owners who count how often their pixels came back. A thread of the library tells
 * them, a little later: to wait for it at each input would take most of the
 * time, so the owners of the last inputs are asked together. */
#pragma once

#include "fuzz.h"

G_BEGIN_DECLS

typedef struct _FuzzOwner FuzzOwner;

/* One for this input, whose bytes are kept for the report. Waits for all before
 * it now and then, and at exit: each must have been told as often as expected. */
FuzzOwner *fuzz_owner_new (const guint8 *data, gsize size);

/* A GDestroyNotify, for any thread. */
void fuzz_owner_tell (gpointer owner);

/* At the end of an input: to be told @n times in all. Queued work is done. */
void fuzz_owner_expect (FuzzOwner *self, gint n);

G_END_DECLS
