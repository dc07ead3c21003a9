//===- SourceUnit.h - A parsed input --------------------------------------===//
//
//   arguments ──parse()──▶ SourceUnit ──extract()──▶ Program
//                            │     ▲
//                            └─────┘ rewritings
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_PARSE_SOURCEUNIT_H
#define KFUSE_FRONTEND_PARSE_SOURCEUNIT_H

#include "frontend/syntax/SourceMap.h"
#include "graphs/program/Program.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTUnit;
}

namespace kfuse {

/// How CUDA was read in the end, if `--cuda-path` doesn't say it.
struct ReadingMode {
  std::string toolkit;         ///< read with its headers, unless empty
  bool isForLibraries = false; ///< only what kfuse has no header of is its
  bool hasAllNames = false;    ///< of the library, as with nvcc's own header

  friend bool operator==(const ReadingMode &, const ReadingMode &) = default;
};

/// How to read the input.
struct ParseOptions {
  std::string input; ///< path of the file
  /// Flags for the compiler in the order given: `-I`, `-D`, `-std` and those
  /// after `--`; nvcc-only flags among them are dropped.
  std::vector<std::string> flags;
  std::string language;    ///< of `-x`: `cuda`, `cl`, or empty to detect
  std::string cudaPath;    ///< a CUDA toolkit to parse with, or empty
  std::string buildPath;   ///< folder of a compile_commands.json, or empty
  std::string resourceDir; ///< Clang's; empty for the one baked in
  /// Loops that stay as they are written, whatever their passes launch.
  std::set<std::string> keptLoops;
  std::vector<std::string> clocks; ///< functions that look only at a clock
  ReadingMode mode; ///< of the text that this one was derived from
};

/// The kernels of an OpenCL program, a unit of their own.
struct KernelUnit {
  std::unique_ptr<clang::ASTUnit> ast; ///< null if they can't be known
  std::string obstacle;                ///< why
  std::string path;                    ///< what to call the text
  KernelString string;                 ///< except the number of the file
};

/// One parsed translation unit: owns the AST and the input's text.
class SourceUnit {
public:
  SourceUnit(std::unique_ptr<clang::ASTUnit> ast, std::string path,
             unsigned errors);
  ~SourceUnit();
  SourceUnit(SourceUnit &&) noexcept;
  SourceUnit &operator=(SourceUnit &&) noexcept;

  clang::ASTUnit &ast() const { return *Ast; }
  const std::string &path() const { return Path; }
  /// Returns the input's bytes, as parsed.
  const std::string &text() const { return Text; }
  /// Returns how these bytes were derived from the input's bytes as read.
  const Origins &origins() const { return From; }
  /// Returns the headers that were read with other texts, by path.
  const std::map<std::string, std::string> &headers() const { return Headers; }
  const Replacements &replacements() const { return Replaced; }
  unsigned errors() const { return Errors; }
  const ReadingMode &mode() const { return Mode; }
  void setMode(ReadingMode mode) { Mode = std::move(mode); }
  Language language() const {
    return Kernels ? Language::OpenCL : Language::Cuda;
  }
  /// Returns the kernels of an OpenCL program; nullptr if they are in this
  /// unit.
  const KernelUnit *kernels() const { return Kernels.get(); }
  void setKernels(KernelUnit kernels);

  /// Sets the origins of `text`, which was derived from the text of `before`.
  void setOrigins(const SourceUnit &before, const MappedText &text);
  void setReplacements(Replacements all) { Replaced = std::move(all); }
  void setHeaders(std::map<std::string, std::string> all) {
    Headers = std::move(all);
  }
  void addRefused(const Refusals &more) { Replaced.refused.add(more); }

private:
  std::unique_ptr<clang::ASTUnit> Ast;
  std::unique_ptr<KernelUnit> Kernels;
  std::string Path;
  std::string Text;
  Origins From;
  std::map<std::string, std::string> Headers;
  Replacements Replaced;
  ReadingMode Mode;
  unsigned Errors = 0;
};

} // namespace kfuse

#endif
