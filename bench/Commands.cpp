//===- Commands.cpp - The commands of kfuse-bench -------------------------===//

#include "bench/Commands.h"

#include "system/Output.h"

#include <cstdio>

namespace kfuse {

BenchExit fails(BenchExit code, const std::string &message) {
  std::fprintf(stderr, "kfuse-bench: error: %s\n", message.c_str());
  return code;
}

BenchExit usageFails(const std::string &message) {
  return fails(BenchExit::Usage, message + "; see kfuse-bench --help");
}

BenchExit printHelp(const char *text) {
  const std::string why = writeOutput("-", text);
  return why.empty() ? BenchExit::Done : fails(BenchExit::Input, why);
}

} // namespace kfuse
