/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the library tells of driver calls and maps, and whom it is put down to. */

#pragma once

#include <gst/zc/gstzctrace.h>

G_BEGIN_DECLS

/* @with_times: when the GPU did it is asked for, too. */
const GstZcTraceFuncs *zc_tracer_funcs (gboolean with_times);

G_END_DECLS
