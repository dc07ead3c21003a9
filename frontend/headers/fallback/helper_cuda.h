// The error checks of the CUDA samples.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
#include "helper_string.h"
#include <stdio.h>
#include <stdlib.h>

template <typename T>
void check(T result, const char *function, const char *file, int line) {
  if (result) {
    fprintf(stderr, "%s:%d: error %d in %s\n", file, line,
            static_cast<int>(result), function);
    exit(EXIT_FAILURE);
  }
}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
inline void __getLastCudaError(const char *message, const char *file,
                               int line) {
  if (cudaGetLastError() != cudaSuccess) {
    fprintf(stderr, "%s:%d: %s\n", file, line, message);
    exit(EXIT_FAILURE);
  }
}
#define getLastCudaError(message)                                              \
  __getLastCudaError(message, __FILE__, __LINE__)
inline int findCudaDevice(int, const char **) { return 0; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline bool checkCudaCapabilities(int, int) { return true; }
inline int _ConvertSMVer2Cores(int, int) { return 128; }
