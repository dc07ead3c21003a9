//===- InlinableFunction.h - Functions whose statements can be copied -----===//
//
// A function that launches kernels, in whose place its statements can stand,
// and in that of its value what it returns in the last of them.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_INLINABLEFUNCTION_H
#define KFUSE_FRONTEND_REWRITE_INLINABLEFUNCTION_H

#include "frontend/host/Unit.h"
#include "frontend/rewrite/MovableBlock.h"

#include <set>
#include <string>

namespace clang {
class ParmVarDecl;
class Preprocessor;
} // namespace clang

namespace kfuse {

/// Returns the text of a function from its name on. What precedes the name may
/// come from a macro, such as `__host__`.
SourceRange textFromName(FileTable &files, const clang::FunctionDecl &function);

/// Returns the declaration of `parameter` with another name, as far as the name
/// and what belongs to its type: `const float *name`.
std::string declarator(FileTable &files, const clang::ParmVarDecl &parameter,
                       const std::string &name);

/// Returns the functions that launch, or call one that does.
std::set<const clang::FunctionDecl *> launchingFunctions(const HostUnit &unit);

/// Analyses the body of `function` as a block that is given the parameters.
MovableBlock analyseInlinable(FileTable &files,
                              clang::Preprocessor &preprocessor,
                              const HostFunction &function);

} // namespace kfuse

#endif
