// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
//
// Pointers that a map holds by texts and by numbers.
//
// SAME: verified: original and fused
//
// CHECK-DAG: fused 'scale', 'shift': {{.*}}; projected {{.*}}
// CHECK-DAG: field["twice"] in registers
// CHECK-DAG: field[k] in registers
//
// Keys that a comparison of the program's takes for one.
// CHECK-DAG: 'scale' and 'shift' not fused: PointerMayChange: {{.*}}field["twice"]
// CHECK: 8 launches -> 5

#include <cctype>
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

__global__ void shift(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1;
}

struct FirstLetter {
  bool operator()(const std::string &one, const std::string &two) const {
    return std::tolower(one[0]) < std::tolower(two[0]);
  }
};

constexpr int n = 1000;

void byText(std::map<std::string, float *> &field) {
  scale<<<(n + 255) / 256, 256>>>(field["in"], field["twice"], n);
  shift<<<(n + 255) / 256, 256>>>(field["twice"], field["out"], n);
}

void byNumber(std::unordered_map<int, float *> &field, int k) {
  scale<<<(n + 255) / 256, 256>>>(field[0], field[k], n);
  shift<<<(n + 255) / 256, 256>>>(field[k], field[k + 1], n);
}

void exchanged(std::map<std::string, float *> &field) {
  scale<<<(n + 255) / 256, 256>>>(field["in"], field["twice"], n);
  std::swap(field["twice"], field["out"]);
  shift<<<(n + 255) / 256, 256>>>(field["out"], field["twice"], n);
}

void byLetter(float *a, float *b, float *c) {
  std::map<std::string, float *, FirstLetter> field;
  field["in"] = a;
  field["twice"] = b;
  field["out"] = c;
  scale<<<(n + 255) / 256, 256>>>(field["in"], field["twice"], n);
  field["Threefold"] = a;
  shift<<<(n + 255) / 256, 256>>>(field["twice"], field["out"], n);
}

void show(const float *array) {
  std::vector<float> host(n);
  cudaMemcpy(host.data(), array, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 19);
  std::printf("%.9g\n", sum);
}

int main() {
  std::map<std::string, float *> field;
  for (const char *name : {"in", "twice", "out"})
    cudaMalloc(&field[name], n * sizeof(float));
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = 0.5f * (i % 47);
  cudaMemcpy(field["in"], host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  byText(field);
  show(field["out"]);
  std::unordered_map<int, float *> numbered = {
      {0, field["in"]}, {3, field["twice"]}, {4, field["out"]}};
  byNumber(numbered, 3);
  show(field["out"]);
  exchanged(field);
  show(field["out"]);
  show(field["twice"]);
  byLetter(field["in"], field["twice"], field["out"]);
  show(field["out"]);
}
