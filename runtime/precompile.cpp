//===- precompile.cpp - Precompiles the executor's header -----------------===//
//
// A part of kfuse's build: precompile plain|sanitized|recorded FILE.
//
//===----------------------------------------------------------------------===//

#include "runtime/CpuCompiler.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

int main(int count, char **words) {
  if (count != 3) {
    llvm::errs() << "usage: precompile plain|sanitized|recorded FILE\n";
    return 1;
  }
  kfuse::CpuBuild build;
  build.sanitize = llvm::StringRef(words[1]) == "sanitized";
  build.record = llvm::StringRef(words[1]) == "recorded";
  build.optimisation = build.sanitize ? 0 : 1;
  build.output = words[2];
  const kfuse::CpuBuildResult result = kfuse::precompileForCpu(build);
  llvm::errs() << result.diagnostics;
  return result.ok ? 0 : 1;
}
