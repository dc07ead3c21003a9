// RUN: %kfuse verify --assume=no-overlap %s
// RUN: %kfuse %s --assume=no-overlap -o %t.cu 2>&1 | FileCheck %s
//
// Calls with one text and two values: a pair that shares no value isn't fused
// as if it did.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

// CHECK: getters.cu: 26 launches -> 17

__global__ void twice(const int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = 2 * from[i] + 1;
}

__global__ void reversed(const int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[n - 1 - i] + 3;
}

constexpr int N = 700;

static int *storage(int seed) {
  int host[N], *p;
  for (int i = 0; i < N; ++i)
    host[i] = i * seed;
  cudaMalloc(&p, sizeof(host));
  cudaMemcpy(p, host, sizeof(host), cudaMemcpyHostToDevice);
  return p;
}

static void show(const int *values) {
  int host[N];
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%d %d %d\n", host[0], host[N / 3], host[N - 1]);
}

// A getter that counts, and one that turns.
struct Ring {
  int *parts[2];
  mutable int turn = 0;
  int *next() const { return parts[turn++ % 2]; }
  int *current() const { return parts[turn % 2]; }
};

struct Holder {
  int *p;
  int *get() const { return p; }
  int *&slot() { return p; }
  void take(Holder &other) { std::swap(p, other.p); }
};

struct Base {
  virtual ~Base() = default;
  virtual int *get() { return nullptr; }
};
struct Turning : Base {
  int *parts[2], turn = 0;
  int *get() override { return parts[turn++ % 2]; }
};

static void counted(int *a) {
  Ring ring{{storage(2), storage(3)}};
  twice<<<6, 128>>>(a, ring.next(), N);
  reversed<<<6, 128>>>(ring.next(), a, N);
  show(a);
  twice<<<6, 128>>>(a, ring.current(), N);
  ring.turn++;
  reversed<<<6, 128>>>(ring.current(), a, N);
  show(a);
}

static void changed(int *a) {
  Holder one{storage(5)}, two{storage(7)};
  Holder &alias = one;
  twice<<<6, 128>>>(a, one.get(), N);
  alias.take(two);
  reversed<<<6, 128>>>(one.get(), a, N);
  show(a);
  twice<<<6, 128>>>(a, one.get(), N);
  alias.slot() = two.get();
  reversed<<<6, 128>>>(one.get(), a, N);
  show(a);
  twice<<<6, 128>>>(a, two.get(), N);
  Holder *pointer = &two;
  pointer->p = one.get() == nullptr ? one.get() : storage(11);
  reversed<<<6, 128>>>(two.get(), a, N);
  show(a);
}

static void turned(Base &base, int *a) {
  twice<<<6, 128>>>(a, base.get(), N);
  reversed<<<6, 128>>>(base.get(), a, N);
  show(a);
}

static void owned(int *a) {
  std::unique_ptr<int, void (*)(int *)> one(storage(13), [](int *p) {
    cudaFree(p);
  }), two(storage(17), [](int *p) { cudaFree(p); });
  twice<<<6, 128>>>(a, one.get(), N);
  std::swap(one, two);
  reversed<<<6, 128>>>(one.get(), a, N);
  show(a);
  twice<<<6, 128>>>(a, one.get(), N);
  one.reset(storage(19));
  reversed<<<6, 128>>>(one.get(), a, N);
  show(a);
}

static void listed(int *a) {
  std::vector<int *> list = {storage(23), storage(29)};
  int *&front = list[0];
  twice<<<6, 128>>>(a, list[0], N);
  front = list[1];
  reversed<<<6, 128>>>(list[0], a, N);
  show(a);
  list.push_back(storage(41));
  twice<<<6, 128>>>(a, list[1], N);
  std::swap(list[1], list[2]);
  reversed<<<6, 128>>>(list[1], a, N);
  show(a);
  twice<<<6, 128>>>(a, list[2], N);
  std::rotate(list.begin(), list.begin() + 1, list.end());
  reversed<<<6, 128>>>(list[2], a, N);
  show(a);
  for (int i = 0; i < 2; ++i)
    twice<<<6, 128>>>(list[i], list[i + 1], N);
  show(list[2]);
}

// A helper reads more than its object.
static int *Chosen;
static int *chosen() { return Chosen; }
static int offset(int more) {
  static int start = 0;
  const auto from = [](int more) { return start + more; };
  const int before = from(more);
  start += 50;
  return from(more) - before + more;
}

static void elsewhere(int *a) {
  Chosen = storage(43);
  twice<<<6, 128>>>(a, chosen(), N);
  Chosen = storage(47);
  reversed<<<6, 128>>>(chosen(), a, N);
  show(a);
  twice<<<6, 128>>>(a, chosen(), N - offset(0));
  reversed<<<6, 128>>>(chosen(), a, N - offset(3));
  show(a);
}

int main() {
  int *a = storage(1);
  counted(a);
  changed(a);
  Turning turning;
  turning.parts[0] = storage(31);
  turning.parts[1] = storage(37);
  turned(turning, a);
  owned(a);
  listed(a);
  elsewhere(a);
}
