//===- Copies.cpp - Copies and fills --------------------------------------===//

#include "bench/collect/layer/Arguments.h"
#include "bench/collect/layer/Commands.h"
#include "bench/collect/layer/Layer.h"

#include <cstddef>
#include <utility>

namespace kfuse {
namespace {

using Sizes = const std::size_t *;
using Events = const cl_event *;

RecordLine copyRecord(const char *kind, cl_command_queue queue,
                      std::uint64_t bytes) {
  RecordLine record = newRecord(kind, queue);
  record.number("bytes", bytes);
  return record;
}

/// Returns the bytes of a region, given those of an element.
std::uint64_t volume(Sizes region, std::size_t element) {
  return region ? std::uint64_t{region[0]} * region[1] * region[2] * element
                : 0;
}

std::size_t elementOf(cl_mem image) {
  std::size_t bytes = 0;
  return driver().clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(bytes),
                                 &bytes, nullptr) == CL_SUCCESS
             ? bytes
             : 0;
}

/// Defines a function that records what the driver's function of that name
/// does. The last parameters are the events to wait for, and the place for one.
#define KFUSE_RECORDS(function, kind, bytes, isBlocking, parameters,           \
                      arguments)                                               \
  cl_int CL_API_CALL function(cl_command_queue queue, KFUSE_LIST parameters,   \
                              cl_uint count, Events events, cl_event *event) { \
    return recorded(copyRecord(kind, queue, bytes), event, isBlocking,         \
                    [&](cl_event *place) {                                     \
                      return driver().function(queue, KFUSE_LIST arguments,    \
                                               count, events, place);          \
                    });                                                        \
  }
#define KFUSE_LIST(...) __VA_ARGS__

KFUSE_RECORDS(clEnqueueReadBuffer, "read", size, blocking == CL_TRUE,
              (cl_mem from, cl_bool blocking, std::size_t offset,
               std::size_t size, void *to),
              (from, blocking, offset, size, to))
KFUSE_RECORDS(clEnqueueWriteBuffer, "write", size, blocking == CL_TRUE,
              (cl_mem to, cl_bool blocking, std::size_t offset,
               std::size_t size, const void *from),
              (to, blocking, offset, size, from))
KFUSE_RECORDS(clEnqueueCopyBuffer, "copy", size, false,
              (cl_mem from, cl_mem to, std::size_t begin, std::size_t target,
               std::size_t size),
              (from, to, begin, target, size))
KFUSE_RECORDS(clEnqueueFillBuffer, "fill", size, false,
              (cl_mem to, const void *pattern, std::size_t patternSize,
               std::size_t offset, std::size_t size),
              (to, pattern, patternSize, offset, size))
KFUSE_RECORDS(clEnqueueReadBufferRect, "read", volume(region, 1),
              blocking == CL_TRUE,
              (cl_mem from, cl_bool blocking, Sizes begin, Sizes target,
               Sizes region, std::size_t row, std::size_t slice,
               std::size_t hostRow, std::size_t hostSlice, void *to),
              (from, blocking, begin, target, region, row, slice, hostRow,
               hostSlice, to))
KFUSE_RECORDS(clEnqueueWriteBufferRect, "write", volume(region, 1),
              blocking == CL_TRUE,
              (cl_mem to, cl_bool blocking, Sizes begin, Sizes target,
               Sizes region, std::size_t row, std::size_t slice,
               std::size_t hostRow, std::size_t hostSlice, const void *from),
              (to, blocking, begin, target, region, row, slice, hostRow,
               hostSlice, from))
KFUSE_RECORDS(clEnqueueCopyBufferRect, "copy", volume(region, 1), false,
              (cl_mem from, cl_mem to, Sizes begin, Sizes target, Sizes region,
               std::size_t row, std::size_t slice, std::size_t toRow,
               std::size_t toSlice),
              (from, to, begin, target, region, row, slice, toRow, toSlice))
KFUSE_RECORDS(clEnqueueReadImage, "read", volume(region, elementOf(from)),
              blocking == CL_TRUE,
              (cl_mem from, cl_bool blocking, Sizes origin, Sizes region,
               std::size_t row, std::size_t slice, void *to),
              (from, blocking, origin, region, row, slice, to))
