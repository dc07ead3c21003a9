//===- PlainLoads.h - Loads that see what the kernel stores ---------------===//
#ifndef KFUSE_CODEGEN_TEXT_PLAINLOADS_H
#define KFUSE_CODEGEN_TEXT_PLAINLOADS_H

#include <string>

namespace kfuse {

class Helpers;

/// Returns the text with plain loads for those through the read-only path,
/// which may miss what the same kernel has stored:
///
///   __ldg(&a[i])      a[i]
///   __ldg(a + i)      a[i]
///   __ldg(e)          (*(e))
std::string withPlainLoads(std::string text, const Helpers &helpers);

} // namespace kfuse

#endif
