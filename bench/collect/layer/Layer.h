//===- Layer.h - The functions that the layer puts before the driver's ----===//
#ifndef KFUSE_BENCH_COLLECT_LAYER_LAYER_H
#define KFUSE_BENCH_COLLECT_LAYER_LAYER_H

#include <CL/cl_icd.h>

namespace kfuse {

/// Puts a function in the place of the next one. What isn't there stays so.
template <typename Function> void replace(Function *&place, Function *by) {
  if (place)
    place = by;
}

/// Each replaces its functions in the table that the loader calls.
void replaceDevices(cl_icd_dispatch &table);
void replaceQueues(cl_icd_dispatch &table);
void replaceKernels(cl_icd_dispatch &table);
void replaceCopies(cl_icd_dispatch &table);

} // namespace kfuse

#endif
