//===- DrawCommand.cpp - kfuse-bench draw ---------------------------------===//

#include "bench/Commands.h"
#include "bench/draw/PictureOptions.h"
#include "fusion/device/Device.h"

#include <algorithm>

namespace kfuse {
namespace {

const char *const DrawUsage = R"(Usage: kfuse-bench draw [options] DEVICE

Prints the roofs of a device in a few lines, and draws them. The device is a
device file, or one that kfuse ships, by its name.

Options:
      --svg=FILE        write the roofline picture; - is standard output
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
      --force           overwrite files that are read-only
  -h, --help            this text
)";

struct DrawOptions {
  std::string device;
  PictureOptions pictures;
  WriteOptions write;
  bool wantsHelp = false;
};

ParsedWords parseDraw(int count, char **words, DrawOptions &options) {
  return parseWords(
      count, words,
      withPictureOptions(options.pictures,
                         {{"force", 0, {}, &options.write.force},
                          {"help", 'h', {}, &options.wantsHelp}}));
}

/// Returns why the pictures can't be written; empty if they can.
std::string refusedPictures(const DrawOptions &options) {
  std::vector<NamedFile> outputs, inputs;
  const std::vector<std::string> shipped = shippedDevices();
  if (std::find(shipped.begin(), shipped.end(), options.device) ==
      shipped.end())
    inputs.push_back({options.device, "the device file"});
  addPictureFiles(options.pictures, outputs, inputs);
  return refusedOutput(outputs, inputs, options.write);
}

/// Reads all that is drawn; returns a message on failure.
std::string readPlot(const DrawOptions &options, RooflinePlot &plot) {
  const DeviceText text = readDevice(options.device);
  if (!text.error.empty())
    return text.error;
  const std::string why =
      takePictureDevice(options.pictures, options.device, text.json, plot);
  return why.empty() ? readPictureKernels(options.pictures, plot) : why;
}

} // namespace

BenchExit drawRoofline(int count, char **words) {
  DrawOptions options;
  const ParsedWords parsed = parseDraw(count, words, options);
  if (!parsed.error.empty())
    return usageFails(parsed.error);
  if (options.wantsHelp)
    return printHelp(DrawUsage);
  if (parsed.words.size() != 1)
    return usageFails("draw wants one device");
  if (!options.pictures.profile.empty() && options.pictures.kernels.empty())
    return usageFails("--profile needs --kernels");
  options.device = parsed.words.front();
  std::string why = refusedPictures(options);
  RooflinePlot plot;
  if (why.empty())
    why = readPlot(options, plot);
  // The text gives way to a picture on standard output.
  if (why.empty() && !options.pictures.takesStandardOutput())
    why = writeOutput("-", rooflineText(plot));
  if (why.empty())
    why = writePictures(options.pictures, plot, options.write);
  return why.empty() ? BenchExit::Done : fails(BenchExit::Input, why);
}

} // namespace kfuse
