//===- MacroNames.h - Names that macros may use ---------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_MACRONAMES_H
#define KFUSE_FRONTEND_SYNTAX_MACRONAMES_H

#include <string_view>

namespace clang {
class Preprocessor;
} // namespace clang

namespace kfuse {

/// Checks whether `name` is a macro, now or once, or in one of the program.
bool isInMacro(std::string_view name, clang::Preprocessor &preprocessor);

} // namespace kfuse

#endif
