//===- driver/Verify.cpp - Does the fused program do the same? ------------===//

#include "driver/Verify.h"

#include "frontend/Flags.h"
#include "fusion/Liveness.h"
#include "fusion/Names.h"
#include "runtime/CpuCompiler.h"
#include "runtime/OpenClCompiler.h"
#include "runtime/Trace.h"
#include "system/Child.h"
#include "system/Scratch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <future>
#include <set>

namespace kfuse {
namespace {

/// Longer than any program that is meant to run on a CPU takes.
constexpr unsigned RunSeconds = 600;
/// How often the original runs again to tell what it prints differently.
constexpr unsigned Repetitions = 3;

struct Run {
  int status = 0;
  std::string message; ///< of the system, when it could not be run
  std::string trace, output, errors;
};

/// One of the two programs, and how to run it.
struct Job {
  std::string program;
  std::string place; ///< the folder that it runs in; empty for kfuse's own
  std::vector<std::string> arguments;
};

Run run(const ScratchFolder &folder, const Job &job, const std::string &order) {
  const std::string trace = folder.file("trace"), out = folder.file("out"),
                    err = folder.file("err");
  // What is longer from the run before would stay at the end.
  for (const std::string &file : {trace, out, err})
    static_cast<void>(llvm::sys::fs::remove(file));
  std::vector<std::string> variables = {
      "KFUSE_CPU_ORDER=" + order, "KFUSE_CPU_TRACE=" + trace,
      "KFUSE_OPENCL_TRACE=" + trace,
      // Programs rarely free at exit; the fiber stacks confuse the checker.
      "ASAN_OPTIONS=detect_leaks=0",
      "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1"};
  for (const char *name :
       {"PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "OCL_ICD_VENDORS",
        "OPENCL_VENDOR_PATH", "POCL_CACHE_DIR", "POCL_MAX_PTHREAD_COUNT"})
    if (auto value = llvm::sys::Process::GetEnv(name))
      variables.push_back(std::string(name) + "=" + *value);
  ChildProgram program;
  program.words = {job.program};
  llvm::append_range(program.words, job.arguments);
  program.environment = std::move(variables);
  program.folder = job.place;
  program.output = out;
  program.errors = err;
  program.seconds = RunSeconds;
  const ChildResult ended = runChild(program);

  Run result;
  result.status = ended.status;
  result.message = ended.message;
  result.trace = contentOf(trace);
  result.output = contentOf(out);
  result.errors = contentOf(err);
  return result;
}

/// Builds both programs, at once: most of what verifying takes.
ExitCode build(const ScratchFolder &folder, const Compilation &compilation,
               const Options &options, llvm::raw_ostream &stream) {
  CpuBuild original;
  original.input = options.parse.input;
  original.text = compilation.unit->origins().text();
  original.output = folder.file("original");
  original.flags = options.parse.flags;
  // The fused program may say how sums are contracted; here none is.
  if (!options.nvcc.empty())
    original.flags.emplace_back("-DKFUSE_CPU_UNCONTRACTED");
  original.sanitize = true;
  const bool isOpenCl = compilation.program.language == Language::OpenCL;
  if (isOpenCl) {
    original.flags = clangFlags(options.parse.flags);
    llvm::append_range(original.flags, options.linked);
  }
  CpuBuild fused = original;
  fused.text = compilation.text;
  fused.output = folder.file("fused");

  const auto compile = isOpenCl ? compileOpenCl : compileForCpu;
  auto other = std::async(std::launch::async, compile, original);
  const CpuBuildResult ofFused = compile(fused);
  const CpuBuildResult ofOriginal = other.get();
  const CpuBuildResult &failed = ofOriginal.ok ? ofFused : ofOriginal;
  if (failed.ok)
    return ExitCode::Done;
  stream << failed.diagnostics << "kfuse: error: the "
         << (ofOriginal.ok ? "fused" : "original") << " program does not build "
         << (isOpenCl ? "with OpenCL" : "on the CPU executor") << "\n";
  return ofOriginal.ok ? ExitCode::Mismatch : ExitCode::Input;
}

std::string orderName(std::uint32_t index) {
  if (index == 0)
    return "forward";
  if (index == 1)
    return "reverse";
  return "shuffle:" + std::to_string(index - 1);
}

/// Arrays that the fused program leaves without content.
struct DeadArrays {
  std::vector<std::string> labels;
  /// Those to which no kernel stores, and the others.
  std::vector<std::string> never, notAlways;
  /// Labels that living arrays have too, of functions that return storage.
  std::set<std::string> sites;
};

/// A label that also belongs to a living array is not among them: what is
/// proved must not depend on a name. But for functions that return storage,
/// which give all of it one.
DeadArrays deadArrays(const Compilation &compilation) {
  const Program &program = compilation.program;
  DeadArrays dead;
  for (ArrayId id : compilation.plan.dead) {
    const std::string label = traceLabel(program, id);
    const bool isShared =
        llvm::any_of(llvm::enumerate(program.arrays), [&](const auto &entry) {
          const auto other = static_cast<ArrayId>(entry.index());
          return entry.value().origin == ArrayOrigin::Allocation &&
                 traceLabel(program, other) == label &&
                 !llvm::is_contained(compilation.plan.dead, other);
        });
    if (isShared && program[id].site.empty())
      continue;
    dead.labels.push_back(label);
    (isStored(program, compilation.plan.kernels, id) ? dead.notAlways
                                                     : dead.never)
        .push_back(program[id].name);
    if (isShared)
      dead.sites.insert(label);
  }
  return dead;
}

/// Numbers of lines, from 0.
using LineSet = std::set<std::size_t>;

LineSet differingLines(const std::string &one, const std::string &other) {
  llvm::SmallVector<llvm::StringRef> left, right;
  llvm::StringRef(one).split(left, '\n');
  llvm::StringRef(other).split(right, '\n');
  LineSet lines;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i)
    if (i >= left.size() || i >= right.size() || left[i] != right[i])
      lines.insert(i);
  return lines;
}

llvm::StringRef lineAt(llvm::StringRef text, std::size_t line) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  return line < lines.size() ? lines[line] : "(nothing)";
}

} // namespace

