//===- EmbeddedHeaders.h - The headers that kfuse brings ------------------===//
//
// Small headers (frontend/headers) to parse CUDA without an installed toolkit,
// and to follow hosts that use OpenCL's classes. They are compiled into the
// program and appear to Clang as files of a virtual folder.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_PARSE_EMBEDDEDHEADERS_H
#define KFUSE_FRONTEND_PARSE_EMBEDDEDHEADERS_H

#include <string_view>
#include <vector>

namespace kfuse {

struct EmbeddedHeader {
  std::string_view name; ///< `cuda_runtime.h`
  std::string_view text;
};

/// Returns all headers; their texts live as long as the program.
const std::vector<EmbeddedHeader> &embeddedHeaders();

} // namespace kfuse

#endif
