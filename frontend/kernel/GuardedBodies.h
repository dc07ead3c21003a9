//===- GuardedBodies.h - Coordinates, guards, statements ------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_GUARDEDBODIES_H
#define KFUSE_FRONTEND_KERNEL_GUARDEDBODIES_H

#include "graphs/program/Kernel.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace kfuse {

class FileTable;

/// Splits the kernel's body into coordinates, guards and statements. Returns
/// nullopt if it has another form: if a statement returns, changes a coordinate
/// or parameter, declares a type or shared memory, or jumps.
std::optional<GuardedBody> guardedBody(clang::ASTContext &ast, FileTable &files,
                                       const clang::FunctionDecl &kernel);

/// Returns Kernel::declaredIntegers.
std::map<std::uint32_t, std::string>
declaredIntegers(clang::ASTContext &ast, FileTable &files,
                 const clang::FunctionDecl &kernel);

} // namespace kfuse

#endif
