/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcdefs.h"

/* G_DEFINE_QUARK() would keep it in a static that threads write unordered. */
GQuark
gst_zc_error_quark (void)
{
  return g_quark_from_static_string ("gst_zc_error_quark");
}
