//===- AbstractProgram.h - The abstract problem of a program --------------===//
#ifndef KFUSE_GA_PROBLEM_ABSTRACTPROGRAM_H
#define KFUSE_GA_PROBLEM_ABSTRACTPROGRAM_H

#include "fusion/plan/Problem.h"
#include "ga/problem/AbstractProblem.h"

#include <string>

namespace kfuse {

/// Returns the program as a problem that needs none of it. The verdict on each
/// kin pair says which kernels may share a group, and the tiles of that pair's
/// plan give the halos. `name` is what the file will call the problem.
AbstractProblem abstractProblem(const Problem &problem, std::string name);

} // namespace kfuse

#endif
