//===- LocalVariables.h - A stage's variables in local memory -------------===//
//
// Only kernels of OpenCL can declare local memory. In a stage its variables are
// parameters: pointers to their first elements.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_STAGE_LOCALVARIABLES_H
#define KFUSE_CODEGEN_STAGE_LOCALVARIABLES_H

#include "codegen/text/Names.h"
#include "graphs/program/Kernel.h"
#include "text/Edits.h"
#include "text/Layout.h"

#include <string>

namespace kfuse {

/// Returns why a parameter can't have a variable's name, or an empty string.
std::string localObstacle(const SourceText &source, const Kernel &kernel,
                          const Names &names);

/// Removes the declarations from the body, and makes `total[0]` of a `total`
/// that is no array. Other edits behind such a name must follow these.
Edits localEdits(const SourceText &source, const Kernel &kernel);

} // namespace kfuse

#endif
