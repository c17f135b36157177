/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Stands in for the driver's encoder library, which programs look for but can
 * do without: it has no function. */

typedef int nvencode_has_no_function;
