// RUN: %kfuse verify %s
//
// Each pair of kernels meets at a cell of another thread, because of a number
// that a loop, a switch or a call within the first one changes by another name:
// through a reference, a pointer or this, in a condition, or by what a call
// returns.

#include <cstdio>
#include <vector>

struct Walker {
  int at;
  __device__ void walk(int steps) {
    for (int t = 0; t < steps; t++)
      at++;
  }
};

__device__ void walk(int &at, int steps) {
  for (int t = 0; t < steps; t++)
    at++;
}

__device__ void choose(int *at, int which) {
  switch (which) {
  case 0:
    *at = 2;
    break;
  default:
    *at = 3;
  }
}

__device__ int *same(int *at) { return at; }

__device__ int plus(const int &x, const int &y) { return x + y; }

__device__ int find(const int *a, int above) {
  for (int t = 0;; t++)
    if (a[t] > above)
      return t;
}

__global__ void byReference(int *b, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = 0;
  walk(at, 2);
  if (i < n)
    b[i + at * n] = a[i] + 1;
}

__global__ void byThis(int *b, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Walker walker;
  walker.at = 0;
  walker.walk(2);
  if (i < n)
    b[i + walker.at * n] = a[i] + 2;
}

__global__ void bySwitch(int *b, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = 0;
  choose(&at, 0);
  if (i < n)
    b[i + at * n] = a[i] + 3;
}

__global__ void byReturned(int *b, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = 0;
  int *again = same(&at);
  if (i < n)
    for (int t = 0; t < 3; t++) {
      b[i + at * n] = a[i] + t;
      (*again)++;
    }
}

__global__ void byCondition(int *b, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int left = 3;
  if (i < n)
    while (left-- > 0)
      b[i + left * n] = a[i] + left;
}

__global__ void byArgument(int *b, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int start = n;
  if (i < n)
    b[plus(start, plus(i, start))] = a[i] + 4;
}

__global__ void byPointer(int *b, int *c, const int *a, int n, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *to = c;
  switch (which) {
  case 0:
    to = b + 2 * n;
    break;
  default:
    to = c;
  }
  if (i < n)
    to[i] = a[i] + 5;
}

__global__ void bySearch(int *b, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i + find(a, 36) * n] = a[i] + 6;
}

__global__ void shift(int *d, const int *b, int n, int row) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    d[i] += b[i + 1 + row * n];
}

int main() {
  const int n = 1000;
  std::vector<int> h(4 * n);
  for (int i = 0; i < 4 * n; i++)
    h[i] = i * 37 % 101;
  int *a, *b, *c, *d;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, 4 * n * sizeof(int));
  cudaMalloc(&c, n * sizeof(int));
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), 4 * n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(c, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  byReference<<<8, 128>>>(b, a, n);
  shift<<<8, 128>>>(d, b, n, 2);
  byThis<<<8, 128>>>(b, a, n);
  shift<<<8, 128>>>(d, b, n, 2);
  bySwitch<<<8, 128>>>(b, a, n);
  shift<<<8, 128>>>(d, b, n, 2);
  byReturned<<<8, 128>>>(b, a, n);
  shift<<<8, 128>>>(d, b, n, 2);
  byCondition<<<8, 128>>>(b, a, n);
  shift<<<8, 128>>>(d, b, n, 0);
  byArgument<<<8, 128>>>(b, a, n);
  shift<<<8, 128>>>(d, b, n, 2);
  byPointer<<<8, 128>>>(b, c, a, n, 0);
  shift<<<8, 128>>>(d, b, n, 2);
  bySearch<<<8, 128>>>(b, a, n);
  shift<<<8, 128>>>(d, b, n, 1);
  cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 31 + h[i];
  printf("%u\n", sum);
}
