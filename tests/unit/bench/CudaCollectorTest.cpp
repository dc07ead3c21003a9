//===- CudaCollectorTest.cpp - The library that records CUDA's launches ---===//

#include "bench/collect/CudaCollector.h"
#include "system/Scratch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace kfuse {
namespace {

TEST(CudaCollector, IsBuiltOnceWithAToolkit) {
  if (!cuptiFiles())
    GTEST_SKIP() << "there is no toolkit with CUPTI";
  const ScratchFolder cache("collector-test");
  ASSERT_TRUE(cache.good());
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const BuiltLibrary built = cudaCollector(cache.path());
  EXPECT_EQ(built.why, "");
  EXPECT_TRUE(built.path.starts_with(cache.path() + "/kfuse/cuda-collector-"));
  ASSERT_TRUE(std::filesystem::exists(built.path));
  const auto time = std::filesystem::last_write_time(built.path);
  EXPECT_EQ(cudaCollector(cache.path()).path, built.path);
  EXPECT_EQ(std::filesystem::last_write_time(built.path), time);

  // Without a place to keep it, it goes where it is only for the run.
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  EXPECT_TRUE(cudaCollector(cache.path())
                  .path.starts_with(cache.path() + "/cuda-collector-"));

  // A compiler that can't do it says so.
  setenv("CXX", "/bin/false", 1);
  const BuiltLibrary none = cudaCollector(cache.path());
  EXPECT_EQ(none.path, "");
  EXPECT_EQ(none.why, "/bin/false can't compile the collector: it ended with "
                      "code 1");
  unsetenv("CXX");
  unsetenv("XDG_CACHE_HOME");
}

} // namespace
} // namespace kfuse
