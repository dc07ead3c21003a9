//===- Tune.cpp - Plans that are measured ---------------------------------===//

#include "driver/tune/Tune.h"

#include "driver/pipeline/Compile.h"
#include "driver/tune/MeasurePlan.h"
#include "driver/tune/NeighbourPlans.h"
#include "fusion/report/PlanJson.h"
#include "system/Output.h"
#include "system/Scratch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <set>

namespace kfuse {
namespace {

/// Searches with measured times, at most. Each finds a plan that is new.
constexpr unsigned MostSearches = 6;

/// Plans beside the one that is projected to be best.
constexpr std::size_t MostNeighbours = 3;

constexpr const char *StoppedEarly = "stopped before any plan was measured";

/// A plan that was measured.
struct TunedPlan {
  std::string name; ///< for the user
  std::string text, plan;
  std::size_t kernels = 0, launches = 0; ///< in the program's text
  PlanTimes times;
  double share = 1; ///< of the original's time
};

class Tuner {
public:
  Tuner(const Options &options, const std::atomic<bool> &isInterrupted,
        llvm::raw_ostream &stream)
      : Given(options), Scratch("kfuse-tune"), IsInterrupted(isInterrupted),
        Stream(stream) {
    Given.output.clear();
    Given.planToSave.clear();
  }

  ExitCode run(const Options &options) {
    if (!Scratch.good())
      return fail("cannot make a folder for temporary files");
    auto devices = devicesOf(Given, Scratch);
    if (const auto *failure = std::get_if<MeasureFailure>(&devices))
      return fail(IsInterrupted ? StoppedEarly : failure->message);
    Devices = std::get<std::string>(std::move(devices));
    // The CPU executor computes sums as they are written.
    IsOnCpu = !hasCudaDevice(Devices) && !Given.nvcc.empty();
    if (IsOnCpu)
      Given.nvcc.clear();
    const ExitCode code = measureAll();
    if (IsInterrupted && Measured.empty())
      return fail(StoppedEarly);
    if (code != ExitCode::Done && !IsInterrupted)
      return code;
    if (Measured.empty() && HasMismatch)
      return ExitCode::Mismatch;
    if (IsInterrupted)
      Stream << "stopped; of what was measured\n";
    const TunedPlan *best = nullptr;
    for (const TunedPlan &plan : Measured)
      if (!isSlower(plan) && (!best || plan.share < best->share))
        best = &plan;
    return write(options, best);
  }

private:
  ExitCode fail(const std::string &message) {
    Stream << "kfuse: error: " << message << "\n";
    return ExitCode::Input;
  }

  bool isOver(ExitCode code) const {
    return code != ExitCode::Done || IsInterrupted;
  }

  /// Measures the plan that the model finds best, its neighbours, what the
  /// search finds within other limits, and with the times of all.
  ExitCode measureAll() {
    ExitCode code = measure("as projected", Given);
    if (isOver(code) || Seen.empty())
      return code;
    for (std::size_t i = 0; i < Neighbours.size() && !isOver(code); ++i) {
      Options options = Given;
      options.planToLoad =
          Scratch.file("neighbour" + std::to_string(i) + ".json");
      if (writeOutput(options.planToLoad, Neighbours[i]).empty())
        code = measure("neighbour " + std::to_string(i + 1), options);
    }
    for (const std::uint32_t elements : {1U, 2U, 4U, 8U}) {
      if (isOver(code))
        return code;
      Options options = Given;
      options.fusion.maxElementsPerThread = elements;
      code = measure("at most " + std::to_string(elements) +
                         (elements == 1 ? " element" : " elements"),
                     options);
    }
    if (Given.fusion.horizontal && !isOver(code)) {
      Options options = Given;
      options.fusion.horizontal = false;
      code = measure("only related kernels", options);
    }
    for (unsigned round = 0; round < MostSearches && !isOver(code); ++round) {
      Options options = Given;
      options.fusion.maxElementsPerThread = 8;
      options.profiles.insert(options.profiles.end(), Profiles.begin(),
                              Profiles.end());
      const std::size_t before = Measured.size();
      code = measure("by measured times", options);
      if (Measured.size() == before)
        break;
    }
    return code;
  }

  /// Compiles with the options, and measures the program if it is a new one.
  ExitCode measure(const std::string &name, const Options &options) {
    std::string error;
    progress("searching", name);
    std::unique_ptr<Compilation> compilation = compile(options, error);
    if (compilation && Original.empty() && takeDevice(*compilation)) {
      error.clear();
      compilation = compile(Given, error);
    }
    clearProgress();
    // Not all that the model takes for a plan can be written.
    if (!compilation && !options.planToLoad.empty() && Given.planToLoad.empty())
      return ExitCode::Done;
    if (!compilation) {
      Stream << error;
      return ExitCode::Input;
    }
    if (Original.empty()) {
      Stream << error; // the parser's warnings, once
      if (IsOnCpu && compilation->program.language == Language::Cuda)
        Stream
            << "kfuse: note: the CPU executor runs the programs, for want of "
               "a GPU; no nvcc is asked how it contracts sums\n";
      Original = compilation->unit->origins().text();
      Apart = planApart(*compilation);
      LaunchGap = compilation->problem->device.launchSeconds -
                  compilation->problem->device.emptySeconds;
      if (Given.planToLoad.empty())
        Neighbours = neighbourPlans(*compilation, MostNeighbours);
    }
    if (compilation->text == Original || !Seen.insert(compilation->text).second)
      return ExitCode::Done;
    if (IsInterrupted)
      return ExitCode::Done;
    progress("measuring", name);
    auto measured = measurePlan(*compilation, Given, Devices, Scratch);
    clearProgress();
    if (const auto *failure = std::get_if<MeasureFailure>(&measured))
      return IsInterrupted ? ExitCode::Done : drop(name, *failure);
    TunedPlan plan;
    plan.name = name;
    plan.text = compilation->text;
    plan.plan = savePlan(compilation->program, compilation->plan);
    plan.kernels = compilation->plan.kernels.size();
    plan.launches = compilation->program.launches.size();
    plan.times = std::get<PlanTimes>(std::move(measured));
    plan.share = takes(plan.times.fused) / takes(plan.times.original);
    keepProfile(plan.times.profile);
    tell(plan);
    Measured.push_back(std::move(plan));
    return ExitCode::Done;
  }

