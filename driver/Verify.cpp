//===- Verify.cpp - Does the fused program do the same? -------------------===//

#include "driver/Verify.h"

#include "driver/CommandLine.h"
#include "driver/FusedLaunches.h"
#include "driver/RunComparison.h"
#include "frontend/parse/Flags.h"
#include "fusion/dependence/Names.h"
#include "fusion/group/Liveness.h"
#include "runtime/CpuCompiler.h"
#include "runtime/OpenClCompiler.h"
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

/// One of the two programs, and how to run it.
struct Job {
  std::string program;
  std::string place; ///< the folder that it runs in; empty for kfuse's own
  std::vector<std::string> arguments;
};

Run run(const ScratchFolder &folder, const Job &job, const std::string &order) {
  const std::string trace = folder.file("trace"), out = folder.file("out"),
                    err = folder.file("err"),
                    launches = folder.file("launches");
  // A longer file from the run before would keep its end.
  for (const std::string &file : {trace, out, err, launches})
    static_cast<void>(llvm::sys::fs::remove(file));
  std::vector<std::string> variables = {
      "KFUSE_CPU_ORDER=" + order, "KFUSE_CPU_TRACE=" + trace,
      "KFUSE_CPU_LAUNCHES=" + launches, "KFUSE_OPENCL_TRACE=" + trace,
      "KFUSE_OPENCL_LAUNCHES=" + launches,
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
  result.launches = contentOf(launches);
  return result;
}

/// Returns the header of one of CUDA's libraries that the program includes;
/// empty when there is no such header. The executor has none of these
/// libraries.
std::string libraryHeader(const Program &program) {
  for (const SourceFile &file : program.files) {
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(file.text).split(lines, '\n');
    for (llvm::StringRef line : lines) {
      line = line.trim();
      if (!line.consume_front("#"))
        continue;
      line = line.ltrim();
      if (!line.consume_front("include"))
        continue;
      const llvm::StringRef name = line.trim(" \t<>\"");
      for (const char *library :
           {"cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn",
            "cutensor", "nccl", "npp", "thrust/", "cub/", "cutlass/"})
        if (name.starts_with(library))
          return name.str();
    }
  }
  return {};
}

/// Returns the files beside the input, compiled if they are CUDA or C++
/// sources; adds what went wrong to `diagnostics`.
std::vector<std::string> linkedFiles(const ScratchFolder &folder,
                                     const Options &options,
                                     const CpuBuild &like,
                                     std::string &diagnostics) {
  std::vector<std::string> files;
  for (const std::string &file : options.linked) {
    const llvm::StringRef extension = llvm::sys::path::extension(file);
    if (!llvm::is_contained({".cu", ".cpp", ".cc", ".cxx", ".c"}, extension)) {
      files.push_back(file);
      continue;
    }
    CpuBuild build = like;
    build.input = file;
    build.text.reset();
    build.flags.emplace_back("-c");
    build.output = folder.file("linked" + std::to_string(files.size()) + ".o");
    const CpuBuildResult result = compileForCpu(build);
    if (!result.ok)
      diagnostics += result.diagnostics;
    files.push_back(build.output);
  }
  return files;
}

/// Builds both programs at the same time, because building takes most of the
/// time of a verification.
ExitCode build(const ScratchFolder &folder, const Compilation &compilation,
               const Options &options, llvm::raw_ostream &stream) {
  CpuBuild original;
  original.input = options.parse.input;
  original.text = compilation.unit->origins().text();
  original.output = folder.file("original");
  original.flags = options.parse.flags;
  // The fused program may say how sums are contracted; here none is.
  if (!compilation.problem->evidence.contracted.compiler.empty())
    original.flags.emplace_back("-DKFUSE_CPU_UNCONTRACTED");
  original.sanitize = true;
  const bool isOpenCl = compilation.program.language == Language::OpenCL;
  if (isOpenCl) {
    original.flags = clangFlags(options.parse.flags);
    llvm::append_range(original.flags, options.linked);
  } else {
    std::string diagnostics;
    llvm::append_range(original.flags,
                       linkedFiles(folder, options, original, diagnostics));
    if (!diagnostics.empty()) {
      stream << diagnostics << "kfuse: error: a file that --link names does "
             << "not build on the CPU executor\n";
      return ExitCode::Input;
    }
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
  if (const std::string header = libraryHeader(compilation.program);
      !ofOriginal.ok && !header.empty())
    stream << "kfuse: note: the executor has none of CUDA's libraries, of "
           << "which the program includes '" << header
           << "'; scripts/gpu-verify.py verifies on a GPU\n";
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
  /// The arrays to which no fused kernel stores, and the others.
  std::vector<ArrayId> never, notAlways;
  /// Labels that living arrays have too, of functions that return storage.
  std::set<std::string> sites;
};

/// Collects the arrays. A label that also belongs to a living array is not
/// among them: what is proved must not depend on a name. Functions that
/// return storage are the exception: they give all of it one label.
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
        .push_back(id);
    if (isShared)
      dead.sites.insert(label);
  }
  return dead;
}

