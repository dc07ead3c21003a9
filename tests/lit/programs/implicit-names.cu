// RUN: %kfuse %s -o %t.cu --force 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --force -DLIBRARY 2>&1 | FileCheck %s
//
// A program that only nvcc ever met uses names that nvcc's own header brings:
// those of C, and with LIBRARY of the C++ library.

// CHECK-NOT: error
// CHECK: 2 launches -> 1
__global__ void limit(const float *in, float *low, uint32_t n) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    low[i] = fminf(in[i], FLT_MAX) == INFINITY ? (float)M_PI : in[i];
}
__global__ void mark(const float *low, int *bits, uint32_t n) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    bits[i] = low[i] > 1 ? INT_MAX : INT_MIN;
}

void run(const float *in, float *low, int *bits, uint32_t n) {
  assert(n <= UINT_MAX / 2);
#ifdef LIBRARY
  const auto start = std::chrono::steady_clock::now();
  const uint32_t blocks = std::max(1u, (n + 127) / 128);
  const double least = std::numeric_limits<double>::lowest();
#else
  const uint32_t blocks = (n + 127) / 128;
  const double least = -DBL_MAX;
#endif
  limit<<<blocks, 128>>>(in, low, n);
  mark<<<blocks, 128>>>(low, bits, n);
  char text[64];
  memset(text, 0, sizeof(text));
  printf("%s %g %g\n", text, least, (double)NAN);
#ifdef LIBRARY
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  printf("%g\n", took.count());
#endif
}
