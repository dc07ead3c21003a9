//===- kfuse_cpu/Streams.h - Streams and events ---------------------------===//
//
// Every operation completes at once, in the order of the calls, which is one of
// the orders that CUDA allows.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_STREAMS_H
#define KFUSE_CPU_STREAMS_H

#include "kfuse_cpu/Errors.h"

#include <chrono>

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
};
struct CUevent_st {
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
};
using cudaStream_t = CUstream_st *;
using cudaEvent_t = CUevent_st *;
using cudaHostFn_t = void (*)(void *);
using cudaStreamCallback_t = void (*)(cudaStream_t, cudaError_t, void *);

#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventRecordDefault 0x00
#define cudaEventWaitDefault 0x00

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream,
                                                unsigned flags, int priority) {
  if (!stream)
    return kfuse_cpu::result(cudaErrorInvalidValue);
  *stream = new CUstream_st{flags, priority};
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                             unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
inline cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, 0);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
    return kfuse_cpu::result(cudaErrorInvalidResourceHandle);
  delete stream;
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t,
                                       unsigned = 0) {
  return cudaSuccess;
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                         cudaStreamCallback_t function,
                                         void *data, unsigned) {
  function(stream, cudaSuccess, data);
  return cudaSuccess;
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function,
                                      void *data) {
  function(data);
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return cudaSuccess;
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  if (!event)
    return kfuse_cpu::result(cudaErrorInvalidValue);
  *event = new CUevent_st;
  return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = 0) {
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
  if (!event)
    return kfuse_cpu::result(cudaErrorInvalidResourceHandle);
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                        cudaEvent_t end) {
  if (!start || !end || !start->recorded || !end->recorded)
    return kfuse_cpu::result(cudaErrorInvalidResourceHandle);
  *milliseconds =
      std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}

#endif
