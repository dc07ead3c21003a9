//===- kfuse_cpu/Inside.h - A section that can be written -----------------===//
//
// A precompiled header doesn't keep that a section can be written, so Clang 19
// would take the variables of KFUSE_CPU_INSIDE for constants. This file comes
// after it and has a variable there.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_INSIDE_H
#define KFUSE_CPU_INSIDE_H

#include "kfuse_cpu/Qualifiers.h"

namespace kfuse_cpu {
[[maybe_unused]] static KFUSE_CPU_INSIDE char Writable;
} // namespace kfuse_cpu

#endif
