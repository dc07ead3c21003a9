//===- Originals.h - What no fusion uses, as it was -----------------------===//
#ifndef KFUSE_CODEGEN_ORIGINALS_H
#define KFUSE_CODEGEN_ORIGINALS_H

#include "graphs/program/Program.h"
#include "text/Edits.h"

#include <string>
#include <vector>

namespace kfuse {

/// Restores what the user wrote if no edit touches its replacement and no fused
/// kernel calls it.
void restoreOriginals(const Program &program,
                      const std::vector<const Kernel *> &fused, Edits &edits);

/// Returns the text without the definitions of functions that it doesn't use.
/// Checks later ones first, since they may use earlier ones.
std::string withoutUnused(const Program &program, std::string text);

/// Returns the input without any fused kernel.
std::string unfused(const Program &program);

} // namespace kfuse

#endif
