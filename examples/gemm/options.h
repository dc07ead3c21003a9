//===- options.h - The command line of both ladders -----------------------===//
#ifndef GEMM_OPTIONS_H
#define GEMM_OPTIONS_H

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <getopt.h>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

/// A wrong command line: the program ends with code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// All that can be asked for. Rates are per second; 0 means: measure it.
struct Options {
  std::string platform, device, type; ///< empty: any
  int M = 1024, K = 1024, N = 1024;
  int iterations = 10;
  std::string kernel = "all";
  bool validate = false;
  double peak = 0;      ///< operations in single precision
  double bandwidth = 0; ///< bytes to and from global memory
  bool tune = false;
  std::string tilesFile;   ///< of tuned tiles: written with `tune`, else read
  bool cpuTime = false;    ///< measure processor time instead of wall time
  std::string kernelsFile; ///< where to write rates, for kfuse-bench draw
  bool help = false;
};

inline const char *commonHelp =
    "  -M, --size1=ROWS        rows of A and C (1024)\n"
    "  -K, --size2=COLUMNS     columns of A, rows of B (1024)\n"
    "  -N, --size3=COLUMNS     columns of B and C (1024)\n"
    "  -i, --iterations=COUNT  timed runs of each kernel; 0: only build (10)\n"
    "  -k, --kernel=NAME       one kernel, or all of them (all)\n"
    "  -v, --validation        compare with a reference in double precision\n"
    "      --peak=GFLOP/S      the device's peak, instead of measuring it\n"
    "      --bandwidth=GB/S    the same of its memory\n"
    "      --device-file=FILE  take both from a device file of kfuse\n"
    "      --tune              look for the fastest tiles of each kernel\n"
    "      --tiles=FILE        the file for them: read, or written by --tune\n"
    "      --save-kernels=FILE write times and bytes, for kfuse-bench draw\n"
    "  -h, --help              print this text\n";

/// Returns the number that is the whole text.
inline double numberOf(const std::string &text, double least, double most,
                       const std::string &option) {
  char *end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !(number >= least && number <= most))
    throw UsageError("'" + text + "' is no value for " + option);
  return number;
}

inline int wholeNumberOf(const std::string &text, int least,
                         const std::string &option) {
  const double number = numberOf(text, least, 1 << 20, option);
  if (number != static_cast<int>(number))
    throw UsageError("'" + text + "' is no value for " + option);
  return static_cast<int>(number);
}

/// Returns the highest of a device file's roofs that were measured and have this
/// text for the key; 0 if there is none.
inline double measuredRoof(const nlohmann::json &device, const char *key,
                           const std::string &text) {
  double highest = 0;
  for (const auto &roof : device.value("roofs", nlohmann::json::array()))
    if (roof.at("origin") == "measured" && roof.value(key, "") == text)
      highest = std::max(highest, roof.at("value").get<double>());
  return highest;
}

/// Takes peak and bandwidth from a device file of kfuse: the roofs that are
/// measured here otherwise, else the numbers that every file has.
inline void readDeviceFile(const std::string &path, Options &options) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("can't read '" + path + "'");
  try {
    const auto device = nlohmann::json::parse(file);
    options.peak = measuredRoof(device, "unit", "fp32");
    options.bandwidth = measuredRoof(device, "name", "DRAM copy");
    if (options.peak == 0)
      options.peak = device.at("flopRate").at("value").get<double>();
    if (options.bandwidth == 0)
      options.bandwidth = device.at("bandwidth").at("value").get<double>();
  } catch (const nlohmann::json::exception &error) {
    throw std::runtime_error("'" + path +
                             "' is no device file: " + error.what());
  }
}

/// Throws if a padded matrix would have more elements than an `int` counts.
inline void checkSizes(const Options &options) {
  const double M = options.M + 512, K = options.K + 512, N = options.N + 512;
  if (std::max({M * K, K * N, M * N}) > std::numeric_limits<int>::max())
    throw UsageError("the matrices are too large");
}

/// Parses the command line. Only OpenCL has platforms.
inline Options parseOptions(int count, char **words, bool hasPlatforms) {
  enum { Peak = 256, Bandwidth, DeviceFile, Tune, Tiles, SaveKernels, CpuTime };
  static const option names[] = {
      {"help", no_argument, nullptr, 'h'},
      {"device", required_argument, nullptr, 'd'},
      {"size1", required_argument, nullptr, 'M'},
      {"size2", required_argument, nullptr, 'K'},
      {"size3", required_argument, nullptr, 'N'},
      {"iterations", required_argument, nullptr, 'i'},
      {"kernel", required_argument, nullptr, 'k'},
      {"validation", no_argument, nullptr, 'v'},
      {"peak", required_argument, nullptr, Peak},
      {"bandwidth", required_argument, nullptr, Bandwidth},
      {"device-file", required_argument, nullptr, DeviceFile},
      {"tune", no_argument, nullptr, Tune},
      {"tiles", required_argument, nullptr, Tiles},
      {"save-kernels", required_argument, nullptr, SaveKernels},
      {"cpu-time", no_argument, nullptr, CpuTime},
      {"platform", required_argument, nullptr, 'p'},
      {"type", required_argument, nullptr, 't'},
      {nullptr, 0, nullptr, 0}};
  Options options;
  for (;;) {
    const int chosen = getopt_long(
        count, words, hasPlatforms ? "hd:M:K:N:i:k:vp:t:" : "hd:M:K:N:i:k:v",
        names, nullptr);
    const std::string value = optarg ? optarg : "";
    switch (chosen) {
    case -1:
      if (optind < count)
        throw UsageError("'" + std::string(words[optind]) +
                         "' is one word too many");
      checkSizes(options);
      return options;
    case 'h':
      options.help = true;
      break;
    case 'd':
      options.device = value;
      break;
    case 'M':
      options.M = wholeNumberOf(value, 1, "-M");
      break;
    case 'K':
      options.K = wholeNumberOf(value, 1, "-K");
      break;
    case 'N':
      options.N = wholeNumberOf(value, 1, "-N");
      break;
    case 'i':
      options.iterations = wholeNumberOf(value, 0, "-i");
      break;
    case 'k':
      options.kernel = value;
      break;
    case 'v':
      options.validate = true;
      break;
    case Peak:
      options.peak = numberOf(value, 1e-3, 1e9, "--peak") * 1e9;
      break;
    case Bandwidth:
      options.bandwidth = numberOf(value, 1e-3, 1e9, "--bandwidth") * 1e9;
      break;
    case DeviceFile:
      readDeviceFile(value, options);
      break;
    case Tune:
      options.tune = true;
      break;
    case Tiles:
      options.tilesFile = value;
      break;
    case SaveKernels:
      options.kernelsFile = value;
      break;
    case CpuTime:
      options.cpuTime = hasPlatforms;
      break;
    case 'p':
    case 't':
      if (!hasPlatforms)
        throw UsageError("there are no platforms to choose from in CUDA");
      (chosen == 'p' ? options.platform : options.type) = value;
      break;
    default: // getopt_long has said what is wrong
      throw UsageError("see --help");
    }
  }
}

/// Runs a program's work, and returns its exit code: 1 for an error, 2 for a
/// wrong command line.
template <class Work> int reportErrors(const char *program, const Work &work) {
  try {
    return work();
  } catch (const UsageError &error) {
    std::cerr << program << ": error: " << error.what() << "\n";
    return 2;
  } catch (const std::exception &error) {
    std::cerr << program << ": error: " << error.what() << "\n";
    return 1;
  }
}

#endif
