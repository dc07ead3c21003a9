// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Elements of containers and members that are swapped between launches. Each
// holds what the other held; all others hold what they did.

// CHECK-NOT: not fused
// CHECK: 20 launches -> 5
// SAME: verified: original and fused
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

constexpr int n = 1000, blocks = (n + 127) / 128;

__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}
__global__ void shift(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + 1;
}

struct Fields {
  float *in, *between, *out;
};

void byText(std::map<std::string, float *> &field) {
  scale<<<blocks, 128>>>(field["in"], field["between"], n);
  shift<<<blocks, 128>>>(field["between"], field["out"], n);
  std::swap(field["in"], field["out"]);
  scale<<<blocks, 128>>>(field["in"], field["between"], n);
  shift<<<blocks, 128>>>(field["between"], field["out"], n);
}

void byNumber(std::vector<float *> &field) {
  scale<<<blocks, 128>>>(field[0], field[1], n);
  shift<<<blocks, 128>>>(field[1], field[2], n);
  std::swap(field[0], field[2]);
  scale<<<blocks, 128>>>(field[0], field[1], n);
  shift<<<blocks, 128>>>(field[1], field[2], n);
}

void ofPointers(float **field) {
  scale<<<blocks, 128>>>(field[0], field[1], n);
  shift<<<blocks, 128>>>(field[1], field[2], n);
  std::swap(field[0], field[2]);
  scale<<<blocks, 128>>>(field[0], field[1], n);
  shift<<<blocks, 128>>>(field[1], field[2], n);
}

void byMember(Fields *fields) {
  scale<<<blocks, 128>>>(fields->in, fields->between, n);
  shift<<<blocks, 128>>>(fields->between, fields->out, n);
  std::swap(fields->in, fields->out);
  scale<<<blocks, 128>>>(fields->in, fields->between, n);
  shift<<<blocks, 128>>>(fields->between, fields->out, n);
}

void ofMembers(Fields *levels) {
  scale<<<blocks, 128>>>(levels[0].in, levels[1].between, n);
  shift<<<blocks, 128>>>(levels[1].between, levels[0].out, n);
  std::swap(levels[0].in, levels[0].out);
  scale<<<blocks, 128>>>(levels[0].in, levels[1].between, n);
  shift<<<blocks, 128>>>(levels[1].between, levels[0].out, n);
}

int main() {
  float *in, *between, *out;
  for (float **each : {&in, &between, &out})
    cudaMalloc(each, n * sizeof(float));
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = 0.5f * (i % 47);
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  std::map<std::string, float *> named = {
      {"in", in}, {"between", between}, {"out", out}};
  std::vector<float *> listed = {in, between, out};
  Fields fields = {in, between, out}, levels[2] = {fields, fields};
  byText(named);
  byNumber(listed);
  ofPointers(listed.data());
  byMember(&fields);
  ofMembers(levels);
  for (float *each : {in, between, out}) {
    cudaMemcpy(host.data(), each, n * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 19);
    std::printf("%.9g\n", sum);
  }
}