std::vector<std::vector<std::string>>
swappedLabels(const Compilation &compilation) {
  const Program &program = compilation.program;
  std::vector<std::vector<std::string>> sets;
  for (StepId step : compilation.plan.swaps)
    for (const Exchange &exchange : program[step].exchanges) {
      std::vector<std::string> joined = {traceLabel(program, exchange.target),
                                         traceLabel(program, exchange.source)};
      std::erase_if(sets, [&](const std::vector<std::string> &set) {
        const bool meets = llvm::is_contained(set, joined[0]) ||
                           llvm::is_contained(set, joined[1]);
        if (meets)
          joined.insert(joined.end(), set.begin(), set.end());
        return meets;
      });
      std::sort(joined.begin(), joined.end());
      joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
      sets.push_back(std::move(joined));
    }
  return sets;
}

std::vector<std::string> lostLabels(const Compilation &compilation) {
  const Program &program = compilation.program;
  std::vector<std::string> labels;
  for (StepId step : compilation.plan.swaps)
    for (const Exchange &exchange : program[step].exchanges)
      if (exchange.sourceIsDead)
        labels.push_back(traceLabel(program, exchange.source));
  return labels;
}

ExitCode verify(const Compilation &compilation, const Options &options,
                llvm::raw_ostream &stream) {
  if (compilation.text == compilation.unit->origins().text()) {
    stream << "verified: nothing was fused, the program is as it was\n";
    return ExitCode::Done;
  }
  const ScratchFolder folder("kfuse-verify");
  if (!folder.good()) {
    stream << "kfuse: error: cannot make a folder for temporary files\n";
    return ExitCode::Input;
  }
  if (const ExitCode built = build(folder, compilation, options, stream);
      built != ExitCode::Done)
    return built;

  // OpenCL's runtime has an order of its own.
  const bool isOpenCl = compilation.program.language == Language::OpenCL;
  const std::uint32_t orders = isOpenCl ? 1 : options.orders;
  // Where the file of its kernels is.
  const auto &kernels = compilation.program.kernelString;
  const llvm::StringRef place =
      kernels && kernels->load
          ? llvm::sys::path::parent_path(options.parse.input)
          : "";
  const auto job = [&](llvm::StringRef name) {
    return Job{folder.file(name.str()), place.str(), options.programArguments};
  };
  const DeadArrays dead = deadArrays(compilation);
  const auto swapped = swappedLabels(compilation);
  std::vector<std::string> ignored = lostLabels(compilation);
  ignored.insert(ignored.end(), dead.labels.begin(), dead.labels.end());
  LineSet unsteady;
  for (std::uint32_t i = 0; i < orders; ++i) {
    const std::string order = orderName(i);
    const std::string where =
        isOpenCl ? "with OpenCL" : "in thread order " + order;
    const Run original = run(folder, job("original"), order);
    if (!original.message.empty() || original.status < 0) {
      stream << original.errors << "kfuse: error: the original program fails "
             << (isOpenCl ? "" : "on the CPU executor ") << where << ": "
             << original.message << "\n";
      return ExitCode::Input;
    }
    if (original.errors.find("Sanitizer") != std::string::npos ||
        original.errors.find("runtime error:") != std::string::npos) {
      stream << original.errors
             << "kfuse: error: the original program itself is not clean "
             << where << "\n";
      return ExitCode::Input;
    }
    const Run fused = run(folder, job("fused"), order);
    auto mismatch = [&](const llvm::Twine &what) {
      stream << "kfuse: mismatch " << where << ": " << what;
      return ExitCode::Mismatch;
    };
    if (!fused.message.empty() || fused.status != original.status)
      return mismatch("the original exits with " +
                      llvm::Twine(original.status) + ", the fused program " +
                      llvm::Twine(fused.status) + " " + fused.message + "\n" +
                      fused.errors);
    if (isOpenCl && original.trace != fused.trace)
      return mismatch("the host receives other data\n");
    if (auto difference =
            compareTraces(original.trace, fused.trace, ignored, swapped))
      return mismatch(difference->text + "\n");
    LineSet lines = differingLines(original.output, fused.output);
    // What the program prints of the time, say, isn't the same twice.
    for (unsigned again = 0; again < Repetitions && !lines.empty(); ++again) {
      const Run repeated = run(folder, job("original"), order);
      for (std::size_t line : differingLines(original.output, repeated.output))
        if (lines.erase(line) != 0)
          unsteady.insert(line);
    }
    if (!lines.empty())
      return mismatch("line " + llvm::Twine(*lines.begin() + 1) +
                      " of the output\n  original: " +
                      lineAt(original.output, *lines.begin()) +
                      "\n  fused:    " + lineAt(fused.output, *lines.begin()) +
                      "\n");
  }
  stream << "verified: original and fused leave equal traces and output ";
  if (isOpenCl)
    stream << "with OpenCL";
  else
    stream << "in " << orders << " thread orders";
  if (!dead.never.empty())
    stream << " (never stored: " << llvm::join(dead.never, ", ") << ")";
  if (!dead.notAlways.empty())
    stream << " (not always stored: " << llvm::join(dead.notAlways, ", ")
           << ")";
  stream << "\n";
  if (!dead.sites.empty())
    stream
        << "not compared: what all arrays hold at their end that are allocated "
           "where some are never stored ("
        << llvm::join(dead.sites, ", ") << ")\n";
  if (!unsteady.empty())
    stream << "not compared: " << unsteady.size()
           << " lines of the output that the original itself prints "
              "differently from run to run, such as line "
           << *unsteady.begin() + 1 << "\n";
  return ExitCode::Done;
}

} // namespace kfuse
