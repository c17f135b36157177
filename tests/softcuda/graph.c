/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "graph.h"

#include <stdlib.h>

#include "call.h"
#include "pool.h"
#include "report.h"
#include "stream.h"

struct CUgraph_st
{
  ScOpList ops; /* held; none of them is ever submitted */
};

struct CUgraphExec_st
{
  ScOpList ops;
};

static ScPool graphs = SC_POOL_INIT (struct CUgraph_st);
static ScPool execs = SC_POOL_INIT (struct CUgraphExec_st);

static void
release_ops (ScOpList *ops)
{
  for (unsigned i = 0; i < ops->n; i++)
    sc_op_unref (ops->items[i]);
  free (ops->items);
}

CUgraph
sc_graph_new (ScOpList ops)
{
  CUgraph graph = sc_pool_take (&graphs);

  if (graph)
    graph->ops = ops;
  else
    release_ops (&ops);
  return graph;
}

static bool
any (const void *item)
{
  return true;
}

unsigned
sc_graph_count (void)
{
  return sc_pool_count (&graphs, any) + sc_pool_count (&execs, any);
}

static CUresult
check (const ScPool *pool, const void *handle)
{
  if (sc_pool_live (pool, handle))
    return CUDA_SUCCESS;
  sc_report ("graph %p is destroyed or none", handle);
  return CUDA_ERROR_INVALID_VALUE;
}

static CUresult
destroy (CUgraph graph)
{
  CUresult result = check (&graphs, graph);

  if (result != CUDA_SUCCESS)
    return result;
  release_ops (&graph->ops);
  sc_pool_give (&graphs, graph);
  return CUDA_SUCCESS;
}

static CUresult
destroy_exec (CUgraphExec exec)
{
  CUresult result = check (&execs, exec);

  if (result != CUDA_SUCCESS)
    return result;
  release_ops (&exec->ops);
  sc_pool_give (&execs, exec);
  return CUDA_SUCCESS;
}

static CUresult
get_nodes (CUgraph graph, CUgraphNode *nodes, size_t *n)
{
  CUresult result = check (&graphs, graph);

  if (result != CUDA_SUCCESS)
    return result;
  if (!n)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; nodes && i < *n && i < graph->ops.n; i++)
    nodes[i] = (CUgraphNode) graph->ops.items[i];
  *n = graph->ops.n;
  return CUDA_SUCCESS;
}

static CUresult
instantiate (CUgraphExec *made, CUgraph graph)
{
  CUresult result = check (&graphs, graph);
  CUgraphExec exec;

  if (result != CUDA_SUCCESS)
    return result;
  exec = made ? sc_pool_take (&execs) : NULL;
  if (!exec)
    return made ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < graph->ops.n; i++)
    sc_op_list_add (&exec->ops, sc_op_ref (graph->ops.items[i]));
  *made = exec;
  return CUDA_SUCCESS;
}

static CUresult
launch (CUgraphExec exec, CUstream handle)
{
  ScStream *stream;
  CUresult result = sc_stream_resolve (handle, &stream);

  if (result == CUDA_SUCCESS)
    result = check (&execs, exec);
  for (unsigned i = 0; result == CUDA_SUCCESS && i < exec->ops.n; i++) {
    ScOp *op = sc_op_clone (exec->ops.items[i], stream->ctx);

    if (!op)
      return CUDA_ERROR_OUT_OF_MEMORY;
    sc_stream_push (stream, op);
    sc_op_unref (op);
  }
  return result;
}

CUresult CUDAAPI
cuGraphDestroy (CUgraph graph)
{
  SC_API (SC_NEED_INIT, destroy (graph));
}

CUresult CUDAAPI
cuGraphGetNodes (CUgraph graph, CUgraphNode *nodes, size_t *n)
{
  SC_API (SC_NEED_INIT, get_nodes (graph, nodes, n));
}

CUresult CUDAAPI
cuGraphInstantiateWithFlags (CUgraphExec *exec, CUgraph graph,
    unsigned long long flags)
{
  SC_API (SC_NEED_CONTEXT, instantiate (exec, graph));
}

CUresult CUDAAPI
cuGraphLaunch (CUgraphExec exec, CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, launch (exec, stream));
}

CUresult CUDAAPI
cuGraphExecDestroy (CUgraphExec exec)
{
  SC_API (SC_NEED_INIT, destroy_exec (exec));
}
