//===- Variants.h - The program written otherwise -------------------------===//
//
//   Compilation ──split()─────────▶ launches as several parts of their kernels;
//               ──rename()────────▶ updates in place written into other arrays;
//               ──predicate()─────▶ launches under conditions as plain ones;
//               ──intoBranches()──▶ launches before a branch in its arms;
//               ──defer()─────────▶ copies and checks after the launches that
//               follow.
//
// A variant keeps what the search and the plan of it make use of; nullptr when
// that is nothing.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_PIPELINE_VARIANTS_H
#define KFUSE_DRIVER_PIPELINE_VARIANTS_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

namespace kfuse {

/// Returns the program with launches split into several of their kernels'
/// parts, as far as that helps to fuse.
std::unique_ptr<Compilation> split(const Compilation &from,
                                   const Options &options);

/// Returns the program with the launches in pieces that are in pieces in the
/// saved plan; nullptr with a message in `error` on failure.
std::unique_ptr<Compilation> splitAsPlanned(std::unique_ptr<Compilation> from,
                                            const Options &options,
                                            std::string &error);

/// Returns the program with updates written into other arrays, as far as that
/// helps to fuse.
std::unique_ptr<Compilation> rename(const Compilation &from,
                                    const Options &options);

/// Returns the program with launches under conditions as plain ones, if there
/// are some.
std::unique_ptr<Compilation> predicate(const Compilation &from,
                                       const Options &options);

/// Returns the program with the last launches before branches in their arms, if
/// that helps to fuse them.
std::unique_ptr<Compilation> intoBranches(const Compilation &from,
                                          const Options &options);

/// Returns the program, with checks that end it after the launches that follow.
std::unique_ptr<Compilation> defer(std::unique_ptr<Compilation> from,
                                   const Options &options);

} // namespace kfuse

#endif
