//===- Analysis.h - What a kernel does to global memory -------------------===//
//
// Symbolic execution of one `__global__` function: its parameters, its accesses
// to global memory with index and guard in the kernel's own symbols, its loops,
// and every feature that limits what may be done with it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_ANALYSIS_H
#define KFUSE_FRONTEND_KERNEL_ANALYSIS_H

#include "frontend/syntax/CompilerDependence.h"
#include "graphs/program/Program.h"

#include <functional>

namespace clang {
class ASTContext;
class FunctionDecl;
class Preprocessor;
class QualType;
class VarDecl;
} // namespace clang

namespace kfuse {

/// What the analysis of a kernel shares with the rest of the unit.
struct KernelContext {
  clang::ASTContext &ast;
  clang::Preprocessor &preprocessor;
  TermTable &terms;
  FileTable &files;
  /// The array of a `__device__`, `__constant__` or `__managed__` variable, or
  /// of a `__constant` one of OpenCL.
  std::function<ArrayId(const clang::VarDecl &)> deviceVariable;
  CompilerDependence dependence{files};
};

/// Analyses a concrete kernel (never a dependent template pattern). A kernel
/// without a visible body comes back with its parameters and `analysed` false.
///
/// `Kernel::scalars` and `Kernel::pointers` list, in parameter order, every
/// integer (or boolean, enumeration) and every pointer parameter, then for a
/// parameter of class type its such members in declaration order, bases and
/// arrays left out, by path (`.size.x`); device variables follow, in order of
/// first use.
Kernel analyseKernel(KernelContext &context, const clang::FunctionDecl &kernel);

/// The element type of an array whose elements have type `type`.
ElementType describeElement(const clang::ASTContext &ast, clang::QualType type);

/// Of an integer; of anything else that of 64 bits.
IntegerType integerType(clang::QualType type, const clang::ASTContext &ast);

/// The type as it can be written at file scope before a name; for function and
/// array pointers the spelling is abstract and can't take a name.
std::string spellType(const clang::ASTContext &ast, clang::QualType type);

} // namespace kfuse

#endif
