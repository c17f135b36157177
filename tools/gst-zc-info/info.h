/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What gst-zc-info finds out. */

#pragma once

#include <gst/zc/zc.h>

G_BEGIN_DECLS

/* Bytes a second; 0: not measured. */
typedef struct
{
  gdouble up_pinned;
  gdouble up_pageable;
  gdouble down_pinned;
  gdouble down_pageable;
} ZcRates;

typedef struct
{
  gboolean ran;
  gboolean passed;
  guint n_pictures; /* compared */
  gdouble seconds;
} ZcSelfTest;

typedef struct
{
  guint number;
  GstStructure *info; /* owned; NULL: the driver told nothing */
  gchar *peers;       /* owned; "1 2", or "none" */
  gchar *context;     /* owned; what the elements used, or NULL */
  ZcRates rates;
  ZcSelfTest self_test;
} ZcDevice;

typedef struct
{
  gchar *name;
  gboolean found;
  gchar *detail; /* owned */
} ZcNeighbour;

typedef struct
{
  GstStructure *driver; /* owned */
  gchar *gstreamer;     /* owned; version */
  gchar *plugin;        /* owned; file of the elements, or NULL */
  GPtrArray *devices;   /* of ZcDevice */
  GPtrArray *neighbours; /* of ZcNeighbour */
  GPtrArray *problems; /* of gchar: a sentence that says what to do, each */
} ZcInfo;

void zc_info_init (ZcInfo *self);
void zc_info_clear (ZcInfo *self);

G_GNUC_PRINTF (2, 3)
void zc_info_add_problem (ZcInfo *self, const gchar *format, ...);
/* Takes @error. */
void zc_info_take_error (ZcInfo *self, const gchar *where, GError *error);

/* neighbours.c: who else is here. */
void zc_info_find_neighbours (ZcInfo *self);
/* rates.c: copies for less than 0.3 s. */
void zc_info_measure_rates (ZcInfo *self, ZcDevice *device);
/* selftest.c: each orientation by the elements, pixels compared. */
void zc_info_run_self_test (ZcInfo *self, ZcDevice *device);

/* astext.c, asjson.c: what is printed. (transfer full) */
gchar *zc_info_as_text (const ZcInfo *self);
gchar *zc_info_as_json (const ZcInfo *self);

G_END_DECLS
