//===- Host.cpp - Table tests for extracting host code --------------------===//
//
// Each case is a piece of host code and the steps that extract() finds in it,
// printed on one line. Launches have their storage and shapes; other steps have
// their kind and effects. Nested regions are in braces.
//
//===----------------------------------------------------------------------===//

#include "frontend/Extract.h"
#include "frontend/parse/Parse.h"
#include "frontend/parse/SourceUnit.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>

namespace kfuse {
namespace {

constexpr const char *Prelude = R"(
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \
  printf("%s\n", cudaGetErrorString(e)); exit(1); } } while (0)
inline void assertOk(cudaError_t code, const char *file, int line) {
  if (code != cudaSuccess) { printf("%s:%d\n", file, line); exit(code); }
}
#define OK(x) { assertOk((x), __FILE__, __LINE__); }
struct Fields { float *u; float *v; int n; dim3 g; };
__device__ float table[16];
__constant__ float weights[16];
float *global;
int total;
void unseen(float *);
int seen(int a) { return 2 * a; }
inline int divUp(int a, int b) { return (a + b - 1) / b; }
void fill(float *h, int n) { for (int i = 0; i < n; ++i) h[i] = i; }
void count() { ++total; }
__global__ void k(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
}
static __global__ void ks(Fields f) { f.v[threadIdx.x] = f.u[threadIdx.x]; }
template <typename T> __global__ void kt(const T *a, T *b) {
  b[threadIdx.x] = a[threadIdx.x];
}
void k(int n) { total = n; }
#line 1
)";

Program programOf(const std::string &code) {
  std::string name =
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string path = ::testing::TempDir() + "kfuse-host-" + name + ".cu";
  std::ofstream(path) << Prelude << code;
  ParseOptions options;
  options.input = path;
  std::string diagnostics;
  std::unique_ptr<SourceUnit> unit = parse(options, diagnostics);
  EXPECT_TRUE(unit) << diagnostics;
  return unit ? extract(*unit) : Program{};
}

const char *word(StepKind kind) {
  static const char *const words[] = {
      "launch", "to-host", "to-device", "on-device", "set",
      "alloc",  "free",    "sync",      "timing",    "check",
      "loop",   "branch",  "call",      "opaque",    "plain"};
  return words[static_cast<int>(kind)];
}

std::string storage(const Program &program, const PointerValue &pointer) {
  const Array &array = program[pointer.array];
  std::string result = array.name;
  if (array.origin == ArrayOrigin::Unknown) {
    result += "?";
    for (ArrayId candidate : array.candidates)
      result += program[candidate].name + "?";
  }
  const auto *offset = std::get_if<Polynomial>(&pointer.offset);
  if (!offset)
    return result + "+*";
  return offset->isZero() ? result : result + "+" + print(*offset);
}

std::string shape(const std::array<Polynomial, 3> &extent) {
  std::string result = print(extent[0]);
  if (extent[1] != Polynomial(1) || extent[2] != Polynomial(1))
    result += "," + print(extent[1]) + "," + print(extent[2]);
  return result;
}

std::string show(const Program &program, RegionId region);

std::string show(const Program &program, const HostStep &step) {
  std::string result = word(step.kind);
  if (step.kind == StepKind::Launch) {
    const Launch &launch = program[step.launch];
    result =
        program[launch.kernel].name + "<" + shape(launch.grid.extent) + ">(";
    for (const PointerValue &pointer : launch.pointers)
      result += (result.back() == '(' ? "" : " ") + storage(program, pointer);
    result += ")";
  } else if (step.nested.empty()) {
    for (const Effect &effect : step.effects)
      result += " " + program[effect.array].name + ":" +
                (effect.reads ? "r" : "") + (effect.writes ? "w" : "");
  }
  if (step.touchesEverything && step.kind != StepKind::Opaque)
    result += " everything";
  if (step.mayLeave)
    result += " leaves";
  for (RegionId nested : step.nested)
    result += " {" + show(program, nested) + "}";
  return result;
}

