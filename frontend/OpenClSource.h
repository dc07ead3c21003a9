//===- frontend/OpenClSource.h - The kernels' text in an OpenCL host ------===//
//
// The runtime compiles the kernels of an OpenCL program from a string:
//
//   const char *source = "__kernel void f(...)\n" "{ ... }\n";
//   clCreateProgramWithSource(context, 1, &source, NULL, &error);
//   clBuildProgram(program, 0, NULL, "-DN=64", NULL, NULL);
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_OPENCLSOURCE_H
#define KFUSE_FRONTEND_OPENCLSOURCE_H

#include <cstdint>
#include <string>
#include <vector>

namespace clang {
class ASTUnit;
}

namespace kfuse {

struct OpenClSource {
  std::string obstacle; ///< why the text isn't known; then all else is empty
  std::string name;     ///< of the variable that holds it
  std::string text;
  std::vector<std::string> options; ///< for the compiler
  std::uint32_t end = 0;            ///< of the last literal, in the host's text
  bool isRaw = false;               ///< of that literal
};

/// The one string that the program is made of: a literal of the main file that
/// no variable but a constant one holds.
OpenClSource findOpenClSource(clang::ASTUnit &host);

} // namespace kfuse

#endif
