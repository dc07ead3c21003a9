// Neighbouring calls of methods that launch, from outside of their class: one new method of it calls them, where their
// statements can stand. Calls of which nothing is fused stay.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
// CHECK: kfuse_scale_shift = 'scale', 'shift'
// CHECK-NEXT: kfuse_scale_shift_2 = 'scale', 'shift'
// CHECK-NEXT: kfuse_scale_shift_3 = 'scale', 'shift'
// CHECK-NEXT: kfuse_shift_scale = 'shift', 'scale'
// CHECK-NEXT: global traffic
// OUT: float *in, *middle, *out;
// OUT-NEXT: unsigned n;
// OUT-NEXT: public:
// OUT-NEXT: // kfuse: first() and second(), which are called together.
// OUT-NEXT: void first_second(real first_by) {
// OUT: kfuse_scale_shift<<<
// OUT: public:
// OUT-NEXT: // kfuse: first() and second(), which are called together.
// OUT-NEXT: void first_second_2(real first_by_2, float second_by) {
// OUT-NEXT: // From first():
// OUT-NEXT: calls += 1; // by three
// OUT-NEXT: // and a half more
// OUT: kfuse_scale_shift_2<<<
// OUT: void first_second_3(
// OUT: kfuse_scale_shift_3<<<
// OUT-NOT: kfuse:
// OUT: void Chain::first(real by) {
// OUT: void up_twice(float *up_a, float up_by, int up_n) {
// OUT: chain.turn();
// OUT-NEXT: chain.back();
// OUT: chain.first_second(0.5f * t);
// OUT: one.first_second_2(by, 1.5f);
// OUT: one.first(2);
// OUT-NEXT: one.second(one.calls);
// OUT: one.first(2);
// OUT-NEXT: other.second(1);
// OUT: one.own(2);
// OUT-NEXT: one.second(1);
// OUT: one.first(2);
// OUT-NEXT: #ifndef NEVER
// OUT-NEXT: one.second(1);
// OUT: one.turn();
// OUT-NEXT: one.back();
// OUT: pointer->first_second_3(4, 1.5f);
// OUT: steps.up_twice(a, 3, n);

#include <cstdio>
#include <vector>

__global__ void scale(float *a, const float *b, float by, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] * by;
}

__global__ void shift(float *a, const float *b, float by, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] + by;
}

__global__ void reverse(float *a, const float *b, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[n - 1 - i];
}

class Chain {
public:
  explicit Chain(unsigned n) : n(n) {
    for (float **each : {&in, &middle, &out}) {
      cudaMalloc(each, n * sizeof(float));
      cudaMemset(*each, 0, n * sizeof(float));
    }
  }
  ~Chain() {
    cudaFree(in);
    cudaFree(middle);
    cudaFree(out);
  }
  using real = float;
  void first(real);
  void second(float by = 0.5f) { shift<<<n / 256 + 1, 256>>>(out, middle, by, n); }
  void turn() { reverse<<<n / 256 + 1, 256>>>(in, out, n); }
  void back() { reverse<<<n / 256 + 1, 256>>>(out, in, n); }
  void look(const char *name) {
    std::vector<float> h(n);
    cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s %g %g\n", name, h[3], h[n - 2]);
  }
  void start() { shift<<<n / 256 + 1, 256>>>(in, in, 2, n); }
  virtual void own(float by) { scale<<<n / 256 + 1, 256>>>(middle, in, by, n); }
  float calls = 0;

private:
  float *in, *middle, *out;
  unsigned n;
};

void Chain::first(real by) {
  scale<<<n / 256 + 1, 256>>>(middle, in, by, n);
  calls += 1;
}

class Steps {
  int calls = 0;

public:
  void up(float *a, float by, int n) {
    shift<<<n / 256 + 1, 256>>>(a, a, by, n);
    ++calls;
  }
  void twice(float *a, int n) { scale<<<n / 256 + 1, 256>>>(a, a, 2, n); }
};

struct Model {
  Chain chain{1000};
  void flip() {
    chain.turn();
    chain.back();
  }
  void run(int steps) {
    for (int t = 0; t < steps; ++t) {
      chain.first(0.5f * t);
      chain.second();
    }
  }
};

int main() {
  Chain one(1000), other(2000);
  one.start();
  other.start();
  // The argument is a value of the time before the call.
  const float by = 3;
  one.first(by); // by three
  // and a half more
  one.second(1.5f);
  one.look("joined");
#ifdef NEVER
  one.turn();
#endif
  // The second argument is one of after it.
  one.first(2);
  one.second(one.calls);
  one.look("changed");
  one.first(2);
  other.second(1);
  one.look("two objects");
  one.own(2);
  one.second(1);
  one.look("virtual");
  // Nothing is fused: each thread reads what another has written.
  one.first(2);
#ifndef NEVER
  one.second(1);
#endif
  one.look("directive");
  one.turn();
  one.back();
  one.look("apart");
  Chain *pointer = &other;
  pointer->first(4);
  pointer->second(1.5f);
  pointer->look("pointer");
  float *a, last;
  const int n = 3000;
  cudaMalloc(&a, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  Steps steps;
  steps.up(a, 3, n);
  steps.twice(a, n);
  cudaMemcpy(&last, a + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("pointers %g\n", last);
  cudaFree(a);
  Model model;
  model.chain.start();
  model.flip();
  model.run(3);
  model.chain.look("member");
}
