//===- frontend/Wrapper.h - Functions whose statements can be copied ------===//
//
// A function that launches kernels and returns nothing, in whose place its
// statements can stand: its parameters become variables of the caller, its
// other variables get new names, and control leaves it only at its end.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_WRAPPER_H
#define KFUSE_FRONTEND_WRAPPER_H

#include "frontend/HostUnit.h"
#include "frontend/SourceRanges.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ParmVarDecl;
class Preprocessor;
class VarDecl;
} // namespace clang

namespace kfuse {

struct Wrapper {
  const clang::FunctionDecl *function = nullptr;
  /// Why its statements can't stand for a call; empty when they can.
  std::string obstacle;
  SourceRange statements; ///< from the first to the last, comments before too
  /// Parameters, and the variables of its outermost block.
  std::vector<const clang::VarDecl *> variables;
  /// Mentions of these in `statements`, by offset.
  std::map<std::uint32_t, const clang::VarDecl *> mentions;
  /// Those of which only the value is used: neither assigned nor referred to.
  std::set<const clang::VarDecl *> values;
  /// Those that are only passed to kernels that no other type could choose.
  std::set<const clang::VarDecl *> passed;
  /// Names of the variables of its inner blocks.
  std::set<std::string> innerNames;
};

/// The text of a variable's declaration with another name, as far as the name
/// and what belongs to its type: `const float *name`.
std::string declarator(FileTable &files, const clang::ParmVarDecl &parameter,
                       const std::string &name);

/// Functions that launch, or call one that does.
std::set<const clang::FunctionDecl *> launchingFunctions(const HostUnit &unit);

Wrapper describeWrapper(FileTable &files, clang::Preprocessor &preprocessor,
                        const HostFunction &function);

} // namespace kfuse

#endif
