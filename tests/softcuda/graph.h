/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Graphs, as captures make them: a list of operations that a launch queues
 * again, one after the other in the order of the calls. */

#pragma once

#include "op.h"

/* With the lock held. Takes @ops and the references in it; NULL without
 * memory. */
CUgraph sc_graph_new (ScOpList ops);
/* Graphs and executable ones that live. */
unsigned sc_graph_count (void);
