/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "cases.h"

const OrderCase lifetime_cases[] = {
  { NULL },
};