std::string show(const Program &program, RegionId region) {
  std::string result;
  for (StepId step : program[region].steps)
    if (program[step].kind != StepKind::Plain || program[step].mayLeave)
      result += (result.empty() ? "" : "; ") + show(program, program[step]);
  return result;
}

/// Renumbers symbols in order of appearance, so that a case doesn't depend on
/// what an analysis interned before.
std::string renumbered(const std::string &text) {
  static const std::regex symbol("(term|value)([0-9]+)");
  std::map<std::string, std::string> names;
  std::map<std::string, unsigned> counts;
  std::string result;
  auto at = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), symbol), end;
       match != end; ++match) {
    auto [name, isNew] = names.try_emplace(match->str());
    if (isNew)
      name->second =
          (*match)[1].str() + std::to_string(counts[(*match)[1].str()]++);
    result.append(at, (*match)[0].first).append(name->second);
    at = (*match)[0].second;
  }
  return result.append(at, text.cend());
}

/// Prints all functions, callees first.
std::string show(const Program &program) {
  std::string result;
  for (std::size_t index = 0; index < program.regions.size(); ++index)
    if (!program.regions[index].parent)
      result += (result.empty() ? "" : " | ") +
                show(program, static_cast<RegionId>(index));
  return renumbered(result);
}

struct Case {
  const char *what;
  const char *code; ///< body of `void f(int n)` with a and b allocated
  const char *expected;
};

class HostBody : public ::testing::TestWithParam<Case> {};

TEST_P(HostBody, Steps) {
  std::string code = "void f(int n) { float *a, *b; cudaMalloc(&a, 4 * n); "
                     "cudaMalloc(&b, 4 * n);\n" +
                     std::string(GetParam().code) + "\n}";
  std::string path =
      ::testing::TempDir() + "kfuse-host-" +
      std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
      GetParam().what + ".cu";
  std::ofstream(path) << Prelude << code;
  ParseOptions options;
  options.input = path;
  std::string diagnostics;
  std::unique_ptr<SourceUnit> unit = parse(options, diagnostics);
  ASSERT_TRUE(unit) << diagnostics;
  std::string all = show(extract(*unit));
  std::string start = "alloc a:w; alloc b:w; ";
  ASSERT_EQ(all.substr(0, start.size()), start);
  EXPECT_EQ(all.substr(start.size()), GetParam().expected) << code;
}

