//===- Program.h - What kfuse knows about a GPU program -------------------===//
//
// The value that the front end produces and every later pass reads. It is free
// of Clang: source positions are byte offsets, types are spelled strings with
// sizes, and expressions are polynomials with the user's text beside them.
//
//   Program ─┬─ kernels    __global__ functions (one entry per instantiation)
//            ├─ arrays     D: storage the launches touch
//            ├─ launches   K: the members of the partition problem
//            ├─ steps      host steps, in program order
//            └─ regions    the tree of host regions that holds the steps
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_PROGRAM_H
#define KFUSE_GRAPHS_PROGRAM_PROGRAM_H

#include "graphs/program/Host.h"
#include "graphs/program/Ids.h"
#include "graphs/program/Kernel.h"
#include "graphs/program/Polynomial.h"
#include "graphs/program/Terms.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// A place at which the input's text was rewritten before it was read: the
/// statements of a function for its call, the passes of a loop one by one.
struct Replacement {
  SourceRange range;    ///< of what stands there now
  std::string original; ///< what the user wrote
  /// The name defined there, whose definition goes when nothing mentions it,
  /// and the kernel that it rewrites, or empty.
  std::string defines, replacesKernel;
  KernelPart part; ///< that is defined there
  /// Replacements of one group belong together: an edit in one of them keeps
  /// all.
  std::string atomicGroup;
  /// The qualified name of the function whose statements stand for a call of
  /// it; empty of another replacement.
  std::string callOf;
  /// The begins of a loop's passes that stand there one by one, except the
  /// first; empty of another replacement.
  std::vector<std::uint32_t> passes;
  /// Sums are written to contract in one way, as in others with this set: one
  /// is proved with all of them, so that all stay or none.
  bool isContractionRewrite = false;
};

enum class Language : std::uint8_t { Cuda, OpenCL };

/// The string of the host's that an OpenCL program's kernels are: a file of its
/// own, to which text can be added.
struct KernelString {
  std::uint32_t file = 0; ///< of what the runtime compiles
  std::uint32_t end = 0;  ///< where the last literal ends, in the input
  bool isRaw = false;     ///< that literal is `R"(...)"`, and ends before `)`
  /// The start of the expression, up to `end`, that reads the string from a
  /// file when the program runs.
  std::optional<std::uint32_t> load;
  std::vector<std::string> macros; ///< that it defines, or its options
};

struct SourceFile {
  std::string path;
  std::string text = {}; ///< of the user's own files; empty for the system's
};

struct Program {
  Language language = Language::Cuda;
  std::vector<SourceFile> files; ///< 0 is the input; all of the user's
  std::optional<KernelString> kernelString; ///< of an OpenCL program
  /// Every macro that is defined at the end, the flags' and the system's too,
  /// except reserved names; and what macros of the flags mention.
  std::vector<std::string> macros;
  std::vector<Kernel> kernels;
  std::vector<Array> arrays;
  std::vector<Launch> launches;
  std::vector<HostStep> steps;
  /// The streams of copies and the like that the host doesn't wait for.
  std::vector<HostExpr> transferStreams;
  std::vector<Region> regions;
  std::vector<Variable> variables;
  std::vector<HostValue> values;
  std::vector<VariableDeclaration> declarations; ///< that could be shortened
  std::vector<Replacement> replaced;             ///< in the order of the text
  /// Texts of loops whose passes could stand one by one and don't.
  std::set<std::string> keptLoops;
  TermTable terms;
  /// Launches that were seen but can't be members of K (in a macro, through a
  /// function pointer, kernel not visible), with the reason.
  struct Ignored {
    SourceRange range;
    std::string reason;
  };
  std::vector<Ignored> ignored;

  const Kernel &operator[](KernelId id) const { return kernels[indexOf(id)]; }
  const Array &operator[](ArrayId id) const { return arrays[indexOf(id)]; }
  const Launch &operator[](LaunchId id) const { return launches[indexOf(id)]; }
  const HostStep &operator[](StepId id) const { return steps[indexOf(id)]; }
  const Region &operator[](RegionId id) const { return regions[indexOf(id)]; }
  const Kernel &kernelOf(LaunchId id) const {
    return (*this)[(*this)[id].kernel];
  }
  /// Returns Kernel::accesses of the launch's kernel. Numbers that don't wrap
  /// in this launch are written plainly in them.
  const std::vector<Access> &ownAccesses(const Launch &launch) const {
    return launch.unwrapped.empty() ? (*this)[launch.kernel].accesses
                                    : launch.unwrapped;
  }
};

/// Returns `Kernel::accesses` with the launch's values in place of Parameter,
/// BlockDim and GridDim symbols. An index that can't be bound becomes
/// NotPolynomial. A launch shape that isn't constant stays as its host value.
std::vector<Access> bindAccesses(const Kernel &kernel, const Launch &launch,
                                 TermTable &terms);

} // namespace kfuse

#endif