  /// Takes the shipped file for the device that is measured, unless the user
  /// chose one; returns whether that is another than before.
  bool takeDevice(const Compilation &compilation) {
    const std::string file =
        Given.isDeviceChosen
            ? ""
            : deviceFileOf(Devices, compilation.program.language);
    if (file.empty() || file == Given.device)
      return false;
    Given.device = file;
    return true;
  }

  /// Tells that a plan couldn't be measured. The others still may be; but if it
  /// is the first one, and does the same, they can't either.
  ExitCode drop(const std::string &name, const MeasureFailure &failure) {
    if (!failure.isMismatch && Measured.empty())
      return fail(failure.message);
    HasMismatch |= failure.isMismatch;
    Stream << llvm::format("  %-22s", name.c_str())
           << "dropped: " << failure.message << "\n";
    return ExitCode::Done;
  }

  /// Shows on a terminal what is done for a plan.
  void progress(const char *what, const std::string &name) const {
    if (Stream.is_displayed())
      Stream << "\r\033[K" << what << ": " << name << " (" << Measured.size()
             << " measured)";
  }
  void clearProgress() const {
    if (Stream.is_displayed())
      Stream << "\r\033[K";
  }

  /// Returns the plan that fuses nothing.
  static std::string planApart(const Compilation &compilation) {
    FusionPlan plan;
    plan.device = compilation.plan.device;
    for (std::uint32_t i = 0; i < compilation.program.launches.size(); ++i) {
      FusedKernel kernel;
      kernel.launches = {LaunchId{i}};
      kernel.schedule = Schedule::Single;
      kernel.name = compilation.program.kernelOf(LaunchId{i}).name;
      plan.kernels.push_back(std::move(kernel));
    }
    return savePlan(compilation.program, plan);
  }

  /// Returns the seconds of a program, with what each launch costs beside its
  /// kernel.
  double takes(const ProgramTime &time) const {
    return time.seconds + LaunchGap * static_cast<double>(time.launches);
  }

  /// Checks whether the plan's program takes longer than the original: its
  /// kernels, or all of it.
  static bool isSlower(const TunedPlan &plan) {
    return plan.share >= 1 || plan.times.ratio + plan.times.halfWidth < 1;
  }

  void keepProfile(const std::string &profile) {
    if (profile.empty())
      return;
    const std::string path =
        Scratch.file("times" + std::to_string(Profiles.size()) + ".json");
    if (writeOutput(path, profile).empty())
      Profiles.push_back(path);
  }

  void tell(const TunedPlan &plan) const {
    Stream << llvm::format("  %-22s", plan.name.c_str()) << plan.launches
           << " -> " << plan.kernels << " launches, "
           << llvm::format("%.3f ms -> %.3f ms, %.2fx",
                           1e3 * takes(plan.times.original),
                           1e3 * takes(plan.times.fused), 1 / plan.share)
           << (plan.times.isKnown ? " (measured before)" : "") << "\n";
  }

  /// Writes the best plan, or the one that fuses nothing, and its program.
  ExitCode write(const Options &options, const TunedPlan *best) {
    if (best)
      Stream << "kept: " << best->name << "\n";
    else
      Stream << (Measured.empty()
                     ? "nothing to fuse\n"
                     : "kept: the original, which no plan beats\n");
    const WriteOptions how{options.force};
    std::string error;
    if (!options.planToSave.empty())
      error = writeOutput(options.planToSave, best ? best->plan : Apart, how);
    if (error.empty() && !options.output.empty())
      error = writeOutput(options.output, best ? best->text : Original, how);
    return error.empty() ? ExitCode::Done : fail(error);
  }

  Options Given;
  const ScratchFolder Scratch;
  const std::atomic<bool> &IsInterrupted;
  llvm::raw_ostream &Stream;
  std::vector<std::string> Neighbours; ///< saved plans
  bool HasMismatch = false;            ///< a plan's program did something else
  std::string Devices, Original, Apart;
  bool IsOnCpu = false; ///< CUDA programs, though an nvcc could be asked
  double LaunchGap = 0; ///< seconds of a launch beside the kernel's
  std::set<std::string> Seen;
  std::vector<std::string> Profiles; ///< files
  std::vector<TunedPlan> Measured;
};

} // namespace

ExitCode tune(const Options &options, const std::atomic<bool> &isInterrupted,
              llvm::raw_ostream &stream) {
  return Tuner(options, isInterrupted, stream).run(options);
}

} // namespace kfuse
