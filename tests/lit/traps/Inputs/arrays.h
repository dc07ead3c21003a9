// The host's part of tests that are about something else: it makes arrays of the
// device with numbers in them, and prints what they hold at the end.
//
// A test declares the array of the host that the numbers pass through, and its
// length, before it includes this file.
#include <cstdio>
#include <cuda_runtime.h>
#include <type_traits>

using Element = std::remove_extent_t<decltype(host)>;

/// Makes an array of the device that begins with the numbers 0 to 36, again and
/// again. `host` has them, too.
inline Element *filled() {
  for (int i = 0; i < n; ++i)
    host[i] = (Element)(i % 37);
  Element *array;
  cudaMalloc(&array, sizeof(host));
  cudaMemcpy(array, host, sizeof(host), cudaMemcpyHostToDevice);
  return array;
}

/// Adds up what an array holds, and frees it.
inline double summed(Element *array) {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaFree(array);
  return sum;
}

/// Prints the sum of what these arrays hold, and frees them.
template <typename... Arrays> void printSum(Arrays... arrays) {
  printf("%.3f\n", (summed(arrays) + ...));
}
