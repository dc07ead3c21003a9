//===- trace.c - What the host receives -----------------------------------===//
//
// Linked into an OpenCL program, it wraps the calls by which a host gets a
// buffer's content. For each call it writes a line `read BYTES DIGEST` to the
// file KFUSE_OPENCL_TRACE; the digest is 64-bit FNV-1a in hexadecimal. A
// transfer that doesn't block is waited for at once, so it can't depend on a
// user event that is set later. It counts launches, too: at the end the file
// KFUSE_OPENCL_LAUNCHES has a line `COUNT 0 KERNEL` for each kernel. That is
// the format of CUDA programs (runtime/trace/Trace.h), in which 0 is a line
// that isn't known.
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE             // RTLD_NEXT
#undef CL_TARGET_OPENCL_VERSION // whatever the user's program is built with
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *trace;

// Opens the trace before main, so that a program that reads nothing has an
// empty one.
__attribute__((constructor)) static void openTrace(void) {
  const char *path = getenv("KFUSE_OPENCL_TRACE");
  if (path && *path && !(trace = fopen(path, "w")))
    perror(path);
  if (trace) // keeps what a program received before it crashed
    setvbuf(trace, NULL, _IOLBF, BUFSIZ);
}

static void *realCall(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) {
    fprintf(stderr, "trace: the OpenCL library has no %s\n", name);
    abort();
  }
  return function;
}

// ISO C has no cast from a pointer to an object to one to a function.
#define REAL(function)                                                         \
  __typeof__(&function) real;                                                  \
  *(void **)&real = realCall(#function)

// Returns the event to wait for: the caller's if there is one, else `own` if
// the call is traced and doesn't block.
static cl_event *eventFor(cl_event *callers, cl_event *own, cl_bool blocking) {
  return callers || !trace || blocking ? callers : own;
}

// Returns whether the data has arrived, after waiting for the event that was
// used. Releases `own`, but not the caller's event.
static int arrived(cl_int error, cl_event *used, cl_event *own) {
  if (error != CL_SUCCESS)
    return 0;
  int done = !used || clWaitForEvents(1, used) == CL_SUCCESS;
  if (used == own)
    clReleaseEvent(*own);
  return done;
}

// Logs a region of rows and slices; a plain range is one row.
static void received(const uint8_t *data, size_t bytes, size_t rows,
                     size_t slices, size_t rowPitch, size_t slicePitch) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t z = 0; z < slices; ++z)
    for (size_t y = 0; y < rows; ++y) {
      const uint8_t *row = data + z * slicePitch + y * rowPitch;
      for (size_t x = 0; x < bytes; ++x)
        hash = (hash ^ row[x]) * UINT64_C(1099511628211);
    }
  fprintf(trace, "read %zu %016llx\n", bytes * rows * slices,
          (unsigned long long)hash);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool block,
                           size_t offset, size_t size, void *to, cl_uint waits,
                           const cl_event *waitList, cl_event *event) {
  REAL(clEnqueueReadBuffer);
  cl_event own = NULL, *used = eventFor(event, &own, block);
  cl_int error =
      real(queue, buffer, block, offset, size, to, waits, waitList, used);
  if (trace && arrived(error, used, &own))
    received(to, size, 1, 1, 0, 0);
  return error;
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer,
                               cl_bool block, const size_t *from,
                               const size_t *at, const size_t *region,
                               size_t bufferRow, size_t bufferSlice, size_t row,
                               size_t slice, void *to, cl_uint waits,
                               const cl_event *waitList, cl_event *event) {
  REAL(clEnqueueReadBufferRect);
  cl_event own = NULL, *used = eventFor(event, &own, block);
  cl_int error = real(queue, buffer, block, from, at, region, bufferRow,
                      bufferSlice, row, slice, to, waits, waitList, used);
  if (trace && arrived(error, used, &own)) {
    row = row ? row : region[0]; // a pitch of 0 means no gaps
    slice = slice ? slice : region[1] * row;
    received((uint8_t *)to + at[2] * slice + at[1] * row + at[0], region[0],
             region[1], region[2], row, slice);
  }
  return error;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool block,
                         cl_map_flags flags, size_t offset, size_t size,
                         cl_uint waits, const cl_event *waitList,
                         cl_event *event, cl_int *result) {
  REAL(clEnqueueMapBuffer);
  const int reads = trace && (flags & CL_MAP_READ);
  cl_event own = NULL, *used = eventFor(event, &own, block || !reads);
  cl_int error = CL_SUCCESS;
  void *data = real(queue, buffer, block, flags, offset, size, waits, waitList,
                    used, &error);
  if (reads && arrived(error, used, &own))
    received(data, size, 1, 1, 0, 0);
  if (result)
    *result = error;
  return data;
}

struct Count {
  struct Count *next;
  unsigned long long launches;
  char name[]; // of the kernel
};
static struct Count *counts;
static pthread_mutex_t countsLock = PTHREAD_MUTEX_INITIALIZER;

static void countLaunch(cl_kernel kernel) {
  size_t size = 0;
  if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size) !=
      CL_SUCCESS)
    return;
  struct Count *fresh = calloc(1, sizeof *fresh + size + 1);
  if (!fresh || clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size,
                                fresh->name, NULL) != CL_SUCCESS) {
    free(fresh);
    return;
  }
  pthread_mutex_lock(&countsLock);
  struct Count *known = counts;
  while (known && strcmp(known->name, fresh->name) != 0)
    known = known->next;
  if (known) {
    free(fresh);
  } else {
    fresh->next = counts;
    known = counts = fresh;
  }
  ++known->launches;
  pthread_mutex_unlock(&countsLock);
}

__attribute__((destructor)) static void writeCounts(void) {
  const char *path = getenv("KFUSE_OPENCL_LAUNCHES");
  FILE *file = path && *path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  for (const struct Count *count = counts; count; count = count->next)
    fprintf(file, "%llu 0 %s\n", count->launches, count->name);
  fclose(file);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                              cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local,
                              cl_uint waits, const cl_event *waitList,
                              cl_event *event) {
  REAL(clEnqueueNDRangeKernel);
  cl_int error = real(queue, kernel, dimensions, offset, global, local, waits,
                      waitList, event);
  if (error == CL_SUCCESS)
    countLaunch(kernel);
  return error;
}
