//===- SplitKernels.h - Kernels as launches of their parts ----------------===//
//
//   step<<<g, b>>>(u, v, in, n);        step_u<<<g, b>>>(u, in, n);
//                                       step_v<<<g, b>>>(v, in, n);
//
// In the text with which kfuse goes on, copies of the kernel without what their
// part doesn't need take its place, so that each can join another group.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_SPLITKERNELS_H
#define KFUSE_FRONTEND_REWRITE_SPLITKERNELS_H

#include "frontend/syntax/SourceMap.h"
#include "graphs/program/FissionCandidate.h"

#include <vector>

namespace kfuse {

class SourceUnit;

/// Returns the kernels of `program`, which is the unit's, that have several
/// parts and a launch that launches of these could replace.
std::vector<FissionCandidate> fissionCandidates(const SourceUnit &unit,
                                                const Program &program);

/// Returns the text with launches of pieces; the launches are those of `known`.
RewrittenText splitKernels(const SourceUnit &unit, const Program &program,
                           const std::vector<FissionCandidate> &known,
                           const std::vector<Fission> &fissions);

} // namespace kfuse

#endif
