//===- PictureOptions.h - Options of the commands that draw ---------------===//
#ifndef KFUSE_BENCH_DRAW_PICTUREOPTIONS_H
#define KFUSE_BENCH_DRAW_PICTUREOPTIONS_H

#include "bench/OptionParser.h"
#include "bench/draw/RooflinePlot.h"
#include "system/Output.h"

#include <string>
#include <vector>

namespace kfuse {

/// Says which pictures of a device are wanted, and what is on them.
struct PictureOptions {
  std::string svg, curves;                ///< that are written, if not empty
  std::string kernels, profile;           ///< that are read, if not empty
  std::vector<std::string> levels, units; ///< that are drawn; empty for all
  bool hasAllRoofs = false;

  /// Checks whether a picture is to be written to standard output.
  bool takesStandardOutput() const { return svg == "-" || curves == "-"; }
};

/// Returns a command's own options with those that set `pictures`, which must
/// live while words are parsed.
std::vector<BenchOption> withPictureOptions(PictureOptions &pictures,
                                            std::vector<BenchOption> options);

/// Adds the files that are written and those that are read.
void addPictureFiles(const PictureOptions &pictures,
                     std::vector<NamedFile> &outputs,
                     std::vector<NamedFile> &inputs);

/// Reads the kernels and their times into the plot; returns a message on
/// failure.
std::string readPictureKernels(const PictureOptions &pictures,
                               RooflinePlot &plot);

/// Takes the device from the text of its file, which messages call `name`.
/// Returns why the pictures can't be drawn of it; empty if they can.
std::string takePictureDevice(const PictureOptions &pictures,
                              const std::string &name, const std::string &text,
                              RooflinePlot &plot);

/// Writes the pictures; returns a message on failure.
std::string writePictures(const PictureOptions &pictures,
                          const RooflinePlot &plot,
                          const WriteOptions &options);

} // namespace kfuse

#endif
