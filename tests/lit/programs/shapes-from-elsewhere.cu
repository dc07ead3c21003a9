// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: %code %t.cu | FileCheck %s
//
// Shapes that a function returns, a parameter brings or a structure holds. What
// isn't known of them is tested.
#include <cstdio>

// SUMMARY: shapes-from-elsewhere.cu: 8 launches -> 4

__global__ void scale(const float *a, float *b, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    b[y * nx + x] = 2 * a[y * nx + x];
}

__global__ void shift(const float *b, float *c, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    c[y * nx + x] = b[y * nx + x] + 1;
}

static int divUp(int a, int b) { return (a + b - 1) / b; }
static dim3 gridOf(int nx, int ny, dim3 block) {
  const int columns = divUp(nx, block.x), rows = divUp(ny, block.y);
  return dim3(columns, rows);
}

struct Shape {
  dim3 grid, block;
};

// CHECK-LABEL: void returned(
// CHECK-NOT: {{kfuseSame|1 >=}}
// CHECK: kfuse_scale_shift<<<
static void returned(const float *a, float *b, float *c, int nx, int ny) {
  dim3 block(32, 4);
  scale<<<gridOf(nx, ny, block), block>>>(a, b, nx, ny);
  shift<<<gridOf(nx, ny, block), block>>>(b, c, nx, ny);
}

// CHECK-LABEL: void given(
// CHECK: 1 >= (long long)block.z * grid.z
static void given(dim3 grid, dim3 block, const float *a, float *b, float *c,
                  int nx, int ny) {
  scale<<<grid, block>>>(a, b, nx, ny);
  shift<<<grid, block>>>(b, c, nx, ny);
}

// CHECK-LABEL: void held(
// CHECK: 1 >= (long long)shape.block.z * shape.grid.z
static void held(const Shape &shape, const float *a, float *b, float *c, int nx,
                 int ny) {
  scale<<<shape.grid, shape.block>>>(a, b, nx, ny);
  shift<<<shape.grid, shape.block>>>(b, c, nx, ny);
}

// CHECK-NOT: void counted(
static void counted(const float *a, float *b, float *c, int n) {
  scale<<<dim3(divUp(n, 64)), 64>>>(a, b, n, 1);
  shift<<<dim3(divUp(n, 64)), 64>>>(b, c, n, 1);
}

// CHECK-LABEL: int main(
// CHECK: kfuse_scale_shift_6<<<dim3(divUp(n, 64)), 64>>>(a, n, 1, counted_c);
int main() {
  const int nx = 75, ny = 33, n = nx * ny;
  float host[n], *a, *b, *c;
  for (int i = 0; i < n; ++i)
    host[i] = i % 17;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  const auto show = [&] {
    cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", host[1], host[n - 1]);
  };
  returned(a, b, c, nx, ny);
  show();
  // The test doesn't hold for two planes of threads.
  for (unsigned planes = 1; planes <= 2; ++planes)
    given(dim3(3, 9, planes), dim3(32, 4), a, b, c, nx, ny);
  show();
  for (unsigned width = 16; width <= 32; width *= 2)
    held({dim3(divUp(nx, width), 9), dim3(width, 4)}, a, b, c, nx, ny);
  show();
  counted(a, b, c, n);
  show();
}
