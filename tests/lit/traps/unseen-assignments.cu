// RUN: %kfuse verify %s
//
// Between two launches a number that both are given changes, where the text
// doesn't show it: in initialisers of members and bases, default arguments,
// captures, sizes of arrays, and what a structured binding calls.

#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

static const int n = 96;
static int *array, host[n];
static int step = 3;

__global__ void inc(int *a, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += k;
}

static void show() {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[5]);
}

struct Numbered {
  int number;
  Numbered() : number(step++) {}
};

struct Delegating {
  int number;
  Delegating(int given) : number(given) {}
  Delegating() : Delegating(step++) {}
};

struct Derives : Delegating {
  Derives() : Delegating(step++) {}
};

struct Counted {
  int number = step++;
};

struct Outer : Counted {};

struct Unnamed {
  union {
    int number = step++;
  };
};

static void takes(int = step++) {}

struct Pair {
  int first, second;
};
template <int I> int get(const Pair &) { return step++; }
namespace std {
template <> struct tuple_size<Pair> {
  static const int value = 2;
};
template <size_t I> struct tuple_element<I, Pair> {
  using type = int;
};
} // namespace std

static void byInitialiser() {
  inc<<<3, 32>>>(array, step, n);
  Numbered made;
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byDelegated() {
  inc<<<3, 32>>>(array, step, n);
  Delegating made;
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byBase() {
  inc<<<3, 32>>>(array, step, n);
  Derives made;
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byMember() {
  inc<<<3, 32>>>(array, step, n);
  Counted made;
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byImplicit() {
  inc<<<3, 32>>>(array, step, n);
  Outer made;
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byAggregate() {
  inc<<<3, 32>>>(array, step, n);
  Counted made{};
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byElements() {
  inc<<<3, 32>>>(array, step, n);
  Counted made[2] = {};
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byContainer() {
  inc<<<3, 32>>>(array, step, n);
  std::vector<Counted> made(2);
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byUnnamed() {
  inc<<<3, 32>>>(array, step, n);
  Unnamed made;
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byArgument() {
  inc<<<3, 32>>>(array, step, n);
  takes();
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byCapture() {
  inc<<<3, 32>>>(array, step, n);
  auto made = [number = step++] { return number; };
  (void)made;
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void bySize() {
  inc<<<3, 32>>>(array, step, n);
  int made[step++];
  (void)made;
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void bySizeOf() {
  inc<<<3, 32>>>(array, step, n);
  (void)sizeof(int[step++]);
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byCast() {
  inc<<<3, 32>>>(array, step, n);
  (void)(int(*)[step++])host;
  inc<<<3, 32>>>(array, step, n);
  show();
}

static void byBinding() {
  inc<<<3, 32>>>(array, step, n);
  Pair pair{};
  auto [first, second] = pair;
  (void)first, (void)second;
  inc<<<3, 32>>>(array, step, n);
  show();
}

int main() {
  cudaMalloc(&array, sizeof(host));
  cudaMemset(array, 0, sizeof(host));
  byInitialiser();
  byDelegated();
  byBase();
  byMember();
  byImplicit();
  byAggregate();
  byElements();
  byContainer();
  byUnnamed();
  byArgument();
  byCapture();
  bySize();
  bySizeOf();
  byCast();
  byBinding();
  cudaFree(array);
}
