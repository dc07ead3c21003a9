//===- DeepStack.h - Room for programs that nest deeply -------------------===//
#ifndef KFUSE_DRIVER_DEEPSTACK_H
#define KFUSE_DRIVER_DEEPSTACK_H

#include <functional>

namespace kfuse {

/// Runs the action on a stack with room for a sum of a hundred thousand terms,
/// which Clang and kfuse walk as a tree. Anything that nests deeper ends the
/// process with a message and `code`.
int onDeepStack(const std::function<int()> &action, int code);

} // namespace kfuse

#endif
