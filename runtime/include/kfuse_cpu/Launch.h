//===- kfuse_cpu/Launch.h - What <<<>>> becomes ---------------------------===//
#ifndef KFUSE_CPU_LAUNCH_H
#define KFUSE_CPU_LAUNCH_H

#include "kfuse_cpu/Buffers.h"
#include "kfuse_cpu/Errors.h"
#include "kfuse_cpu/LaunchTimes.h"
#include "kfuse_cpu/Qualifiers.h"
#include "kfuse_cpu/Scheduler.h"
#include "kfuse_cpu/Streams.h"

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kfuse_cpu {

inline constexpr unsigned MaxThreadsPerBlock = 1024;
inline constexpr std::size_t MaxSharedBytes = 227 * 1024;

/// Holds the arguments between <<< and >>>.
class Configuration {
public:
  Configuration(dim3 grid, dim3 block, std::size_t sharedBytes = 0,
                cudaStream_t = nullptr)
      : Grid(grid), Block(block), SharedBytes(sharedBytes) {}

  /// Returns the error that a device would report.
  cudaError_t check() const {
    auto within = [](dim3 size, std::uint64_t x, std::uint64_t y,
                     std::uint64_t z) {
      return size.x >= 1 && size.x <= x && size.y >= 1 && size.y <= y &&
             size.z >= 1 && size.z <= z;
    };
    std::uint64_t threads = std::uint64_t(Block.x) * Block.y * Block.z;
    if (!within(Grid, 0x7fffffff, 65535, 65535) ||
        !within(Block, 1024, 1024, 64) || threads > MaxThreadsPerBlock)
      return cudaErrorInvalidConfiguration;
    if (SharedBytes > MaxSharedBytes)
      return cudaErrorInvalidValue;
    return cudaSuccess;
  }

  /// Binds the arguments of the launch
  /// `kernel ->* Configuration(g, b)(arguments...)`.
  template <class... Arguments> auto operator()(Arguments... arguments) const {
    return std::make_pair(*this, std::make_tuple(arguments...));
  }

  /// Launches the kernel; `name` is null if the text doesn't tell it.
  template <class Body>
  void launch(const char *name, const Body &body, int line = 0) const {
    if (cudaError_t error = check(); error != cudaSuccess) {
      result(error);
      return;
    }
    const char *const shownName = name ? name : "kernel";
    memory().logLaunch(shownName, line);
    recordLaunch({shownName,
                  line,
                  {Grid.x, Grid.y, Grid.z},
                  {Block.x, Block.y, Block.z}});
    LaunchClock timer;
    scheduler().run(
        Grid, Block, SharedBytes,
        [](Scheduler &self, const void *data) {
          const Body &thread = *static_cast<const Body *>(data);
          while (self.beginThread()) {
            recordThread(true);
            thread();
            recordThread(false);
            self.endThread();
          }
        },
        &body, timer);
    recordLaunchEnd();
    if (launchTimes().isOpen())
      launchTimes().add(name, Grid, Block, SharedBytes, timer.begin(),
                        timer.end());
  }

private:
  dim3 Grid, Block;
  std::size_t SharedBytes;
};

/// Returns an argument's value from before the launch, which may change the
/// memory that it was read from. The parameter accepts bit-fields, too. Arrays,
/// and objects that aren't trivially copyable, are returned by reference.
template <class Argument>
std::conditional_t<!std::is_array_v<Argument> &&
                       std::is_trivially_copyable_v<Argument> &&
                       std::is_copy_constructible_v<Argument>,
                   std::remove_cv_t<Argument>, Argument &>
kept(const Argument &argument) {
  return (Argument &)argument; // const_cast accepts no functions
}

/// Holds a kernel's name and its configuration until `run` receives the
/// arguments.
class Launch {
public:
  Launch(const char *name, dim3 grid, dim3 block, std::size_t sharedBytes = 0,
         cudaStream_t stream = nullptr, int line = __builtin_LINE())
      : Name(name), Line(line), Config(grid, block, sharedBytes, stream) {}

  /// Calls `call` once for each thread, always with the same arguments.
  template <class Call, class... Arguments>
  void run(const Call &call, Arguments &&...arguments) const {
    Config.launch(Name, [&] { call(arguments...); }, Line);
  }

private:
  const char *Name;
  int Line;
  Configuration Config;
};

/// Represents a kernel with its configuration but without arguments:
/// `k CONFIG(g, b)`.
template <class... Parameters> struct BoundKernel {
  void (*kernel)(Parameters...);
  Configuration configuration;

  template <class... Arguments> void operator()(Arguments... arguments) const {
    configuration.launch(nullptr, [&] { kernel(arguments...); });
  }
};

template <class... Parameters>
BoundKernel<Parameters...> operator->*(void (*kernel)(Parameters...),
                                       const Configuration &configuration) {
  return {kernel, configuration};
}

template <class... Parameters, class... Arguments>
void operator->*(
    void (*kernel)(Parameters...),
    const std::pair<Configuration, std::tuple<Arguments...>> &launch) {
  launch.first.launch(nullptr, [&] { std::apply(kernel, launch.second); });
}

// The following types implement dynamic shared memory, to which
// `extern __shared__` declarations refer.

struct AnyShared {
  template <class T> operator T &() const {
    return *static_cast<T *>(scheduler().sharedMemory());
  }
};
inline AnyShared dynamicShared() { return {}; }

/// Represents an array declared in a namespace; each launch has its own memory
/// for it.
template <class T> struct DynamicShared {
  operator T *() const { return static_cast<T *>(scheduler().sharedMemory()); }
};

/// Launches the kernel with `arguments[i]` pointing to the value of argument i.
template <class... Parameters, std::size_t... Is>
cudaError_t launchUntyped(void (*kernel)(Parameters...),
                          const Configuration &configuration, void **arguments,
                          std::index_sequence<Is...>) {
  if (cudaError_t error = configuration.check(); error != cudaSuccess)
    return result(error);
  configuration.launch(nullptr, [&] {
    kernel(
        *static_cast<std::remove_reference_t<Parameters> *>(arguments[Is])...);
  });
  return cudaSuccess;
}

} // namespace kfuse_cpu

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid,
                             dim3 block, void **arguments,
                             std::size_t sharedBytes = 0,
                             cudaStream_t = nullptr) {
  return kfuse_cpu::launchUntyped(
      kernel, kfuse_cpu::Configuration(grid, block, sharedBytes), arguments,
      std::index_sequence_for<Parameters...>());
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...),
                                        dim3 grid, dim3 block, void **arguments,
                                        std::size_t sharedBytes = 0,
                                        cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
}

#endif
