//===- NameLookupEquivalence.h - Whether a copied text means the same -----===//
#ifndef KFUSE_FRONTEND_SYNTAX_NAMELOOKUPEQUIVALENCE_H
#define KFUSE_FRONTEND_SYNTAX_NAMELOOKUPEQUIVALENCE_H

#include "clang/AST/DeclarationName.h"
#include "clang/Basic/SourceLocation.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

namespace clang {
class ASTContext;
class FunctionDecl;
class PredefinedExpr;
class Preprocessor;
class SourceManager;
} // namespace clang

namespace kfuse {

/// Returns the names of namespace scope that a function's text uses (a
/// template's with its header), macros expanded.
std::set<clang::DeclarationName> usedNames(const clang::FunctionDecl &function);

/// Returns the words of `text` at `place` that can be names by themselves,
/// macros expanded: not after `.`, `->` or `::`. The use of some declarations,
/// such as aliases of types and namespaces, leaves no trace.
std::set<clang::DeclarationName> usedWords(clang::Preprocessor &preprocessor,
                                           const std::string &text,
                                           clang::SourceLocation place);

/// Returns how often `text` has `name` where it can be a name by itself.
std::size_t timesNamed(clang::Preprocessor &preprocessor,
                       const std::string &text, clang::DeclarationName name);

/// Returns why the namespaces of `from` and `to` could give a text of `from`
/// that uses the names another meaning in `to`. Empty when they are one
/// namespace, or when namespaces around `to` alone declare nothing that the
/// text could mean. Adds to `outside` the names that the text finds in
/// namespaces which aren't around `to`: there they need these before them.
std::string namespaceObstacle(const clang::FunctionDecl &from,
                              const clang::FunctionDecl &to,
                              const std::set<clang::DeclarationName> &used,
                              std::set<clang::DeclarationName> &outside);

/// A declaration that could give a text another meaning.
struct NameChange {
  clang::SourceLocation at;
  std::string what; ///< `a declaration of 'scale'`
};

/// Returns the first declaration between two places of the unit, in their
/// order, that could change what a text with the names means; nullopt if there
/// is none. `areTypes` says that it only names types with them, from the global
/// scope, or from the namespaces among the names.
std::optional<NameChange>
declarationBetween(const clang::ASTContext &ast,
                   const std::set<clang::DeclarationName> &used,
                   std::pair<clang::SourceLocation, clang::SourceLocation> at,
                   bool areTypes = false);

/// Returns the first place behind `from` at which one of the names is defined
/// or undefined as a macro; invalid if there is none.
clang::SourceLocation
firstDefinition(clang::Preprocessor &preprocessor,
                const std::set<clang::DeclarationName> &used,
                clang::SourceLocation from);

/// Checks whether a macro of the system mentions the name of the function, as
/// assert() does to say where the program is.
bool isOfSystemMacro(const clang::PredefinedExpr &name,
                     const clang::SourceManager &sources);

/// A text that is copied from one place of the translation unit to another.
struct Copy {
  clang::SourceLocation here, there;
  std::string where; ///< `there`, in a message
  /// Its `__LINE__` and `__func__` may be others, and what its macros paste
  /// together is known.
  bool mayTellPlace = false;
};

/// Returns why the macros that `text` uses, directly or through each other,
/// don't ensure that it means the same at both places; empty when they do.
std::string macroObstacle(clang::Preprocessor &preprocessor,
                          const std::string &text, const Copy &copy);

} // namespace kfuse

#endif
