//===- MovableText.h - Text that means the same in a copy -----------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_MOVABLETEXT_H
#define KFUSE_FRONTEND_SYNTAX_MOVABLETEXT_H

#include "frontend/syntax/SourceRanges.h"

#include <string>

namespace kfuse {

/// Returns why the text of the statements can't be copied, or an empty string.
/// A string of several lines doesn't survive being indented. Directives
/// would have to be repeated around a result.
std::string textObstacle(FileTable &files, const SourceRange &statements,
                         bool hasResult);

} // namespace kfuse

#endif
