/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* zcflip and its neighbours in pipelines. */
#pragma once

#include "figures.h"

G_BEGIN_DECLS

/* Microseconds a frame; what is not there or does not play has no figure.
 * @formats: names, or NULL for all. */
void flip_in_pipelines (Figures *figures, gchar **formats, gdouble seconds);

/* Microseconds of the CPU, of all threads, that one flip and three in a chain
 * add to a frame. */
void flip_on_cpu (Figures *figures, gchar **formats, gdouble seconds);

G_END_DECLS
