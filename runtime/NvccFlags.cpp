//===- NvccFlags.cpp - nvcc's command line for Clang ----------------------===//

#include "runtime/NvccFlags.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace kfuse {
namespace {

/// Lists the flags that are dropped together with the next word.
constexpr std::array DroppedWithValue = {"-gencode",
                                         "--generate-code",
                                         "-arch",
                                         "--gpu-architecture",
                                         "-code",
                                         "--gpu-code",
                                         "-ccbin",
                                         "--compiler-bindir",
                                         "-Xptxas",
                                         "--ptxas-options",
                                         "-Xnvlink",
                                         "--nvlink-options",
                                         "-maxrregcount",
                                         "--maxrregcount",
                                         "-x",
                                         "--x",
                                         "-rdc",
                                         "--relocatable-device-code",
                                         "-t",
                                         "--threads",
                                         "-Xcudafe",
                                         "-diag-suppress",
                                         "-diag-error",
                                         "-diag-warn",
                                         "-cudart",
                                         "--cudart",
                                         "--cuda-path"};

/// Lists the prefixes of flags that are dropped on their own, with anything
/// that follows in the same word.
constexpr std::array DroppedPrefixes = {"--generate-code=",
                                        "-gencode=",
                                        "-arch=",
                                        "--gpu-architecture=",
                                        "-code=",
                                        "--gpu-code=",
                                        "-ccbin=",
                                        "--compiler-bindir=",
                                        "-Xptxas=",
                                        "--ptxas-options=",
                                        "-Xnvlink=",
                                        "-maxrregcount=",
                                        "--maxrregcount=",
                                        "-rdc=",
                                        "--relocatable-device-code=",
                                        "--threads=",
                                        "--expt-",
                                        "-expt-",
                                        "--extended-lambda",
                                        "-extended-lambda",
                                        "--use_fast_math",
                                        "-use_fast_math",
                                        "-lineinfo",
                                        "--generate-line-info",
                                        "-G",
                                        "--device-debug",
                                        "-fmad=",
                                        "--fmad=",
                                        "-ftz=",
                                        "--ftz=",
                                        "-prec-div=",
                                        "--prec-div=",
                                        "-prec-sqrt=",
                                        "--prec-sqrt=",
                                        "-cudart=",
                                        "--cudart=",
                                        "--cuda-path=",
                                        "--cuda-gpu-arch=",
                                        "-lcudart",
                                        "-lcudadevrt",
                                        "-lcuda",
                                        "-Xcudafe=",
                                        "-diag-",
                                        "--diag-",
                                        "--keep",
                                        "-res-usage",
                                        "--resource-usage",
                                        "--cuda-host-only",
                                        "--cuda-device-only",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-dlink",
                                        "--default-stream",
                                        "-Wno-deprecated-gpu-targets",
                                        "--extra-device-vectorization",
                                        "-restrict",
                                        "--restrict",
                                        "-ffast-math",
                                        "-ffp-contract=",
                                        "-xcu"};

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool isDroppedWithValue(std::string_view flag) {
  return std::find(DroppedWithValue.begin(), DroppedWithValue.end(), flag) !=
         DroppedWithValue.end();
}

bool isDropped(std::string_view flag) {
  return std::any_of(DroppedPrefixes.begin(), DroppedPrefixes.end(),
                     [&](const char *p) { return startsWith(flag, p); });
}

/// Adds the host compiler's flags inside `-Xcompiler a,b` and `-Xcompiler=a`.
void addUnwrapped(std::string_view list, std::vector<std::string> &flags) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (end > 0)
      flags.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

/// Returns `-std=c++17` for older standards; others unchanged.
std::string raisedStandard(const std::string &name) {
  constexpr std::array Old = {"98", "03", "0x", "11", "1y", "14"};
  for (const char *year : Old)
    if (name == std::string("c++") + year ||
        name == std::string("gnu++") + year)
      return name.substr(0, name.find("++")) + "++17";
  return name;
}

} // namespace

std::vector<std::string>
translateNvccFlags(const std::vector<std::string> &flags) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string &flag = flags[i];
    const bool hasNext = i + 1 < flags.size();
    if (flag == "-Xcompiler" || flag == "--compiler-options") {
      if (hasNext)
        addUnwrapped(flags[++i], result);
    } else if (startsWith(flag, "-Xcompiler=") ||
               startsWith(flag, "--compiler-options=")) {
      addUnwrapped(std::string_view(flag).substr(flag.find('=') + 1), result);
    } else if ((flag == "-std" || flag == "--std") && hasNext) {
      result.push_back("-std=" + raisedStandard(flags[++i]));
    } else if (startsWith(flag, "-std=") || startsWith(flag, "--std=")) {
      result.push_back("-std=" +
                       raisedStandard(flag.substr(flag.find('=') + 1)));
    } else if (isDroppedWithValue(flag)) {
      i += hasNext;
    } else if (flag == "-dc" || flag == "--device-c") {
      result.emplace_back("-c");
    } else if (!isDropped(flag)) {
      result.push_back(flag);
    }
  }
  return result;
}

} // namespace kfuse
