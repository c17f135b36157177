/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Device attributes, the same for all devices. */

#pragma once

#include "cudaapi.h"

CUresult sc_attribute (int *value, CUdevice_attribute attribute);
