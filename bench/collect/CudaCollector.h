//===- CudaCollector.h - The library that records CUDA's launches ---------===//
//
// It needs CUPTI, which belongs to a toolkit: kfuse-bench has its source in it,
// compiles it where a toolkit is, and keeps the result in the user's cache.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_COLLECT_CUDACOLLECTOR_H
#define KFUSE_BENCH_COLLECT_CUDACOLLECTOR_H

#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// The places where a toolkit has what the library needs.
struct CuptiFiles {
  std::vector<std::string> headers; ///< folders of cuda.h and of cupti.h
  std::string libraries;            ///< folder of libcupti.so
};

/// Returns the files of the first toolkit that has them all: that of CUDA_HOME
/// or CUDA_PATH, that of the nvcc in the PATH, or one in a usual place.
std::optional<CuptiFiles> cuptiFiles();

/// A library that was built, or why there is none.
struct BuiltLibrary {
  std::string path;
  std::string why; ///< empty if there is one
};

/// Returns the library, which is built if the user's cache hasn't it.
/// `scratch`, a folder, gets it if there is no cache.
BuiltLibrary cudaCollector(const std::string &scratch);

} // namespace kfuse

#endif
