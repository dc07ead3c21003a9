//===- Wrapping.h - Numbers that don't wrap in a launch -------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_WRAPPING_H
#define KFUSE_GRAPHS_PROGRAM_WRAPPING_H

#include "graphs/program/Program.h"

namespace kfuse {

/// Binds the launch's accesses, each with the numbers that are known to fit
/// into their types, or that a test can show to (graphs/program/Wrapping.cpp).
void bindLaunch(Program &program, Launch &launch);

/// Returns whether the launch's accesses are valid only if a test holds.
bool isTested(const Launch &launch);

} // namespace kfuse

#endif
