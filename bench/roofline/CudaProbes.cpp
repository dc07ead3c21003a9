//===- CudaProbes.cpp - Probes on a CUDA device ---------------------------===//

#include "bench/roofline/CudaProbes.h"

#include "bench/roofline/EmbeddedSources.h"
#include "system/Child.h"
#include "system/Output.h"
#include "system/Scratch.h"
#include "system/Target.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include <unistd.h>

namespace kfuse {
namespace {

CudaMeasurements cudaFailure(std::string why) {
  CudaMeasurements failed;
  failed.measured.error = std::move(why);
  return failed;
}

/// Returns the last lines of what a program printed.
std::string lastLines(const std::string &text) {
  constexpr int Most = 10;
  std::size_t begin = text.size();
  for (int i = 0; i <= Most && begin != 0; ++i) {
    const std::size_t end = text.rfind('\n', begin - 1);
    if (end == std::string::npos)
      return text;
    begin = end;
  }
  return text.substr(std::min(begin + 1, text.size()));
}

/// Returns the words of a run that failed: why, and what it printed last.
std::string failureText(const std::string &what, const ChildResult &result,
                        const std::string &printed) {
  std::string text = what;
  text += result.status < 0
              ? ": " + result.message
              : " ends with code " + std::to_string(result.status);
  const std::string last = lastLines(printed);
  return last.empty() ? text : text + ":\n" + last;
}

/// Writes the sources; returns why they couldn't be.
std::string writeSources(const ScratchFolder &folder) {
  for (const EmbeddedSource &source : embeddedSources()) {
    const std::string path = folder.file(source.path);
    if (!makeFolders(parentOf(path)))
      return "can't make the folder of '" + path + "'";
    if (std::string why = writeOutput(path, source.text); !why.empty())
      return why;
  }
  return {};
}

/// Returns the command that builds the program for the devices that are there.
std::vector<std::string> buildCommand(const ScratchFolder &folder,
                                      const std::string &nvcc,
                                      const std::string &program) {
  std::vector<std::string> words = {
      nvcc, "-O3",  "-std=c++17", "-arch=native", "-I" + folder.path(),
      "-o", program};
  for (const EmbeddedSource &source : embeddedSources())
    if (source.path.ends_with(".cu") || source.path.ends_with(".cpp"))
      words.push_back(folder.file(source.path));
  return words;
}

bool isProgram(const std::string &path) {
  return access(path.c_str(), X_OK) == 0;
}

/// Checks whether a line says how much is done, as "37%".
bool isProgress(const std::string &line) {
  return line.size() > 1 && line.back() == '%' &&
         line.find_first_not_of("0123456789") == line.size() - 1;
}

/// Returns the lines that say something else.
std::string withoutProgress(const std::string &written) {
  std::string text;
  std::istringstream lines(written);
  for (std::string line; std::getline(lines, line);)
    if (!isProgress(line))
      text += line + "\n";
  return text;
}

/// Follows what a program writes of its progress to a file, while it lives.
class ProgressReader {
public:
  ProgressReader(const std::string &path,
                 const std::function<void(double)> &progress)
      : Reader([path, progress](const std::stop_token &stop) {
          constexpr auto Pause = std::chrono::milliseconds(100);
          for (; !stop.stop_requested(); std::this_thread::sleep_for(Pause))
            if (const auto done = progressIn(contentOf(path)))
              progress(*done);
        }) {}

private:
  std::jthread Reader; ///< is stopped and joined at the end
};

RawPoint pointOf(const nlohmann::json &json) {
  return {json.at(0).get<double>(), json.at(1).get<std::vector<double>>()};
}

} // namespace

std::string nvccPath(const std::string &named) {
  if (named.find('/') != std::string::npos)
    return isProgram(named) ? named : "";
  const std::string name = named.empty() ? "nvcc" : named;
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && isProgram(folder + "/" + name))
      return folder + "/" + name;
  const std::string usual = "/usr/local/cuda/bin/" + name;
  return isProgram(usual) ? usual : "";
}

CudaMeasurements cudaMeasurements(std::string_view json) {
  const nlohmann::json file = nlohmann::json::parse(json, nullptr, false);
  CudaMeasurements result;
  try {
    const nlohmann::json &limits = file.at("limits");
    const auto read = [&](const char *key, auto &limit) {
      limits.at(key).get_to(limit);
    };
    read("lineBytes", result.limits.lineBytes);
    read("computeCapability", result.limits.computeCapability);
    read("clockKilohertz", result.limits.clockKilohertz);
    read("memoryKilohertz", result.limits.memoryKilohertz);
    read("memoryBusBits", result.limits.memoryBusBits);
    read("threadsPerMultiprocessor", result.limits.threadsPerMultiprocessor);
    read("blocksPerMultiprocessor", result.limits.blocksPerMultiprocessor);
    read("registersPerMultiprocessor",
         result.limits.registersPerMultiprocessor);
    read("sharedPerMultiprocessor", result.limits.sharedPerMultiprocessor);
    read("sharedReservedPerBlock", result.limits.sharedReservedPerBlock);
    file.at("passes").get_to(result.measured.passes);
    for (const auto &[name, points] : file.at("series").items())
      for (const nlohmann::json &point : points)
        result.measured.series[name].push_back(pointOf(point));
  } catch (const nlohmann::json::exception &error) {
    return cudaFailure(
        std::string("the program for CUDA printed something else: ") +
        error.what());
  }
  return result;
}

std::optional<double> progressIn(std::string_view written) {
  std::optional<double> done;
  std::istringstream lines{std::string(written)};
  for (std::string line; std::getline(lines, line) && !lines.eof();)
    if (isProgress(line))
      done = std::strtod(line.c_str(), nullptr) / 100;
  return done;
}

CudaMeasurements probeCuda(const ComputeDevice &device, const ProbePlan &plan,
                           const std::string &nvcc,
                           const std::function<void(double)> &progress) {
  const ScratchFolder folder("kfuse-roofline");
  if (!folder.good())
    return cudaFailure("can't make a temporary folder");
  if (std::string why = writeSources(folder); !why.empty())
    return cudaFailure(std::move(why));
  const std::string program = folder.file("probes"),
                    output = folder.file("output"),
                    errors = folder.file("errors");
  ChildProgram build{buildCommand(folder, nvcc, program),
                     std::nullopt,
                     "",
                     output,
                     output,
                     600};
  if (const ChildResult built = runChild(build); built.status != 0)
    return cudaFailure(failureText("nvcc", built, contentOf(output)));
  // The last passes may begin just before the end of the time.
  const auto seconds = static_cast<unsigned>(std::min(plan.seconds, 1e6));
  ChildProgram run{
      {program, std::to_string(device.number), std::to_string(plan.seconds)},
      std::nullopt,
      "",
      output,
      errors,
      2 * seconds + 300};
  if (plan.isQuick)
    run.words.emplace_back("quick");
  ChildResult ran;
  {
    const ProgressReader reader(errors, progress);
    ran = runChild(run);
  }
  if (ran.status != 0)
    return cudaFailure(failureText("the program for CUDA", ran,
                                   withoutProgress(contentOf(errors))));
  return cudaMeasurements(contentOf(output));
}

} // namespace kfuse
