// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Methods, and functions called in them, whose statements can't stand for a call
// of them. Each says why.

// CHECK-DAG: calls of 'Solver::chosen' beside other launches stay calls: it is virtual
// CHECK-DAG: calls of 'Solver::typed' beside other launches stay calls: it is a template in a class
// CHECK-DAG: calls of 'Solver::lasting' beside other launches stay calls: it is only for objects of one kind
// CHECK-DAG: calls of 'Solver::overloaded' beside other launches stay calls: it is const, and 'run' isn't
// CHECK-DAG: calls of 'Solver::deduced' beside other launches stay calls: it is const, and 'run' isn't
// CHECK-DAG: calls of 'Solver::picked' beside other launches stay calls: it is const, and 'run' isn't
// CHECK-DAG: calls of 'Solver::other' beside other launches stay calls: it is called for another object
// CHECK-DAG: calls of 'Solver::hidden' beside other launches stay calls: 'rows' is something else in 'run'
// CHECK-DAG: calls of 'Solver::nameless' beside other launches stay calls: 'inside' is something else in 'run'
// CHECK-DAG: calls of 'Solver::aliased' beside other launches stay calls: 'Count' is something else in 'run'
// CHECK-DAG: calls of 'Solver::defaulted' beside other launches stay calls: a default argument of it stands in another declaration
// CHECK-DAG: calls of 'Solver::extended' beside other launches stay calls: a declaration of 'choose' stands between it and a call of it
// CHECK-DAG: calls of 'Solver::early' beside other launches stay calls: a declaration of 'later' stands between it and a call of it
// CHECK-DAG: calls of 'Solver::first' beside other launches stay calls: its caller 'Solver' is a constructor or a destructor
// CHECK-DAG: calls of 'Solver::captured' beside other launches stay calls: its caller 'operator()' is a lambda
// CHECK-DAG: calls of 'Solver::fixed' beside other launches stay calls: 'main' is no member of its class
// CHECK-DAG: calls of 'Base::inherited' beside other launches stay calls: 'run' is no member of its class
// CHECK-DAG: calls of 'free' beside other launches stay calls: 'blocks' is a member where 'run' is
// CHECK-DAG: calls of 'ofBase' beside other launches stay calls: 'threads' is a member where 'run' is
// CHECK-DAG: calls of 'ofOuter' beside other launches stay calls: 'width' is a member where 'run' is
// CHECK-DAG: calls of 'Generic<int>::inside' beside other launches stay calls: its caller 'run' is a member of a class template
// CHECK-DAG: calls of 'Either::part' beside other launches stay calls: its caller 'run' is a member of a union
// CHECK-DAG: calls of 'local' beside other launches stay calls: its caller 'run' is a member of a class in a function

// SAME: nothing
#include <cstdio>
#include <cuda_runtime.h>

__global__ void step(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void last(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

static float *A, *B, *C;
const int blocks = 8, threads = 128, width = 1000;
const int limit = 1000;
inline int later(long n) { return n; }

void free(int n) { step<<<blocks, 128>>>(A, B, n); }
void ofBase(int n) { step<<<8, threads>>>(A, B, n); }
void ofOuter() { step<<<8, 128>>>(A, B, width); }

struct Base {
  int threads = 64;
  void inherited(int n) { step<<<8, threads + 64>>>(A, B, n); }
};

struct Outer {
  static const int width = 500;

  struct Solver : Base {
    void run(int n);
  };
};

void Outer::Solver::run(int n) {
  last<<<8, 128>>>(B, C, n);
  ofBase(n);
  ofOuter();
}

class Solver : Base {
public:
  explicit Solver(int n) : rows(n) {
    first();
    last<<<8, 128>>>(B, C, n);
  }

  void run(Solver &solver) {
    const int rows = 500, inside = 2;
    using Count = char;
    last<<<8, 128>>>(B, C, rows * inside - sizeof(Count));
    chosen();
    typed<float>();
    lasting();
    overloaded();
    deduced();
    picked();
    solver.other();
    hidden();
    nameless();
    aliased();
    defaulted();
    extended();
    early();
    inherited(1000);
    free(1000);
    const auto lambda = [this]() noexcept {
      captured();
      last<<<8, 128>>>(B, C, 1000);
    };
    lambda();
  }

  static void fixed(int n) { step<<<8, 128>>>(A, B, n); }

private:
  virtual void chosen() { step<<<8, 128>>>(A, B, rows); }
  template <typename T> void typed() {
    step<<<8, 128>>>(A, B, rows + 0 * sizeof(T));
  }
  void lasting() & { step<<<8, 128>>>(A, B, rows); }
  void overloaded() const { step<<<8, 128>>>(A, B, count()); }
  void deduced() const {
    auto &own = counts;
    step<<<8, 128>>>(A, B, counts[0] - sizeof(own));
  }
  void picked() const { step<<<8, 128>>>(A, B, pick(1)); }
  static int pick(long n) { return 1000 * n; }
  int pick(int n) { return 500 * n; }
  void other() { step<<<8, 128>>>(A, B, rows); }
  void hidden() { step<<<8, 128>>>(A, B, rows); }
  void nameless() { step<<<8, 128>>>(A, B, rows - 3 + inside); }
  void aliased() { step<<<8, 128>>>(A, B, rows * sizeof(Count) / 4); }
  void defaulted(int n = limit);
  void extended();
  void choose(long) { most = 1000; }
  void choose(int, int);
  void early();
  void first() { step<<<8, 128>>>(A, B, rows); }
  void captured() { step<<<8, 128>>>(A, B, rows); }

  int count() const { return 1000; }
  int count() { return 500; }

  using Count = int;
  int rows, most = 0, blocks = 4, counts[2] = {1000, 500};
  union {
    int inside = 3;
    float value;
  };
};

void Solver::defaulted(int n) { step<<<8, 128>>>(A, B, n); }
void Solver::choose(int, int = 0) { most = 500; }
void Solver::extended() {
  choose(1);
  step<<<8, 128>>>(A, B, most);
}
inline int later(int n) { return n / 2; }
void Solver::early() { step<<<8, 128>>>(A, B, later(1000)); }

template <typename T> struct Generic {
  T n;
  void inside() { step<<<8, 128>>>(A, B, n); }
  void run() {
    inside();
    last<<<8, 128>>>(B, C, n);
  }
};

union Either {
  int n;
  float value;
  void part() { step<<<8, 128>>>(A, B, n); }
  void run() {
    part();
    last<<<8, 128>>>(B, C, n);
  }
};

void local(int n) { step<<<8, threads>>>(A, B, n); }

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  for (float **each : {&A, &B, &C}) {
    cudaMalloc(each, sizeof(host));
    cudaMemcpy(*each, host, sizeof(host), cudaMemcpyHostToDevice);
  }
  Solver solver(n), other(n);
  solver.run(other);
  Outer::Solver().run(n);
  Generic<int>{n}.run();
  Either{n}.run();
  struct Local : Base {
    void run(int n) {
      local(n);
      last<<<8, 128>>>(B, C, n);
    }
  };
  Local().run(n);
  Solver::fixed(n);
  last<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}
