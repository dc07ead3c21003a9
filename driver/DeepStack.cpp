//===- DeepStack.cpp - Room for programs that nest deeply -----------------===//

#include "driver/DeepStack.h"

#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kfuse {
namespace {

/// Only what is touched takes memory.
constexpr std::size_t MostBytes = std::size_t{1} << 32;
constexpr std::size_t LeastBytes = std::size_t{1} << 26;
/// At the end of the stack, more than any function takes at once.
constexpr std::size_t GuardBytes = std::size_t{1} << 20;

/// The stack in use tells the signal's handler what an overflow is.
struct Stack {
  char *begin = nullptr;
  int code = 0;
  struct sigaction before = {};
};
Stack theStack;

void reportOverflow(int signal, siginfo_t *info, void *) {
  const auto *address = static_cast<const char *>(info->si_addr);
  if (address < theStack.begin || address >= theStack.begin + GuardBytes) {
    sigaction(signal, &theStack.before, nullptr);
    return; // to the instruction, and from there to the handler before
  }
  constexpr const char Message[] =
      "kfuse: error: the program's statements or expressions nest too deeply\n";
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, Message, sizeof(Message) - 1);
  _exit(theStack.code);
}

struct DeepCall {
  const std::function<int()> *action;
  int result = 0;
};

void *start(void *argument) {
  // A handler can't run on a stack that is full.
  static std::array<char, std::size_t{1} << 16> forHandler;
  stack_t other = {};
  other.ss_sp = forHandler.data();
  other.ss_size = forHandler.size();
  sigaltstack(&other, nullptr);
  struct sigaction handler = {};
  handler.sa_sigaction = reportOverflow;
  handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &handler, &theStack.before);
  auto *run = static_cast<DeepCall *>(argument);
  run->result = (*run->action)();
  sigaction(SIGSEGV, &theStack.before, nullptr);
  return nullptr;
}

} // namespace

int onDeepStack(const std::function<int()> &action, int code) {
  for (std::size_t bytes = MostBytes; bytes >= LeastBytes; bytes /= 2) {
    void *memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
      continue;
    mprotect(memory, GuardBytes, PROT_NONE);
    theStack.begin = static_cast<char *>(memory);
    theStack.code = code;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory, bytes);
    DeepCall run{&action};
    pthread_t thread = {};
    const bool isStarted =
        pthread_create(&thread, &attributes, start, &run) == 0;
    pthread_attr_destroy(&attributes);
    if (isStarted)
      pthread_join(thread, nullptr);
    munmap(memory, bytes);
    if (isStarted)
      return run.result;
  }
  return action(); // if memory is limited
}

} // namespace kfuse
