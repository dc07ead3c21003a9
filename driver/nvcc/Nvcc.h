//===- Nvcc.h - What the compiler gives kernels ---------------------------===//
//
//   text ──nvcc -cubin -Xptxas -v──▶ registers and spills, by kernel
//        ──nvcc -cubin -lineinfo───▶ lines of its arithmetic
//
// Neither a GPU nor a linker is needed. Reports are kept from run to run, by
// the texts and the command that they are of.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_NVCC_NVCC_H
#define KFUSE_DRIVER_NVCC_NVCC_H

#include "fusion/plan/Measurements.h"
#include "graphs/program/Program.h"

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kfuse {

struct ParseOptions;

struct NvccJob {
  std::string command; ///< the compiler, and flags for it, with spaces between
  std::string input;   ///< path of the text's file: for relative includes
  std::vector<std::string> flags; ///< of which it gets those for its input
  std::string text;
  std::vector<SourceFile> included; ///< the user's other files
  /// The included files, by path, that are to be read otherwise.
  std::map<std::string, std::string> headers = {};
  bool hasLines = false; ///< of its arithmetic are asked for
};

/// Returns the compiler that builds the program: that of its command in the
/// compilation database, else nvcc if there is one. The result includes the
/// flags that the compiler gets there or on the command line. Empty if there is
/// none.
std::string programCompiler(const ParseOptions &options);

/// Returns the compiler's name with its release, as the compiler reports it,
/// the device that it makes code for, and its flags: `nvcc 13.0 (sm_90, -O3)`.
std::string compilerName(const std::string &command, const std::string &device);

/// Returns the command with the flags that nvcc takes from its environment.
std::string wholeCommand(const std::string &command);

/// Returns whether a header of the input can have another text: the compiler
/// reads copies of the files that lie beside and below the input.
bool canReadOtherwise(const std::string &header, const std::string &input);

/// Returns the kernels of the text, or why the compiler said nothing.
std::variant<CompiledKernels, std::string> compiledKernels(const NvccJob &job);

/// Returns the kernels that a report describes: what the compiler printed, and
/// the lines on each kernel's code and arithmetic.
CompiledKernels readReport(std::string_view report);

} // namespace kfuse

#endif
