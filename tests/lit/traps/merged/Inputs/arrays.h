// The host's part of the tests in this folder: it makes arrays of the device with
// numbers in them, and prints what they hold.
//
// Each test has kernels whose text means something else than it seems to, which
// kfuse once merged into one body that was wrong or didn't compile.
#include <cstdio>
#include <cuda_runtime.h>

template <typename T> T numberAt(int k) { return k * 7 % 31; }
template <> inline float2 numberAt(int k) { return make_float2(k % 31, k % 7); }

inline int wholePart(int value) { return value; }
inline int wholePart(float2 value) { return value.x; }

/// The host keeps here what it copies to arrays of T, and from them.
template <typename T> T host[4096];
template <typename T> T noughts[4096];

/// Makes an array of n small numbers.
template <typename T> T *filled(int n) {
  for (int k = 0; k < n; ++k)
    host<T>[k] = numberAt<T>(k);
  T *array;
  cudaMalloc(&array, n * sizeof(T));
  cudaMemcpy(array, host<T>, n * sizeof(T), cudaMemcpyHostToDevice);
  return array;
}

/// Sets n elements to zero.
template <typename T> void clear(T *array, int n) {
  cudaMemcpy(array, noughts<T>, n * sizeof(T), cudaMemcpyHostToDevice);
}

/// Makes an array of n zeros.
template <typename T> T *zeros(int n) {
  T *array;
  cudaMalloc(&array, n * sizeof(T));
  clear(array, n);
  return array;
}

/// Prints the sixth of n elements.
template <typename T> void printOne(const T *array, int n) {
  cudaMemcpy(host<T>, array, n * sizeof(T), cudaMemcpyDeviceToHost);
  printf("%d\n", wholePart(host<T>[5]));
}

/// Prints a number that depends on each of n elements.
template <typename T> void printAll(const T *array, int n) {
  cudaMemcpy(host<T>, array, n * sizeof(T), cudaMemcpyDeviceToHost);
  unsigned long sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 31 + wholePart(host<T>[k]);
  printf("%lu\n", sum);
}
