//===- Addressing.h - Functions that only find elements -------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_ADDRESSING_H
#define KFUSE_FRONTEND_CONTRACTION_ADDRESSING_H

#include <optional>

namespace clang {
class FieldDecl;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Describes a function that computes integers, or finds an element of memory
/// and returns a reference to it. It computes no floating-point number, stores
/// none, and changes only variables of its own.
struct Addressing {
  bool hasBranches = false; ///< or divides
  /// It divides by what may be zero, or loops: a guard may protect a call.
  bool mayFail = false;
  bool readsMemory = false; ///< beside its arguments and its object
  /// The object's pointer that all elements are found through; nullptr if there
  /// is none.
  const clang::FieldDecl *pointer = nullptr;
};

/// Returns nullopt if `function` does more than that, or if the element may be
/// a part of a variable of its caller.
std::optional<Addressing> addressing(const clang::FunctionDecl &function);

} // namespace kfuse

#endif
