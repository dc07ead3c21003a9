//===- driver/LargeStack.h - Room for what nests deeply -------------------===//
#ifndef KFUSE_DRIVER_LARGESTACK_H
#define KFUSE_DRIVER_LARGESTACK_H

namespace kfuse {

/// Runs the function on a stack where a program may nest a hundred thousand
/// expressions or blocks. Where the system gives no such stack, on the largest
/// that it gives.
void runOnLargeStack(void (*function)(void *), void *data);

} // namespace kfuse

#endif
