//===- TemplateParameters.h - What stands for T in an instance ------------===//
//
//   template <typename T, int Block> void step(T *u) { k<T><<<n, Block>>>(u); }
//   step<float, 128>(u);   ──▶   k<float><<<n, 128>>>(u);
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_TEMPLATEPARAMETERS_H
#define KFUSE_FRONTEND_SYNTAX_TEMPLATEPARAMETERS_H

#include "clang/AST/DeclarationName.h"

#include <set>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
class NamedDecl;
class Preprocessor;
class QualType;
class TemplateArgumentList;
} // namespace clang

namespace kfuse {

struct TemplateParameter {
  const clang::NamedDecl *declaration = nullptr;
  /// `float`, `128u`: means the same wherever it stands.
  std::string text;
  /// It is a type that can't stand wherever the parameter does, as `float *`
  /// can't in `const T`: it has to be given a name.
  bool needsName = false;
  bool isZero = false; ///< the number 0
  /// Why it has no text; empty if it has one.
  std::string obstacle;
  bool isPack = false;
  std::vector<TemplateParameter> elements; ///< of a pack
};

struct TemplateParameters {
  std::vector<TemplateParameter> all; ///< those without a name too
  /// Why a definition of its own can't name one of them.
  std::string obstacle;
};

/// Returns the parameters of the template that `function` is an instance of, or
/// none.
TemplateParameters templateParameters(const clang::FunctionDecl &function);

/// Returns the names of the classes, enumerations and kernels for which a
/// function template is instantiated.
std::set<clang::DeclarationName>
namesGiven(const clang::FunctionDecl &function);

/// Returns the arguments of the class template that `function` is a member of;
/// nullptr for other functions.
const clang::TemplateArgumentList *
argumentsOfClass(const clang::FunctionDecl &function);

/// Returns the parameters of the class template that `method` is an instance's
/// member of. The member is no template itself.
TemplateParameters parametersOfClass(const clang::FunctionDecl &method);

/// Returns why the texts of `parameters` can't stand in the body of `function`
/// in place of their names; empty if they can.
std::string standInObstacle(const clang::FunctionDecl &function,
                            const std::vector<TemplateParameter> &parameters,
                            clang::Preprocessor &preprocessor);

/// Checks whether `type` has a name outside of functions.
bool isNamable(clang::QualType type);

/// Checks whether no declaration's name is in `type`: it is one of the
/// language's, or a pointer or an array of such.
bool isOfLanguage(clang::QualType type);

} // namespace kfuse

#endif
