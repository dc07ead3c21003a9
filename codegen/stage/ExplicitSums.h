//===- ExplicitSums.h - Sums that compilers contract with nothing ---------===//
#ifndef KFUSE_CODEGEN_STAGE_EXPLICITSUMS_H
#define KFUSE_CODEGEN_STAGE_EXPLICITSUMS_H

#include "graphs/program/Program.h"
#include "text/Edits.h"

#include <vector>

namespace kfuse {

/// Checks whether all sums that take an element of `array` in the launch's
/// kernel can be explicit: `C[i] + x` as `__fadd_rn(C[i], x)`. They take the
/// element as it is, however it was computed.
bool canBeExplicitSums(const Program &program, const Launch &launch,
                       ArrayId array);

/// Writes the sums that take elements of any of `arrays` so.
void writeExplicitSums(const Program &program, const Launch &launch,
                       const std::vector<ArrayId> &arrays, Edits &edits);

} // namespace kfuse

#endif
