//===- Variants.h - The program written otherwise -------------------------===//
//
//   Compilation ──split()─────────▶ launches as several of their kernels' parts
//               ──rename()────────▶ updates in place written into other arrays
//               ──intoBranches()──▶ launches before a branch in its arms
//               ──defer()─────────▶ checks after the launches that follow them
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

/// The program with launches as several of their kernels' parts, those that
/// help to fuse.
std::unique_ptr<Compilation> split(const Compilation &from,
                                   const Options &options);

/// The program with those launches in pieces that the saved plan has so;
/// nullptr with a message.
std::unique_ptr<Compilation> splitAsPlanned(std::unique_ptr<Compilation> from,
                                            const Options &options,
                                            std::string &error);

/// The program with updates written into other arrays, those that help to fuse.
std::unique_ptr<Compilation> rename(const Compilation &from,
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
