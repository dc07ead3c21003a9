//===- Rewriting.h - A text whose statements are replaced -----------------===//
//
// Before it looks for launches kfuse may write parts of the input otherwise:
// the statements of a function for its call, the passes of a loop one by one.
// Each such part keeps what the user wrote; if no fusion changes it, that is
// put back when the output is written.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_REWRITING_H
#define KFUSE_FRONTEND_REWRITE_REWRITING_H

#include "frontend/host/Unit.h"
#include "frontend/syntax/SourceMap.h"
#include "frontend/syntax/SourceRanges.h"
#include "graphs/program/Program.h"
#include "text/Layout.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class CompoundStmt;
} // namespace clang

namespace kfuse {

class SourceUnit;

/// The functions of a parsed unit, and what is to stand for parts of them.
class Rewriting {
public:
  explicit Rewriting(const SourceUnit &source);

  HostUnit &unit() { return Unit; }
  FileTable &files() { return Files; }
  const std::string &input() const;
  clang::Preprocessor &macros() const;

  /// Returns why the text of `function` can't be changed, pragmas aside; empty
  /// if it can.
  std::string textObstacle(const clang::FunctionDecl &function);
  /// Returns the same, or that `function` has a pragma.
  std::string obstacle(const clang::FunctionDecl &function);
  /// Returns the same of a function that keeps most of its statements,
  /// which may have pragmas that speak of others.
  std::string callerObstacle(const clang::FunctionDecl &function);
  /// Checks whether a pragma stands right before `offset`.
  bool followsPragma(std::uint32_t offset) const;

  const SourceText &layout() const { return Layout; }
  /// Returns a line end and the white space that begins the line of `offset`.
  std::string lineAt(std::uint32_t offset) const;
  /// Returns what the user wrote where now `range` is.
  std::string original(const SourceRange &range) const;
  /// Returns a name that nothing in the unit has.
  std::string fresh(const std::string &wanted);

  /// Returns `range` with all that earlier rounds put at its begin or end.
  SourceRange around(SourceRange range) const;
  /// Checks whether nothing replaces a part of `range` yet, and its new text
  /// can contain what earlier rounds put into it.
  bool isFree(const SourceRange &range) const;
  std::size_t replacements() const { return Made.size(); }
  /// Puts `text` in place of `range`, as a part of `unit` if there is one.
  void replace(const SourceRange &range, MappedText text,
               bool isContractionRewrite = false, const std::string &unit = {});
  struct Definition {
    std::string name;
    std::string replacesKernel = {}; ///< as in Replacement
    KernelPart part = {};
  };
  /// Puts the statements of `function` in place of a call of it.
  void replaceCall(const SourceRange &range, MappedText text,
                   const std::string &function);
  /// Puts the passes of a loop in its place. All except the first begin at
  /// `passes` in `text`.
  void replaceLoop(const SourceRange &range, MappedText text,
                   std::vector<std::uint32_t> passes);
  /// Puts a text that is part of `unit` (as in Replacement) at `offset`.
  void insert(std::uint32_t offset, MappedText text, const std::string &unit,
              bool isContractionRewrite = false);
  /// Defines a function at `offset`.
  void define(const Definition &definition, const std::string &text,
              std::uint32_t offset);

  RewrittenText finish(Refusals refused = {});

private:
  struct Part {
    SourceRange range;
    MappedText text;
    Definition definition;
    bool isContractionRewrite = false;
    std::string atomicGroup;
    std::size_t number; ///< in the order in which they were made
    std::string callOf = {};
    std::vector<std::uint32_t> passes = {};
  };

  const SourceUnit &Source;
  SourceText Layout;
  Program Ignored; ///< that the unit would be walked into
  FileTable Files;
  HostUnit Unit;
  std::set<std::string> Taken;
  std::vector<Part> Made;
};

/// Checks whether `function` is an instance, and the only one of its template.
bool isOnlyInstance(const clang::FunctionDecl &function);

/// Returns the blocks of `function`, outer ones first, except those of lambdas.
std::vector<const clang::CompoundStmt *>
blocksOf(const clang::FunctionDecl &function);

/// Returns the line of the input that includes the file of `function`; the
/// empty range at its begin if the command line includes that.
TextRange inclusion(const clang::FunctionDecl &function,
                    const Rewriting &rewriting);

/// Returns the kernel's name in `launch`, as it stands before `<<<`; empty if
/// something else stands there.
TextRange kernelName(const SourceText &source, const Launch &launch,
                     const Kernel &kernel);

} // namespace kfuse

#endif
