//===- ProgramBuildTest.cpp -----------------------------------------------===//

#include "bench/compare/ProgramBuild.h"
#include "bench/compare/Agreement.h"
#include "bench/compare/ProjectedPlan.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST(ProgramBuild, TellsSourcesFromPrograms) {
  struct Case {
    const char *path;
    bool isSource;
  };
  for (const Case &each : {Case{"a.cu", true},
                           {"b/a.c", true},
                           {"a.cpp", true},
                           {"a.cc", true},
                           {"a.cxx", true},
                           {"a", false},
                           {"a.out", false},
                           {"a.cu/b", false}})
    EXPECT_EQ(isSource(each.path), each.isSource) << each.path;
}

TEST(ProgramBuild, ChoosesTheBuilder) {
  EXPECT_EQ(builderOf("k<<<1, 1>>>();", true), Builder::Nvcc);
  EXPECT_EQ(builderOf("k<<<1, 1>>>();", false), Builder::Executor);
  EXPECT_EQ(builderOf("clEnqueueNDRangeKernel(q", true), Builder::Host);
}

TEST(ProgramBuild, PutsFlagsWhereTheCompilerWantsThem) {
  EXPECT_EQ(joined(buildCommand({Builder::Executor, "kfuse-cpu", {"-DN=3"}},
                                "a.cu", "", "a", BuildKind::Tracing)),
            "kfuse-cpu -O2 -I. a.cu -o a -- -DN=3");
  EXPECT_EQ(
      joined(buildCommand({Builder::Nvcc, "nvcc", {"-arch=sm_90"}}, "a.cu",
                          "src", "a", BuildKind::Plain)),
      "nvcc -O3 -std=c++17 -arch=native -x cu -Isrc -arch=sm_90 a.cu -o a");
  EXPECT_EQ(joined(buildCommand({Builder::Host, "cc", {}}, "a.c", "src", "a",
                                BuildKind::Plain)),
            "cc -O2 -Isrc a.c -lOpenCL -ldl -lm -pthread -o a");
}

TEST(ProgramBuild, AProgramThatRecordsItselfLeadsItsLaunchesThere) {
  const std::string command =
      joined(buildCommand({Builder::Nvcc, "nvcc", {}}, "a.cu", "", "a",
                          BuildKind::Recording, "events.o"));
  EXPECT_NE(command.find("-x cu -Xlinker events.o -Xlinker "
                         "--wrap=__cudaLaunchKernel "),
            std::string::npos)
      << command;
}

TEST(ProgramBuild, APlanThatIsNoneSaysWhy) {
  for (const char *text : {"", "{}", "[1]", R"({"device": 3})"})
    EXPECT_TRUE(std::holds_alternative<std::string>(parsePlan(text))) << text;
}

ProgramRun runOf(std::string output, std::string trace = "", int status = 0) {
  ProgramRun run;
  run.output = std::move(output);
  run.trace = std::move(trace);
  run.status = status;
  return run;
}

std::string differenceOf(const ProgramRun &one, const ProgramRun &other,
                         const ProgramRun &again,
                         const std::optional<TraceRules> &rules = {}) {
  return agreementOf(one, other, rules, [&] { return again; }).difference;
}

TEST(Agreement, StatusOutputAndTraces) {
  EXPECT_EQ(differenceOf(runOf("a\n"), runOf("a\n"), runOf("a\n")), "");
  EXPECT_EQ(differenceOf(runOf("a\n"), runOf("a\n", "", 3), runOf("a\n")),
            "the original ends with 0, the fused program with 3");
  EXPECT_EQ(differenceOf(runOf("a\nb\n"), runOf("a\nc\n"), runOf("a\nb\n")),
            "what they print differs in line 2");
  EXPECT_EQ(differenceOf(runOf("a\n"), runOf("a\nb\n"), runOf("a\n")),
            "what they print differs in line 2");
  EXPECT_NE(differenceOf(runOf("", "copy m:x#0 4 aa\n"),
                         runOf("", "copy m:x#0 4 bb\n"),
                         runOf("", "copy m:x#0 4 aa\n")),
            "");
}

TEST(Agreement, LinesThatTheOriginalChangesDontCount) {
  const Agreement found =
      agreementOf(runOf("1.3 s\nsum 4\n"), runOf("0.2 s\nsum 4\n"), {},
                  [] { return runOf("1.4 s\nsum 4\n"); });
  EXPECT_EQ(found.difference, "");
  EXPECT_EQ(found.unsteadyLines, 1U);
  EXPECT_EQ(differenceOf(runOf("1.3 s\nsum 4\n"), runOf("0.2 s\nsum 5\n"),
                         runOf("1.4 s\nsum 4\n")),
            "what they print differs in line 2");
}

TEST(Agreement, WithoutRulesOnlyTheHostsPartCounts) {
  const ProgramRun one = runOf("", "copy m:x#0 4 aa\nfree m:y#0 4 aa\n");
  const ProgramRun other = runOf("", "copy m:x#0 4 aa\nfree m:y#0 4 bb\n");
  EXPECT_EQ(differenceOf(one, other, one), "");
  EXPECT_NE(differenceOf(one, other, one, TraceRules{}), "");
  EXPECT_EQ(differenceOf(one, other, one, TraceRules{{"m:y"}}), "");
}

} // namespace
} // namespace kfuse
