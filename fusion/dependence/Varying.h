//===- Varying.h - What differs between threads ---------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_VARYING_H
#define KFUSE_FUSION_DEPENDENCE_VARYING_H

#include "graphs/program/Kernel.h"
#include "graphs/program/Polynomial.h"
#include "graphs/program/Terms.h"

namespace kfuse {

/// Checks whether a term that is equal only to itself occurs. In a kernel's
/// text such a term may differ from thread to thread.
bool hasUnique(const Polynomial &polynomial, const TermTable &terms);

/// Checks whether the value differs between threads or iterations.
bool varies(const Polynomial &polynomial, const TermTable &terms);

} // namespace kfuse

#endif
