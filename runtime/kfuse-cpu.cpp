//===- kfuse-cpu.cpp - A compiler driver for CUDA on the CPU --------------===//

#include "runtime/CpuCompiler.h"
#include "system/Interrupts.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace {

constexpr llvm::StringLiteral Usage =
    "Usage: kfuse-cpu [options] file.cu -o program [-- compiler flags]\n"
    "\n"
    "Builds a CUDA program that runs without a GPU.\n"
    "\n"
    "Options:\n"
    "  -o FILE      the program (a.out)\n"
    "  --sanitize   with address and undefined-behaviour sanitizers\n"
    "  --record     with a record of what device code touches\n"
    "  --keep=DIR   keep the rewritten files in DIR\n"
    "  --force      overwrite files that are read-only\n"
    "  --help       this text\n"
    "Others (-I, -D, -std=, -O, -c, -l...) go to the compiler; those that "
    "only\n"
    "nvcc knows are dropped.\n"
    "\n"
    "The program obeys, from its environment:\n"
    "  KFUSE_CPU_ORDER=forward|reverse|shuffle:SEED   order of blocks and "
    "threads\n"
    "  KFUSE_CPU_TRACE=FILE           log what the host can see of the device\n"
    "  KFUSE_CPU_TRACE_LAUNCHES=1     log launches too\n"
    "  KFUSE_CPU_COUNT=FILE           write the number of launches\n"
    "  KFUSE_CPU_LAUNCHES=FILE        the same for each line and kernel\n"
    "  KFUSE_COLLECT=FILE             add the time of each launch, as JSON\n"
    "with --record also:\n"
    "  KFUSE_CPU_BYTES=FILE           the bytes of each launch\n"
    "  KFUSE_CPU_ACCESSES=FILE        each access of each thread\n";

/// Checks whether the flag takes the next word as its value, so that this word
/// isn't an input.
bool takesValue(llvm::StringRef flag) {
  for (llvm::StringRef name : {"-I",
                               "-D",
                               "-U",
                               "-L",
                               "-l",
                               "-include",
                               "-isystem",
                               "-iquote",
                               "-std",
                               "--std",
                               "-x",
                               "-gencode",
                               "--generate-code",
                               "-arch",
                               "--gpu-architecture",
                               "-code",
                               "-ccbin",
                               "-Xcompiler",
                               "-Xptxas",
                               "-Xlinker",
                               "-maxrregcount",
                               "-MF",
                               "-MT"})
    if (flag == name)
      return true;
  return false;
}

bool isSource(llvm::StringRef word) {
  for (llvm::StringRef suffix : {".cu", ".cpp", ".cc", ".cxx", ".c"})
    if (word.ends_with(suffix))
      return true;
  return false;
}

int usageError(const llvm::Twine &message) {
  llvm::errs() << "kfuse-cpu: error: " << message << "; see kfuse-cpu --help\n";
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  kfuse::leaveNothingBehind();
  kfuse::CpuBuild build;
  build.output = "a.out";
  bool onlyFlags = false;
  for (int i = 1; i < argc; ++i) {
    const llvm::StringRef word = argv[i];
    if (onlyFlags) {
      build.flags.push_back(word.str());
    } else if (word == "--") {
      onlyFlags = true;
    } else if (word == "--help" || word == "-h") {
      llvm::outs() << Usage;
      return 0;
    } else if (word == "--sanitize") {
      build.sanitize = true;
    } else if (word == "--record") {
      build.record = true;
    } else if (word == "--force") {
      build.force = true;
    } else if (word.starts_with("--keep=")) {
      build.keep = word.substr(7).str();
    } else if (word == "-o") {
      if (++i == argc)
        return usageError("-o wants a file");
      build.output = argv[i];
    } else if (takesValue(word) && i + 1 < argc) {
      build.flags.push_back(word.str());
      build.flags.emplace_back(argv[++i]);
    } else if (isSource(word) && !word.starts_with("-")) {
      if (!build.input.empty())
        return usageError("more than one source file: compile each with -c");
      build.input = word.str();
    } else {
      build.flags.push_back(word.str());
    }
  }
  if (build.input.empty())
    return usageError("no source file");
  build.optimisation = build.sanitize ? 0 : 2;
  const kfuse::CpuBuildResult result = kfuse::compileForCpu(build);
  llvm::errs() << result.diagnostics;
  return result.ok ? 0 : 1;
}
