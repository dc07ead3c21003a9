//===- ParseRewritten.h - The input, written otherwise --------------------===//
#ifndef KFUSE_FRONTEND_PARSEREWRITTEN_H
#define KFUSE_FRONTEND_PARSEREWRITTEN_H

#include "frontend/parse/SourceUnit.h"
#include "graphs/program/FissionCandidate.h"
#include "graphs/program/Program.h"
#include "graphs/program/Renaming.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// Parses the input and writes parts of it otherwise, so that more launches
/// come to stand beside each other (Rewriting.h).
std::unique_ptr<SourceUnit> parseRewritten(const ParseOptions &options,
                                           std::string &diagnostics);

/// Returns the unit with a text of its own for some instances of templates
/// (SpecialiseTemplates.h); nullptr if there are none. Their sums may contract
/// in more than one way, or a kernel named in `asked` runs them.
std::unique_ptr<SourceUnit>
parseSummingInstances(const ParseOptions &options, const SourceUnit &unit,
                      const std::set<std::string> &asked);

/// Returns the unit with sums that contract in one way (Contractions.h);
/// nullptr if there are none.
std::unique_ptr<SourceUnit> parseContracted(const ParseOptions &options,
                                            const SourceUnit &unit,
                                            RewrittenText contracted);

/// Returns the unit with launches under conditions as plain ones
/// (PredicateLaunches.h); nullptr if there are none.
std::unique_ptr<SourceUnit> parsePredicated(const ParseOptions &options,
                                            const SourceUnit &unit,
                                            const Program &program);

/// Returns the unit with the launches before branches in their arms
/// (SinkIntoBranches.h); nullptr if there are none.
std::unique_ptr<SourceUnit> parseSunkIntoBranches(const ParseOptions &options,
                                                  const SourceUnit &unit);

/// Returns the unit with copies to the host, `withChecks` fatal checks too,
/// after the launches that follow them (DeferChecks.h); nullptr if there are
/// none.
std::unique_ptr<SourceUnit> parseDeferred(const ParseOptions &options,
                                          const SourceUnit &unit,
                                          const Program &program,
                                          bool withChecks);

/// Returns the unit with memory calls as launches (MemoryKernels.h), except the
/// statements `kept`; nullptr if there are none.
std::unique_ptr<SourceUnit>
parseMemoryCalls(const ParseOptions &options, const SourceUnit &unit,
                 const std::vector<SourceRange> &kept);

/// Returns the unit with updates written into other arrays (RenameUpdates.h);
/// nullptr if none of them can be.
std::unique_ptr<SourceUnit>
parseRenamed(const ParseOptions &options, const SourceUnit &unit,
             const Program &program, const std::vector<Renaming> &renamings);

/// Returns the unit with launches of kernels' parts (SplitKernels.h); nullptr
/// if it doesn't parse.
std::unique_ptr<SourceUnit>
parseSplit(const ParseOptions &options, const SourceUnit &unit,
           const Program &program, const std::vector<FissionCandidate> &known,
           const std::vector<Fission> &fissions);

} // namespace kfuse

#endif
