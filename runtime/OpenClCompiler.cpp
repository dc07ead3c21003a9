//===- OpenClCompiler.cpp - Builds an OpenCL program to compare -----------===//

#include "runtime/OpenClCompiler.h"

#include "runtime/Paths.h"
#include "system/Child.h"
#include "system/Output.h"
#include "system/Scratch.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace kfuse {

CpuBuildResult compileOpenCl(const CpuBuild &build) {
  const std::string source = build.output + ".source";
  const std::string log = build.output + ".log";
  // The line numbers and `__FILE__` are those of the user's file.
  std::string content;
  llvm::raw_string_ostream stream(content);
  stream << "#line 1 \"";
  stream.write_escaped(build.input);
  stream << "\"\n" << build.text.value_or("");
  if (const std::string error = writeOutput(source, content); !error.empty())
    return {false, "kfuse: error: " + error + "\n"};
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
  ChildProgram compiler;
  compiler.words = std::move(words);
  // Whatever an interrupted compiler leaves behind is removed with the folder.
  compiler.environment = environmentWith(
      "TMPDIR", llvm::sys::path::parent_path(build.output).str());
  compiler.output = compiler.errors = log;
  const ChildResult ended = runChild(compiler);
  CpuBuildResult result{ended.status == 0, contentOf(log)};
  if (ended.status < 0)
    result.diagnostics +=
        "kfuse: error: the compiler failed: " + ended.message + "\n";
  return result;
}

} // namespace kfuse
