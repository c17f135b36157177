/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The devices and their properties. */

#pragma once

#include "cudaapi.h"

#define SC_MAX_DEVICES 16

/* With the lock held. */
bool sc_device_initialized (void);
bool sc_device_valid (CUdevice device);
