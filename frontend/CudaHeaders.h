//===- frontend/CudaHeaders.h - The CUDA headers that kfuse brings --------===//
//
// Small headers (frontend/headers) that let CUDA be parsed where no toolkit is
// installed. They are compiled into the program and appear to Clang as files of
// a virtual folder, searched after every folder of the user's.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_CUDAHEADERS_H
#define KFUSE_FRONTEND_CUDAHEADERS_H

#include <string_view>
#include <vector>

namespace kfuse {

struct EmbeddedHeader {
  std::string_view name; ///< `cuda_runtime.h`
  std::string_view text;
};

/// All of them; the texts live as long as the program.
const std::vector<EmbeddedHeader> &cudaHeaders();

} // namespace kfuse

#endif
