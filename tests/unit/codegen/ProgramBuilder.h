//===- ProgramBuilder.h - Programs for the code generator's tests ---------===//
//
// Parses a simple CUDA text without macros into a Program, in place of the
// front end. Each `P[...]` of a pointer parameter P is an access at the
// thread's own index. Each `k<<<>>>()` in a host function is a launch, and each
// `x = ...;` is an assignment.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_TESTS_PROGRAMBUILDER_H
#define KFUSE_TESTS_PROGRAMBUILDER_H

#include "codegen/Generate.h"
#include "graphs/ExecutionGraph.h"
#include "graphs/program/Program.h"

#include <map>
#include <string>
#include <vector>

namespace kfuse::testing {

class ProgramBuilder {
public:
  explicit ProgramBuilder(std::string text);

  std::string source;
  Program program;

  /// Returns the array that has this name in the host code.
  ArrayId array(const std::string &name);
  VariableId variable(const std::string &name);
  Polynomial value(const std::string &text);

  /// Adds a group of launches (by their numbers in the text) to the plan.
  FusedKernel &group(const std::vector<unsigned> &launches);
  /// Places an array of the last group.
  ProgramBuilder &place(const std::string &array, PlacementKind kind,
                        std::vector<std::uint32_t> producers,
                        std::vector<std::uint32_t> consumers);

  FusionPlan plan;
  /// Generates code for the plan, after adding the remaining launches to it.
  GenerateResult generate();

private:
  void readKernels();
  void readKernel(std::size_t begin);
  void readAccesses(Kernel &kernel);
  void readGridStride(Kernel &kernel);
  void readFunctions();
  void readStatement(RegionId region, std::size_t begin, std::size_t end);
  void readLaunch(HostStep &step, RegionId region);
  void finish();
  SourceRange range(std::size_t begin, std::size_t end) const;

  std::map<std::string, ArrayId> Arrays;
  std::map<std::string, VariableId> Variables;
  std::map<std::string, Polynomial> Values;
};

} // namespace kfuse::testing

#endif
