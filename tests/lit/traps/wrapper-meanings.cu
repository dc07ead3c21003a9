// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Statements that would do something else in the place of a call.

// CHECK-DAG: calls of 'kept' beside other launches stay calls: 'guard' has a destructor
// CHECK-DAG: calls of 'listed' beside other launches stay calls: 'guards' has a destructor
// CHECK-DAG: calls of 'cleaned' beside other launches stay calls: 'guard' has a destructor
// CHECK-DAG: calls of 'typed' beside other launches stay calls: a parameter of it depends on another
// CHECK-DAG: calls of 'sized' beside other launches stay calls: a parameter of it depends on another
// CHECK-DAG: calls of 'joined' beside other launches stay calls: 'bringsAnOperator' declares an operator
// CHECK-DAG: calls of 'folded' beside other launches stay calls: 'count' would be a constant
// CHECK-DAG: calls of 'asking' beside other launches stay calls: it asks where it stands
// CHECK-DAG: calls of 'Field::step' beside other launches stay calls: it is called for another object
// CHECK-DAG: calls of 'Field::shared' beside other launches stay calls: it is called for another object

// SAME: verified:
#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>

__global__ void plus(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

float *A, *B, *C;
const int n = 1000;
void last() { plus<<<8, 128>>>(B, C, n); }

struct Guard {
  int number;
  Guard(int number) : number(number) {}
  ~Guard() { printf("bye %d\n", number); }
};
void bye(int *number) { printf("bye %d\n", *number); }

void kept(int m) {
  const Guard &guard = Guard(m);
  plus<<<8, 128>>>(A, B, guard.number);
}
void listed(int m) {
  std::initializer_list<Guard> guards = {m};
  plus<<<8, 128>>>(A, B, guards.begin()->number);
}
void cleaned(int m) {
  int guard __attribute__((cleanup(bye))) = m;
  plus<<<8, 128>>>(A, B, guard);
}
void keepsGuards() {
  kept(900);
  listed(800);
  cleaned(700);
  last();
  printf("done\n");
}

void typed(int m, decltype(m) more) { plus<<<8, 128>>>(A, B, m + more); }
void sized(char m, int size = sizeof(m)) {
  plus<<<8, 128>>>(A, B, m * size);
}
void hasOtherTypes() {
  double m = 2.5;
  typed(500, (int)m);
  sized(100);
  last();
  printf("%f\n", m);
}

namespace types {
typedef double real;
}
using types::real;
void named(int m, real by) {
  real exact = by;
  plus<<<8, 128>>>(A, B, (int)(m * exact));
}
void namesAType() {
  using real = int;
  real m = 300;
  named(m, 2.5);
  last();
}

enum Flag { One = 1, Two = 2 };
namespace operators {
int operator|(Flag, Flag) { return 999; }
} // namespace operators
void joined() {
  Flag one = One, two = Two;
  plus<<<8, 128>>>(A, B, one | two);
}
void bringsAnOperator() {
  using operators::operator|;
  joined();
  last();
  printf("%d\n", One | Two);
}

int folded() {
  plus<<<8, 128>>>(A, B, n);
  return __builtin_popcount(7);
}
void makesAConstant() {
  const int count = folded();
  last();
  const auto counted = [=] { return count; };
  printf("%d %d\n", (int)sizeof(counted), counted());
}

const char *place(const char *function = __builtin_FUNCTION()) {
  return function;
}
void asking() {
  plus<<<8, 128>>>(A, B, n);
  printf("%s\n", place());
}
void asks() {
  asking();
  last();
}

struct Field {
  int size;
  void step() { plus<<<8, 128>>>(A, B, size); }
  static void shared() { plus<<<8, 128>>>(A, B, 400); }
  void run(Field *others) {
    others->step();
    last();
    others++->shared();
    last();
    printf("%d\n", others->size);
  }
};

// A zero would be a pointer, and what an argument changes another value.
int choose(int) { return 300; }
int choose(const char *) { return 800; }
void zero(int m) { plus<<<8, 128>>>(A, B, choose(m)); }
void twice(int first, int second) { plus<<<8, 128>>>(A, B, first + second); }
void passes() {
  int m = 100;
  zero(0);
  last();
  twice(m, (m += 200, 10));
  last();
}

void show() {
  static float host[n];
  cudaMemcpy(host, C, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%f\n", sum);
}

int main() {
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(B, 0, sizeof(host));
  Field fields[] = {{600}, {650}};
  keepsGuards();
  show();
  hasOtherTypes();
  show();
  namesAType();
  show();
  bringsAnOperator();
  show();
  makesAConstant();
  show();
  asks();
  show();
  fields[0].run(fields);
  show();
  passes();
  show();
}
