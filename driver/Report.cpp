//===- Report.cpp - What kfuse tells a person -----------------------------===//

#include "driver/Report.h"

#include "fusion/cost/AssumedSizes.h"
#include "fusion/cost/MeasuredLaunches.h"
#include "fusion/dependence/Names.h"
#include "fusion/report/Causes.h"
#include "fusion/report/MeasuredText.h"
#include "fusion/report/Units.h"
#include "ga/problem/Adapter.h"
#include "graphs/program/Effects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"

#include <algorithm>
#include <fstream>
#include <tuple>

namespace kfuse {
namespace {

/// Prints messages at source ranges, with carets, in Clang's manner.
class Carets {
public:
  Carets(const Compilation &compilation, llvm::raw_ostream &stream)
      : Source(compilation.program), From(compilation.unit->origins()),
        Stream(stream), Buffers(Source.files.size()) {}

  void print(llvm::SourceMgr::DiagKind kind, const SourceRange &range,
             const std::string &text) {
    if (range.line == 0 || range.file >= Source.files.size()) {
      Stream << "kfuse: "
             << (kind == llvm::SourceMgr::DK_Note ? "note: " : "remark: ")
             << text << "\n";
      return;
    }
    unsigned &buffer = Buffers[range.file];
    if (buffer == 0) {
      auto file = llvm::MemoryBuffer::getFile(Source.files[range.file].path);
      if (!file) {
        Stream << Source.files[range.file].path << ":" << range.line << ":"
               << range.column << ": remark: " << text << "\n";
        return;
      }
      buffer = Manager.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
    }
    const llvm::MemoryBuffer &content = *Manager.getMemoryBuffer(buffer);
    auto at = [&](std::uint32_t offset) {
      if (range.file == 0)
        offset = From.of(offset);
      return llvm::SMLoc::getFromPointer(
          content.getBufferStart() +
          std::min<std::size_t>(offset, content.getBufferSize()));
    };
    // The ends of a copied statement may come from two places.
    const llvm::SMLoc begin = at(range.begin);
    const llvm::SMLoc end =
        std::max(begin, at(range.end), [](llvm::SMLoc lhs, llvm::SMLoc rhs) {
          return lhs.getPointer() < rhs.getPointer();
        });
    Manager.PrintMessage(Stream, begin, kind, text, llvm::SMRange(begin, end),
                         {}, /*ShowColors=*/false);
  }

private:
  const Program &Source;
  const Origins &From;
  llvm::raw_ostream &Stream;
  llvm::SourceMgr Manager;
  std::vector<unsigned> Buffers;
};

std::string names(const Program &program,
                  const std::vector<LaunchId> &launches) {
  std::string text;
  for (LaunchId launch : launches)
    text += (text.empty() ? "'" : ", '") + program.kernelOf(launch).name + "'";
  return text;
}

std::string pairText(const Program &program, const Remark &remark) {
  if (remark.launches.size() != 2)
    return names(program, remark.launches);
  return "'" + program.kernelOf(remark.launches[0]).name + "' and '" +
         program.kernelOf(remark.launches[1]).name + "'";
}

std::string sentence(const Program &program, const Remark &remark) {
  if (remark.name == "Swapped")
    return remark.text + " [-Rkfuse]";
  if (remark.fused)
    return "fused " + names(program, remark.launches) + ": " + remark.text +
           " [-Rkfuse]";
  if (remark.kind == ObstacleKind::CopyNotSwappable)
    return remark.name + ": " + remark.text + " [-Rkfuse-missed]";
  return pairText(program, remark) + " not fused: " + remark.name + ": " +
         remark.text + " [-Rkfuse-missed]";
}

/// The most pairs whose names a remark has.
constexpr std::size_t MostPairs = 4;

/// Returns what would help, what that would save, and which other pairs the
/// cause keeps apart.
std::string remedyAndCost(const Compilation &compilation, const Cause &cause) {
  const Remark &first = compilation.remarks[cause.remarks.front()];
  std::vector<std::string> parts;
  if (cause.bytes > 0 && first.kind != ObstacleKind::NoGain &&
      first.kind != ObstacleKind::AmbiguousContraction)
    parts.push_back("one kernel would read " + megabytes(cause.bytes) +
                    " less, " + microseconds(cause.seconds) +
                    " with the launch");
  std::vector<std::string> others;
  for (std::size_t i = 1; i < cause.remarks.size(); ++i)
    others.push_back(
        pairText(compilation.program, compilation.remarks[cause.remarks[i]]));
  if (!others.empty()) {
    const std::size_t more = others.size() - std::min(others.size(), MostPairs);
    others.resize(others.size() - more);
    others.erase(std::unique(others.begin(), others.end()), others.end());
    parts.push_back("the same keeps apart " + llvm::join(others, ", ") +
                    (more != 0 ? " and " + std::to_string(more) +
                                     (more == 1 ? " more pair" : " more pairs")
                               : ""));
  }
  const std::string cost = llvm::join(parts, "; ");
  if (first.remedy.empty() || cost.empty())
    return first.remedy + cost;
  const bool hasColon = first.remedy.find(": ") != std::string::npos;
  return first.remedy + (hasColon ? "; " : ": ") + cost;
}

/// Returns whether the plan is the partition that the search found, and that is
/// proven to be the best.
bool isProvenBest(const Compilation &compilation) {
  return compilation.search.provenOptimal &&
         toPartition(*compilation.problem, groupsOf(compilation.plan)) ==
             compilation.search.partition;
}

/// The most kernels whose measured times the summary has.
constexpr std::size_t MostMeasured = 5;

/// The most variables whose assumed values the summary has.
constexpr std::size_t MostVariables = 4;

/// Prints which launches' sizes aren't in the source, and how they are known.
void printSizes(const Problem &problem, llvm::raw_ostream &stream) {
  std::size_t measured = 0, assumed = 0;
  std::map<std::string, double> variables;
  for (std::uint32_t i = 0; i < problem.program.launches.size(); ++i) {
    if (isReplaced(problem.program, LaunchId{i}))
      continue;
    const SizeOrigin origin = sizeOrigin(problem, LaunchId{i});
    measured += origin == SizeOrigin::Measured ? 1 : 0;
    if (origin != SizeOrigin::Assumed)
      continue;
    ++assumed;
    variables.merge(assumedVariables(problem, problem.program.launches[i]));
  }
  if (measured + assumed == 0)
    return;
  stream << "  threads that the source doesn't tell: ";
  if (measured != 0)
    stream << "measured for " << measured
           << (measured == 1 ? " launch" : " launches");
  if (assumed != 0) {
    stream << (measured != 0 ? ", " : "") << "assumed for " << assumed
           << (assumed == 1 ? " launch" : " launches");
    std::size_t told = 0;
    for (const auto &[name, value] : variables)
      if (told++ < MostVariables)
        stream << (told == 1 ? ", as if " : ", ") << name << " = "
               << llvm::format("%.0f", value);
    stream << " (--profile)";
  }
  stream << "\n";
}

/// Prints the measured times of the program's kernels, the longest first.
void printMeasured(const Compilation &compilation, llvm::raw_ostream &stream) {
  const Problem &problem = *compilation.problem;
  std::vector<const MeasuredLaunch *> found;
  for (std::uint32_t i = 0; i < problem.program.launches.size(); ++i) {
    const MeasuredLaunch *entry = measuredLaunch(problem, LaunchId{i});
    if (entry && !llvm::is_contained(found, entry))
      found.push_back(entry);
  }
  if (found.empty())
    return;
  llvm::sort(found, [](const MeasuredLaunch *lhs, const MeasuredLaunch *rhs) {
    return std::tie(rhs->seconds.total, lhs->name, lhs->first) <
           std::tie(lhs->seconds.total, rhs->name, rhs->first);
  });
  const std::string &device = problem.evidence.measuredOn;
  stream << "  measured" << (device.empty() ? "" : " on ") << device << ":";
  for (std::size_t i = 0; i < std::min(found.size(), MostMeasured); ++i) {
    const MeasuredTime &time = found[i]->seconds;
    stream << (i == 0 ? " " : ", ") << found[i]->name << " "
           << microseconds(time.median);
    if (time.min != time.max)
      stream << " (" << microseconds(time.min) << " to "
             << microseconds(time.max) << ")";
  }
  if (found.size() > MostMeasured)
    stream << " and " << found.size() - MostMeasured << " more";
  stream << "\n";
}

} // namespace

void printRemarks(const Compilation &compilation, const Options &options,
                  llvm::raw_ostream &stream) {
  Carets carets(compilation, stream);
  const auto print = [&](const Remark &remark, const std::string &remedy) {
    carets.print(llvm::SourceMgr::DK_Remark, remark.range,
                 sentence(compilation.program, remark));
    for (const ObstacleNote &note : remark.notes)
      carets.print(llvm::SourceMgr::DK_Note, note.range, note.text);
    if (!remedy.empty())
      carets.print(llvm::SourceMgr::DK_Note, remark.range, remedy);
  };
  for (const Remark &remark : compilation.remarks)
    if (remark.fused && options.passedRemarks)
      print(remark, remark.remedy);
  if (options.missedRemarks)
    for (const Cause &cause :
         causesOf(*compilation.problem, compilation.remarks))
      print(compilation.remarks[cause.remarks.front()],
            remedyAndCost(compilation, cause));
  if (!options.analysisRemarks)
    return;
  for (const Program::Ignored &ignored : compilation.program.ignored)
    carets.print(llvm::SourceMgr::DK_Remark, ignored.range,
                 "launch left alone: " + ignored.reason +
                     " [-Rkfuse-analysis]");
}

void printSummary(const Compilation &compilation, llvm::raw_ostream &stream) {
  const Program &program = compilation.program;
  const Totals &before = compilation.before;
  const Totals after = totalsOf(program, compilation.plan);
  const std::string &path = program.files.front().path;
  if (program.launches.empty()) {
    stream << path << ": no kernel launch that kfuse can follow; left as it is";
    if (!program.ignored.empty())
      stream << " (" << program.ignored.size()
             << " seen; -Rkfuse-analysis says why)";
    stream << "\n";
    return;
  }
  stream << path << ": " << before.launches << " launches -> " << after.launches
         << "\n";
  for (const FusedKernel &kernel : compilation.plan.kernels) {
    if (kernel.launches.size() < 2 || kernel.isInCall)
      continue;
    stream << "  " << kernel.name << " = " << names(program, kernel.launches);
    std::string dropped;
    for (const Placement &placement : kernel.placements)
      if (placement.kind == PlacementKind::RegisterOnly)
        dropped +=
            (dropped.empty() ? "" : ", ") + program[placement.array].name;
    if (!dropped.empty())
      stream << "; never stored: " << dropped;
    if (!kernel.conditions.empty())
      stream << "; under " << kernel.conditions.size()
             << (kernel.conditions.size() == 1 ? " condition" : " conditions")
             << " tested at run time";
    stream << "\n";
  }
  for (StepId step : compilation.plan.swaps)
    stream << "  " << exchangeText(program, step) << "\n";
  if (const std::string &compiler =
          compilation.problem->evidence.contracted.compiler;
      !compiler.empty())
    stream << "  sums are contracted as by " << compiler << "\n";
  stream << "  global traffic, each launch once: " << megabytes(before.bytes)
         << " -> " << megabytes(after.bytes) << "\n"
         << "  projected on " << compilation.problem->device.name << ": "
         << microseconds(before.seconds) << " -> "
         << microseconds(after.seconds)
         << (isProvenBest(compilation)
                 ? "; no other fusion is projected to take less\n"
                 : "\n");
  printMeasured(compilation, stream);
  printSizes(*compilation.problem, stream);
  if (!compilation.foreignKernels.empty())
    stream << "  in the profile, but not launched in the source: "
           << llvm::join(compilation.foreignKernels, ", ") << "\n";
  const auto missed = llvm::count_if(
      compilation.remarks, [](const Remark &remark) { return !remark.fused; });
  if (missed != 0) {
    std::map<std::string, unsigned> reasons;
    for (const Remark &remark : compilation.remarks)
      if (!remark.fused)
        ++reasons[remark.name];
    stream << "  left: ";
    bool first = true;
    for (const auto &[name, count] : reasons) {
      stream << (first ? "" : ", ") << count << " " << name;
      first = false;
    }
    const std::size_t causes =
        causesOf(*compilation.problem, compilation.remarks).size();
    stream << " (pairs, for " << causes
           << (causes == 1 ? " reason" : " reasons")
           << "; -Rkfuse-missed tells each)\n";
  }
  if (!program.ignored.empty())
    stream << "  " << program.ignored.size()
           << " launches left alone; -Rkfuse-analysis says why\n";
}

std::string remarksAsYaml(const Compilation &compilation) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  const auto serializer = llvm::cantFail(llvm::remarks::createRemarkSerializer(
      llvm::remarks::Format::YAML, llvm::remarks::SerializerMode::Separate,
      stream));
  const Program &program = compilation.program;
  for (const Remark &remark : compilation.remarks) {
    llvm::remarks::Remark out;
    out.RemarkType = remark.fused ? llvm::remarks::Type::Passed
                                  : llvm::remarks::Type::Missed;
    out.PassName = "kfuse";
    out.RemarkName = remark.name;
    if (!remark.launches.empty())
      out.FunctionName =
          program[program[remark.launches.front()].region].function;
    if (remark.range.line != 0)
      out.Loc = {program.files[remark.range.file].path, remark.range.line,
                 remark.range.column};
    const std::string involved = names(program, remark.launches);
    const std::string remedy =
        remark.remedy.empty() ? "" : " (" + remark.remedy + ")";
    for (const auto &[key, value] :
         {std::pair<llvm::StringRef, llvm::StringRef>{"Kernels", involved},
          {"Text", remark.text},
          {"Remedy", remedy}})
      if (!value.empty()) {
        out.Args.emplace_back();
        out.Args.back().Key = key;
        out.Args.back().Val = value;
      }
    serializer->emit(out);
  }
  return text;
}

} // namespace kfuse
