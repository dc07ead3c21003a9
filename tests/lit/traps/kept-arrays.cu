// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Names of an array that outlive a library's call: an iterator that is kept, a
// result, an element of a vector, a member of what the algorithm does, a stream
// of its own. The update that could leave the array stays where it is.

// CHECK-NOT: remark: fused
// CHECK-COUNT-6: remark: 'difference' and 'update' not fused: CrossThreadAntiDependence
// CHECK-NOT: remark: fused
// OUT-NOT: kfuse_
// OUT-NOT: kfuseSwap
#include "../programs/Inputs/thrust.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void difference(const float *u, float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] = u[i + 1 < n ? i + 1 : 0] - u[i];
}
__global__ void update(float *u, const float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    u[i] = u[i] + d[i];
}

void anIterator(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  thrust::device_ptr<float> kept = thrust::device_pointer_cast(u);
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    printf("%g\n", thrust::reduce(kept, kept + n, 0.0f));
  }
}
void aResult(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  float *best = thrust::max_element(thrust::device, u, u + n);
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    float now;
    cudaMemcpy(&now, best, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", now);
  }
}
void anElement(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  thrust::device_vector<float *> all(2, u);
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    float *first, now;
    cudaMemcpy(&first, all.begin().get(), sizeof(first),
               cudaMemcpyDeviceToHost);
    cudaMemcpy(&now, first + 1, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", now);
  }
}

struct Keep {
  float *array, **into;
  float operator()(float x) const {
    *into = array;
    return x;
  }
};
void anOperation(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  float *kept = nullptr, *other;
  cudaMalloc(&other, n * sizeof(float));
  thrust::transform(thrust::device, other, other + n, other, Keep{u, &kept});
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    float now;
    cudaMemcpy(&now, kept + 1, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", now);
  }
}

float *noted;
struct Note {
  float operator()(float x) const {
    cudaMemcpy(&x, noted, sizeof(float), cudaMemcpyDeviceToHost);
    return x;
  }
};
void aGlobal(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  noted = u;
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    thrust::transform(thrust::device, u, u + n, u, Note{});
  }
  printf("%g\n", thrust::reduce(thrust::device, u, u + n, 0.0f));
}
void aStream(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaStream_t stream = 0;
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    thrust::stream_t policy{stream};
    printf("%g\n", thrust::reduce(policy, u, u + n, 0.0f));
  }
}

struct Clear {
  bool operator()(float &x) const {
    x = 0;
    return true;
  }
};
// Of the two launches, the second would read what the call changes.
void aReference(const float *host, int n) {
  float *u, *d, *e;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&e, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  difference<<<(n + 127) / 128, 128>>>(u, d, n);
  printf("%ld\n", thrust::count_if(thrust::device, u, u + n, Clear{}));
  difference<<<(n + 127) / 128, 128>>>(u, e, n);
  printf("%g %g\n", thrust::reduce(thrust::device, d, d + n / 2, 0.0f),
         thrust::reduce(thrust::device, e, e + n / 2, 0.0f));
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  float *host = (float *)malloc(n * sizeof(float));
  for (int k = 0; k < n; ++k)
    host[k] = k % 17;
  anIterator(host, n);
  aResult(host, n);
  anElement(host, n);
  anOperation(host, n);
  aGlobal(host, n);
  aStream(host, n);
  aReference(host, n);
}