const Case Cases[] = {
    {"MutatedShape",
     "dim3 g(4); k<<<g, 32>>>(a, b, n); g.x = 7; "
     "k<<<g, 32>>>(b, a, n);",
     "k<4>(a b); k<7>(b a)"},
    {"EqualValueOtherText",
     "int m = n; k<<<(n + 31) / 32, 32>>>(a, b, n); "
     "k<<<divUp(m, 32), 32>>>(a, b, n); int c = (31 + m) / 32; dim3 g(c); "
     "k<<<g, 32>>>(a, b, n);",
     "k<term0>(a b); k<term0>(a b); k<term0>(a b)"},
    {"Constants",
     "const int c = 1 << 4; enum { E = 3 }; k<<<c * E, 32>>>(a, b, n); "
     "k<<<sizeof(float), 1>>>(a, b, n);",
     "k<48>(a b); k<4>(a b)"},
    {"TwoDimensions", "k<<<dim3(2, 3), 32>>>(a, b, n);", "k<2,3,1>(a b)"},
    {"ShapeInBranch", "int g = 1; if (n > 3) g = 2; k<<<g, 1>>>(a, b, n);",
     "k<value0>(a b)"},
    {"ShapeInLoop",
     "int g = 1; for (int i = 0; i < n; ++i) { k<<<g, 1>>>(a, b, n); ++g; }",
     "loop {k<value0>(a b)}"},
    {"Alias",
     "float *p = a; float *q = p + 4; k<<<1, 1>>>(p, b, n); "
     "k<<<1, 1>>>(q, &b[n], n);",
     "k<1>(a b); k<1>(a+16 b+4*value0)"},
    {"Swap", "std::swap(a, b); k<<<1, 1>>>(a, b, n);", "k<1>(b a)"},
    {"SwapByHand", "float *t = a; a = b; b = t; k<<<1, 1>>>(a, b, n);",
     "k<1>(b a)"},
    {"SwapInLoop",
     "for (int i = 0; i < n; ++i) { k<<<1, 1>>>(a, b, n); std::swap(a, b); }",
     "loop {k<1>(a?a?b? b?a?b?)}"},
    {"SwapByHandInLoop",
     "for (int i = 0; i < n; ++i) { k<<<1, 1>>>(a, b, n); float *t = a; a = "
     "b; b = t; k<<<1, 1>>>(a, b, n); } k<<<1, 1>>>(a, b, n);",
     "loop {k<1>(a?a?b? b?a?b?); k<1>(b?a?b? a?a?b?)}; k<1>(a?a?b? b?a?b?)"},
    {"PointerInBranch", "float *p = a; if (n) p = b; k<<<1, 1>>>(p, b, n);",
     "k<1>(p?a?b? b)"},
    {"PointerByChoice", "k<<<1, 1>>>(n ? a : b, b, n);",
     "k<1>(n ? a : b?a?b? b)"},
    {"CheckMacro",
     "CHECK(cudaMemset(a, 0, n)); k<<<1, 1>>>(a, b, n); "
     "CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());",
     "set a:w; k<1>(a b); check; sync"},
    {"CheckFunction",
     "OK(cudaMemset(a, 0, n)); k<<<1, 1>>>(a, b, n); OK(cudaGetLastError());",
     "set a:w; k<1>(a b); check"},
    {"CheckByHand",
     "k<<<1, 1>>>(a, b, n); cudaError_t e = cudaGetLastError(); if (e != "
     "cudaSuccess) { printf(\"no\"); return; } k<<<1, 1>>>(b, a, n);",
     "k<1>(a b); check; check; k<1>(b a)"},
    {"ConditionalReadBack",
     "float h; for (int i = 0; i < n; ++i) { k<<<1, 1>>>(a, b, n); if (i % 8 "
     "== 0) cudaMemcpy(&h, b, 4, cudaMemcpyDeviceToHost); }",
     "loop {k<1>(a b); branch b:r}"},
    {"Copies",
     "float *h = (float *)malloc(n); cudaMemcpy(a, h, n, "
     "cudaMemcpyHostToDevice); cudaMemcpy(b, a, n, cudaMemcpyDeviceToDevice);"
     " cudaMemcpy(h, b, n, cudaMemcpyDeviceToHost); cudaMemcpy(h, b, n, "
     "cudaMemcpyDefault); k<<<1, 1>>>(a, b, n);",
     "to-device a:w; on-device a:r b:w; to-host b:r; to-host b:r; k<1>(a b)"},
    {"Symbols",
     "float h[16]; cudaMemcpyToSymbol(weights, h, 64); "
     "cudaMemcpyFromSymbol(h, table, 64); k<<<1, 1>>>(a, b, n);",
     "to-device weights:w; to-host table:r; k<1>(a b)"},
    {"Unbraced",
     "for (int i = 0; i < n; ++i) k<<<1, 1>>>(a, b, n); if (n) "
     "k<<<1, 1>>>(a, b, n); else k<<<2, 1>>>(a, b, n);",
     "loop {k<1>(a b)}; branch {k<1>(a b)} {k<2>(a b)}"},
    {"Block", "{ k<<<1, 1>>>(a, b, n); k<<<1, 1>>>(b, a, n); }",
     "branch {k<1>(a b); k<1>(b a)}"},
    {"Switch",
     "switch (n) { case 1: k<<<1, 1>>>(a, b, n); break; default: k<<<2, "
     "1>>>(a, b, n); }",
     "branch {k<1>(a b); plain leaves} {k<2>(a b)}"},
    {"Record",
     "Fields f = {a, b, n, dim3(2)}; ks<<<f.g, 1>>>(f); f.u = b; "
     "ks<<<f.g, 1>>>(f);",
     "ks<2>(a b); ks<2>(b b)"},
    {"Managed",
     "float *m; cudaMallocManaged(&m, n); k<<<1, 1>>>(a, m, n); float s = "
     "m[0]; m[1] = s; k<<<1, 1>>>(m, b, n);",
     "alloc m:w; k<1>(a m); call m:r; call m:rw; k<1>(m b)"},
    {"HostMemory",
     "float *h = new float[n]; k<<<1, 1>>>(a, b, n); h[0] = 1; "
     "fill(h, n); k<<<1, 1>>>(a, b, n);",
     "k<1>(a b); k<1>(a b)"},
    {"UnseenCall", "k<<<1, 1>>>(a, b, n); unseen(a); k<<<1, 1>>>(b, a, n);",
     "k<1>(a b); opaque; k<1>(b a)"},
    {"Timing",
     "cudaEvent_t e; cudaEventCreate(&e); k<<<1, 1>>>(a, b, n); "
     "cudaEventRecord(e); k<<<1, 1>>>(b, a, n);",
     "k<1>(a b); timing; k<1>(b a)"},
    {"EventsOrderStreams",
     "cudaEvent_t e; cudaStream_t s; k<<<1, 1>>>(a, b, n); "
     "cudaEventRecord(e); cudaStreamWaitEvent(s, e, 0);",
     "k<1>(a b); opaque; opaque"},
    {"GlobalValue",
     "k<<<total, 1>>>(a, b, n); seen(n); k<<<total, 1>>>(a, b, n); count(); "
     "k<<<total, 1>>>(a, b, n);",
     "k<value0>(a b); k<value0>(a b); k<value1>(a b)"},
    {"HostNamesake",
     "k<<<total, 1>>>(a, b, n); k(3); k<<<total, 1>>>(a, b, n);",
     "k<value0>(a b); k<value1>(a b)"},
    {"FunctionPointer",
     "void (*p)(const float *, float *, int) = k; p<<<1, 1>>>(a, b, n);",
     "opaque"},
    {"CommaLaunch", "k<<<1, 1>>>(a, b, n), k<<<1, 1>>>(b, a, n);", "opaque"},
    {"PointerTable",
     "float *t[2] = {a, b}; k<<<1, 1>>>(t[0], t[1], n); t[0] = b; k<<<1, "
     "1>>>(t[0], t[1], n);",
     "k<1>(a b); k<1>(b b)"},
    {"OpenIndex",
     "float *t[2] = {a, b}; k<<<1, 1>>>(t[n], a, n); k<<<1, 1>>>(t[n], a, n);"
     " t[1] = a; k<<<1, 1>>>(t[n], a, n);",
     "k<1>(t[n]? a); k<1>(t[n]? a); k<1>(t[n]? a)"},
    {"FloatingShape",
     "k<<<(int)ceil(n / 256.0), 1>>>(a, b, n); k<<<(int)ceil(n / 256.0), "
     "1>>>(a, b, n); ++n; k<<<(int)ceil(n / 256.0), 1>>>(a, b, n);",
     "k<term0>(a b); k<term0>(a b); k<term1>(a b)"},
    {"VectorSize",
     "std::vector<int> v(n); int c = v.size(); k<<<c, 1>>>(a, b, n); c = "
     "v.size(); k<<<c, 1>>>(a, b, n); v.push_back(1); c = v.size(); k<<<c, "
     "1>>>(a, b, n);",
     "k<term0>(a b); k<term0>(a b); k<term1>(a b)"},
    {"Label", "again: k<<<1, 1>>>(a, b, n); if (n) goto again;",
     "opaque leaves; plain leaves"},
    {"EarlyReturn",
     "int g = 1; if (n > 3) { g = 2; return; } k<<<g, 1>>>(a, b, n);",
     "plain leaves; k<1>(a b)"},
};

