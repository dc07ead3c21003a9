//===- OpenClTesting.cpp - OpenCL hosts as launches -----------------------===//

#include "OpenClTesting.h"

#include "frontend/Extract.h"
#include "frontend/parse/Parse.h"
#include "frontend/parse/SourceUnit.h"

#include <gtest/gtest.h>

#include <fstream>

namespace kfuse {

Program programIn(const std::string &text, const std::string &extension) {
  const std::string path =
      ::testing::TempDir() + "kfuse-opencl-" +
      ::testing::UnitTest::GetInstance()->current_test_info()->name() +
      extension;
  std::ofstream(path) << text;
  ParseOptions options;
  options.input = path;
  std::string diagnostics;
  std::unique_ptr<SourceUnit> unit = parse(options, diagnostics);
  EXPECT_TRUE(unit) << diagnostics << text;
  return unit ? extract(*unit) : Program{};
}

std::string printLaunches(const Program &program) {
  std::string text;
  for (const Launch &launch : program.launches) {
    text += (text.empty() ? "" : "; ") + program[launch.kernel].name + "(";
    for (const PointerValue &pointer : launch.pointers)
      text += program[pointer.array].name + ", ";
    for (const Polynomial &scalar : launch.scalars)
      text += print(scalar);
    text += ")";
  }
  for (const Program::Ignored &ignored : program.ignored)
    text += (text.empty() ? "- " : "; - ") + ignored.reason;
  return text;
}

} // namespace kfuse
