// RUN: %kfuse verify %s
// RUN: %kfuse %s --emit=summary -Rkfuse 2>&1 | FileCheck %s
//
// Between two updates of an array a function launches a third, where the text
// doesn't show it: through pointers to functions, virtual functions, default
// arguments and initialisers, captures, classes that only a function knows.

#include <cstdio>
#include <cuda_runtime.h>
#include <functional>
#include <utility>
#include <vector>

static const int n = 96;
static int *array;

__global__ void inc(int *a, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += k;
}

__global__ void twice(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= 2;
}

static int launch() {
  twice<<<3, 32>>>(array, n);
  return 1;
}

static int (*pointer)() = launch;
static void byPointer() { pointer(); }

static void call(int (*given)()) { given(); }
static void byCallback() { call(launch); }

static std::function<int()> held = launch;
static void byFunction() { held(); }

template <typename Callable> void callLater(const Callable &callable) {
  std::invoke(callable);
}
static void byInvoke() { callLater(held); }

struct Base {
  virtual ~Base() = default;
  virtual void run() {}
};
struct Derived : Base {
  void run() override { launch(); }
};
static Derived derived;
static Base &base = derived;
static void byVirtual() { base.run(); }

struct Ends {
  ~Ends() { launch(); }
};
static void byDelete() { delete new Ends; }

struct Member {
  int value = launch();
};
struct Inherits : Member {};
struct Has {
  Inherits member;
};
struct Written {
  int value = launch();
  Written() {}
};
struct Several {
  Several(int) { launch(); }
};
struct Inheriting : Several {
  using Several::Several;
};
static void byMember() { Member made; }
static void byMemberOfMember() { Has made; }
static void byAggregate() { Member made{}; }
static void byElements() { Member made[2] = {}; }
static void byWritten() { Written made; }
static void byContainer() { std::vector<Member> made(1); }
static void byInherited() { Inheriting made(1); }

static void takesDefault(int = launch()) {}
static void byDefault() { takesDefault(); }

static void byCapture() {
  auto captured = [value = launch()] { return value; };
  (void)captured;
}

static void byLocalClass() {
  struct Local {
    static void run() { launch(); }
  };
  Local::run();
}

struct Pair {
  int first, second;
};
template <int I> int get(const Pair &) { return launch(); }
namespace std {
template <> struct tuple_size<Pair> {
  static const int value = 2;
};
template <size_t I> struct tuple_element<I, Pair> {
  using type = int;
};
} // namespace std
static void byBinding() {
  Pair pair{};
  auto [first, second] = pair;
  (void)first, (void)second;
}

static void bySize() {
  int local[launch()];
  (void)local;
}

struct Allocates {
  static void *operator new(size_t size) {
    launch();
    return ::operator new(size);
  }
};
static void byNew() { delete new Allocates; }

static void nothing() {}

// Only those around the call of `nothing` become one.
// CHECK-NOT: remark: fused
static void aroundPointer() {
  inc<<<3, 32>>>(array, 3, n);
  byPointer();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundCallback() {
  inc<<<3, 32>>>(array, 3, n);
  byCallback();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundFunction() {
  inc<<<3, 32>>>(array, 3, n);
  byFunction();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundInvoke() {
  inc<<<3, 32>>>(array, 3, n);
  byInvoke();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundVirtual() {
  inc<<<3, 32>>>(array, 3, n);
  byVirtual();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundDelete() {
  inc<<<3, 32>>>(array, 3, n);
  byDelete();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundMember() {
  inc<<<3, 32>>>(array, 3, n);
  byMember();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundMemberOfMember() {
  inc<<<3, 32>>>(array, 3, n);
  byMemberOfMember();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundAggregate() {
  inc<<<3, 32>>>(array, 3, n);
  byAggregate();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundElements() {
  inc<<<3, 32>>>(array, 3, n);
  byElements();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundWritten() {
  inc<<<3, 32>>>(array, 3, n);
  byWritten();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundContainer() {
  inc<<<3, 32>>>(array, 3, n);
  byContainer();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundInherited() {
  inc<<<3, 32>>>(array, 3, n);
  byInherited();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundDefault() {
  inc<<<3, 32>>>(array, 3, n);
  byDefault();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundCapture() {
  inc<<<3, 32>>>(array, 3, n);
  byCapture();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundLocalClass() {
  inc<<<3, 32>>>(array, 3, n);
  byLocalClass();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundBinding() {
  inc<<<3, 32>>>(array, 3, n);
  byBinding();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundSize() {
  inc<<<3, 32>>>(array, 3, n);
  bySize();
  inc<<<3, 32>>>(array, 2, n);
}

static void aroundNew() {
  inc<<<3, 32>>>(array, 3, n);
  byNew();
  inc<<<3, 32>>>(array, 2, n);
}

// CHECK: unseen-launches.cu:[[#@LINE+2]]:3: remark: fused 'inc', 'inc'
static void aroundNothing() {
  inc<<<3, 32>>>(array, 3, n);
  nothing();
  inc<<<3, 32>>>(array, 2, n);
}
// CHECK-NOT: remark: fused
// CHECK: 41 launches ->
// CHECK-SAME: {{^ 40$}}

int main() {
  int host[n] = {};
  cudaMalloc(&array, sizeof(host));
  cudaMemcpy(array, host, sizeof(host), cudaMemcpyHostToDevice);
  aroundPointer();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundCallback();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundFunction();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundInvoke();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundVirtual();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundDelete();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundMember();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundMemberOfMember();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundAggregate();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundElements();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundWritten();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundContainer();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundInherited();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundDefault();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundCapture();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundLocalClass();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundBinding();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundSize();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundNew();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  aroundNothing();
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
  cudaMemset(array, 1, sizeof(host));
  cudaFree(array);
}
