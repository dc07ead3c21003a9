//===- driver/LargeStack.cpp - Room for what nests deeply -----------------===//
//
// Parsing and walking a program recurses as deeply as the program nests, and a
// sum of n terms nests n deep. Pages of a stack that nothing reaches cost
// nothing.
//
//===----------------------------------------------------------------------===//

#include "driver/LargeStack.h"

#include <pthread.h>

#include <cstddef>

namespace kfuse {
namespace {

constexpr std::size_t LargestStack = std::size_t{4} << 30U;
constexpr std::size_t SmallestStack = std::size_t{16} << 20U;

struct Work {
  void (*function)(void *) = nullptr;
  void *data = nullptr;
};

void *work(void *pointer) {
  const Work &task = *static_cast<const Work *>(pointer);
  task.function(task.data);
  return nullptr;
}

} // namespace

void runOnLargeStack(void (*function)(void *), void *data) {
  Work task{function, data};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  bool isStarted = false;
  pthread_t thread{};
  for (std::size_t size = LargestStack; size >= SmallestStack && !isStarted;
       size /= 2)
    isStarted = pthread_attr_setstacksize(&attributes, size) == 0 &&
                pthread_create(&thread, &attributes, work, &task) == 0;
  pthread_attr_destroy(&attributes);
  if (isStarted)
    pthread_join(thread, nullptr);
  else
    function(data);
}

} // namespace kfuse
