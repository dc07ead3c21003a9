//===- Compilation.h - What one run learned about its input ---------------===//
#ifndef KFUSE_DRIVER_PIPELINE_COMPILATION_H
#define KFUSE_DRIVER_PIPELINE_COMPILATION_H

#include "codegen/Generate.h"
#include "driver/pipeline/Totals.h"
#include "frontend/parse/SourceUnit.h"
#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"
#include "fusion/report/Explain.h"
#include "ga/problem/SearchOptions.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// The writer's remarks on the groups.
struct WriterRemarks {
  std::vector<Remark> refusals; ///< of groups that can't be put into the text
  GenerateResult::Notes notes;
};

/// Everything that one run learned about its input. Pinned in memory: the
/// problem refers to the program and the graphs beside it.
struct Compilation {
  std::unique_ptr<SourceUnit> unit;
  std::string diagnostics; ///< of the parser, formatted
  Program program;
  DependencyGraph deps;
  ExecutionGraph order;
  std::unique_ptr<Problem> problem;
  SearchResult search;
  FusionPlan plan;
  Totals before; ///< of the launches as the user wrote them
  WriterRemarks writer;
  std::vector<Remark> remarks;
  /// Names that a profile has and the program hasn't: those of libraries.
  std::vector<std::string> foreignKernels;
  GenerateOptions writing;
  std::string text;                  ///< the fused program
  std::vector<std::string> warnings; ///< about the profiles, formatted
  /// Names of kernels because of whose sums the text isolates values.
  std::set<std::string> isolating;
};

} // namespace kfuse

#endif
