// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=CODE
// RUN: %kfuse verify %s
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
//
// What a getter returns can be had also where the launch that asks for it
// doesn't run. What follows a pointer can't: there may be nothing behind it.
//
// CHECK: 5 launches -> 3
// CHECK: 'scale', 'add', 'shift'
// SAME: verified: original and fused
// CODE: kfuse_scale_add_shift<<<
// CODE: if (more.extra)
// CODE: add<<<(size() + 127) / 128, 128>>>(x(), more.added(), size());
#include <cstdio>
#include <cuda_runtime.h>
#include <memory>

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] / by;
}

__global__ void add(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + y[i];
}

__global__ void shift(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] - by;
}

struct Free {
  void operator()(float *p) const { cudaFree(p); }
};
class Field {
public:
  Field(int n) {
    float *raw = nullptr;
    cudaMalloc(&raw, n * sizeof(float));
    cudaMemset(raw, 1, n * sizeof(float));
    data.reset(raw);
  }
  float *get() const { return data.get(); }

private:
  std::unique_ptr<float, Free> data;
};

struct More {
  float **extra;
  const float *added() const { return *extra; }
};

class Model {
public:
  Model(int n) : values(n), others(n), count(n) {}
  void step(bool isAdding) {
    scale<<<(size() + 127) / 128, 128>>>(x(), 3, size());
    if (isAdding)
      add<<<(size() + 127) / 128, 128>>>(x(), others.get(), size());
    shift<<<(size() + 127) / 128, 128>>>(x(), 2, size());
  }
  void stepWith(const More &more) {
    scale<<<(size() + 127) / 128, 128>>>(x(), 5, size());
    if (more.extra)
      add<<<(size() + 127) / 128, 128>>>(x(), more.added(), size());
  }
  float *x() const { return values.get(); }
  int size() const { return count; }

private:
  Field values, others;
  int count;
};

int main(int argc, char **) {
  Model model(1000);
  model.step(argc > 1);
  model.step(argc < 2);
  model.stepWith({nullptr});
  float host[1000];
  cudaMemcpy(host, model.x(), sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[999]);
}
