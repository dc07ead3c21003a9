//===- Programs.h - Where programs are ------------------------------------===//
#ifndef KFUSE_SYSTEM_PROGRAMS_H
#define KFUSE_SYSTEM_PROGRAMS_H

#include <string>

namespace kfuse {

/// Returns the path of the program that a shell would start for `name`; empty
/// if there is none.
std::string findProgram(const std::string &name);

/// Returns the path that a file called `name` has, or would have, in the folder
/// of the running program.
std::string besideProgram(const std::string &name);

} // namespace kfuse

#endif
