// RUN: %kfuse %s -o %t.cu --elements-per-thread=1 --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// Each view of a field has extents, and a kernel gets several. Whether those of
// one launch equal those of the next one is tested at run time.
//
// CHECK: verified: original and fused
//
// OUT: if (h.view().nx == v.view().nx &&
// OUT-NEXT: h.view().ny == v.view().ny &&
// OUT: kfuse_speed_drag<<<grid, block>>>(h.view(), v.view(), f.view()
#include <cstdio>
#include <cstdlib>

struct View {
  float *data;
  int nx, ny;
  __device__ float &operator()(int i, int j) const { return data[j * nx + i]; }
  __device__ bool holds(int i, int j) const { return i < nx && j < ny; }
};
class Field {
public:
  Field(int nx, int ny) : nx_(nx), ny_(ny) {
    cudaMalloc(&data_, sizeof(float) * nx * ny);
    cudaMemset(data_, 0, sizeof(float) * nx * ny);
  }
  ~Field() { cudaFree(data_); }
  View view() const { return {data_, nx_, ny_}; }

private:
  float *data_;
  int nx_, ny_;
};

__global__ void speed(View h, View v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (h.holds(i, j))
    v.data[j * h.nx + i] = h(i, j) + 1;
}
__global__ void drag(View v, View f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (v.holds(i, j))
    f.data[j * v.nx + i] = v(i, j) * v(i, j);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 70;
  Field h(n, 20), v(n, 20), f(n, 20);
  dim3 block(32, 8), grid((n + 31) / 32, 3);
  speed<<<grid, block>>>(h.view(), v.view());
  drag<<<grid, block>>>(v.view(), f.view());
  float host[2];
  for (const Field *each : {&v, &f}) {
    cudaMemcpy(host, each->view().data, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g\n", host[0], host[1]);
  }
}
