//===- CpuCompiler.h - Builds a CUDA program for the CPU ------------------===//
//
//   CpuBuild ──mirror()──▶ rewritten files ──clang++──▶ program
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_RUNTIME_CPUCOMPILER_H
#define KFUSE_RUNTIME_CPUCOMPILER_H

#include <optional>
#include <string>
#include <vector>

namespace kfuse {

struct CpuBuild {
  std::string input; ///< path of the file, for #line and relative includes
  std::optional<std::string> text; ///< instead of the file's content
  std::string output;
  /// Flags for the compiler in the order given; nvcc-only ones are dropped or
  /// translated.
  std::vector<std::string> flags;
  bool sanitize = false; ///< enables the address and UB sanitizers
  bool record = false;   ///< records device accesses; excludes `sanitize`
  int optimisation = 0;  ///< the level for -O, if the flags have none
  std::string keep;      ///< folder to keep the rewritten files in, or empty
  bool force = false;    ///< overwrites read-only files, too
};

struct CpuBuildResult {
  bool ok = false;
  std::string diagnostics;
};

/// Rewrites the input and the user's files that it includes, and compiles them
/// with the executor. Never throws; every failure is in the diagnostics.
CpuBuildResult compileForCpu(const CpuBuild &build);

/// Precompiles the executor's header for sanitized, recorded or plain programs
/// into `build.output`, and the code of a sanitized one into an archive beside
/// it. compileForCpu() takes them from the folder of kfuse's own build: the
/// header takes more time than most programs.
CpuBuildResult precompileForCpu(const CpuBuild &build);

} // namespace kfuse

#endif
