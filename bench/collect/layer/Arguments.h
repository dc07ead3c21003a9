//===- Arguments.h - Kernels and what they are given ----------------------===//
#ifndef KFUSE_BENCH_COLLECT_LAYER_ARGUMENTS_H
#define KFUSE_BENCH_COLLECT_LAYER_ARGUMENTS_H

#include "bench/collect/RecordWriter.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>

namespace kfuse {

/// Forgets what an earlier kernel at this address was given.
void addKernel(cl_kernel kernel);
/// Gives a clone the arguments of its source.
void cloneArguments(cl_kernel source, cl_kernel clone);

/// Registers an argument that was set.
void setArgument(cl_kernel kernel, cl_uint index, std::size_t size,
                 const void *value);
void setSharedPointer(cl_kernel kernel, cl_uint index, const void *pointer);

/// Registers memory of which arguments may be.
void addMemory(cl_mem memory);
void removeMemory(cl_mem memory);
void addShared(const void *pointer, std::size_t bytes);
void removeShared(const void *pointer);

/// Returns the size of a buffer or an image, in bytes; 0 if it isn't known.
std::uint64_t bytesOf(cl_mem memory);

/// Adds the kernel's name, its arguments, and the local memory that they ask
/// for.
void addArguments(RecordLine &record, cl_kernel kernel);

} // namespace kfuse

#endif
