//===- ParseRewritten.cpp - The input, written otherwise ------------------===//
//
// Each rewriting makes a text that is parsed anew. One with more errors than
// the text before it isn't used.
//
//===----------------------------------------------------------------------===//

#include "frontend/ParseRewritten.h"

#include "frontend/parse/Parse.h"
#include "frontend/rewrite/Contractions.h"
#include "frontend/rewrite/DeferChecks.h"
#include "frontend/rewrite/MemoryKernels.h"
#include "frontend/rewrite/RenameUpdates.h"
#include "frontend/rewrite/SpecialiseTemplates.h"
#include "frontend/rewrite/SplitKernels.h"
#include "frontend/rewrite/UnrollAndFlatten.h"
#include "frontend/rewrite/branches/BraceArms.h"
#include "frontend/rewrite/branches/NestReturns.h"
#include "frontend/rewrite/branches/PredicateLaunches.h"
#include "frontend/rewrite/branches/SinkIntoBranches.h"
#include "frontend/rewrite/branches/TailDuplication.h"
#include "frontend/rewrite/methods/JoinMethods.h"
#include "frontend/rewrite/wrappers/ExpandMacros.h"
#include "frontend/rewrite/wrappers/InlineCalls.h"
#include "frontend/rewrite/wrappers/InlineLambdas.h"
#include "frontend/rewrite/wrappers/LaunchCalls.h"

#include "clang/Frontend/ASTUnit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kfuse {
namespace {

/// Returns `unit` with another text; null if there is none or it isn't as good.
std::unique_ptr<SourceUnit> derive(const SourceUnit &unit, RewrittenText next,
                                   const ParseOptions &options) {
  if (next.text.text.empty() || unit.language() == Language::OpenCL)
    return nullptr;
  std::string ignored;
  auto headers = unit.headers();
  for (auto &[path, header] : next.headers)
    headers[path] = std::move(header);
  ParseOptions own = options;
  own.mode = unit.mode();
  auto derived = parse(own, next.text.text, headers, ignored);
  if (!derived || derived->errors() > unit.errors())
    return nullptr;
  derived->setHeaders(std::move(headers));
  derived->setOrigins(unit, next.text);
  Refusals refused = unit.replacements().refused;
  refused.add(next.replaced.refused);
  next.replaced.refused = std::move(refused);
  next.replaced.copied = unit.replacements().copied;
  next.replaced.copied.insert(next.functions.begin(), next.functions.end());
  derived->setReplacements(std::move(next.replaced));
  return derived;
}

/// Goes on with the text `next`; returns false if derive() has none. Keeps what
/// was refused in any case.
bool rewrite(std::unique_ptr<SourceUnit> &unit, RewrittenText next,
             const ParseOptions &options) {
  const Refusals refused = next.replaced.refused;
  auto derived = derive(*unit, std::move(next), options);
  const bool isNew = derived != nullptr;
  if (isNew)
    unit = std::move(derived);
  unit->addRefused(refused);
  return isNew;
}

/// Writes statements of some functions another time, except those of
/// `excluded`.
using CopyFunctions = llvm::function_ref<RewrittenText(
    const SourceUnit &, const std::set<std::string> &excluded)>;

/// Returns the `copied` with which alone the text doesn't compile, or all.
std::set<std::string> functionsToKeep(const SourceUnit &unit,
                                      const std::set<std::string> &copied,
                                      const ParseOptions &options,
                                      CopyFunctions copy) {
  constexpr std::size_t MostTries = 16;
  std::set<std::string> excluded;
  for (const std::string &function : copied) {
    std::set<std::string> others = copied;
    others.erase(function);
    if (copied.size() > MostTries || !derive(unit, copy(unit, others), options))
      excluded.insert(function);
  }
  return excluded.empty() ? copied : excluded;
}

/// Runs one round of wrappers' statements for their calls. If the text doesn't
/// compile with them, leaves out those that it doesn't compile with alone.
bool inlineRound(std::unique_ptr<SourceUnit> &unit,
                 const ParseOptions &options) {
  const RewrittenText whole = inlineCalls(*unit, {});
  if (rewrite(unit, whole, options))
    return true;
  if (whole.functions.empty())
    return false;
  const std::set<std::string> excluded =
      functionsToKeep(*unit, whole.functions, options, inlineCalls);
  RewrittenText rest = inlineCalls(*unit, excluded);
  for (const std::string &function : excluded)
    rest.replaced.refused.calls[function] =
        "the program doesn't compile with its statements there";
  return rewrite(unit, std::move(rest), options);
}

/// Returns the unit with instances that have a text of their own: those with
/// which the text compiles, and which do the same as before.
std::unique_ptr<SourceUnit> withInstances(const SourceUnit &unit,
                                          const ParseOptions &options,
                                          CopyFunctions copy,
                                          Refusals &refused) {
  std::set<std::string> excluded;
  const auto keep = [&](const std::set<std::string> &names, const char *why) {
    for (const std::string &name : names)
      refused.instances.emplace(name.substr(0, name.find('<')), why);
    excluded.insert(names.begin(), names.end());
  };
  RewrittenText next = copy(unit, excluded);
  refused.add(next.replaced.refused);
  std::unique_ptr<SourceUnit> derived = derive(unit, next, options);
  if (!derived && !next.functions.empty()) {
    keep(functionsToKeep(unit, next.functions, options, copy),
         "the program doesn't compile with a text for each instance");
    next = copy(unit, excluded);
    derived = derive(unit, next, options);
  }
  if (derived) {
    const std::set<std::string> changed =
        changedInstances(unit, *derived, next.functions);
    if (!changed.empty()) {
      keep(changed, "with a text for each instance it may do something else");
      derived = derive(unit, copy(unit, excluded), options);
    }
  }
  return derived;
}

bool copyRound(std::unique_ptr<SourceUnit> &unit, const ParseOptions &options) {
  Refusals refused;
  auto derived = withInstances(*unit, options, specialiseTemplates, refused);
  const bool isNew = derived != nullptr;
  if (isNew)
    unit = std::move(derived);
  unit->addRefused(refused);
  return isNew;
}

/// Nested loops, and wrappers that call wrappers, come round by round; what
/// lies deeper stays.
constexpr unsigned MostRounds = 4;

} // namespace

