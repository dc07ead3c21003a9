//===- StructuralFingerprint.h - What the statements of a function do -----===//
//
// A function in words that another parse of the program has too, if it does the
// same: types and names as they were resolved, conversions, constants. How it
// is written isn't in them, nor are the names of its variables.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_STRUCTURALFINGERPRINT_H
#define KFUSE_FRONTEND_SYNTAX_STRUCTURALFINGERPRINT_H

#include <optional>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Returns a word for each node of the syntax tree; nullopt if not everything
/// is known of one. All lines in the text (`__LINE__`) are the same. A
/// parameter of a template is its argument. So is an alias or constant with its
/// name that an explicit specialisation begins with.
std::optional<std::vector<std::string>>
structuralFingerprint(const clang::FunctionDecl &function);

} // namespace kfuse

#endif