/// Moves arrays that the members of a fused kernel stored, when its test was
/// false, to those that are not always stored.
void noteStores(DeadArrays &dead, const std::vector<FusedLaunch> &launches) {
  const auto isStoredApart = [&](ArrayId array) {
    return llvm::any_of(launches, [&](const FusedLaunch &launch) {
      return launch.apart != 0 && llvm::is_contained(launch.unstored, array);
    });
  };
  llvm::copy_if(dead.never, std::back_inserter(dead.notAlways), isStoredApart);
  llvm::erase_if(dead.never, isStoredApart);
}

/// Reports on runs that differed in nothing except what was left out; returns
/// the verdict.
ExitCode report(const Compilation &compilation, DeadArrays dead,
                const std::vector<FusedLaunch> &launches, const LeftOut &left,
                const std::string &how, llvm::raw_ostream &stream) {
  ExitCode verdict = ExitCode::Done;
  for (const FusedLaunch &launch : launches)
    if (neverHeld(launch)) {
      verdict = ExitCode::NeverHeld;
      stream << launch.place << ": error: " << launch.what
             << " never ran: its test at run time was false each of the "
             << launch.apart << " times\n  " << launch.test << "\n";
    }
  if (left.isEverything ||
      (!launches.empty() && llvm::all_of(launches, neverCame))) {
    stream << left.text << "kfuse: error: nothing was verified: "
           << (left.isEverything
                   ? "all that the original leaves and prints differs from run "
                     "to run\n"
                   : "the program came to no fused launch; its arguments go "
                     "after '--'\n");
    return verdict == ExitCode::Done ? ExitCode::Unverified : verdict;
  }
  stream << (verdict == ExitCode::Done ? "verified: original and fused leave"
                                       : "not verified: what ran leaves")
         << " equal traces and output " << how;
  noteStores(dead, launches);
  const auto names = [&](const std::vector<ArrayId> &arrays) {
    std::vector<std::string> texts;
    for (const ArrayId array : arrays)
      texts.push_back(compilation.program[array].name);
    return llvm::join(texts, ", ");
  };
  if (!dead.never.empty())
    stream << " (never stored: " << names(dead.never) << ")";
  if (!dead.notAlways.empty())
    stream << " (not always stored: " << names(dead.notAlways) << ")";
  stream << "\n";
  for (const FusedLaunch &launch : launches)
    if (neverCame(launch) && !ranElsewhere(launch, launches))
      stream << "not run: " << launch.what << " at " << launch.place
             << ": the program never came to it\n";
    else if (launch.fused != 0 && launch.apart != 0)
      stream << "not always run: " << launch.what << " at " << launch.place
             << ": its test held " << launch.fused << " of "
             << launch.fused + launch.apart << " times\n";
  if (!dead.sites.empty())
    stream
        << "not compared: what all arrays hold at their end that are allocated "
           "where some are never stored ("
        << llvm::join(dead.sites, ", ") << ")\n";
  stream << left.text;
  return verdict;
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
  // The folder of the file of its kernels.
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
  RunRules rules{{ignored, swapped, {}}, {}, false};
  std::vector<FusedLaunch> launches = fusedLaunches(compilation);
  Run last; // of the original
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
    RunDifference difference = compareRuns(original, fused, rules);
    // Output that depends on the time, say, isn't the same twice: the last run
    // of the original is later than the fused program's. Times may be printed
    // in few digits, and be the same twice for once.
    for (unsigned again = 0; again < (difference.isOutput ? Repetitions : 1) &&
                             !difference.text.empty();
         ++again) {
      addUnsteady(original, run(folder, job("original"), order), rules);
      difference = compareRuns(original, fused, rules);
    }
    if (!difference.text.empty()) {
      stream << "kfuse: mismatch " << where << ": " << difference.text;
      return ExitCode::Mismatch;
    }
    addCounts(launches, fused.launches);
    last = original;
  }
  return report(compilation, dead, launches, leftOut(last, rules),
                isOpenCl ? std::string("with OpenCL")
                         : "in " + std::to_string(orders) + " thread orders",
                stream);
}

} // namespace kfuse
