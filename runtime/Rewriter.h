//===- Rewriter.h - CUDA text to C++ text ---------------------------------===//
//
//   text ──lexRaw()──▶ tokens ──rewriteForCpu()──▶ text
//
// Rewrites at the level of tokens, so that it works in macros and templates and
// needs no parsing. The executor's headers handle everything that a header can
// do. The rest isn't C++:
//
//   k<<<g, b>>>(x, f(y))    a call of the launcher with a lambda; arguments
//                           with calls, side effects or reads of memory are
//                           evaluated once.
//   extern __shared__ T s[] a reference to the block's dynamic shared memory.
//   __noinline__            an attribute (system headers use the bare word).
//   cudaLaunchKernel((void *)k, ...)   without the cast, which hides the type.
//
// Line numbers stay as they are.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_RUNTIME_REWRITER_H
#define KFUSE_RUNTIME_REWRITER_H

#include <string>
#include <string_view>

namespace kfuse {

/// Returns the text as C++ for the executor, with a #line that names the file.
/// An empty name gives no #line.
std::string rewriteForCpu(std::string_view source, std::string_view fileName);

} // namespace kfuse

#endif
