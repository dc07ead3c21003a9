//===- runtime/CpuCompiler.cpp - Builds a CUDA program for the CPU --------===//

#include "runtime/CpuCompiler.h"

#include "runtime/Mirror.h"
#include "runtime/NvccFlags.h"
#include "runtime/Paths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <algorithm>

namespace kfuse {
namespace {

using Words = std::vector<std::string>;

/// The folder of the rewritten files: the user's, or one that goes.
class WorkFolder {
public:
  explicit WorkFolder(const std::string &keep) : Keep(!keep.empty()) {
    std::error_code error;
    if (Keep) {
      Path = keep;
      error = llvm::sys::fs::make_absolute(Path);
      if (!error)
        error = llvm::sys::fs::create_directories(Path);
    } else {
      error = llvm::sys::fs::createUniqueDirectory("kfuse-cpu", Path);
    }
    Good = !error;
  }
  ~WorkFolder() {
    if (!Keep && Good)
      static_cast<void>(llvm::sys::fs::remove_directories(Path));
  }
  WorkFolder(const WorkFolder &) = delete;
  WorkFolder &operator=(const WorkFolder &) = delete;

  bool good() const { return Good; }
  std::string path() const { return Path.str().str(); }
  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> path = Path;
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

private:
  bool Keep;
  bool Good = false;
  llvm::SmallString<128> Path;
};

bool startsWithAny(const Words &flags, llvm::StringRef prefix) {
  return std::any_of(flags.begin(), flags.end(), [&](const std::string &flag) {
    return llvm::StringRef(flag).starts_with(prefix);
  });
}

/// What is missing of the compiler and the headers that were there when kfuse
/// was built; empty when all is well.
std::string missingPart() {
  if (!llvm::sys::fs::can_execute(KFUSE_CPU_CLANG))
    return "the C++ compiler '" KFUSE_CPU_CLANG
           "', which kfuse was built to use, is missing: install clang-19";
  if (!llvm::sys::fs::exists(KFUSE_CPU_INCLUDE "/cuda_runtime.h"))
    return "the executor's headers are not in '" KFUSE_CPU_INCLUDE
           "', where they were when kfuse was built";
  if (!llvm::sys::fs::exists(KFUSE_CPU_CONTEXT))
    return "'" KFUSE_CPU_CONTEXT "' is missing: install Boost.Context";
  return {};
}

Words commandLine(const CpuBuild &build, const Words &flags,
                  const Mirror &mirror) {
  Words words{KFUSE_CPU_CLANG, "-x", "c++", mirror.input, "-x", "none"};
  if (!startsWithAny(flags, "-std="))
    words.emplace_back("-std=c++17");
  if (!startsWithAny(flags, "-O"))
    words.push_back("-O" + std::to_string(build.optimisation));
  if (!startsWithAny(flags, "-W"))
    words.emplace_back("-w");
  words.emplace_back("-Wno-register"); // an error since C++17, not for nvcc
  // The copies come first; what wasn't copied is beside the original. A
  // relative name counts from where the input is.
  words.insert(words.end(), mirror.includeFlags.begin(),
               mirror.includeFlags.end());
  const llvm::StringRef folder = llvm::sys::path::parent_path(build.input);
  words.push_back("-iquote" + (folder.empty() ? "." : folder.str()));
  words.insert(words.end(), flags.begin(), flags.end());
  // As nvcc: the CUDA headers without being asked for. No contraction, and
  // none of the assumptions on types that device code is wont to break.
  words.insert(words.end(), {"-isystem", KFUSE_CPU_INCLUDE, "-D__CUDACC__",
                             "-D__NVCC__", "-include", "cuda_runtime.h",
                             "-ffp-contract=off", "-fno-strict-aliasing"});
  if (build.sanitize) {
    words.insert(words.end(),
                 {"-fsanitize=address,undefined",
                  "-fno-sanitize-recover=bounds", "-fno-omit-frame-pointer",
                  "-gline-tables-only"});
    words.push_back(std::string("-fsanitize-ignorelist=") + KFUSE_CPU_INCLUDE +
                    "/kfuse_cpu/undefined.ignore");
    words.push_back(std::string("-DKFUSE_CPU_SYMBOLIZER=\"") +
                    KFUSE_CPU_SYMBOLIZER + "\"");
  }
  if (build.record)
    words.insert(words.end(),
                 {"-DKFUSE_CPU_RECORD", "-Xclang", "-fsanitize=thread",
                  "-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
                  "-tsan-instrument-atomics=0", "-mllvm",
                  "-tsan-instrument-read-before-write=1"});
  const bool isObject =
      std::find(flags.begin(), flags.end(), "-c") != flags.end();
  if (!isObject)
    words.insert(words.end(), {KFUSE_CPU_CONTEXT, "-pthread"});
  words.insert(words.end(), {"-o", build.output});
  return words;
}

std::string contentOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

CpuBuildResult failure(const std::string &message) {
  return {false, "kfuse-cpu: error: " + message + "\n"};
}

} // namespace

CpuBuildResult compileForCpu(const CpuBuild &build) {
  if (const std::string missing = missingPart(); !missing.empty())
    return failure(missing);
  if (build.record && build.sanitize)
    return failure("a program is recorded or sanitized, not both");
  const WorkFolder folder(build.keep);
  if (!folder.good())
    return failure("cannot make the folder for the rewritten files");
  const Words flags = translateNvccFlags(build.flags);
  const Mirror mirror = mirrorProgram(build.input, build.text,
                                      includeFoldersOf(flags), folder.path());
  if (!mirror.error.empty())
    return failure(mirror.error);

  const Words words = commandLine(build, flags, mirror);
  const std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  const std::string log = folder.file("diagnostics.txt");
  std::string message;
  const int status = llvm::sys::ExecuteAndWait(
      KFUSE_CPU_CLANG, arguments, std::nullopt,
      {llvm::StringRef(), llvm::StringRef(log), llvm::StringRef(log)}, 0, 0,
      &message);
  CpuBuildResult result{status == 0, contentOf(log)};
  if (status < 0)
    result.diagnostics +=
        "kfuse-cpu: error: the compiler failed: " + message + "\n";
  return result;
}

} // namespace kfuse
