#include <lib/helpers.cuh>
static __global__ void increment(int *p, int n) {
  int i = threadIdx.x;
  if (i < n)
    ++p[i];
}
void incrementAll(int *p, int n) { increment<<<1, 64>>>(p, n); }
