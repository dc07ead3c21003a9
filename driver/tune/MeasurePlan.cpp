//===- MeasurePlan.cpp - A plan, measured beside the original -------------===//

#include "driver/tune/MeasurePlan.h"

#include "driver/Emit.h"
#include "system/Child.h"
#include "system/Output.h"
#include "system/Programs.h"
#include "system/Scratch.h"

#include "nlohmann/json.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA1.h"

#include <set>

namespace kfuse {
namespace {

using Json = nlohmann::json;

/// The exit code of kfuse-bench for programs that don't do the same.
constexpr int MismatchStatus = 3;

/// Returns the error among kfuse-bench's messages, in the words of kfuse.
std::string errorOf(llvm::StringRef messages) {
  const llvm::StringRef mark = "kfuse-bench: error: ";
  if (const std::size_t at = messages.find(mark); at != llvm::StringRef::npos)
    messages = messages.substr(at + mark.size());
  std::string text = messages.rtrim().str();
  for (const auto &[theirs, own] :
       {std::pair<llvm::StringRef, llvm::StringRef>(
            "-p, -t or -d",
            "--measure-platform, --measure-type or --measure-device"),
        {"; see kfuse-bench --help", ""}})
    if (const std::size_t at = text.find(theirs); at != std::string::npos)
      text.replace(at, theirs.size(), own);
  return text;
}

/// Runs kfuse-bench; returns what it printed, or why it failed.
std::variant<std::string, MeasureFailure>
runBench(std::vector<std::string> words, const std::string &folder,
         const ScratchFolder &scratch) {
  words.insert(words.begin(), besideProgram("kfuse-bench"));
  ChildProgram bench;
  bench.words = std::move(words);
  bench.folder = folder;
  bench.output = scratch.file("bench.out");
  bench.errors = scratch.file("bench.err");
  const ChildResult ended = runChild(bench);
  if (ended.status == 0)
    return contentOf(bench.output);
  if (ended.status < 0)
    return MeasureFailure{"'" + bench.words.front() + "': " + ended.message};
  return MeasureFailure{errorOf(contentOf(bench.errors)),
                        ended.status == MismatchStatus};
}

/// Adds up the kernels of one program; takes the whole program's median if
/// there are none.
ProgramTime timeOf(const Json &comparison, const char *program) {
  ProgramTime time;
  const auto kernels = comparison.find("kernels");
  if (kernels == comparison.end()) {
    time.seconds = comparison.at(program).at("median").get<double>();
    return time;
  }
  for (const Json &row : *kernels) {
    time.seconds += row.at(program).at("seconds").get<double>();
    time.launches += row.at(program).at("launches").get<std::uint64_t>();
  }
  return time;
}

/// Reads what kfuse-bench compare wrote; nullopt if it is something else.
std::optional<PlanTimes> timesIn(const std::string &comparison,
                                 std::string profile) {
  const Json json = Json::parse(comparison, nullptr, false);
  try {
    PlanTimes times;
    times.original = timeOf(json, "original");
    times.fused = timeOf(json, "fused");
    times.ratio = json.at("ratio").get<double>();
    // One pair of runs has no interval.
    const Json &halfWidth = json.at("halfWidth");
    times.halfWidth =
        halfWidth.is_null() ? times.ratio : halfWidth.get<double>();
    times.profile = std::move(profile);
    return times;
  } catch (const Json::exception &) {
    return std::nullopt;
  }
}

/// Returns a text for the devices and their drivers that is the same each time.
/// A processor's clock isn't: some drivers tell the present one.
std::string identityOf(const std::string &devices) {
  std::string identity;
  for (const Json &device : Json::parse(devices, nullptr, false))
    for (const char *const key :
         {"interface", "platform", "name", "version", "driver", "uuid"})
      if (device.is_object())
        identity += device.value(key, "") + "\n";
  return identity;
}

/// The measurement's place in the user's cache; empty if there is none.
std::string keptPlace(const Compilation &compilation,
                      const std::vector<std::string> &words,
                      const std::string &devices) {
  llvm::SmallString<128> path;
  if (!llvm::sys::path::cache_directory(path))
    return {};
  llvm::SHA1 hash;
  const auto add = [&hash](llvm::StringRef text) {
    hash.update(llvm::utostr(text.size()) + " ");
    hash.update(text);
  };
  add(identityOf(devices));
  for (const SourceFile &file : compilation.program.files)
    add(file.text);
  add(compilation.text);
  for (const std::string &word : words)
    add(word);
  llvm::sys::path::append(path, "kfuse",
                          "tune-" + llvm::toHex(hash.final()) + ".json");
  return path.str().str();
}

std::optional<PlanTimes> keptTimes(const std::string &place) {
  const Json kept = Json::parse(contentOf(place), nullptr, false);
  if (!kept.is_object() || !kept.contains("comparison") ||
      !kept.contains("profile"))
    return std::nullopt;
  auto times = timesIn(kept["comparison"].dump(),
                       kept["profile"].is_null() ? "" : kept["profile"].dump());
  if (times)
    times->isKnown = true;
  return times;
}

/// Keeps a measurement; one that can't be kept is made again.
void keepTimes(const std::string &place, const std::string &comparison,
               const std::string &profile) {
  const Json kept = {{"comparison", Json::parse(comparison, nullptr, false)},
                     {"profile", profile.empty()
                                     ? Json()
                                     : Json::parse(profile, nullptr, false)}};
  if (makeFolders(llvm::sys::path::parent_path(place).str()))
    static_cast<void>(writeOutput(place, kept.dump()));
}

std::string absolutePath(llvm::StringRef path) {
  llvm::SmallString<128> whole(path);
  return llvm::sys::fs::make_absolute(whole) ? path.str() : whole.str().str();
}

} // namespace

std::variant<std::string, MeasureFailure>
devicesOf(const Options &options, const ScratchFolder &scratch) {
  std::vector<std::string> words = {"devices", "--json"};
  // CUDA on the CPU takes none of these devices.
  if (!llvm::is_contained(options.tuneDevice, "--type=cpu"))
    llvm::append_range(words, options.tuneDevice);
  return runBench(std::move(words), "", scratch);
}

std::string deviceFileOf(const std::string &devices, Language language) {
  const llvm::StringRef interface =
      language == Language::Cuda ? "CUDA" : "OpenCL";
  std::set<std::string> files;
  for (const Json &device : Json::parse(devices, nullptr, false))
    if (device.is_object() && device.value("interface", "") == interface)
      files.insert(device.value("deviceFile", ""));
  return files.size() == 1 ? *files.begin() : "";
}

bool hasCudaDevice(const std::string &devices) {
  const Json list = Json::parse(devices, nullptr, false);
  return list.is_array() && llvm::any_of(list, [](const Json &device) {
           return device.value("interface", "") == "CUDA";
         });
}

std::variant<PlanTimes, MeasureFailure>
measurePlan(const Compilation &compilation, const Options &options,
            const std::string &devices, const ScratchFolder &scratch) {
  const std::string original = absolutePath(options.parse.input);
  const std::string fused =
      scratch.file("fused" + llvm::sys::path::extension(original).str());
  const std::string plan = scratch.file("plan.json"),
                    comparison = scratch.file("comparison.json"),
                    profile = scratch.file("profile.json");
  const std::string seconds = std::to_string(options.tuneSeconds);
  // Kernels are what counts; three pairs of runs show a program that is slower.
  std::vector<std::string> words = {"compare",
                                    "--runs=3",
                                    "--seconds=" + seconds,
                                    "--plan=" + plan,
                                    "--json=" + comparison,
                                    "--profile=" + profile,
                                    original,
                                    fused};
  if (!options.parse.flags.empty())
    words.push_back("--flags=" + llvm::join(options.parse.flags, " "));
  llvm::append_range(words, options.tuneDevice);
  words.emplace_back("--");
  llvm::append_range(words, options.programArguments);
  // The scratch folder has another name each time.
  std::vector<std::string> key = options.programArguments;
  key.push_back(original + " " + seconds + " " +
                llvm::join(options.parse.flags, " ") + " " +
                llvm::join(options.tuneDevice, " "));
  const std::string place = keptPlace(compilation, key, devices);
  if (auto kept = keptTimes(place))
    return *kept;

  static_cast<void>(llvm::sys::fs::remove(profile));
  for (const auto &[path, text] : {std::pair(&fused, compilation.text),
                                   {&plan, emit(compilation, EmitKind::Json)}})
    if (std::string error = writeOutput(*path, text); !error.empty())
      return MeasureFailure{error};
  // A program that reads its kernels from a file names it from its own folder.
  const auto &kernels = compilation.program.kernelString;
  const std::string folder = kernels && kernels->load
                                 ? llvm::sys::path::parent_path(original).str()
                                 : "";
  auto ran = runBench(std::move(words), folder, scratch);
  if (auto *failure = std::get_if<MeasureFailure>(&ran))
    return std::move(*failure);
  const std::string written = contentOf(comparison),
                    launches = contentOf(profile);
  auto times = timesIn(written, launches);
  if (!times)
    return MeasureFailure{"kfuse-bench compare wrote something else than a "
                          "comparison"};
  if (!place.empty())
    keepTimes(place, written, launches);
  return *times;
}

} // namespace kfuse
