//===- FileReads.h - Strings that are files -------------------------------===//
//
// OpenCL's hosts often keep the kernels in a file that a function of theirs
// reads:
//
//   std::string load(std::string path) {
//     std::ifstream file(path.c_str());
//     if (!file.is_open()) { ...; exit(1); }
//     return std::string(std::istreambuf_iterator<char>(file),
//                        std::istreambuf_iterator<char>());
//   }
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_API_FILEREADS_H
#define KFUSE_FRONTEND_API_FILEREADS_H

#include <optional>
#include <string>

namespace clang {
class Expr;
}

namespace kfuse {

/// Returns the path of the file whose content the std::string `expression` is:
/// `load("kernels.cl")`; nullopt if that isn't sure.
std::optional<std::string> fileReadBy(const clang::Expr &expression);

} // namespace kfuse

#endif
