//===- Commands.h - The commands of kfuse-bench ---------------------------===//
#ifndef KFUSE_BENCH_COMMANDS_H
#define KFUSE_BENCH_COMMANDS_H

#include <atomic>
#include <string>

namespace kfuse {

/// Lists the codes that kfuse-bench exits with; they mean what kfuse's do.
enum class BenchExit : int {
  Done = 0,
  Input = 1,    ///< a device, a program or a file is not as it should be
  Usage = 2,    ///< the command line is wrong
  Mismatch = 3, ///< the programs that are compared print something else
};

/// Prints the message as an error, and returns `code`.
BenchExit fails(BenchExit code, const std::string &message);
/// The same for a wrong command line, where help is to be had.
BenchExit usageFails(const std::string &message);

/// Prints a text of help; fails if it can't be written.
BenchExit printHelp(const char *text);

/// Each gets the command line from its own name on.
BenchExit listDevices(int count, char **words);
BenchExit drawRoofline(int count, char **words);
BenchExit comparePrograms(int count, char **words,
                          const std::atomic<bool> &isInterrupted);
BenchExit profileProgram(int count, char **words,
                         const std::atomic<bool> &isInterrupted);
BenchExit measureRoofline(int count, char **words,
                          const std::atomic<bool> &isInterrupted);

} // namespace kfuse

#endif
