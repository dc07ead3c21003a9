//===- DrawCommand.cpp - kfuse-bench draw ---------------------------------===//

#include "bench/Commands.h"
#include "bench/OptionParser.h"
#include "bench/draw/RooflinePlot.h"
#include "system/Input.h"
#include "system/Output.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <variant>

namespace kfuse {
namespace {

const char *const DrawUsage = R"(Usage: kfuse-bench draw [options] DEVICE.json

Prints the roofs of a device file in a few lines, and draws them.

Options:
      --svg=FILE        write the roofline picture; - is standard output
      --kernels=FILE    kernels to draw below the roofs: a kernels file, or what
                        kfuse --emit=json printed
      --profile=FILE    measured times for these kernels
      --curves=FILE     write a picture of bandwidth and latency over sizes
      --level=NAMES     draw only memory of these levels: L1,L2,DRAM; transfer
                        stands for transfers between host and device
      --unit=NAMES      draw only these units: fp32,fp64
      --all             draw also roofs that are less than a third below another
                        one of their level or unit
      --force           overwrite files that are read-only
  -h, --help            this text
)";

struct DrawOptions {
  std::string device;
  std::string svg, kernels, profile, curves; ///< paths; empty if not given
  std::vector<std::string> levels, units;
  WriteOptions write;
  bool hasAllRoofs = false;
  bool wantsHelp = false;
};

/// Returns the words between commas.
std::vector<std::string> listed(const std::string &text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

ParsedWords parseDraw(int count, char **words, DrawOptions &options) {
  const auto into = [](std::string &place) {
    return [&place](const std::string &text) -> std::string {
      place = text;
      return text.empty() ? "a file has no name" : "";
    };
  };
  const auto names = [](std::vector<std::string> &place) {
    return [&place](const std::string &text) -> std::string {
      place = listed(text);
      return "";
    };
  };
  return parseWords(count, words,
                    {{"svg", 0, into(options.svg)},
                     {"kernels", 0, into(options.kernels)},
                     {"profile", 0, into(options.profile)},
                     {"curves", 0, into(options.curves)},
                     {"level", 0, names(options.levels)},
                     {"unit", 0, names(options.units)},
                     {"all", 0, {}, &options.hasAllRoofs},
                     {"force", 0, {}, &options.write.force},
                     {"help", 'h', {}, &options.wantsHelp}});
}

/// Returns why the pictures can't be written; empty if they can.
std::string refusedPictures(const DrawOptions &options) {
  std::vector<NamedFile> outputs,
      inputs = {{options.device, "the device file"}};
  const auto add = [](std::vector<NamedFile> &files, const std::string &path,
                      const char *role) {
    if (!path.empty())
      files.push_back({path, role});
  };
  add(outputs, options.svg, "--svg");
  add(outputs, options.curves, "--curves");
  add(inputs, options.kernels, "--kernels");
  add(inputs, options.profile, "--profile");
  return refusedOutput(outputs, inputs, options.write);
}

/// Reads a file and parses it into `value`. Returns a message that begins with
/// the file's name on failure.
template <typename Parse, typename Value>
std::string readFile(const std::string &path, Parse parse, Value &value) {
  const std::optional<std::string> text = readInput(path);
  if (!text)
    return "cannot read '" + path + "'";
  auto parsed = parse(*text);
  if (const auto *why = std::get_if<std::string>(&parsed))
    return path + ": " + *why;
  value = std::move(std::get<Value>(parsed));
  return {};
}

/// Reads all that is drawn; returns a message on failure.
std::string readPlot(const DrawOptions &options, RooflinePlot &plot) {
  std::string why = readFile(options.device, parseDeviceRoofs, plot.device);
  if (!why.empty())
    return why;
  if (!options.curves.empty() &&
      std::none_of(
          plot.device.curves.begin(), plot.device.curves.end(),
          [](const DeviceCurve &curve) { return !curve.points.empty(); }))
    return options.device + ": there are no curves";
  auto chosen = chooseRoofs(plot.device.roofs, options.levels, options.units);
  if (const auto *none = std::get_if<std::string>(&chosen))
    return options.device + ": " + *none;
  plot.device.roofs = std::move(std::get<std::vector<DeviceRoof>>(chosen));
  plot.hasAllRoofs = options.hasAllRoofs;
  if (!options.kernels.empty())
    why = readFile(options.kernels, parseKernels, plot.kernels);
  if (!why.empty() || options.profile.empty())
    return why;
  return readFile(
      options.profile,
      [&](const std::string &text)
          -> std::variant<std::vector<RoofKernel>, std::string> {
        std::vector<RoofKernel> kernels = plot.kernels;
        if (std::string problem = applyProfile(text, kernels); !problem.empty())
          return problem;
        return kernels;
      },
      plot.kernels);
}

/// Writes the text and the pictures; returns a message on failure. The text
/// gives way to a picture on standard output.
std::string writePictures(const DrawOptions &options,
                          const RooflinePlot &plot) {
  std::string why;
  if (options.svg != "-" && options.curves != "-")
    why = writeOutput("-", rooflineText(plot));
  if (why.empty() && !options.svg.empty())
    why = writeOutput(options.svg, rooflineSvg(plot), options.write);
  if (why.empty() && !options.curves.empty())
    why = writeOutput(options.curves, curvesSvg(plot.device), options.write);
  return why;
}

} // namespace

BenchExit drawRoofline(int count, char **words) {
  DrawOptions options;
  const ParsedWords parsed = parseDraw(count, words, options);
  if (!parsed.error.empty())
    return usageFails(parsed.error);
  if (options.wantsHelp)
    return std::fputs(DrawUsage, stdout) < 0 ? BenchExit::Input
                                             : BenchExit::Done;
  if (parsed.words.size() != 1)
    return usageFails("draw wants one device file");
  if (!options.profile.empty() && options.kernels.empty())
    return usageFails("--profile needs --kernels");
  options.device = parsed.words.front();
  std::string why = refusedPictures(options);
  RooflinePlot plot;
  if (why.empty())
    why = readPlot(options, plot);
  if (why.empty())
    why = writePictures(options, plot);
  return why.empty() ? BenchExit::Done : fails(BenchExit::Input, why);
}

} // namespace kfuse
