// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// Methods that call others of their class for their own object, or functions of
// the namespace around it: in and behind the class, before and behind their
// definitions, static ones, const ones that only load members, with default
// arguments and results.

// CHECK: 7 launches -> 3
// CHECK-NEXT: kfuse_shift_scale_shift = 'shift', 'scale', 'shift'
// CHECK-NEXT: kfuse_shift_scale = 'shift', 'scale'
// CHECK-NEXT: kfuse_shift_scale = 'shift', 'scale'
// CHECK: verified: original and fused

// OUT:      {{^}}  void step() {
// OUT-NEXT: // From advect():
// OUT-NEXT: // Along the wind.
// OUT-NEXT: const real *advect_from = field.u;
// OUT:      // From diffuse():
// OUT-NEXT: const int diffuse_size = this->size;
// OUT:      // From settle():
// OUT-NEXT: real *settle_u = field.v;
// OUT-NEXT: int settle_n = size;
// OUT:      scale<<<shape(diffuse_size), block>>>(field.v, field.w, diffuse_size, 0.1f * 3 * 2 * most);
// OUT:      cudaError_t error = cudaGetLastError();
// OUT-NEXT: if (error != cudaSuccess)
// OUT:      {{^}}    virtual void twice() {
// OUT-NEXT: // From up():
// OUT-NEXT: // From down():
// OUT:      {{^}}  void advect() {
// OUT-NEXT: // Along the wind.
// OUT:      {{^}}void Ocean::Wave::run(int size) {
// OUT-NEXT: // From launchShift():
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>

__global__ void shift(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void scale(const float *B, float *C, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * by;
}

struct Field {
  float *u, *v, *w;
};

class Base {
public:
  explicit Base(int n) : size(n) {
    cudaMalloc(&field.u, n * sizeof(float));
    cudaMalloc(&field.v, n * sizeof(float));
    cudaMalloc(&field.w, n * sizeof(float));
    cudaMemset(field.u, 1, n * sizeof(float));
  }
  void show() const {
    static float host[1000];
    cudaMemcpy(host, field.u, size * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < size; ++i)
      sum += host[i] * (i % 7);
    printf("%.3f\n", sum);
  }

protected:
  Field field;
  int size;
};

void launchShift(const float *in, float *out, int n) {
  shift<<<(n + 127) / 128, 128>>>(in, out, n);
}

void launchScale(const float *in, float *out, int n) {
  scale<<<(n + 127) / 128, 128>>>(in, out, n, 2);
}

class Ocean : public Base {
public:
  using Base::Base;

  void step() {
    advect();
    this->diffuse(3);
    cudaError_t error = settle(field.v, size);
    if (error != cudaSuccess)
      printf("an error\n");
    std::swap(field.u, field.w);
  }

  class Wave : public Base {
  public:
    using Base::Base;
    void run(int size);
    virtual void twice() {
      up();
      down();
    }

  private:
    void up() const { shift<<<blocks, 128>>>(in, out, count); }
    void down() const { scale<<<blocks, 128>>>(out, back, count, by); }
    float *in = field.u, *out = field.v, *back = field.w;
    int count = size, blocks = (size + 127) / 128;
    float by = 0.5f;
  };

private:
  using real = float;
  enum { block = 128 };
  static const int most = 5;
  static int shape(int n) { return (n + block - 1) / block; }

  void advect() {
    // Along the wind.
    const real *from = field.u;
    shift<<<shape(size), block>>>(from, field.v, size);
  }
  void diffuse(int by, int times = 2);
  static cudaError_t settle(real *u, int n = 1000) {
    shift<<<shape(n), block>>>(u, u, n);
    return cudaGetLastError();
  }
};

void Ocean::diffuse(int by, int times) {
  const int size = this->size;
  scale<<<shape(size), block>>>(field.v, field.w, size, 0.1f * by * times * most);
}

void Ocean::Wave::run(int size) {
  launchShift(field.u, field.v, size);
  launchScale(field.v, field.w, size);
  std::swap(field.u, field.w);
}

int main() {
  Ocean ocean(1000);
  for (int i = 0; i < 3; ++i)
    ocean.step();
  ocean.show();
  Ocean::Wave wave(1000);
  wave.run(1000);
  wave.show();
  wave.twice();
  wave.show();
}