INSTANTIATE_TEST_SUITE_P(All, HostBody, ::testing::ValuesIn(Cases),
                         [](const auto &info) { return info.param.what; });

TEST(Host, WrapperEffectsReachItsArguments) {
  EXPECT_EQ(show(programOf("void w(float *p, float *q, int n) { k<<<n, 1>>>(p, "
                           "q, n); }\n"
                           "void f(int n) { float *a, *b; cudaMalloc(&a, n); "
                           "cudaMalloc(&b, n); k<<<1, 1>>>(a, b, n); "
                           "w(b, a, n); k<<<1, 1>>>(b, a, n); }")),
            "k<value0>(p q) | alloc a:w; alloc b:w; k<1>(a b); call a:w b:r; "
            "k<1>(b a)");
}

TEST(Host, MembersKeepTheirValueUntilAssigned) {
  EXPECT_EQ(show(programOf(
                "struct S { float *u, *v; int n; void run() { k<<<n, 1>>>(u, "
                "v, n); seen(3); k<<<n, 1>>>(v, u, n); n = 5; k<<<n, "
                "1>>>(u, v, n); unseen(0); k<<<n, 1>>>(u, v, n); } };\n")),
            "k<value0>(u? v?); k<value0>(v? u?); k<5>(u? v?); opaque; "
            "k<value1>(u? v?)");
}

