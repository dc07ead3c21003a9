//===- Conditions.h - Run-time tests as C++ -------------------------------===//
#ifndef KFUSE_CODEGEN_TEXT_CONDITIONS_H
#define KFUSE_CODEGEN_TEXT_CONDITIONS_H

#include "codegen/text/Helpers.h"
#include "codegen/text/Result.h"
#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <functional>
#include <string>
#include <vector>

namespace kfuse {

/// The text by which an expression of a launch is evaluated where the fused
/// launch stands: the user's own, or the temporary that holds its value.
using HostText = std::function<std::string(LaunchId, const HostExpr &)>;

/// Writes the conditions as expressions that can be joined by `&&`, each once.
Result<std::vector<std::string>> conditionTexts(const Program &program,
                                                const FusedKernel &kernel,
                                                const HostText &text,
                                                Helpers &helpers);

} // namespace kfuse

#endif
