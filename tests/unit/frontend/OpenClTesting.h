//===- OpenClTesting.h - OpenCL hosts as launches -------------------------===//
#ifndef KFUSE_TESTS_UNIT_FRONTEND_OPENCLTESTING_H
#define KFUSE_TESTS_UNIT_FRONTEND_OPENCLTESTING_H

#include "graphs/program/Program.h"

#include <string>

namespace kfuse {

/// Parses the text from a temporary file that is named after the test, and
/// extracts its program.
Program programIn(const std::string &text, const std::string &extension);

/// Prints launches like `f(a, b, 16)`, then `-` and a reason for each launch
/// that isn't a member.
std::string printLaunches(const Program &program);

} // namespace kfuse

#endif
