//===- ExplicitSums.h - Sums that compilers contract with nothing ---------===//
#ifndef KFUSE_CODEGEN_STAGE_EXPLICITSUMS_H
#define KFUSE_CODEGEN_STAGE_EXPLICITSUMS_H

#include "graphs/program/Program.h"
#include "text/Edits.h"

namespace kfuse {

/// Checks whether all sums that take an element of `array` in the launch's
/// kernel can be explicit: `C[i] + x` as `__fadd_rn(C[i], x)`. They take the
/// element as it is, however it was computed.
bool canBeExplicitSums(const Program &program, const Launch &launch,
                       ArrayId array);

/// Writes these sums so.
void writeExplicitSums(const Program &program, const Launch &launch,
                       ArrayId array, Edits &edits);

} // namespace kfuse

#endif
