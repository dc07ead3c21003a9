//===- OpenCl.cpp - Table tests for OpenCL host code ----------------------===//
//
// Each case is a piece of host code. Its launches are printed with the storage
// that they are given, or with the reason why they aren't members of K. Other
// steps are printed as their kinds.
//
//===----------------------------------------------------------------------===//

#include "OpenClTesting.h"

#include <gtest/gtest.h>

#include <regex>

namespace kfuse {
namespace {

constexpr const char *Prelude = R"(
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
static const char *text =
    "__kernel void f(__global const float *from, __global float *to, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) to[i] = from[i];\n"
    "}\n"
    "__kernel void g(__global float *x, __local float *l) {\n"
    "  x[get_group_id(0)] = 0;\n"
    "}\n"
    "__kernel void h(__global float *x) { x[get_local_id(0)] = 0; }\n";
static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    fprintf(stderr, "%s %d\n", what, error);
    exit(1);
  }
}
static void count(int error) {
  static int calls;
  ++calls;
  if (error) exit(1);
}
#define CHECK(call) do { cl_int e = (call); if (e) exit(e); } while (0)
#define SET(k, i, v) clSetKernelArg(k, i, sizeof(v), &v)
#define BYTES(n) clSetKernelArg(j, 1, n, NULL)
int unseen(void);
static cl_kernel at;
static void rearm(cl_kernel k, cl_mem x) { SET(k, 0, x); }
static void start(cl_program p) { at = clCreateKernel(p, "f", NULL); }
int main(int argc, char **argv) {
  cl_int err;
  cl_device_id device = 0;
  cl_context x = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  cl_command_queue q = clCreateCommandQueue(x, device, 0, &err);
  cl_program p = clCreateProgramWithSource(x, 1, &text, NULL, &err);
  clBuildProgram(p, 1, &device, "-DN=4", NULL, NULL);
  cl_kernel k = clCreateKernel(p, "f", &err);
  cl_kernel j = clCreateKernel(p, "g", &err);
  cl_kernel m = clCreateKernel(p, "h", &err);
  cl_mem a = clCreateBuffer(x, CL_MEM_READ_WRITE, 64, NULL, &err);
  cl_mem b = clCreateBuffer(x, CL_MEM_READ_WRITE, 64, NULL, &err);
  cl_mem c = clCreateBuffer(x, CL_MEM_READ_WRITE, 64, NULL, &err);
  cl_mem few[2] = {a, b};
  int n = 16, t = 0;
  float w = 0;
  size_t size = 16, part = 4, sizes[2] = {16, 16};
)";

Program programOf(const std::string &code) {
  // A launch inside a macro isn't recognised, so RUN is replaced here.
  return programIn(
      Prelude +
          std::regex_replace(code, std::regex(R"(RUN\((\w+)\))"),
                             "clEnqueueNDRangeKernel(q, $1, 1, NULL, "
                             "&size, NULL, 0, NULL, NULL)") +
          "\n return 0; }\n",
      ".c");
}

std::string launchesOf(const std::string &code) {
  return printLaunches(programOf(code));
}

constexpr const char *Arguments = "SET(k, 0, a); SET(k, 1, b); SET(k, 2, n); ";

