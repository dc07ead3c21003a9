//===- OpenClSource.h - The kernels' text in an OpenCL host ---------------===//
//
// The runtime compiles the kernels of an OpenCL program from a string:
//
//   const char *source = "__kernel void f(...)\n" "{ ... }\n";
//   clCreateProgramWithSource(context, 1, &source, NULL, &error);
//   clBuildProgram(program, 0, NULL, "-DN=64", NULL, NULL);
//
// or by C++'s classes, from a literal or from what a function reads of a file:
//
//   cl::Program program(context, load("kernels.cl"), true);
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_PARSE_OPENCLSOURCE_H
#define KFUSE_FRONTEND_PARSE_OPENCLSOURCE_H

#include "graphs/program/Program.h"

#include <string>
#include <vector>

namespace clang {
class ASTUnit;
}

namespace kfuse {

struct OpenClSource {
  std::string obstacle; ///< why the text isn't known; then all else is empty
  std::string name;     ///< of the variable that holds it, or empty
  std::string path;     ///< of the file that it is, or empty
  std::string text;
  std::vector<std::string> options; ///< for the compiler
  KernelString place;               ///< of the text in the host's
};

/// Returns the one string that the program is made of. It is a literal of the
/// main file that no variable holds except a constant one, or a file, whose
/// path is relative to `folder`.
OpenClSource findOpenClSource(clang::ASTUnit &host, const std::string &folder);

} // namespace kfuse

#endif
