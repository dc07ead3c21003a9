//===- ProgramBuild.h - Programs from sources -----------------------------===//
//
// A source is built with the compiler that its user would take. It is built a
// second time, where that is needed, to leave a trace (runtime/trace/Trace.h).
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_COMPARE_PROGRAMBUILD_H
#define KFUSE_BENCH_COMPARE_PROGRAMBUILD_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

class ScratchFolder;

enum class Builder : std::uint8_t {
  Nvcc,     ///< CUDA, for a GPU
  Executor, ///< CUDA, for the CPU: kfuse-cpu
  Host,     ///< the C or C++ compiler, for OpenCL
};

/// Measures the kernels of a program that nvcc builds.
enum class LaunchTimer : std::uint8_t {
  Cupti,  ///< a library that the driver loads
  Events, ///< a part of the program that puts events around each launch
};

/// How sources are built.
struct BuildOptions {
  Builder builder = Builder::Host;
  std::string compiler;           ///< a name or a path
  std::vector<std::string> flags; ///< of the user
  LaunchTimer timer = LaunchTimer::Cupti;
};

/// A program, and the one that leaves a trace; it may be the same.
struct BuiltProgram {
  std::string path, tracing;
  std::string recording; ///< that records its own launches; empty for none
  const char *traceVariable = ""; ///< that names the trace's file
  std::string error;              ///< the compiler's messages; empty on success
};

/// Checks whether the file is one to build, by the end of its name.
bool isSource(std::string_view path);

/// Returns what builds a source: a text with `<<<` is CUDA, any other OpenCL.
Builder builderOf(std::string_view text, bool hasGpu);

/// Returns the compiler that is taken if the user names none: nvcc, kfuse-cpu
/// beside kfuse-bench, or `CC`, `CXX`, `cc` and `c++`.
std::string defaultCompiler(Builder builder, std::string_view source);

/// The program that comes of a source.
enum class BuildKind : std::uint8_t { Plain, Tracing, Recording };

/// Returns the command that builds `source`. Headers are looked for in
/// `folder`, too. A program that records its launches gets `recorder`, an
/// object.
std::vector<std::string> buildCommand(const BuildOptions &options,
                                      const std::string &source,
                                      const std::string &folder,
                                      const std::string &output, BuildKind kind,
                                      const std::string &recorder = "");

/// Builds `source` into the scratch folder, under `name`. Its headers may be in
/// `folder`, where the original is.
BuiltProgram buildProgram(const BuildOptions &options,
                          const std::string &source, const std::string &folder,
                          const std::string &name,
                          const ScratchFolder &scratch);

} // namespace kfuse

#endif
