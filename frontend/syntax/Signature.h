//===- Signature.h - What tells functions of one name apart ---------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_SIGNATURE_H
#define KFUSE_FRONTEND_SYNTAX_SIGNATURE_H

#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Returns the name with template arguments and parameter types, without
/// namespaces: `scale<float>(float*, int)`. Compilers may give an unnamed
/// namespace another mangled name.
std::string signatureOf(const clang::FunctionDecl &function);

/// Returns the same for a mangled name; the name itself if it isn't one.
std::string signatureOf(const std::string &mangled);

} // namespace kfuse

#endif
