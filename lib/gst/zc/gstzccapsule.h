/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: for the Python module of this project, which has no compiled part. A
 * capsule's destructor that is written in Python spoils the exception of a
 * consumer that fails: it runs while that is on its way. */

#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

/* Of Python's C API. */
typedef struct
{
  int (*is_valid) (gpointer capsule, const char *name);
  gpointer (*get_pointer) (gpointer capsule, const char *name);
  gpointer (*save_thread) (void);
  void (*restore_thread) (gpointer state);
} ZcCapsuleFunctions;

/* Once, before the first capsule. */
GST_ZC_API
void gst_zc_capsule_init (const ZcCapsuleFunctions *functions);

/* The destructor of a capsule with a DLPack tensor, which is deleted if nobody has
 * consumed it. Called with the interpreter's lock, which others get meanwhile. */
GST_ZC_API
void gst_zc_capsule_destroy (gpointer capsule);

G_END_DECLS