TEST(OpenCl, LaunchesHaveTheArgumentsThatWereSetLast) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"RUN(k);", "f(a, b, 16)"},
      {"RUN(k); SET(k, 0, c); RUN(k);", "f(a, b, 16); f(c, b, 16)"},
      {"n = 8; RUN(k);", "- argument 'n' was set before its variable changed"},
      {"n = 8; SET(k, 2, n); RUN(k);", "f(a, b, 8)"},
      {"cl_kernel l = k; SET(l, 1, c); RUN(k);", "f(a, c, 16)"},
      {"if (argc > 1) SET(k, 0, c); RUN(k);",
       "- argument 'from' isn't known to be the value of a variable"},
      {"if (argc > 1) n = 4; RUN(k);",
       "- argument 'n' was set before its variable changed"},
      {"for (t = 0; t < 3; ++t) { RUN(k); SET(k, 0, c); }",
       "- argument 'from' isn't known to be the value of a variable"},
      {"for (t = 0; t < 3; ++t) { SET(k, 0, c); RUN(k); }", "f(c, b, 16)"},
      {"rearm(k, c); RUN(k);",
       "- argument 'from' isn't known to be the value of a variable"},
      {"check(SET(k, 0, c), \"c\"); RUN(k);", "f(c, b, 16)"},
      {"t = 0; clSetKernelArg(k, t++, sizeof(c), &c); RUN(k);", "f(c, b, 16)"},
      {"SET(k, 0, few[1]); RUN(k);", "f(b, b, 16)"},
      {"SET(k, 2, w); RUN(k);",
       "- argument 'n' is of another type than the kernel's parameter"},
      {"SET(k, 2, size); RUN(k);",
       "- argument 'n' is of another type than the kernel's parameter"},
      {"clSetKernelArg(k, 0, 64, NULL); RUN(k);",
       "- argument 'from' is of another type than the kernel's parameter"},
      {"{ int n = 3; SET(k, 2, n); } RUN(k);",
       "- argument 'n' was set from a variable that has no name here"},
      {"unseen(); RUN(k);",
       "- argument 'from' isn't known to be the value of a variable"},
      {"fprintf(stderr, \"launch\"); RUN(k);", "f(a, b, 16)"},
  };
  for (const auto &[code, expected] : cases)
    EXPECT_EQ(launchesOf(Arguments + code), expected) << code;
}

TEST(OpenCl, LocalMemoryHasTheBytesThatWereSetLast) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"BYTES(64); RUN(&part);", "g(a, ) 64"},
      {"BYTES(part * sizeof(float)); RUN(&part);", "g(a, ) 16"},
      {"BYTES(64); BYTES(128); RUN(&part);", "g(a, ) 128"},
      {"size_t open = argc; BYTES(open * sizeof(cl_float)); RUN(&part);",
       "g(a, ) open * sizeof(cl_float)"},
      {"size_t open = argc; BYTES(open); open *= 2; RUN(&part);",
       "- argument 'l' has a size that changed after it was set"},
      {"if (argc > 1) BYTES(64); RUN(&part);",
       "- argument 'l' isn't known to be the value of a variable"},
      {"{ size_t own = argc; BYTES(own); } RUN(&part);",
       "- argument 'l' has a size that has no name here"},
      {"BYTES(unseen()); RUN(&part);",
       "- argument 'x' isn't known to be the value of a variable"},
      {"SET(j, 1, b); RUN(&part);",
       "- argument 'l' is of another type than the kernel's parameter"},
      {"BYTES(64); RUN(NULL);",
       "- the runtime chooses its work-groups, and they matter to it"},
  };
  for (const auto &[code, expected] : cases) {
    const std::string launched = std::regex_replace(
        code, std::regex(R"(RUN\((&?\w+)\))"),
        "clEnqueueNDRangeKernel(q, j, 1, NULL, &size, $1, 0, NULL, NULL)");
    const Program program = programOf("SET(j, 0, a); " + launched);
    std::string text = printLaunches(program);
    for (const Launch &launch : program.launches)
      text += " " + launch.arguments.back().expression.text;
    EXPECT_EQ(text, expected) << code;
  }
}

TEST(OpenCl, KernelObjectsAtFileScopeAreKnown) {
  EXPECT_EQ(launchesOf("start(p); SET(at, 0, a); SET(at, 1, b); SET(at, 2, n); "
                       "check(clFinish(q), \"\"); RUN(at);"),
            "f(a, b, 16)");
}