KFUSE_RECORDS(clEnqueueWriteImage, "write", volume(region, elementOf(to)),
              blocking == CL_TRUE,
              (cl_mem to, cl_bool blocking, Sizes origin, Sizes region,
               std::size_t row, std::size_t slice, const void *from),
              (to, blocking, origin, region, row, slice, from))
KFUSE_RECORDS(clEnqueueCopyImage, "copy", volume(region, elementOf(from)),
              false,
              (cl_mem from, cl_mem to, Sizes begin, Sizes target, Sizes region),
              (from, to, begin, target, region))
KFUSE_RECORDS(clEnqueueCopyImageToBuffer, "copy",
              volume(region, elementOf(from)), false,
              (cl_mem from, cl_mem to, Sizes begin, Sizes region,
               std::size_t target),
              (from, to, begin, region, target))
KFUSE_RECORDS(clEnqueueCopyBufferToImage, "copy", volume(region, elementOf(to)),
              false,
              (cl_mem from, cl_mem to, std::size_t begin, Sizes target,
               Sizes region),
              (from, to, begin, target, region))
KFUSE_RECORDS(clEnqueueFillImage, "fill", volume(region, elementOf(to)), false,
              (cl_mem to, const void *color, Sizes origin, Sizes region),
              (to, color, origin, region))
KFUSE_RECORDS(clEnqueueUnmapMemObject, "unmap", bytesOf(memory), false,
              (cl_mem memory, void *pointer), (memory, pointer))
KFUSE_RECORDS(clEnqueueSVMMemcpy, "copy", size, blocking == CL_TRUE,
              (cl_bool blocking, void *to, const void *from, std::size_t size),
              (blocking, to, from, size))
KFUSE_RECORDS(clEnqueueSVMMemFill, "fill", size, false,
              (void *to, const void *pattern, std::size_t patternSize,
               std::size_t size),
              (to, pattern, patternSize, size))
#undef KFUSE_RECORDS
#undef KFUSE_LIST

/// Mapping returns a pointer, and its error in a place of its own.
void *CL_API_CALL mapBuffer(cl_command_queue queue, cl_mem memory,
                            cl_bool blocking, cl_map_flags flags,
                            std::size_t offset, std::size_t size, cl_uint count,
                            Events events, cl_event *event, cl_int *error) {
  void *mapped = nullptr;
  const cl_int status = recorded(copyRecord("map", queue, size), event,
                                 blocking == CL_TRUE, [&](cl_event *place) {
                                   cl_int result = CL_SUCCESS;
                                   mapped = driver().clEnqueueMapBuffer(
                                       queue, memory, blocking, flags, offset,
                                       size, count, events, place, &result);
                                   return result;
                                 });
  if (error)
    *error = status;
  return mapped;
}

} // namespace

void replaceCopies(cl_icd_dispatch &table) {
  replace(table.clEnqueueReadBuffer, clEnqueueReadBuffer);
  replace(table.clEnqueueWriteBuffer, clEnqueueWriteBuffer);
  replace(table.clEnqueueCopyBuffer, clEnqueueCopyBuffer);
  replace(table.clEnqueueFillBuffer, clEnqueueFillBuffer);
  replace(table.clEnqueueReadBufferRect, clEnqueueReadBufferRect);
  replace(table.clEnqueueWriteBufferRect, clEnqueueWriteBufferRect);
  replace(table.clEnqueueCopyBufferRect, clEnqueueCopyBufferRect);
  replace(table.clEnqueueReadImage, clEnqueueReadImage);
  replace(table.clEnqueueWriteImage, clEnqueueWriteImage);
  replace(table.clEnqueueCopyImage, clEnqueueCopyImage);
  replace(table.clEnqueueCopyImageToBuffer, clEnqueueCopyImageToBuffer);
  replace(table.clEnqueueCopyBufferToImage, clEnqueueCopyBufferToImage);
  replace(table.clEnqueueFillImage, clEnqueueFillImage);
  replace(table.clEnqueueUnmapMemObject, clEnqueueUnmapMemObject);
  replace(table.clEnqueueSVMMemcpy, clEnqueueSVMMemcpy);
  replace(table.clEnqueueSVMMemFill, clEnqueueSVMMemFill);
  replace(table.clEnqueueMapBuffer, mapBuffer);
}

} // namespace kfuse
