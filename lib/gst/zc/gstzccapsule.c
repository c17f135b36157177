/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzccapsule.h"

#include "gstzcdlpackabi.h"

static ZcCapsuleFunctions python;

void
gst_zc_capsule_init (const ZcCapsuleFunctions *functions)
{
  python = *functions;
}

static void
delete_plain (gpointer tensor)
{
  ZcDLManagedTensor *managed = tensor;

  if (managed->deleter)
    managed->deleter (managed);
}

static void
delete_versioned (gpointer tensor)
{
  ZcDLManagedTensorVersioned *managed = tensor;

  if (managed->deleter)
    managed->deleter (managed);
}

/* FALSE for one of another name: the consumer changes it. */
static gboolean
delete_if_named (gpointer capsule, const char *name,
    void (*delete) (gpointer tensor))
{
  gpointer state;

  if (!python.is_valid (capsule, name))
    return FALSE;
  capsule = python.get_pointer (capsule, name);
  state = python.save_thread ();
  delete (capsule);
  python.restore_thread (state);
  return TRUE;
}

void
gst_zc_capsule_destroy (gpointer capsule)
{
  if (!delete_if_named (capsule, "dltensor_versioned", delete_versioned))
    delete_if_named (capsule, "dltensor", delete_plain);
}
