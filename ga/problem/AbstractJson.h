//===- AbstractJson.h - Abstract problems as versioned JSON ---------------===//
#ifndef KFUSE_GA_PROBLEM_ABSTRACTJSON_H
#define KFUSE_GA_PROBLEM_ABSTRACTJSON_H

#include "ga/problem/AbstractProblem.h"

#include <string>
#include <string_view>
#include <variant>

namespace kfuse {

/// Returns the problem as versioned JSON.
std::string saveProblem(const AbstractProblem &problem);
/// Returns the valid problem of a text, or what is wrong with the text.
std::variant<AbstractProblem, std::string> loadProblem(std::string_view json);

} // namespace kfuse

#endif
