//===- RooflineCommand.cpp - kfuse-bench roofline -------------------------===//

#include "bench/Commands.h"
#include "bench/DeviceOptions.h"
#include "bench/MachineDevices.h"
#include "bench/draw/PictureOptions.h"
#include "bench/roofline/CudaProbes.h"
#include "bench/roofline/OpenClProbeDevice.h"
#include "bench/roofline/RooflineReport.h"
#include "system/Output.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

#include <unistd.h>

namespace kfuse {
namespace {

const char *const RooflineUsage = R"(Usage: kfuse-bench roofline [options]

Measures a device: its memory, arithmetic, latencies, launches and transfers.
Prints the ceilings, and writes a device file that kfuse --device=FILE reads.
CUDA devices are measured by a program that nvcc builds. The machine should be
quiet. Ctrl-C ends it, and nothing is written.

Options:
  -p, --platform=NAME   a device of this platform: its number, a part of its
                        name, or 'opencl' or 'cuda' for all of an interface
  -t, --type=TYPE       a device of this type: cpu, gpu, accelerator or other
  -d, --device=NAME     this device: its number, or a part of its name
      --cuda            the same as --platform=cuda
  -o, --output=FILE     write the device file; - is standard output, without
                        the text
      --svg=FILE        write the roofline picture; - is standard output,
                        without the text
      --kernels=FILE    kernels to draw below the roofs: a kernels file, or what
                        kfuse --emit=json printed
      --profile=FILE    measured times for these kernels
      --curves=FILE     write a picture of bandwidth and latency over sizes
      --level=NAMES     draw only memory of these levels: L1,L2,DRAM; transfer
                        stands for transfers between host and device
      --unit=NAMES      draw only these units: fp32,fp64; otherwise those that
                        kernels use, or the highest roof of each
      --all             draw all roofs, also those less than a third below
                        another one of their level or unit
      --seconds=N       the time to measure for (60); at least five passes
                        are made
      --quick           few points and three passes, to try it out
      --nvcc=FILE       the compiler for CUDA (nvcc on the PATH, or in
                        /usr/local/cuda)
      --force           overwrite files that are read-only
  -h, --help            this text
)";

struct RooflineOptions {
  DeviceChoice choice;
  ProbePlan plan;
  PictureOptions pictures;
  WriteOptions write;
  std::string output, nvcc;
  bool isCuda = false, wantsHelp = false;
};

ParsedWords parseRoofline(int count, char **words, RooflineOptions &options) {
  const auto into = [](std::string &place) {
    return [&place](const std::string &value) {
      place = value;
      return std::string();
    };
  };
  const auto takeSeconds = [&options](const std::string &text) -> std::string {
    const std::optional<double> value = positiveNumber(text);
    if (!value)
      return "'" + text + "' is no number above zero";
    options.plan.seconds = *value;
    return "";
  };
  return parseWords(
      count, words,
      withDeviceOptions(
          options.choice,
          withPictureOptions(options.pictures,
                             {{"cuda", 0, {}, &options.isCuda},
                              {"output", 'o', into(options.output)},
                              {"seconds", 0, takeSeconds},
                              {"quick", 0, {}, &options.plan.isQuick},
                              {"nvcc", 0, into(options.nvcc)},
                              {"force", 0, {}, &options.write.force},
                              {"help", 'h', {}, &options.wantsHelp}})));
}

/// Returns what is wrong with the options; empty if nothing is.
std::string wrongOptions(const RooflineOptions &options) {
  const PictureOptions &pictures = options.pictures;
  if (options.isCuda && options.choice.platform)
    return "--cuda and --platform exclude each other";
  if (!pictures.profile.empty() && pictures.kernels.empty())
    return "--profile needs --kernels";
  if (pictures.svg.empty() &&
      (!pictures.kernels.empty() || !pictures.levels.empty() ||
       !pictures.units.empty() || pictures.hasAllRoofs))
    return "--kernels, --level, --unit and --all need --svg";
  return {};
}

/// Returns why the files can't be written; empty if they can.
std::string refusedFiles(const RooflineOptions &options) {
  std::vector<NamedFile> outputs, inputs;
  if (!options.output.empty())
    outputs.push_back({options.output, "--output"});
  addPictureFiles(options.pictures, outputs, inputs);
  return refusedOutput(outputs, inputs, options.write);
}

/// The line on a terminal while it measures.
class RooflineProgress {
public:
  ~RooflineProgress() {
    if (IsTerminal)
      std::fputs("\r\033[K", stderr);
  }
  void show(const std::string &text) const {
    if (!IsTerminal)
      return;
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
  }
  void show(double done) {
    constexpr double Percent = 100;
    const int percent = static_cast<int>(std::floor(Percent * done));
    if (percent != Last)
      show("measured " + std::to_string(percent) + " %");
    Last = percent;
  }

private:
  const bool IsTerminal = isatty(STDERR_FILENO) != 0;
  int Last = -1;
};

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm date{};
  gmtime_r(&now, &date);
  char text[16];
  std::strftime(text, sizeof(text), "%Y-%m-%d", &date);
  return text;
}

