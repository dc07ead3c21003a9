//===- Kernels.cpp - Launches and what they are given ---------------------===//

#include "bench/collect/layer/Arguments.h"
#include "bench/collect/layer/Commands.h"
#include "bench/collect/layer/Layer.h"

#include <array>
#include <cstddef>
#include <utility>

namespace kfuse {
namespace {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Defines a function of the driver's that makes memory, and registers that.
#define KFUSE_MAKES_MEMORY(function, parameters, arguments)                    \
  cl_mem CL_API_CALL function parameters {                                     \
    const cl_mem memory = driver().function arguments;                         \
    if (memory)                                                                \
      addMemory(memory);                                                       \
    return memory;                                                             \
  }

KFUSE_MAKES_MEMORY(clCreateBuffer,
                   (cl_context context, cl_mem_flags flags, std::size_t size,
                    void *host, cl_int *error),
                   (context, flags, size, host, error))
KFUSE_MAKES_MEMORY(clCreateSubBuffer,
                   (cl_mem whole, cl_mem_flags flags, cl_buffer_create_type of,
                    const void *region, cl_int *error),
                   (whole, flags, of, region, error))
KFUSE_MAKES_MEMORY(clCreateBufferWithProperties,
                   (cl_context context, const cl_mem_properties *properties,
                    cl_mem_flags flags, std::size_t size, void *host,
                    cl_int *error),
                   (context, properties, flags, size, host, error))
KFUSE_MAKES_MEMORY(clCreateImage,
                   (cl_context context, cl_mem_flags flags,
                    const cl_image_format *format, const cl_image_desc *shape,
                    void *host, cl_int *error),
                   (context, flags, format, shape, host, error))
KFUSE_MAKES_MEMORY(clCreateImageWithProperties,
                   (cl_context context, const cl_mem_properties *properties,
                    cl_mem_flags flags, const cl_image_format *format,
                    const cl_image_desc *shape, void *host, cl_int *error),
                   (context, properties, flags, format, shape, host, error))
#undef KFUSE_MAKES_MEMORY

cl_int CL_API_CALL releaseMemory(cl_mem memory) {
  cl_uint references = 0;
  driver().clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT,
                              sizeof(references), &references, nullptr);
  if (references == 1)
    removeMemory(memory);
  return driver().clReleaseMemObject(memory);
}

void *CL_API_CALL allocateShared(cl_context context, cl_svm_mem_flags flags,
                                 std::size_t size, cl_uint alignment) {
  void *memory = driver().clSVMAlloc(context, flags, size, alignment);
  if (memory)
    addShared(memory, size);
  return memory;
}

void CL_API_CALL freeShared(cl_context context, void *memory) {
  removeShared(memory);
  driver().clSVMFree(context, memory);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

cl_kernel CL_API_CALL createKernel(cl_program program, const char *name,
                                   cl_int *error) {
  const cl_kernel kernel = driver().clCreateKernel(program, name, error);
  if (kernel)
    addKernel(kernel);
  return kernel;
}

cl_int CL_API_CALL createKernels(cl_program program, cl_uint count,
                                 cl_kernel *kernels, cl_uint *needed) {
  cl_uint found = 0;
  const cl_int status =
      driver().clCreateKernelsInProgram(program, count, kernels, &found);
  if (needed)
    *needed = found;
  if (status == CL_SUCCESS && kernels)
    for (cl_uint i = 0; i < found; ++i)
      addKernel(kernels[i]);
  return status;
}

cl_kernel CL_API_CALL cloneKernel(cl_kernel source, cl_int *error) {
  const cl_kernel clone = driver().clCloneKernel(source, error);
  if (clone)
    cloneArguments(source, clone);
  return clone;
}

cl_int CL_API_CALL setKernelArgument(cl_kernel kernel, cl_uint index,
                                     std::size_t size, const void *value) {
  const cl_int status = driver().clSetKernelArg(kernel, index, size, value);
  if (status == CL_SUCCESS)
    setArgument(kernel, index, size, value);
  return status;
}

cl_int CL_API_CALL setKernelPointer(cl_kernel kernel, cl_uint index,
                                    const void *pointer) {
  const cl_int status =
      driver().clSetKernelArgSVMPointer(kernel, index, pointer);
  if (status == CL_SUCCESS)
    setSharedPointer(kernel, index, pointer);
  return status;
}

using Extents = std::array<std::size_t, 3>;

/// Returns the extents, `missing` on axes that there aren't.
Extents extentsOf(cl_uint axes, const std::size_t *sizes, std::size_t missing) {
  Extents extents = {missing, missing, missing};
  for (cl_uint axis = 0; sizes && axis < axes && axis < extents.size(); ++axis)
    extents[axis] = sizes[axis];
  return extents;
}

cl_int CL_API_CALL enqueueKernel(cl_command_queue queue, cl_kernel kernel,
                                 cl_uint axes, const std::size_t *offset,
                                 const std::size_t *global,
                                 const std::size_t *local, cl_uint count,
                                 const cl_event *events, cl_event *event) {
  RecordLine record = newRecord("kernel", queue);
  addArguments(record, kernel);
  record.extents("global", extentsOf(axes, global, 1).data())
      .extents("offset", extentsOf(axes, offset, 0).data());
  if (local)
    record.extents("local", extentsOf(axes, local, 1).data());
  return recorded(std::move(record), event, false, [&](cl_event *place) {
    return driver().clEnqueueNDRangeKernel(queue, kernel, axes, offset, global,
                                           local, count, events, place);
  });
}

cl_int CL_API_CALL enqueueTask(cl_command_queue queue, cl_kernel kernel,
                               cl_uint count, const cl_event *events,
                               cl_event *event) {
  RecordLine record = newRecord("kernel", queue);
  addArguments(record, kernel);
  const Extents one = {1, 1, 1};
  record.extents("global", one.data())
      .extents("offset", Extents{}.data())
      .extents("local", one.data());
  return recorded(std::move(record), event, false, [&](cl_event *place) {
    return driver().clEnqueueTask(queue, kernel, count, events, place);
  });
}

} // namespace

void replaceKernels(cl_icd_dispatch &table) {
  replace(table.clCreateBuffer, clCreateBuffer);
  replace(table.clCreateSubBuffer, clCreateSubBuffer);
  replace(table.clCreateBufferWithProperties, clCreateBufferWithProperties);
  replace(table.clCreateImage, clCreateImage);
  replace(table.clCreateImageWithProperties, clCreateImageWithProperties);
  replace(table.clReleaseMemObject, releaseMemory);
  replace(table.clSVMAlloc, allocateShared);
  replace(table.clSVMFree, freeShared);
  replace(table.clCreateKernel, createKernel);
  replace(table.clCreateKernelsInProgram, createKernels);
  replace(table.clCloneKernel, cloneKernel);
  replace(table.clSetKernelArg, setKernelArgument);
  replace(table.clSetKernelArgSVMPointer, setKernelPointer);
  replace(table.clEnqueueNDRangeKernel, enqueueKernel);
  replace(table.clEnqueueTask, enqueueTask);
}

} // namespace kfuse
