/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the generated stubs of the driver's other functions return. */

#pragma once

int sc_stub (const char *name);
