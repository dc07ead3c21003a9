//===- AbstractProgram.h - The abstract problem of a program --------------===//
#ifndef KFUSE_GA_PROBLEM_ABSTRACTPROGRAM_H
#define KFUSE_GA_PROBLEM_ABSTRACTPROGRAM_H

#include "fusion/plan/Problem.h"
#include "ga/problem/AbstractProblem.h"

#include <string>

namespace kfuse {

/// The program as a problem that needs none of it: what may meet by the
/// verdict on each kin pair, halos from the tiles of that pair's plan. `name`
/// is what the file will call it.
AbstractProblem abstractProblem(const Problem &problem, std::string name);

} // namespace kfuse

#endif
