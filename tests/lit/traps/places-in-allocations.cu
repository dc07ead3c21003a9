// RUN: not %kfuse verify %s 2>&1 | FileCheck %s
//
// A pointer leads into an allocation that another one leads to, and which
// elements `look` reads isn't known. So the launches may only be one if the
// allocations differ, however the pointer got its value, which they never do
// here. Comparing pointers wouldn't tell.

// CHECK-COUNT-17: 'look' and 'twice' never ran: its test at run time was false each of
// CHECK: not verified: what ran leaves equal traces

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>

__global__ void look(const float *table, float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = table[(int)table[i] & 255];
}

__global__ void twice(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

static float *table, *a;

static void reset() {
  float values[512];
  for (int i = 0; i < 512; ++i)
    values[i] = (float)((i * 37 + 11) % 256);
  cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice);
}

static void print() {
  float values[512], sum = 0;
  cudaMemcpy(values, table, sizeof values, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 512; ++i)
    sum = 0.5f * sum + values[i];
  printf("%g\n", sum);
}

struct Open {
  float *place;
};
struct Pair {
  float *place;
  int k;
};

namespace by_reference_at_file_scope {
static float *g;
static float **at = &g;
static void run() {
  g = table;
  *at += 50;
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, g, 256);
  print();
}
} // namespace by_reference_at_file_scope

namespace by_pointer_to_member {
static float *Open::*which = &Open::place;
static void launch(Open &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  Open o;
  o.place = table;
  o.*which += 50;
  launch(o);
}
} // namespace by_pointer_to_member

namespace by_lambda_at_file_scope {
static const auto shift = [](Open &o) { o.place += 50; };
static void launch(Open &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  Open o;
  o.place = table;
  shift(o);
  launch(o);
}
} // namespace by_lambda_at_file_scope

namespace by_table_of_functions {
static void launch(float *out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out, 256);
  print();
}
static void (*const hooks[])(float *) = {launch};
static void run() { hooks[0](table + 50); }
} // namespace by_table_of_functions

namespace by_default_argument {
static float *g;
static void shift(int k, float **p = &g) { *p += k; }
static void run() {
  g = table;
  shift(50);
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, g, 256);
  print();
}
} // namespace by_default_argument

namespace by_list_as_default_argument {
static void launch(Pair out = {table + 50, 1}) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() { launch(); }
} // namespace by_list_as_default_argument

namespace by_default_initialiser {
struct Nested {
  Pair m = {table + 50, 1};
};
static void launch(Nested &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.m.place, 256);
  print();
}
static void run() {
  Nested o;
  launch(o);
}
} // namespace by_default_initialiser

namespace by_address_as_initialiser {
struct Own {
  float *p;
  float **q = &p;
};
static void launch(Own &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.p, 256);
  print();
}
static void run() {
  Own o;
  o.p = table;
  *o.q += 50;
  launch(o);
}
} // namespace by_address_as_initialiser

namespace by_friend {
class Own {
public:
  explicit Own(float *p) : Place(p) {}
  float *place() const { return Place; }

private:
  float *Place;
  friend void shift(Own &o) { o.Place += 50; }
};
static void launch(Own &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place(), 256);
  print();
}
static void run() {
  Own o(table);
  shift(o);
  launch(o);
}
} // namespace by_friend

namespace by_operator_of_friend {
struct Own {
  float *place;
  friend Own &operator+=(Own &o, int k) {
    o.place += k;
    return o;
  }
};
static void launch(Own &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  Own o;
  o.place = table;
  o += 50;
  launch(o);
}
} // namespace by_operator_of_friend

namespace by_list_without_braces {
struct Nested {
  Pair m;
  int z;
};
static void launch(Pair &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  Nested o = {table + 50, 1, 2};
  launch(o.m);
}
} // namespace by_list_without_braces

namespace by_array_without_braces {
static void launch(Pair &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  Pair o[2] = {table + 50, 1, nullptr, 2};
  launch(o[0]);
}
} // namespace by_array_without_braces

namespace by_member_of_unnamed_structure {
struct Own {
  struct {
    float *place;
  };
  explicit Own(float *q) : place(q + 50) {}
};
static void launch(float *out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out, 256);
  print();
}
static void run() {
  Own o(table);
  float *p = o.place;
  launch(p);
}
} // namespace by_member_of_unnamed_structure

namespace by_assigned_value {
static float *g;
static void run() {
  (g = table) += 50;
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, g, 256);
  print();
}
} // namespace by_assigned_value

namespace by_returned_assignment {
struct Own {
  float *p;
  float *&at(const Own &o) { return p = o.p; }
};
static void launch(Own &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.p, 256);
  print();
}
static void run() {
  Own m, o;
  o.p = table;
  m.at(o) += 50;
  launch(m);
}
} // namespace by_returned_assignment

namespace by_moved_reference {
static float *g;
static void run() {
  g = table;
  float *&&r = std::move(g);
  r += 50;
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, g, 256);
  print();
}
} // namespace by_moved_reference

namespace by_instance_of_template {
static float *g;
template <typename R> static void shift(int k) {
  R r = g;
  r += k;
}
static void run() {
  g = table;
  shift<float *>(50);
  shift<float *&>(50);
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, g, 256);
  print();
}
} // namespace by_instance_of_template

namespace by_generic_argument {
static float *g;
template <class F> static void with(F f) { f(g); }
static void run() {
  g = table;
  int k = 50;
  with([](float *p) { printf("%d\n", p != nullptr); });
  with([k](float *&p) { p += k; });
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, g, 256);
  print();
}
} // namespace by_generic_argument

namespace by_bytes {
static void fill(const Open *to, float *v) { memcpy((void *)to, &v, sizeof v); }
static void launch(Open &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  Open o;
  fill(&o, table + 50);
  launch(o);
}
} // namespace by_bytes

namespace by_constant_binding {
static void launch(const Pair &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  Pair m;
  m.place = table;
  const auto &[x, y] = m;
  const_cast<float *&>(x) += 50;
  launch(m);
}
} // namespace by_constant_binding

namespace by_list_in_container {
static void launch(Open &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  std::vector<Open> o;
  o.push_back({table + 50});
  launch(o[0]);
}
} // namespace by_list_in_container

namespace by_own_pointer {
static void launch(Open &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  auto o = std::make_unique<Open>(Open{table + 50});
  launch(*o);
}
} // namespace by_own_pointer

namespace by_other_view {
union Either {
  Open o;
  float *raw;
};
static void launch(Open &out) {
  reset();
  look<<<4, 64>>>(table, a, 256);
  twice<<<4, 64>>>(a, out.place, 256);
  print();
}
static void run() {
  Either u;
  u.raw = table + 50;
  launch(u.o);
}
} // namespace by_other_view

int main() {
  cudaMalloc(&table, 512 * sizeof(float));
  cudaMalloc(&a, 256 * sizeof(float));
  by_reference_at_file_scope::run();
  by_pointer_to_member::run();
  by_lambda_at_file_scope::run();
  by_table_of_functions::run();
  by_default_argument::run();
  by_list_as_default_argument::run();
  by_default_initialiser::run();
  by_address_as_initialiser::run();
  by_friend::run();
  by_operator_of_friend::run();
  by_list_without_braces::run();
  by_array_without_braces::run();
  by_member_of_unnamed_structure::run();
  by_assigned_value::run();
  by_returned_assignment::run();
  by_moved_reference::run();
  by_instance_of_template::run();
  by_generic_argument::run();
  by_bytes::run();
  by_constant_binding::run();
  by_list_in_container::run();
  by_own_pointer::run();
  by_other_view::run();
  return 0;
}
