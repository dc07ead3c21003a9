//===- Names.h - Launches, arrays and indices in the user's words ---------===//
#ifndef KFUSE_FUSION_DEPENDENCE_NAMES_H
#define KFUSE_FUSION_DEPENDENCE_NAMES_H

#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <string>
#include <vector>

namespace kfuse {

/// Returns `'smooth'`, with its line if the kernel is launched more than once.
std::string launchName(const Program &program, LaunchId launch);
/// Returns `A`, or `an array` for storage without a name.
std::string arrayName(const Program &program, ArrayId array);
/// Returns the step's name, when it copies between arrays: `'copy'`, or
/// `writing the new u into v`.
std::string copyName(const Program &program, StepId step);

/// Returns `'update' becomes a swap of u with v`: what the host does instead of
/// the step.
std::string exchangeText(const Program &program, StepId step);
/// Returns the array's name in a trace (runtime/trace/Trace.h), without `#k`.
std::string traceLabel(const Program &program, ArrayId array);
/// Returns the name of the parameter, or member of one, that is
/// Kernel::scalars[scalar].
std::string scalarName(const Kernel &kernel, std::uint32_t scalar);
/// Returns the name of the parameter, or member of one, that is
/// Kernel::pointers[pointer].
std::string pointerName(const Kernel &kernel, std::uint32_t pointer);
/// Returns `i + 1`: the index of Kernel::accesses[number] in the kernel's own
/// words.
std::string indexText(const Program &program, LaunchId launch,
                      std::uint32_t number);
/// Returns `at (i + 1)`, or `at an index that is loaded from memory`.
std::string placeText(const Program &program, LaunchId launch,
                      std::uint32_t number);
/// Returns `a`, `a and b` or `a, b and c`.
std::string listText(const std::vector<std::string> &items);
/// Returns `'scale' and 'shift' have equal grids`.
std::string conditionText(const Program &program, const Condition &condition);
/// Returns a value of the host in the user's words; the terms are the program's
/// and others.
std::string hostText(const Program &program, const TermTable &terms,
                     const Polynomial &polynomial);
/// Returns `inline assembly`, for messages about KernelFeatures.
std::string featureText(KernelFeature feature);

} // namespace kfuse

#endif
