//===- Solve.h - One program, searched, planned and written ---------------===//
//
// The program that a unit's text is, whichever variant of the user's it may be.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_PIPELINE_SOLVE_H
#define KFUSE_DRIVER_PIPELINE_SOLVE_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

namespace kfuse {

/// The unit as a problem.
std::unique_ptr<Compilation> analyse(std::unique_ptr<SourceUnit> unit,
                                     const Device &device,
                                     Measurements evidence,
                                     const Options &options);

/// A variant of a program as a problem for the same machine. Of its kernels the
/// same is known, of its groups nothing: its launches have other numbers.
std::unique_ptr<Compilation> analyseAs(const Compilation &from,
                                       std::unique_ptr<SourceUnit> unit,
                                       const Options &options);

/// Plans the groups and writes the text; false with a message.
bool finish(Compilation &compilation, Groups groups, std::string &error);

/// Searches, plans and writes; false with a message.
bool solve(Compilation &compilation, const Options &options,
           std::string &error);

/// The same for a program of which the groups are a plan already.
bool solve(Compilation &compilation, Options options, const Groups &start,
           std::string &error);

} // namespace kfuse

#endif
