/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the tracer tells at the end. With the tracer's lock. */

#pragma once

#include "zctracermodel.h"

G_BEGIN_DECLS

/* One screen for people. (transfer full) */
gchar *zc_summary_text (void);
/* All of it, for programs. (transfer full) */
gchar *zc_summary_json (void);

G_END_DECLS
