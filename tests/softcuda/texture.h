/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Texture objects over pitched device memory. */

#pragma once

#include "texturedesc.h"

/* With the lock held. The live texture that @handle is, or NULL. */
const ScTexture *sc_texture_find (uint64_t handle);
/* Bytes of a row. */
size_t sc_texture_row (const ScTexture *texture);