TEST(Host, MembersBehindPointers) {
  Program program = programOf(
      "void f(Fields *p, Fields *q) { k<<<p->n, 1>>>(p->u, p->v, 1); "
      "k<<<p->n, 1>>>(p->u, p->v, 1); q->n = 3; k<<<p->n, 1>>>(p->u, p->v, 1);"
      " }");
  EXPECT_EQ(show(program), "k<value0>(p->u? p->v?); k<value0>(p->u? p->v?); "
                           "k<value1>(p->u? p->v?)");
  EXPECT_EQ(program.launches[0].pointers, program.launches[1].pointers);
  EXPECT_NE(program.launches[0].pointers, program.launches[2].pointers);
}

TEST(Host, InstantiationsShareTheirText) {
  Program program =
      programOf("template <typename T> void g(T *a, T *b) { kt<T><<<1, "
                "1>>>(a, b); }\nvoid f(float *a, int *b) { g(a, a); g(b, b); "
                "}\ntemplate <typename T> void h(T *a) { kt<<<1, 1>>>(a, a); "
                "}\nvoid e(float *a) { h(a); }");
  ASSERT_EQ(program.regions.size(), 3u);
  EXPECT_TRUE(program.regions[0].isShared);
  EXPECT_TRUE(program.regions[1].isShared);
  EXPECT_FALSE(program.regions[2].isShared);
  EXPECT_EQ(program.kernels.size(), 2u);
}

TEST(Host, Editable) {
  Program program = programOf(
      "#define GO(a, b) k<<<1, 1>>>(a, b, 1)\n#define SIZE 32\nvoid f(float "
      "*a, float *b) { GO(a, b); k<<<SIZE / 2, SIZE>>>(a, b, SIZE); if (a) "
      "k<<<1, 1>>>(a, b, 1); }");
  ASSERT_EQ(program.launches.size(), 2u);
  EXPECT_TRUE(program[program.launches[0].step].editable);
  EXPECT_EQ(program.launches[0].grid.expression.text, "SIZE / 2");
  EXPECT_EQ(program.launches[0].arguments[2].expression.text, "SIZE");
  EXPECT_FALSE(program[program.launches[1].step].editable);
  ASSERT_EQ(program.ignored.size(), 1u);
}

TEST(Host, Purity) {
  Program program =
      programOf("int id(); void f(float *a, int n, int m) { k<<<divUp(n, 2), "
                "dim3(1, 2)>>>(a, a, m++); k<<<id(), 1>>>(a, a, n); }");
  ASSERT_EQ(program.launches.size(), 2u);
  const Launch &first = program.launches[0], &second = program.launches[1];
  EXPECT_TRUE(first.grid.expression.isPure);
  EXPECT_TRUE(first.block.expression.isPure);
  EXPECT_FALSE(first.arguments[2].expression.isPure);
  EXPECT_FALSE(second.grid.expression.isPure);
  EXPECT_EQ(first.grid.expression.uses.size(), 1u);
  EXPECT_NE(first.scalars, second.scalars);
}

