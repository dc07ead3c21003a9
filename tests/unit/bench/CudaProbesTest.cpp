//===- CudaProbesTest.cpp - The program that measures CUDA devices --------===//

#include "bench/roofline/CudaProbes.h"

#include "system/Output.h"
#include "system/Scratch.h"

#include <gtest/gtest.h>

#include <atomic>

namespace kfuse {
namespace {

TEST(CudaProbes, Progress) {
  struct {
    const char *written;
    std::optional<double> done;
  } const cases[] = {
      {"", std::nullopt}, {"1%", std::nullopt}, // written in part
      {"1%\n", 0.01},     {"1%\n37%\n38", 0.37},
      {"100%\n", 1},      {"error: 3%\n%\n", std::nullopt}};
  for (const auto &each : cases)
    EXPECT_EQ(progressIn(each.written), each.done) << each.written;
}

TEST(CudaProbes, ReadsWhatTheProgramPrints) {
  const CudaMeasurements read = cudaMeasurements(R"({"limits": {
    "lineBytes": 128, "computeCapability": 90, "clockKilohertz": 1980000,
    "memoryKilohertz": 2619000, "memoryBusBits": 5120,
    "threadsPerMultiprocessor": 2048, "blocksPerMultiprocessor": 32,
    "registersPerMultiprocessor": 65536, "sharedPerMultiprocessor": 233472,
    "sharedReservedPerBlock": 1024}, "passes": 2,
    "series": {"copy": [[4096, [1e9, 2e9]], [8192, [3e9, 4e9]]]}})");
  EXPECT_EQ(read.measured.error, "");
  EXPECT_EQ(read.limits.computeCapability, 90U);
  EXPECT_EQ(read.measured.passes, 2U);
  ASSERT_EQ(read.measured.series.at("copy").size(), 2U);
  EXPECT_EQ(read.measured.series.at("copy")[1].samples[0], 3e9);
  for (const char *wrong : {"", "[]", "{}", R"({"limits": {}})"})
    EXPECT_NE(cudaMeasurements(wrong).measured.error, "") << wrong;
}

/// Writes a script that stands for nvcc; returns its path.
std::string scriptAt(const ScratchFolder &folder, const std::string &text) {
  const std::string path = folder.file("nvcc");
  WriteOptions options;
  options.isExecutable = true;
  EXPECT_EQ(writeOutput(path, "#!/bin/sh\n" + text, options), "");
  return path;
}

/// Returns a compiler that makes a script of these lines: the word after -o is
/// its path.
std::string buildsScript(const std::string &lines) {
  return "while [ \"$1\" != -o ]; do shift; done\n"
         "cat > \"$2\" <<'END'\n#!/bin/sh\n" +
         lines + "\nEND\nchmod +x \"$2\"\n";
}

TEST(CudaProbes, BuildsAndRunsTheProgram) {
  const ScratchFolder folder("kfuse-test");
  ASSERT_TRUE(folder.good());
  struct {
    const char *what;
    std::string nvcc, error;
  } const cases[] = {{"fails", "echo 'no such architecture'; exit 2",
                      "nvcc ends with code 2:\nno such architecture\n"},
                     {"a program that fails", "exit 3",
                      "the program for CUDA ends with code 3:\nhalf done\n"},
                     {"a program that prints nothing", "exit 0",
                      "the program for CUDA printed something else: "}};
  for (const auto &test : cases) {
    const bool isCompiler = test.what == std::string("fails");
    const std::string nvcc = scriptAt(
        folder, isCompiler
                    ? test.nvcc
                    : buildsScript("echo 'half done' >&2\n" + test.nvcc));
    const std::string error =
        probeCuda({}, {}, nvcc, [](double) {}).measured.error;
    EXPECT_EQ(error.substr(0, test.error.size()), test.error) << test.what;
  }
}

TEST(CudaProbes, ProgressIsToldWhileTheProgramRuns) {
  const ScratchFolder folder("kfuse-test");
  std::atomic<double> last = -1;
  const CudaMeasurements failed =
      probeCuda({}, {},
                scriptAt(folder, buildsScript("echo 12% >&2\nsleep 1\n"
                                              "echo 'half done' >&2\n"
                                              "exit 3")),
                [&](double done) { last = done; });
  EXPECT_EQ(last, 0.12);
  EXPECT_EQ(failed.measured.error,
            "the program for CUDA ends with code 3:\nhalf done\n");
}

TEST(CudaProbes, FindsTheCompiler) {
  const ScratchFolder folder("kfuse-test");
  const std::string nvcc = scriptAt(folder, "");
  EXPECT_EQ(nvccPath(nvcc), nvcc);
  EXPECT_EQ(nvccPath(folder.file("other")), "");
  EXPECT_EQ(nvccPath("no-such-compiler"), "");
}

} // namespace
} // namespace kfuse
