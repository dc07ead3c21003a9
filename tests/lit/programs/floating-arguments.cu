// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// A floating-point number, and whether a pointer is null, is one value until
// something changes it: a fused kernel receives it once.

// CHECK: 12 launches -> 5
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(float *b, const float *a, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + by;
}

__global__ void divide(float *b, float by, double bias, bool inverse, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = inverse ? by / (b[i] + bias) : (b[i] + bias) / by;
}

static float host[1000];
static float known = 1;
static void show(float *b) {
  cudaMemcpy(host, b, sizeof(host), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += host[i] * (i % 13);
  printf("%a\n", sum);
}
static void change(float *number) { *number += 1; }

struct Settings {
  float gamma;
  const char *name;
};

int main(int argc, char **argv) {
  const int n = 1000;
  float gamma = 1.5f * argc, *a, *b;
  float &other = gamma;
  Settings settings = {gamma, argc > 1 ? argv[1] : nullptr};
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMemset(a, 1, sizeof(host));

  // OUT: int main(
  // OUT:      >>>(a, settings.gamma, n,
  // OUT-NEXT: 0.25 * settings.gamma, settings.name, b,
  // OUT-NEXT: KfuseZeros
  add<<<4, 256>>>(b, a, settings.gamma, n);
  divide<<<4, 256>>>(b, settings.gamma, 0.25 * settings.gamma,
                     settings.name != nullptr, n);
  divide<<<4, 256>>>(b, settings.gamma, 0.25 * settings.gamma, settings.name,
                     n);
  show(b);

  // Sums of one number and of another, and of what another type makes of it.
  // OUT:      >>>(a, gamma + 1, n, gamma + 2, 0.1f, true,
  // OUT-NEXT: b, 0.1, KfuseZeros
  add<<<4, 256>>>(b, a, gamma + 1, n);
  divide<<<4, 256>>>(b, gamma + 2, 0.1f, true, n);
  divide<<<4, 256>>>(b, gamma + 1, 0.1, true, n);
  show(b);

  // By other names.
  // OUT:      const auto kfuse_by = gamma;
  // OUT-NEXT: other = 7;
  // OUT-NEXT: kfuse_add_divide{{.*}}>>>(a, kfuse_by, n, b, gamma, 1, false);
  // OUT:      const auto kfuse_by2 = open.gamma;
  // OUT-NEXT: change(&open.gamma);
  // OUT-NEXT: kfuse_add_divide{{.*}}>>>(a, kfuse_by2, n, b, open.gamma, 1, false);
  add<<<4, 256>>>(b, a, gamma, n);
  other = 7;
  divide<<<4, 256>>>(b, gamma, 1, false, n);
  show(b);
  Settings open = settings;
  add<<<4, 256>>>(b, a, open.gamma, n);
  change(&open.gamma);
  divide<<<4, 256>>>(b, open.gamma, 1, false, n);
  show(b);
  add<<<4, 256>>>(b, a, 0, n);
  settings.name = argc > 1 ? nullptr : "none";
  divide<<<4, 256>>>(b, known, 1, settings.name, n);
  show(b);
}
