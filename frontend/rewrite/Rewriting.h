//===- Rewriting.h - A text whose statements are replaced -----------------===//
//
// Before it looks for launches kfuse may write parts of the input otherwise:
// the statements of a function for its call, the passes of a loop one by one.
// Each such part keeps what the user wrote; where no fusion changes it, that is
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

  /// Why the text of a function can't be changed at all; empty when it can,
  /// where no pragma is.
  std::string textObstacle(const clang::FunctionDecl &function);
  /// Why not anywhere.
  std::string obstacle(const clang::FunctionDecl &function);

  const SourceText &layout() const { return Layout; }
  /// A line end, and the white space that the line of `offset` begins with.
  std::string lineAt(std::uint32_t offset) const;
  /// A name that nothing in the unit has.
  std::string fresh(const std::string &wanted);

  /// The range with all of what earlier rounds put at its begin or end.
  SourceRange around(SourceRange range) const;
  /// Whether nothing replaces a part of the range yet, and what earlier rounds
  /// put into it can be part of what is put there.
  bool isFree(const SourceRange &range) const;
  std::size_t replacements() const { return Made.size(); }
  void replace(const SourceRange &range, MappedText text,
               bool isContractionRewrite = false);
  struct Definition {
    std::string name;
    std::string replacesKernel = {}; ///< as in Replacement
    KernelPart part = {};
  };
  /// Puts what is part of `unit` (as in Replacement) at `offset`.
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
    std::string unit;
    std::size_t number; ///< in the order in which they were made
  };

  const SourceUnit &Source;
  SourceText Layout;
  Program Ignored; ///< that the unit would be walked into
  FileTable Files;
  HostUnit Unit;
  std::set<std::string> Taken;
  std::vector<Part> Made;
};

/// Whether the function is an instance, and the text of the template is of this
/// one alone.
bool isOnlyInstance(const clang::FunctionDecl &function);

/// The blocks of a function's body, outer ones first, but for lambdas'.
std::vector<const clang::CompoundStmt *>
blocksOf(const clang::FunctionDecl &function);

/// The kernel's name in the launch, as it stands in front of `<<<`; empty where
/// it stands otherwise.
TextRange kernelName(const SourceText &source, const Launch &launch,
                     const Kernel &kernel);

} // namespace kfuse

#endif
