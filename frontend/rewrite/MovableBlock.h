//===- MovableBlock.h - Statements that can stand elsewhere ---------------===//
//
// The statements of a block that can stand in another. The variables that they
// declare get new names. Those that the block is given (parameters of a
// function, the counter of a loop) become variables or values of the other
// block. Control leaves the statements only at their end.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_MOVABLEBLOCK_H
#define KFUSE_FRONTEND_REWRITE_MOVABLEBLOCK_H

#include "frontend/host/Scan.h"
#include "frontend/rewrite/NameMentions.h"
#include "frontend/rewrite/ParameterPack.h"
#include "frontend/syntax/SourceMap.h"
#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/TemplateParameters.h"
#include "text/Layout.h"

#include "clang/AST/DeclarationName.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class Expr;
class NamedDecl;
class Preprocessor;
class ReturnStmt;
class Stmt;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace kfuse {

/// The value that a function returns in its last statement.
struct MovedResult {
  const clang::Expr *value = nullptr;
  SourceRange text;         ///< from after `return` to before the semicolon
  std::uint32_t before = 0; ///< where the statement before it ends
  std::uint32_t begin = 0;  ///< where `return` stands
};

struct MovableBlock {
  /// Why its statements can't stand elsewhere; empty when they can.
  std::string obstacle;
  SourceRange statements; ///< from the first to the last, comments before too
  bool endsInDirective = false;      ///< `statements`
  std::optional<MovedResult> result; ///< in `statements`
  /// The variables that the block is given, and those that it declares itself,
  /// with the names of structured bindings.
  std::vector<const clang::ValueDecl *> variables;
  /// Elements of a pack among them. Mentions of the pack are of its first
  /// element.
  ParameterPack pack;
  /// The parameters of the template that the block is in an instance of.
  std::vector<TemplateParameter> templateParameters;
  /// Mentions of these in `statements`, by offset.
  std::map<std::uint32_t, const clang::NamedDecl *> mentions;
  /// Its mentions of namespaces' names, also in its parameters' declarations.
  NameMentions outer;
  /// Variables that are only read: neither assigned nor referred to.
  std::set<const clang::VarDecl *> values;
  /// Variables only passed to kernels that no other type could choose.
  std::set<const clang::VarDecl *> passed;
  /// Names of the variables of its inner blocks.
  std::set<std::string> innerNames;
};

/// Analyses `body`. `scan` is that of a statement around it, and `end` the
/// function's last statement, if that is a `return`.
MovableBlock
analyseBlock(FileTable &files, clang::Preprocessor &preprocessor,
             const clang::Stmt &body, const HostScan &scan,
             std::vector<const clang::VarDecl *> parameters,
             std::vector<TemplateParameter> templateParameters = {},
             const clang::ReturnStmt *end = nullptr, ParameterPack pack = {});

/// Returns what `block` calls `name`, named from the global namespace on. The
/// text around it has the word `words` times. Returns an empty string if one of
/// these isn't in `outer`, or nothing names it from elsewhere.
std::string qualifiedName(const MovableBlock &block,
                          clang::DeclarationName name, std::size_t words);

} // namespace kfuse

#endif