TEST(OpenCl, LaunchesThatAreNoMembers) {
  const std::string run = "clEnqueueNDRangeKernel(q, k, ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {run + "1, &part, &size, NULL, 0, NULL, NULL);",
       "- its work-items begin at an offset"},
      {"cl_event e; " + run + "1, NULL, &size, NULL, 0, NULL, &e);",
       "- an event tells of it"},
      {run + "2, NULL, &size, NULL, 0, NULL, NULL);",
       "- its global sizes can't be followed"},
      {run + "1, NULL, (size_t *)&n, NULL, 0, NULL, NULL);",
       "- its global sizes can't be followed"},
      {run + "1, NULL, &sizes[1], NULL, 0, NULL, NULL);",
       "- its global sizes can't be followed"},
      {run + "2, NULL, sizes, NULL, 0, NULL, NULL);", "f(a, b, 16)"},
      {run + "1, NULL, &size, &part, 0, NULL, NULL);", "f(a, b, 16)"},
      {"part = 5; " + run + "1, NULL, &size, &part, 0, NULL, NULL);",
       "- its local sizes don't divide the global ones"},
      {"SET(j, 0, a); clSetKernelArg(j, 1, 64, NULL); RUN(j);",
       "- the runtime chooses its work-groups, and they matter to it"},
      {"SET(m, 0, a); RUN(m);",
       "- the runtime chooses its work-groups, and they matter to it"},
      {"SET(m, 0, a); clEnqueueNDRangeKernel(q, m, 1, NULL, &size, &part, 0, "
       "NULL, NULL);",
       "h(a, )"},
      {"t = RUN(k) + RUN(k);", "- the launch is part of a larger statement; - "
                               "the launch is part of a larger statement"},
      {"err = RUN(k);", "f(a, b, 16)"},
      {"err |= RUN(k);", "f(a, b, 16)"},
      {"check(RUN(k), \"f\");", "f(a, b, 16)"},
      {"CHECK(RUN(k));", "f(a, b, 16)"},
      {"if (RUN(k) != CL_SUCCESS) return 1;", "f(a, b, 16)"},
      {"if (RUN(k)) { printf(\"no\"); exit(1); }", "f(a, b, 16)"},
      {"if ((err = RUN(k)) < 0) return 1;", "f(a, b, 16)"},
      {"if (RUN(k) == CL_SUCCESS) return 1;",
       "- the launch is part of a larger statement"},
      {"if (RUN(k)) n = 4;", "f(a, b, 16)"},
      {"if (RUN(k)) return 1; else n = 4;",
       "- the launch is part of a larger statement"},
      {"if (t || RUN(k)) return 1;",
       "- the launch is part of a larger statement"},
      {"if (RUN(k))\n#ifdef X\nreturn 2;\n#else\nreturn 1;\n#endif\n",
       "- a preprocessing directive is in it"},
      {"q = clCreateCommandQueue(x, device, 1, &err); RUN(k);",
       "- a command queue may run commands in another order"},
      {"char s[64]; clGetProgramInfo(p, CL_PROGRAM_SOURCE, 64, s, NULL); "
       "RUN(k);",
       "- the host asks for the text of its program"},
      {"puts(text); RUN(k);", "- the host does more with the text of the "
                              "kernels than to make the program"},
      {"clBuildProgram(p, 1, &device, \"\", NULL, NULL); RUN(k);",
       "- the program is built with options that aren't followed"},
  };
  for (const auto &[code, expected] : cases)
    EXPECT_EQ(launchesOf(Arguments + code), expected) << code;
}

TEST(OpenCl, ChecksAreOfWhatOpenClReturned) {
  // The flag says whether the program may end there without an OpenCL error.
  const std::vector<std::pair<std::string, bool>> cases = {
      {"check(err, \"\");", false},
      {"if (err) exit(1);", false},
      {"if (err != CL_SUCCESS) { printf(\"%d\", err); return 1; }", false},
      {"if (err < 0) return 1;", false},
      {"err = clFinish(q); err |= clFlush(q); if (err) return 1;", false},
      {"if (clFinish(q) != CL_SUCCESS) return 1;", false},
      {"t = clFinish(q); if (t) return 1;", false},
      {"err = unseen(); if (err) return 1;", true},
      {"err = unseen(); check(err, \"\");", true},
      {"check(-5, \"\");", true},
      {"if (argc) return 1;", true},
      {"t = argc > 1 ? -1 : 0; if (t) return 1;", true},
      {"if (argc > 1) t = -1; if (t != CL_SUCCESS) return 1;", true},
      {"t = clFinish(q); t = t + 1; if (t) return 1;", true},
      {"t = clFinish(q); int *l = &t; *l = argc; if (t) return 1;", true},
      {"if (err == CL_SUCCESS) return 1;", true},
      {"if (err > 0) return 1;", true},
  };
  for (const auto &[code, mayLeave] : cases) {
    const Program program = programOf(Arguments + ("RUN(k); " + code));
    ASSERT_GT(program.steps.size(), 1u) << code;
    EXPECT_EQ(program.steps[program.steps.size() - 2].mayLeave, mayLeave)
        << code;
  }
}

} // namespace
} // namespace kfuse
