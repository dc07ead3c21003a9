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

/// Extracts the unit's program and returns it with its graphs and its fusion
/// problem for `device`.
std::unique_ptr<Compilation> analyse(std::unique_ptr<SourceUnit> unit,
                                     const Device &device,
                                     Measurements evidence,
                                     const Options &options);

/// Analyses a variant of a program for the same machine. What is known about
/// its kernels is kept. What is known about groups is dropped, because the
/// variant's launches have other numbers.
std::unique_ptr<Compilation> analyseAs(const Compilation &from,
                                       std::unique_ptr<SourceUnit> unit,
                                       const Options &options);

/// Plans the groups and writes the text; returns false with a message in
/// `error` on failure.
bool finish(Compilation &compilation, Groups groups, std::string &error);

/// Searches, plans and writes, and if some groups can't be written searches
/// again without them, unless there are many launches. Returns false with a
/// message in `error` on failure.
bool solve(Compilation &compilation, Options options, std::string &error);

/// Does the same for a program whose groups `start` are a plan already. If
/// there are many launches, the search starts from it with a part of the
/// budget.
bool solve(Compilation &compilation, Options options, const Groups &start,
           std::string &error);

} // namespace kfuse

#endif
