/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The tables of cases; each ends with one without a name. */
#pragma once

#include "order.h"

G_BEGIN_DECLS

extern const OrderCase random_cases[];   /* randomcases.c */
extern const OrderCase hazard_cases[];   /* hazards.c */
extern const OrderCase lifetime_cases[]; /* lifetimes.c */
extern const OrderCase capture_cases[];  /* captures.c */
extern const OrderCase tee_cases[];      /* tee.c */
extern const OrderCase transfer_cases[]; /* transfers.c */
extern const OrderCase pipe_cases[];     /* pipelines.c */

G_END_DECLS
