//===- PictureOptions.cpp - Options of the commands that draw -------------===//

#include "bench/draw/PictureOptions.h"

#include "system/Input.h"

#include <algorithm>
#include <optional>
#include <variant>

namespace kfuse {
namespace {

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

/// Reads a file and parses it into `value`. Returns a message that begins with
/// the file's name on failure.
template <typename Parse, typename Value>
std::string readPictureFile(const std::string &path, Parse parse,
                            Value &value) {
  const std::optional<std::string> text = readInput(path);
  if (!text)
    return "cannot read '" + path + "'";
  auto parsed = parse(*text);
  if (const auto *why = std::get_if<std::string>(&parsed))
    return path + ": " + *why;
  value = std::move(std::get<Value>(parsed));
  return {};
}

} // namespace

std::vector<BenchOption> withPictureOptions(PictureOptions &pictures,
                                            std::vector<BenchOption> options) {
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
  const std::vector<BenchOption> shared = {
      {"svg", 0, into(pictures.svg)},
      {"kernels", 0, into(pictures.kernels)},
      {"profile", 0, into(pictures.profile)},
      {"curves", 0, into(pictures.curves)},
      {"level", 0, names(pictures.levels)},
      {"unit", 0, names(pictures.units)},
      {"all", 0, {}, &pictures.hasAllRoofs}};
  options.insert(options.begin(), shared.begin(), shared.end());
  return options;
}

void addPictureFiles(const PictureOptions &pictures,
                     std::vector<NamedFile> &outputs,
                     std::vector<NamedFile> &inputs) {
  const auto add = [](std::vector<NamedFile> &files, const std::string &path,
                      const char *role) {
    if (!path.empty())
      files.push_back({path, role});
  };
  add(outputs, pictures.svg, "--svg");
  add(outputs, pictures.curves, "--curves");
  add(inputs, pictures.kernels, "--kernels");
  add(inputs, pictures.profile, "--profile");
}

std::string readPictureKernels(const PictureOptions &pictures,
                               RooflinePlot &plot) {
  std::string why;
  if (!pictures.kernels.empty())
    why = readPictureFile(pictures.kernels, parseKernels, plot.kernels);
  if (!why.empty() || pictures.profile.empty())
    return why;
  return readPictureFile(
      pictures.profile,
      [&](const std::string &text)
          -> std::variant<std::vector<RoofKernel>, std::string> {
        std::vector<RoofKernel> kernels = plot.kernels;
        if (std::string problem = applyProfile(text, kernels); !problem.empty())
          return problem;
        return kernels;
      },
      plot.kernels);
}

std::string takePictureDevice(const PictureOptions &pictures,
                              const std::string &name, const std::string &text,
                              RooflinePlot &plot) {
  auto device = parseDeviceRoofs(text);
  if (const auto *why = std::get_if<std::string>(&device))
    return name + ": " + *why;
  plot.device = std::move(std::get<DeviceRoofs>(device));
  if (!pictures.curves.empty() &&
      std::none_of(
          plot.device.curves.begin(), plot.device.curves.end(),
          [](const DeviceCurve &curve) { return !curve.points.empty(); }))
    return name + ": there are no curves";
  auto chosen = chooseRoofs(plot.device.roofs, pictures.levels, pictures.units);
  if (const auto *none = std::get_if<std::string>(&chosen))
    return name + ": " + *none;
  plot.device.roofs = std::move(std::get<std::vector<DeviceRoof>>(chosen));
  plot.hasAllRoofs = pictures.hasAllRoofs;
  plot.hasChosenUnits = !pictures.units.empty();
  return {};
}

std::string writePictures(const PictureOptions &pictures,
                          const RooflinePlot &plot,
                          const WriteOptions &options) {
  std::string why;
  if (!pictures.svg.empty())
    why = writeOutput(pictures.svg, rooflineSvg(plot), options);
  if (why.empty() && !pictures.curves.empty())
    why = writeOutput(pictures.curves, curvesSvg(plot.device), options);
  return why;
}

} // namespace kfuse
