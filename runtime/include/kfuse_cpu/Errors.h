//===- kfuse_cpu/Errors.h - Error codes and the last error ----------------===//
#ifndef KFUSE_CPU_ERRORS_H
#define KFUSE_CPU_ERRORS_H

#define KFUSE_CPU_ERRORS(X)                                                    \
  X(cudaSuccess, 0, "no error")                                                \
  X(cudaErrorInvalidValue, 1, "invalid argument")                              \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                             \
  X(cudaErrorInitializationError, 3, "initialization error")                   \
  X(cudaErrorCudartUnloading, 4, "driver shutting down")                       \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")        \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                  \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                       \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                   \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")               \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")  \
  X(cudaErrorInsufficientDriver, 35,                                           \
    "CUDA driver version is insufficient for CUDA runtime version")            \
  X(cudaErrorMissingConfiguration, 52,                                         \
    "__global__ function call is not configured")                              \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")             \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")              \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                     \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")            \
  X(cudaErrorNotReady, 600, "device not ready")                                \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")  \
  X(cudaErrorLaunchOutOfResources, 701,                                        \
    "too many resources requested for launch")                                 \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")    \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")  \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")    \
  X(cudaErrorAssert, 710, "device-side assert triggered")                      \
  X(cudaErrorHostMemoryAlreadyRegistered, 712,                                 \
    "part or all of the requested memory range is already mapped")             \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                 \
  X(cudaErrorCooperativeLaunchTooLarge, 720,                                   \
    "too many blocks in cooperative launch")                                   \
  X(cudaErrorNotSupported, 801, "operation not supported")                     \
  X(cudaErrorUnknown, 999, "unknown error")

#define KFUSE_CPU_ENUMERATOR(Name, Value, Text) Name = Value,
enum cudaError { KFUSE_CPU_ERRORS(KFUSE_CPU_ENUMERATOR) };
#undef KFUSE_CPU_ENUMERATOR
using cudaError_t = enum cudaError;

inline const char *cudaGetErrorName(cudaError_t error) {
#define KFUSE_CPU_CASE(Name, Value, Text)                                      \
  case Name:                                                                   \
    return #Name;
  switch (error) { KFUSE_CPU_ERRORS(KFUSE_CPU_CASE) }
#undef KFUSE_CPU_CASE
  return "unrecognized error code";
}

inline const char *cudaGetErrorString(cudaError_t error) {
#define KFUSE_CPU_CASE(Name, Value, Text)                                      \
  case Name:                                                                   \
    return Text;
  switch (error) { KFUSE_CPU_ERRORS(KFUSE_CPU_CASE) }
#undef KFUSE_CPU_CASE
  return "unrecognized error code";
}

namespace kfuse_cpu {

/// Returns the last error; each host thread has its own.
inline cudaError_t &lastError() {
  static thread_local cudaError_t error = cudaSuccess;
  return error;
}

/// Returns `error` and records a failure, which stays until it is queried.
/// Every function of the interface returns through here.
inline cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess)
    lastError() = error;
  return error;
}

inline cudaError_t succeededIf(bool condition,
                               cudaError_t otherwise = cudaErrorInvalidValue) {
  return result(condition ? cudaSuccess : otherwise);
}

} // namespace kfuse_cpu

inline cudaError_t cudaGetLastError() {
  cudaError_t error = kfuse_cpu::lastError();
  kfuse_cpu::lastError() = cudaSuccess;
  return error;
}
inline cudaError_t cudaPeekAtLastError() { return kfuse_cpu::lastError(); }

#endif
