//===- SourceUnit.h - A parsed input --------------------------------------===//
//
//   arguments ──parse()──▶ SourceUnit ──extract()──▶ Program
//                            │     ▲
//                            └─────┘ rewritings
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_PARSE_SOURCEUNIT_H
#define KFUSE_FRONTEND_PARSE_SOURCEUNIT_H

#include "frontend/syntax/Origins.h"
#include "graphs/program/Program.h"
#include "graphs/program/Renaming.h"
#include "graphs/program/Separation.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTUnit;
}

namespace kfuse {

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
};

/// The kernels of an OpenCL program, a unit of their own.
struct KernelUnit {
  std::unique_ptr<clang::ASTUnit> ast; ///< null where they can't be known
  std::string obstacle;                ///< why
  std::string path;                    ///< what to call the text
  KernelString string;                 ///< but for the number of the file
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
  /// The input's bytes, as parsed.
  const std::string &text() const { return Text; }
  /// How these came from the input's bytes as read.
  const Origins &origins() const { return From; }
  /// Of headers that were read otherwise than they are, by path.
  const std::map<std::string, std::string> &headers() const { return Headers; }
  const Replacements &replacements() const { return Replaced; }
  unsigned errors() const { return Errors; }
  Language language() const {
    return Kernels ? Language::OpenCL : Language::Cuda;
  }
  /// Of an OpenCL program; nullptr of others, whose kernels are in the unit.
  const KernelUnit *kernels() const { return Kernels.get(); }
  void setKernels(KernelUnit kernels);

  /// A text that was derived from that of `before`.
  void setOrigins(const SourceUnit &before, const DerivedText &text);
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
  unsigned Errors = 0;
};

/// The files that Clang looked at for the unit, and that of its kernels.
std::vector<std::string> filesRead(const SourceUnit &unit);

/// Parses the input. Diagnostics (already formatted, one per line, in Clang's
/// manner with carets) go to `diagnostics`; nullptr when an error makes the
/// unit unusable.
std::unique_ptr<SourceUnit> parse(const ParseOptions &options,
                                  std::string &diagnostics);
/// Parses `text` as if the input held it, and the headers these texts.
std::unique_ptr<SourceUnit>
parse(const ParseOptions &options, const std::string &text,
      const std::map<std::string, std::string> &headers,
      std::string &diagnostics);
/// Parses the input and writes parts of it otherwise, so that more launches
/// come to stand beside each other (Rewriting.h).
std::unique_ptr<SourceUnit> parseRewritten(const ParseOptions &options,
                                           std::string &diagnostics);

/// The unit with sums that contract in one way (Contractions.h); nullptr when
/// there are none.
std::unique_ptr<SourceUnit> parseContracted(const ParseOptions &options,
                                            const SourceUnit &unit,
                                            RewrittenText contracted);

/// The unit with the launches before branches in their arms (HeadCopies.h);
/// nullptr when there are none.
std::unique_ptr<SourceUnit> parseHeads(const ParseOptions &options,
                                       const SourceUnit &unit);

/// The unit with checks behind the launches that follow them (DeferChecks.h);
/// nullptr when there are none.
std::unique_ptr<SourceUnit> parseDeferred(const ParseOptions &options,
                                          const SourceUnit &unit,
                                          const Program &program);

/// The unit with memory calls as launches (MemoryKernels.h), but for the
/// statements `kept`; nullptr when there are none.
std::unique_ptr<SourceUnit>
parseMemoryCalls(const ParseOptions &options, const SourceUnit &unit,
                 const std::vector<SourceRange> &kept);

/// The unit with updates written into other arrays (RenameUpdates.h); nullptr
/// when none of them can be.
std::unique_ptr<SourceUnit>
parseRenamed(const ParseOptions &options, const SourceUnit &unit,
             const Program &program, const std::vector<Renaming> &renamings);

/// The unit with launches of kernels' parts (SplitKernels.h); nullptr when it
/// doesn't parse.
std::unique_ptr<SourceUnit> parseSplit(const ParseOptions &options,
                                       const SourceUnit &unit,
                                       const Program &program,
                                       const std::vector<Separation> &known,
                                       const std::vector<Fission> &fissions);

/// The program's kernels, launches, arrays and host regions.
Program extract(const SourceUnit &unit);

} // namespace kfuse

#endif
