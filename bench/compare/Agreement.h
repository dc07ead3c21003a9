//===- Agreement.h - Do two programs do the same? -------------------------===//
//
// Programs agree if they end with one exit code, print the same, and leave
// equal traces. Lines and events that the original itself doesn't repeat, such
// as times, don't count.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_COMPARE_AGREEMENT_H
#define KFUSE_BENCH_COMPARE_AGREEMENT_H

#include "bench/compare/ProgramRun.h"
#include "runtime/trace/Trace.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace kfuse {

/// How two runs differ, and what was left out when they were compared.
struct Agreement {
  std::string difference;         ///< for people; empty if there is none
  std::size_t unsteadyLines = 0;  ///< of the output
  std::size_t unsteadyEvents = 0; ///< of the trace
  bool hasTraces = false;
};

/// Compares a run of the original and one of the fused program. Calls `again`
/// for another run of the original if they differ. Without rules only what the
/// host received is compared of the traces: what arrays hold at their end may
/// be another thing in a fused program.
Agreement agreementOf(const ProgramRun &original, const ProgramRun &fused,
                      const std::optional<TraceRules> &rules,
                      const std::function<ProgramRun()> &again);

} // namespace kfuse

#endif
