//===- RemovableVariables.h - Variables that may go with their uses -------===//
#ifndef KFUSE_FRONTEND_HOST_VARIABLES_REMOVABLEVARIABLES_H
#define KFUSE_FRONTEND_HOST_VARIABLES_REMOVABLEVARIABLES_H

#include "frontend/syntax/SourceRanges.h"

#include <vector>

namespace kfuse {

class Origins;

/// Returns the declarations in the user's functions of which a variable could
/// go if nothing used it any more. Variables that nothing uses now are the
/// user's own affair, unless the text didn't come from the user.
std::vector<VariableDeclaration> removableVariables(clang::ASTContext &ast,
                                                    FileTable &files,
                                                    const Origins &origins);

} // namespace kfuse

#endif
