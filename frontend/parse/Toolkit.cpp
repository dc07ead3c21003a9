//===- Toolkit.cpp - The CUDA toolkit of the machine ----------------------===//

#include "frontend/parse/Toolkit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

namespace kfuse {
namespace {

bool startsWithAny(std::string_view name,
                   std::initializer_list<llvm::StringRef> starts) {
  return llvm::any_of(starts, [&](llvm::StringRef start) {
    return llvm::StringRef(name).starts_with(start);
  });
}

} // namespace

std::string findToolkit() {
  const auto nvcc = llvm::sys::findProgramByName("nvcc");
  if (!nvcc)
    return {};
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(*nvcc, real))
    return {};
  for (const llvm::StringRef program :
       {llvm::StringRef(real), llvm::StringRef(*nvcc)}) {
    const llvm::StringRef folder =
        llvm::sys::path::parent_path(llvm::sys::path::parent_path(program));
    if (llvm::sys::fs::exists(folder + "/include/cuda.h"))
      return folder.str();
  }
  return {};
}

bool hasHeader(const std::string &folder, std::string_view name) {
  return llvm::any_of(
      std::initializer_list<const char *>{"/include/", "/include/cccl/"},
      [&](const char *inner) {
        return llvm::sys::fs::exists(folder + inner + std::string(name));
      });
}

bool needsWholeToolkit(std::string_view name) {
  return startsWithAny(name, {"cub/", "thrust/", "cuda/"});
}

bool isOfToolkit(std::string_view name) {
  return needsWholeToolkit(name) ||
         startsWithAny(name, {"nvtx3/", "cublas", "cuda", "cudnn", "cufft",
                              "curand", "cusolver", "cusparse", "mma.h", "npp",
                              "nvToolsExt", "nvml", "nvrtc"});
}

} // namespace kfuse
