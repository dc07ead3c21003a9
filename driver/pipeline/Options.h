//===- Options.h - What the user asks for ---------------------------------===//
#ifndef KFUSE_DRIVER_PIPELINE_OPTIONS_H
#define KFUSE_DRIVER_PIPELINE_OPTIONS_H

#include "frontend/parse/SourceUnit.h"
#include "fusion/plan/Problem.h"
#include "ga/problem/SearchOptions.h"

#include <string>
#include <vector>

namespace kfuse {

/// The kind of text that goes to standard output instead of a file.
enum class EmitKind : std::uint8_t {
  None,
  Program,
  Graphs,
  Plan,
  Summary,
  Json,
  Problem,
  Source,
};

struct Options {
  bool verify = false;        ///< `kfuse verify`
  bool tune = false;          ///< `kfuse tune`
  bool searchProblem = false; ///< `kfuse search`
  ParseOptions parse;
  FusionOptions fusion;
  SearchOptions search;
  std::string output; ///< a path, `-`, or empty
  EmitKind emit = EmitKind::None;
  std::string device = "h200";
  bool isDeviceChosen = false; ///< by the user
  std::string dotFolder;
  std::string planToSave, planToLoad;
  std::vector<std::string> profiles; ///< files of measured launches
  /// A command: the compiler to ask for registers and contractions; `auto` for
  /// the one that the program is built with, for contractions that matter
  /// alone; empty for none.
  std::string nvcc;
  std::string costToExplain; ///< a group
  std::string remarksFile;
  bool passedRemarks = false, missedRemarks = false, analysisRemarks = false;
  bool quiet = false;
  bool keepKernels = false;                  ///< that nothing launches any more
  bool force = false;                        ///< over read-only files
  std::vector<std::string> responseFiles;    ///< that options were read from
  std::string generate;                      ///< of `search`
  bool prove = false;                        ///< of `search`
  std::uint32_t orders = 3;                  ///< of `verify`
  std::uint32_t tuneSeconds = 5;             ///< of `tune`, for each plan
  std::vector<std::string> programArguments; ///< of both, after `--`
  std::vector<std::string> linked; ///< of `verify`, files beside the input
  /// Options of kfuse-bench that choose the device on which `tune` measures.
  std::vector<std::string> tuneDevice;
};

} // namespace kfuse

#endif