TEST(Host, LifetimeStatements) {
  Program program = programOf(
      "void f(int n) { float *a, *b, *c; cudaMalloc(&a, n); "
      "CHECK(cudaMalloc(&b, n)); cudaMalloc(&c, n); cudaMemset(b, 0, n); "
      "k<<<1, 1>>>(a, b, n); k<<<1, 1>>>(b, c, n); float h; cudaMemcpy(&h, c, "
      "4, cudaMemcpyDeviceToHost); unseen(a); cudaFree(a); CHECK(cudaFree(b));"
      " cudaFree(c); }");
  for (const Array &array : program.arrays)
    EXPECT_EQ(array.lifetimeStatements.size(), array.name == "b" ? 3u : 0u)
        << array.name;
}

TEST(Host, Escapes) {
  Program program = programOf(
      "Fields fields; std::vector<float *> list;\nvoid f(int n) { float *a, "
      "*b, *c, *d; cudaMalloc(&a, n); cudaMalloc(&b, n); cudaMalloc(&c, n); "
      "cudaMalloc(&d, n); fields.u = a; list.push_back(b); unseen(c); k<<<1, "
      "1>>>(a, b, n); k<<<1, 1>>>(c, d, n); printf(\"%p\", d); }");
  for (const Array &array : program.arrays)
    EXPECT_EQ(array.escapes, array.name != "d") << array.name;
}

/// Returns whether the second launch may receive b for `x`. The pointer holds
/// c, or b if `code` assigns it.
bool mayBeOther(const std::string &code) {
  const Program program = programOf(
      "struct Pair { float *one; int n; };\n"
      "void f(int n) { float *a, *b, *c; cudaMalloc(&a, n); cudaMalloc(&b, n); "
      "cudaMalloc(&c, n); float *x = c; " +
      code + " k<<<1, 1>>>(a, b, n); k<<<1, 1>>>(x, a, n); }");
  const PointerValue &given = program.launches.back().pointers.front();
  const Array &array = program[given.array];
  const auto isOther = [&](ArrayId id) {
    return program[id].name == "b" && !program[id].escapes;
  };
  bool escapes = false;
  for (const Array &each : program.arrays)
    escapes |= each.name == "b" && each.escapes;
  return escapes || isOther(given.array) ||
         std::any_of(array.candidates.begin(), array.candidates.end(), isOther);
}

TEST(Host, PointersThatMayHoldAnother) {
  for (const char *code : {
           "x = b;",
           "if (n) x = b;",
           "x = n ? b : c;",
           "n && (x = b, true);",
           "n ? (void)(x = b) : (void)(x = c);",
           "if ((x = b)) ++n;",
           "float *y; x = y = b;",
           "float *y = x = b;",
           "float *const &y = n ? b : c; x = y;",
           "Pair p = n ? Pair{b, 1} : Pair{c, 2}; x = p.one;",
           "Pair p{c, 1}, q{b, 1}; p.operator=(q); x = p.one;",
           "for (int i = 0; i < n; ++i) if (i == 1) { x = b; break; }",
           "for (int i = 0; i < n; ++i) if (i == 1) { x = n ? b : c; break; }",
           "for (int i = 0; i < n; ++i) { x = b; if (n > 2) continue; x = c; }",
           "switch (n) { case 1: x = b; break; default: x = c; }",
           "switch (n) { case 1: x = n ? b : c; break; default: x = c; }",
           "x = b; try { if (n) throw 1; x = c; } catch (int) { }",
           "try { x = n ? b : c; if (n) throw 1; x = c; } catch (int) { }",
           "auto *p = new Pair{b, 1}; x = p->one;",
       })
    EXPECT_TRUE(mayBeOther(code)) << code;
  for (const char *code : {
           "",
           "float *y = b; y = c; x = y;",
           "for (int i = 0; i < n; ++i) { float *y = b; y = c; }",
           "try { x = a; x = c; } catch (int) { x = c; }",
       })
    EXPECT_FALSE(mayBeOther(code)) << code;
}

} // namespace
} // namespace kfuse
