//===- OpenClLaunchers.h - How hosts launch in OpenCL ---------------------===//
//
// The launcher of a fused kernel, and the text of that kernel in a string of
// the host's.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_HOST_OPENCLLAUNCHERS_H
#define KFUSE_CODEGEN_HOST_OPENCLLAUNCHERS_H

#include "codegen/host/Group.h"
#include "codegen/text/Conditions.h"
#include "codegen/text/Names.h"
#include "text/Edits.h"

#include <string>
#include <string_view>

namespace kfuse {

/// Writes the host's function `cl_int name(queue, like, dimensions, global,
/// local, arguments...)`, which launches the group's kernel. The kernel is of
/// the program that has the kernel `like`. With C++'s classes the function is
/// given the program itself, and ranges that know their dimensions.
std::string launcherText(const Program &program, const HostGroup &group,
                         const Names &names);
/// Writes `error = name(...);`, which replaces the group's last launch. `text`
/// returns the texts of the host's expressions.
std::string launcherCall(const Program &program, const HostGroup &group,
                         const HostText &text, const std::string &indent);

/// The host's names for kernels that it reads from a file: the text that
/// follows them, and a function that appends it if the file is still the same.
struct LoadedNames {
  std::string kernels, function;
};
std::string loadedText(const SourceFile &kernels, std::string_view added,
                       const LoadedNames &names);

/// Inserts `text` after the text of the program's kernels.
void addToKernels(const SourceText &host, const KernelString &kernels,
                  std::string_view text, Edits &edits);

} // namespace kfuse

#endif
