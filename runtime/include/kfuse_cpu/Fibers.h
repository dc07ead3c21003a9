//===- kfuse_cpu/Fibers.h - Stacks that a GPU thread can be left on -------===//
//
// A fiber is a stack and a saved context. The address sanitizer is told about
// every switch, because it keeps the bounds of the running stack.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_FIBERS_H
#define KFUSE_CPU_FIBERS_H

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define KFUSE_CPU_ASAN 1
#else
#define KFUSE_CPU_ASAN 0
#endif

namespace kfuse_cpu {

namespace context = boost::context::detail;

/// Holds a stack and the context saved on it.
struct Fiber {
  context::fcontext_t saved = nullptr;
  void *stack = nullptr;
  std::size_t size = 0;
  void *fakeStack = nullptr; ///< for the address sanitizer
};

/// Describes the stack of the thread that starts and resumes fibers.
struct HostStack {
  context::fcontext_t saved = nullptr;
  const void *stack = nullptr;
  std::size_t size = 0;
  void *fakeStack = nullptr;
};

inline void beforeSwitch(void **fakeStack, const void *stack,
                         std::size_t size) {
#if KFUSE_CPU_ASAN
  __sanitizer_start_switch_fiber(fakeStack, stack, size);
#else
  (void)fakeStack, (void)stack, (void)size;
#endif
}

inline void afterSwitch(void *fakeStack, const void **stack,
                        std::size_t *size) {
#if KFUSE_CPU_ASAN
  __sanitizer_finish_switch_fiber(fakeStack, stack, size);
#else
  (void)fakeStack, (void)stack, (void)size;
#endif
}

/// Returns a new fiber that will run `entry`. The system allocates pages only
/// when they are touched. The lowest page faults, so that an overflow isn't
/// silent.
inline Fiber makeFiber(void (*entry)(context::transfer_t), unsigned index) {
  constexpr std::size_t Page = 4096;
  constexpr std::size_t Size = (KFUSE_CPU_ASAN ? 1024 : 256) * 1024;
  void *memory = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, Page, PROT_NONE) != 0) {
    std::fprintf(stderr, "kfuse-cpu: no memory for the stack of a thread\n");
    std::abort();
  }
  // If all stacks started at the same page offset, they would share the same
  // few cache sets.
  std::size_t colour = (index % 32) * 128;
  Fiber fiber;
  fiber.stack = static_cast<char *>(memory) + Page;
  fiber.size = Size - Page - colour;
  void *top = static_cast<char *>(fiber.stack) + fiber.size;
  fiber.saved = context::make_fcontext(top, fiber.size, entry);
  return fiber;
}

/// Runs the fiber until it switches back.
inline void switchTo(Fiber &fiber, HostStack &host, void *argument) {
  beforeSwitch(&host.fakeStack, fiber.stack, fiber.size);
  context::transfer_t back = context::jump_fcontext(fiber.saved, argument);
  afterSwitch(host.fakeStack, nullptr, nullptr);
  fiber.saved = back.fctx;
}

/// Completes the switch to a new fiber; the fiber must call it first.
inline void enterFiber(HostStack &host, context::transfer_t from) {
  host.saved = from.fctx;
  afterSwitch(nullptr, &host.stack, &host.size);
}

/// Leaves the fiber; returns when it is resumed.
inline void switchBack(Fiber &fiber, HostStack &host) {
  beforeSwitch(&fiber.fakeStack, host.stack, host.size);
  context::transfer_t back = context::jump_fcontext(host.saved, nullptr);
  afterSwitch(fiber.fakeStack, &host.stack, &host.size);
  host.saved = back.fctx;
}

} // namespace kfuse_cpu

#endif
