/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The properties of elements that fill device memory: what other software needs
 * it to be like. */
#pragma once

#include <gst/zc/zc.h>

G_BEGIN_DECLS

enum
{
  ZC_OUTPUT_PACKED,
  ZC_OUTPUT_ARRAY_SYNC,
};

/* With the numbers from @first on. */
void zc_output_install_properties (GObjectClass *klass, guint first);
/* @id is the property's number less @first. FALSE if there is no such. */
gboolean zc_output_set_property (GstZcFilter *filter, guint id,
    const GValue *value);
gboolean zc_output_get_property (GstZcFilter *filter, guint id, GValue *value);

G_END_DECLS
