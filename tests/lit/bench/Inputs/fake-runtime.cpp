// A runtime of CUDA's without a device. An event passes when it is recorded; it
// takes a millisecond, and a launch takes five.

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

int events = 0;
cudaError_t nextLaunch = cudaSuccess;
bool isCapturing = false, isLate = false;

namespace {
int ticks = 0;
cudaError_t last = cudaSuccess;

cudaError_t set(cudaError_t status) {
  if (status != cudaSuccess)
    last = status;
  return status;
}
cudaError_t launched(const char *how, cudaStream_t stream) {
  std::printf("%s in %d, at %d\n", how, int(long(stream)), ticks);
  ticks += 5;
  return set(nextLaunch);
}
} // namespace

extern "C" {
cudaError_t cudaGetLastError() {
  const cudaError_t status = last;
  last = cudaSuccess;
  return status;
}
cudaError_t cudaPeekAtLastError() { return last; }
cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) {
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t,
                                  cudaStreamCaptureStatus *status) {
  *status = isCapturing ? cudaStreamCaptureStatusActive
                        : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
  ++events;
  *event = reinterpret_cast<cudaEvent_t>(new int(0));
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  *reinterpret_cast<int *>(event) = ++ticks;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) {
  return set(isLate ? cudaErrorNotReady : cudaSuccess);
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin,
                                 cudaEvent_t end) {
  *milliseconds = float(*reinterpret_cast<int *>(end) -
                        *reinterpret_cast<int *>(begin));
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                  const void *) {
  std::memset(attributes, 0, sizeof(*attributes));
  attributes->sharedSizeBytes = 16;
  attributes->numRegs = 40;
  return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char **, const void *) {
  return set(cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncGetParamInfo(const void *, size_t index, size_t *,
                                 size_t *size) {
  *size = sizeof(int);
  return index < 2 ? cudaSuccess : set(cudaErrorInvalidValue);
}
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                             cudaStream_t stream) {
  return launched("launched", stream);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t, dim3, dim3, void **, size_t,
                                    cudaStream_t stream) {
  return launched("launched by the thread", stream);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t stream) {
  return launched("launched a graph", stream);
}
cudaError_t cudaDeviceReset() {
  std::printf("reset\n");
  return cudaSuccess;
}
void __cudaRegisterFunction(void **, const char *, char *, const char *, int,
                            uint3 *, uint3 *, dim3 *, dim3 *, int *) {}
}
