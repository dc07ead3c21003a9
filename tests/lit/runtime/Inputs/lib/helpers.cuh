#pragma once

template <class T> __global__ void scale(T *p, T factor, int n) {
  extern __shared__ T unused[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= factor;
#ifdef WRONG
  undeclared(i);
#endif
}
inline int blocksFor(int n, int size) { return (n + size - 1) / size; }
