//===- runtime/OpenClCompiler.cpp - Builds an OpenCL program to compare ---===//

#include "runtime/OpenClCompiler.h"

#include "runtime/Paths.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace kfuse {

CpuBuildResult compileOpenCl(const CpuBuild &build) {
  const std::string source = build.output + ".source";
  const std::string log = build.output + ".log";
  {
    // The lines, and `__FILE__`, are those of the user's file.
    std::error_code error;
    llvm::raw_fd_ostream file(source, error);
    file << "#line 1 \"";
    file.write_escaped(build.input);
    file << "\"\n" << build.text.value_or("");
    if (error)
      return {false, "kfuse: error: cannot write '" + source + "'\n"};
  }
  const bool isC = llvm::sys::path::extension(build.input) == ".c";
  const llvm::StringRef folder = llvm::sys::path::parent_path(build.input);
  std::vector<std::string> words = {
      KFUSE_CPU_CLANG, isC ? "--driver-mode=gcc" : "--driver-mode=g++", "-w",
      "-O" + std::to_string(build.optimisation),
      "-iquote" + (folder.empty() ? "." : folder.str())};
  words.insert(words.end(), build.flags.begin(), build.flags.end());
  words.insert(words.end(), {"-x", isC ? "c" : "c++", source, "-x", "c",
                             KFUSE_OPENCL_TRACE, "-x", "none", "-lOpenCL",
                             "-ldl", "-lm", "-pthread", "-o", build.output});
  const std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  std::string message;
  const int status = llvm::sys::ExecuteAndWait(
      KFUSE_CPU_CLANG, arguments, std::nullopt,
      {llvm::StringRef(), llvm::StringRef(log), llvm::StringRef(log)}, 0, 0,
      &message);
  auto text = llvm::MemoryBuffer::getFile(log);
  CpuBuildResult result{status == 0,
                        text ? (*text)->getBuffer().str() : std::string()};
  if (status < 0)
    result.diagnostics +=
        "kfuse: error: the compiler failed: " + message + "\n";
  return result;
}

} // namespace kfuse
