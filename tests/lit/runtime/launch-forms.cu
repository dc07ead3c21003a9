// The ways to write a launch.
// RUN: %kfuse-cpu %s -o %t
// RUN: %t | FileCheck %s
// RUN: rm -f %t.times && env KFUSE_COLLECT=%t.times %t > %t.out
// RUN: FileCheck %s --check-prefix=TIMES < %t.times
// RUN: %kfuse-bench profile --runs=1 %t -o - | FileCheck %s --check-prefix=PROFILE
#include <cstdio>

__device__ int total;

__global__ void plain(int a, int b = 5) {
  if (threadIdx.x == 0)
    atomicAdd(&total, a + b);
}
template <class T, int N> __global__ void templated(T *p, T v) {
  atomicAdd(p, v * N);
}
__global__ void takesNull(const float *p, int *q) {
  atomicAdd(&total, (p == nullptr) + (q == nullptr));
}
struct Pair {
  int first, second;
};
__global__ void takesStruct(Pair p) { atomicAdd(&total, p.first - p.second); }
template <class F> __global__ void generic(F f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f(i);
}
namespace outer {
namespace inner {
__global__ void nested() { atomicAdd(&total, 1); }
} // namespace inner
} // namespace outer

#define LAUNCH(kernel, grid, block, ...)                                       \
  do {                                                                         \
    kernel<<<grid, block>>>(__VA_ARGS__);                                      \
    if (cudaGetLastError() != cudaSuccess)                                     \
      printf(#kernel " failed\n");                                             \
  } while (0)
#define PASTE(name) name##ned
#define CONFIG(g, b) <<<g, b>>>
#define TWO(x) x, x + 1

int calls = 0;
int counted(int x) {
  ++calls;
  return x;
}

struct Solver {
  int *device;
  dim3 block{4};
  template <class T> void run(T v) {
    templated<T, 2><<<1, block>>>(this->device, v);
  }
};

void show(const char *name) {
  int value = -1;
  cudaMemcpyFromSymbol(&value, total, sizeof(int));
  printf("%s %d\n", name, value);
  value = 0;
  cudaMemcpyToSymbol(total, &value, sizeof(int));
}

int main() {
  int *p;
  cudaGetSymbolAddress((void **)&p, total);
  plain<<<3, 4>>>(1, 2);
  show("plain"); // CHECK: plain 9
  plain<<<dim3(3), dim3(4, 1, 1), 0, 0>>>(
      // a comment, with a comma
      1, // and another one
      counted(2));
  show("once"); // CHECK: once 9
  // CHECK: calls 1
  printf("calls %d\n", calls);
  templated<int, 3><<<2, {2, 2}>>>(p, 1);
  show("template"); // CHECK: template 24
  takesNull<<<1, 1>>>(0, NULL);
  show("null"); // CHECK: null 2
  takesStruct<<<1, 1>>>({7, 3});
  show("braces"); // CHECK: braces 4
  int factor = 2;
  generic<<<2, 8>>>([=] __device__(int i) { atomicAdd(p, factor * i); }, 10);
  show("lambda"); // CHECK: lambda 90
  outer::inner::nested<<<1, 5>>>();
  show("nested"); // CHECK: nested 5
  ::outer::inner::nested<<<1, 6>>>();
  show("global"); // CHECK: global 6
  LAUNCH(plain, 2, dim3(1), 3, 4);
  show("macro"); // CHECK: macro 14
  LAUNCH((templated<int, 1>), 2, 1, p, 4);
  show("macro-template"); // CHECK: macro-template 8
  void (*pointer)(int, int) = &plain;
  (*pointer)<<<1, 1>>>(1, 1);
  pointer<<<1, 1>>>(1, 1);
  show("pointer"); // CHECK: pointer 4
  void (*table[])(int, int) = {plain, plain};
  for (int i = 0; i < 2; i++)
    table[i]<<<1, 1>>>(i, 1);
  show("table"); // CHECK: table 3
  Solver{p}.run(2);
  show("method"); // CHECK: method 16
  plain CONFIG(2, 1)(1, 1);
  show("config"); // CHECK: config 4
  plain<<<1, 1>>>(TWO(3));
  show("two"); // CHECK: two 7
  if (factor == 2) plain<<<1, 1>>>(1, 0); else plain<<<1, 1>>>(2, 0);
  show("branch"); // CHECK: branch 1
  int a = 2, b = 3;
  void *arguments[] = {&a, &b};
  cudaLaunchKernel((const void *)plain, dim3(1), dim3(2), arguments, 0, 0);
  show("untyped"); // CHECK: untyped 5
}

// TIMES: {"kind":"device","interface":"cuda","process":[[PROCESS:[0-9]+]],"device":0,"name":"kfuse CPU executor","driver":"kfuse-cpu"}
// TIMES-NEXT: {"kind":"kernel","interface":"cuda","process":[[PROCESS]],"device":0,"ordinal":0,"stream":0,"name":"{{.+}}","grid":[{{[0-9]+}},1,1],"block":[{{[0-9]+}},1,1],"shared":0,"begin":{{[0-9]+}},"end":{{[0-9]+}}}
// TIMES: "name":"outer::inner::nested","grid":[1,1,1],"block":[5,1,1]
// TIMES: "kind":"problem",{{.*}}<<<>>>
// PROFILE: "device": "kfuse CPU executor"
// PROFILE-DAG: "name": "nested"
// PROFILE-DAG: "name": "templated"
