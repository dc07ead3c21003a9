// Launches in all ways, with the runtime of fake-runtime.cpp.

#include <cuda_runtime_api.h>

#include <cstdio>

extern int events;
extern cudaError_t nextLaunch;
extern bool isCapturing, isLate;

extern "C" {
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t, dim3, dim3, void **, size_t,
                                    cudaStream_t);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int,
                            uint3 *, uint3 *, dim3 *, dim3 *, int *);
}

int main() {
  const char kernel = 0;
  __cudaRegisterFunction(nullptr, &kernel, nullptr, "_Z5scalePfi", 0, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  int one = 1, two = 2;
  void *arguments[] = {&one, &two};
  const auto launch = [&](long stream = 0) {
    return cudaLaunchKernel(&kernel, dim3(4, 2), dim3(32), arguments, 8,
                            reinterpret_cast<cudaStream_t>(stream));
  };
  launch();
  launch(7);
  __cudaLaunchKernel_ptsz((cudaKernel_t)&kernel, dim3(1), dim3(1), arguments, 0,
                          nullptr);
  const int before = events;
  isCapturing = true;
  launch();
  isCapturing = false;
  std::printf("%d events in a capture\n", events - before);
  nextLaunch = cudaErrorInvalidConfiguration;
  std::printf("%d is the launch's error, ", launch());
  nextLaunch = cudaSuccess;
  launch(); // isn't recorded: the error would be lost
  std::printf("%d the last, ", cudaGetLastError());
  std::printf("%d after it\n", cudaGetLastError());
  cudaGraphLaunch(nullptr, nullptr);
  cudaDeviceReset();
  isLate = true;
  for (int i = 0; i < 300; ++i)
    launch();
  isLate = false;
  const int many = events;
  for (int i = 0; i < 1000; ++i)
    launch();
  std::printf("%d events more, %d left over\n", events - many,
              cudaGetLastError());
}
