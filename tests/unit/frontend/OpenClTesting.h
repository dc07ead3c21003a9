//===- OpenClTesting.h - OpenCL hosts as launches -------------------------===//
#ifndef KFUSE_TESTS_UNIT_FRONTEND_OPENCLTESTING_H
#define KFUSE_TESTS_UNIT_FRONTEND_OPENCLTESTING_H

#include "graphs/program/Program.h"

#include <string>

namespace kfuse {

/// What is known of the text, a file of the test's own in its folder of
/// temporary ones.
Program programIn(const std::string &text, const std::string &extension);

/// `f(a, b, 16)`; `-` and a reason for each that isn't a member.
std::string printLaunches(const Program &program);

} // namespace kfuse

#endif