std::unique_ptr<SourceUnit> parseRewritten(const ParseOptions &options,
                                           std::string &diagnostics) {
  std::unique_ptr<SourceUnit> unit = parse(options, diagnostics);
  // The rewritings know launches of CUDA.
  if (!unit || unit->language() == Language::OpenCL)
    return unit;
  for (unsigned i = 0; i < MostRounds; ++i)
    if (!rewrite(unit, expandMacros(*unit), options))
      break;
  rewrite(unit, writeLaunchCalls(*unit), options);
  rewrite(unit, inlineLambdas(*unit), options);
  for (unsigned i = 0; i < MostRounds; ++i)
    if (!rewrite(unit, nestReturns(*unit), options))
      break;
  // An instance's own text may be rewritten in the next round.
  for (unsigned copies = 0; copies < MostRounds; ++copies) {
    // Calls in a loop are joined before it is unrolled.
    rewrite(unit, joinMethods(*unit), options);
    for (unsigned i = 0; i < MostRounds; ++i)
      if (!rewrite(unit, unrollAndFlatten(*unit, options.keptLoops), options))
        break;
    rewrite(unit, braceArms(*unit), options);
    rewrite(unit, duplicateTails(*unit), options);
    for (unsigned i = 0; i < MostRounds; ++i) {
      const bool isJoined = rewrite(unit, joinMethods(*unit), options);
      if (!inlineRound(unit, options) && !isJoined)
        break;
    }
    if (!copyRound(unit, options))
      break;
  }
  return unit;
}

std::unique_ptr<SourceUnit>
parseSummingInstances(const ParseOptions &options, const SourceUnit &unit,
                      const std::set<std::string> &asked) {
  const auto summing = summingInstances(unit, asked);
  const auto copy = [&](const SourceUnit &from,
                        const std::set<std::string> &excluded) {
    return specialise(from, summing, excluded);
  };
  Refusals ignored;
  return withInstances(unit, options, copy, ignored);
}

std::unique_ptr<SourceUnit> parseContracted(const ParseOptions &options,
                                            const SourceUnit &unit,
                                            RewrittenText contracted) {
  return derive(unit, std::move(contracted), options);
}

std::unique_ptr<SourceUnit> parsePredicated(const ParseOptions &options,
                                            const SourceUnit &unit,
                                            const Program &program) {
  return derive(unit, predicateLaunches(unit, program), options);
}

std::unique_ptr<SourceUnit> parseSunkIntoBranches(const ParseOptions &options,
                                                  const SourceUnit &unit) {
  auto derived = derive(unit, sinkIntoBranches(unit), options);
  if (!derived)
    return nullptr;
  rewrite(derived, duplicateTails(*derived), options);
  // Wrappers that were alone in an arm aren't any more.
  for (unsigned i = 0; i < MostRounds; ++i)
    if (!inlineRound(derived, options))
      break;
  return derived;
}

std::unique_ptr<SourceUnit> parseDeferred(const ParseOptions &options,
                                          const SourceUnit &unit,
                                          const Program &program,
                                          bool withChecks) {
  return derive(unit, deferChecks(unit, program, withChecks), options);
}

std::unique_ptr<SourceUnit>
parseMemoryCalls(const ParseOptions &options, const SourceUnit &unit,
                 const std::vector<SourceRange> &excluded) {
  return derive(unit, launchMemoryCalls(unit, excluded), options);
}

std::unique_ptr<SourceUnit>
parseRenamed(const ParseOptions &options, const SourceUnit &unit,
             const Program &program, const std::vector<Renaming> &renamings) {
  return derive(unit, renameUpdates(unit, program, renamings), options);
}

std::unique_ptr<SourceUnit>
parseSplit(const ParseOptions &options, const SourceUnit &unit,
           const Program &program, const std::vector<FissionCandidate> &known,
           const std::vector<Fission> &fissions) {
  return derive(unit, splitKernels(unit, program, known, fissions), options);
}

} // namespace kfuse