/// Returns the one device that is meant, or why there isn't one.
std::variant<ComputeDevice, std::string>
deviceToMeasure(const RooflineOptions &options) {
  const DeviceList all = machineDevices();
  auto chosen = chosenDevice(all.devices, options.choice);
  if (auto *why = std::get_if<std::string>(&chosen))
    for (const std::string &problem : all.problems)
      *why += "\n  " + problem;
  return chosen;
}

/// Returns why CUDA devices can't be measured; empty if they can.
std::string missingNvcc(const RooflineOptions &options) {
  if (!nvccPath(options.nvcc).empty())
    return {};
  return options.nvcc.empty()
             ? "CUDA devices are measured by a program, and there is no nvcc "
               "to build it on the PATH or in /usr/local/cuda; name it with "
               "--nvcc"
             : "there is no nvcc '" + options.nvcc + "'";
}

/// Measures the device; returns why that failed.
std::string measure(MeasuredDevice &measured, const RooflineOptions &options,
                    const std::atomic<bool> &isInterrupted) {
  const ComputeDevice &device = measured.device;
  RooflineProgress progress;
  RawMeasurements raw;
  if (device.interface == Interface::Cuda) {
    if (std::string why = missingNvcc(options); !why.empty())
      return why;
    progress.show("building the program with nvcc");
    CudaMeasurements cuda =
        probeCuda(device, options.plan, nvccPath(options.nvcc),
                  [&](double done) { progress.show(done); });
    measured.limits = cuda.limits;
    raw = std::move(cuda.measured);
  } else {
    progress.show("building the kernels");
    measured.limits = openClLimits(device);
    const std::unique_ptr<ProbeDevice> probed = openClProbeDevice(device);
    raw = runProbes(
        *probed, options.plan, [&] { return isInterrupted.load(); },
        [&](double done) { progress.show(done); });
  }
  if (isInterrupted)
    return "interrupted: nothing is written";
  if (!raw.error.empty())
    return raw.error;
  measured.ceilings = ceilingsOf(raw, {device.type == DeviceType::Cpu,
                                       static_cast<double>(device.cacheBytes)});
  return {};
}

/// Writes the text, the file and the pictures, which are of `plot` with the
/// measured device; returns a message on failure.
std::string writeMeasured(const MeasuredDevice &measured,
                          const RooflineOptions &options, RooflinePlot &plot) {
  const PictureOptions &pictures = options.pictures;
  const DeviceFileText file = deviceFile(measured);
  if (!file.error.empty())
    return "the measurements make no device file: " + file.error;
  std::string why;
  if (options.output != "-" && !pictures.takesStandardOutput())
    why = writeOutput("-", rooflineText(measured));
  if (why.empty() && !options.output.empty())
    why = writeOutput(options.output, file.json, options.write);
  if (!why.empty() || (pictures.svg.empty() && pictures.curves.empty()))
    return why;
  // The device file is kept if a level or a unit turns out not to be there.
  why = takePictureDevice(pictures, measured.device.name, file.json, plot);
  return why.empty() ? writePictures(pictures, plot, options.write) : why;
}

} // namespace

BenchExit measureRoofline(int count, char **words,
                          const std::atomic<bool> &isInterrupted) {
  RooflineOptions options;
  const ParsedWords parsed = parseRoofline(count, words, options);
  if (!parsed.error.empty())
    return usageFails(parsed.error);
  if (options.wantsHelp)
    return printHelp(RooflineUsage);
  if (!parsed.words.empty())
    return usageFails("'" + parsed.words.front() + "' is one word too many");
  if (const std::string why = wrongOptions(options); !why.empty())
    return usageFails(why);
  if (options.isCuda)
    options.choice.platform = "cuda";
  std::string why = refusedFiles(options);
  if (why.empty() && options.isCuda)
    why = missingNvcc(options);
  RooflinePlot plot;
  if (why.empty())
    why = readPictureKernels(options.pictures, plot);
  if (!why.empty())
    return fails(BenchExit::Input, why);

  const auto chosen = deviceToMeasure(options);
  if (const auto *none = std::get_if<std::string>(&chosen))
    return fails(BenchExit::Input, *none);
  MeasuredDevice measured{std::get<ComputeDevice>(chosen), {}, {}, today()};
  why = measure(measured, options, isInterrupted);
  if (!why.empty())
    return fails(BenchExit::Input, why);
  why = writeMeasured(measured, options, plot);
  return why.empty() ? BenchExit::Done : fails(BenchExit::Input, why);
}

} // namespace kfuse
