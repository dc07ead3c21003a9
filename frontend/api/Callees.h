//===- Callees.h - What a function is by its declaration ------------------===//
//
// Whose it is, whether the runtime's, and whether another may run in its place.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_API_CALLEES_H
#define KFUSE_FRONTEND_API_CALLEES_H

#include "frontend/api/RuntimeRoles.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class NamedDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace kfuse {

/// Checks whether `function` is declared in a system header or built into the
/// compiler, or the user says that it is a clock.
bool isSystem(const clang::FunctionDecl &function,
              const clang::SourceManager &sources);
/// Returns the role of a function of the CUDA runtime, a CUDA library or
/// OpenCL; nullopt for every other function, and for the user's own under such
/// a name.
std::optional<RuntimeCall> runtimeRole(const clang::FunctionDecl &function,
                                       const clang::SourceManager &sources);
/// Returns the class of the C++ library that the type is, or refers to:
/// `basic_string`; empty for any other.
llvm::StringRef libraryClass(clang::QualType type);
/// Checks whether kfuse's own header of OpenCL's C++ classes has the
/// declaration.
bool isOwnOpenCl(const clang::NamedDecl &declared);
/// Returns the name that runtimeCall() expects, `cl::Buffer::Buffer` for
/// functions of OpenCL's classes; empty for other methods and for operators.
std::string plainName(const clang::FunctionDecl &function);
/// Checks whether `function` may return again, to where it was called, as
/// setjmp does.
bool returnsTwice(const clang::FunctionDecl &function);
/// Checks whether a call of `function` may throw, apart from the evaluation of
/// its arguments.
bool mayThrow(const clang::FunctionDecl &function,
              const clang::SourceManager &sources);
/// Checks whether the language itself may throw in `statement`, if a cast or an
/// allocation fails.
bool throwsByItself(const clang::Stmt &statement);
/// Checks whether another function may run in place of `function`, a virtual
/// one of the user's.
bool isOverridable(const clang::FunctionDecl &function,
                   const clang::SourceManager &sources);
/// Checks whether `function` belongs to a library that works on the device.
bool isDeviceLibrary(const clang::FunctionDecl &function);
/// Checks whether `callee` may store what is tracked through the pointer that
/// it is given for `parameter`. A null `parameter` is one of `...`, and a null
/// `callee` one that isn't known. An address that the argument itself takes
/// doesn't count.
bool mayStoreThrough(const clang::FunctionDecl *callee,
                     const clang::Expr &argument, clang::QualType parameter,
                     const clang::SourceManager &sources);
/// Checks whether a system's function that is given `argument` may call code
/// that isn't seen. Functions that are named, and lambdas, are known.
bool mayReachOpaqueCode(const clang::Expr &argument, clang::ASTContext &ast);

} // namespace kfuse

#endif
