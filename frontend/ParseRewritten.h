//===- ParseRewritten.h - The input, written otherwise --------------------===//
#ifndef KFUSE_FRONTEND_PARSEREWRITTEN_H
#define KFUSE_FRONTEND_PARSEREWRITTEN_H

#include "frontend/parse/SourceUnit.h"
#include "graphs/program/FissionCandidate.h"
#include "graphs/program/Program.h"
#include "graphs/program/Renaming.h"

#include <memory>
#include <string>
#include <vector>

namespace kfuse {

/// Parses the input and writes parts of it otherwise, so that more launches
/// come to stand beside each other (Rewriting.h).
std::unique_ptr<SourceUnit> parseRewritten(const ParseOptions &options,
                                           std::string &diagnostics);

/// The unit in which instances of templates whose sums may contract in more
/// than one way have a text of their own (SpecialiseTemplates.h); nullptr when
/// there are none.
std::unique_ptr<SourceUnit> parseSummingInstances(const ParseOptions &options,
                                                  const SourceUnit &unit);

/// The unit with sums that contract in one way (Contractions.h); nullptr when
/// there are none.
std::unique_ptr<SourceUnit> parseContracted(const ParseOptions &options,
                                            const SourceUnit &unit,
                                            RewrittenText contracted);

/// The unit with the launches before branches in their arms
/// (SinkIntoBranches.h); nullptr when there are none.
std::unique_ptr<SourceUnit> parseSunkIntoBranches(const ParseOptions &options,
                                                  const SourceUnit &unit);

/// The unit with checks behind the launches that follow them (DeferChecks.h);
/// nullptr when there are none.
std::unique_ptr<SourceUnit> parseDeferred(const ParseOptions &options,
                                          const SourceUnit &unit,
                                          const Program &program);

/// The unit with memory calls as launches (MemoryKernels.h), but for the
/// statements `kept`; nullptr when there are none.
std::unique_ptr<SourceUnit>
parseMemoryCalls(const ParseOptions &options, const SourceUnit &unit,
                 const std::vector<SourceRange> &kept);

/// The unit with updates written into other arrays (RenameUpdates.h); nullptr
/// when none of them can be.
std::unique_ptr<SourceUnit>
parseRenamed(const ParseOptions &options, const SourceUnit &unit,
             const Program &program, const std::vector<Renaming> &renamings);

/// The unit with launches of kernels' parts (SplitKernels.h); nullptr when it
/// doesn't parse.
std::unique_ptr<SourceUnit>
parseSplit(const ParseOptions &options, const SourceUnit &unit,
           const Program &program, const std::vector<FissionCandidate> &known,
           const std::vector<Fission> &fissions);

} // namespace kfuse

#endif
