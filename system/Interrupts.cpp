//===- Interrupts.cpp - Ends that leave nothing behind --------------------===//

#include "system/Interrupts.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kfuse {
namespace {

using namespace std::chrono_literals;

/// The time that a program has to end by itself, or the system to end it.
constexpr auto Grace = 1s;
constexpr int Ending[] = {SIGINT, SIGTERM, SIGHUP};

struct Passing {
  std::mutex mutex;
  std::vector<std::string> paths;
  std::vector<pid_t> programs;
  sigset_t signals;

  Passing() { pthread_sigmask(SIG_SETMASK, nullptr, &signals); }
};

/// Returns the one object of its kind. It is never destroyed, since an
/// interrupt may come while the process ends.
Passing &passing() {
  static auto *all = new Passing;
  return *all;
}

/// Waits until `what` returns true; returns false when the time is over first.
bool comesTrue(const std::function<bool()> &what) {
  const auto end = std::chrono::steady_clock::now() + Grace;
  while (!what()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}

bool hasEnded(pid_t leader) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(leader), &info,
                WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

/// Stops the programs and their process groups. They first get a chance to
/// remove what is theirs.
void stopPrograms(const std::vector<pid_t> &leaders) {
  for (const pid_t leader : leaders)
    kill(-leader, SIGTERM);
  comesTrue(
      [&] { return std::all_of(leaders.begin(), leaders.end(), hasEnded); });
  for (const pid_t leader : leaders)
    kill(-leader, SIGKILL);
  // A leader that nobody asked for counts as a member of its group.
  comesTrue([&] {
    return std::all_of(leaders.begin(), leaders.end(), [](pid_t leader) {
      static_cast<void>(waitpid(leader, nullptr, WNOHANG));
      return kill(-leader, 0) != 0;
    });
  });
}

void removePaths(const std::vector<std::string> &paths) {
  // Another thread may be about to write its last file there.
  comesTrue([&] {
    return std::all_of(paths.begin(), paths.end(), [](const auto &path) {
      std::error_code error;
      std::filesystem::remove_all(path, error);
      return !error;
    });
  });
}

[[noreturn]] void endBySignal(const sigset_t &awaited,
                              const std::vector<int> &ignored,
                              std::atomic<bool> *firstInterrupt) {
  Passing &all = passing();
  int signal = 0;
  for (;;) {
    if (sigwait(&awaited, &signal) != 0 ||
        std::find(ignored.begin(), ignored.end(), signal) != ignored.end())
      continue;
    if (signal != SIGINT || !firstInterrupt || firstInterrupt->exchange(true))
      break;
    const std::lock_guard<std::mutex> lock(all.mutex);
    stopPrograms(all.programs);
  }
  all.mutex.lock();
  stopPrograms(all.programs);
  removePaths(all.paths);
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &awaited, nullptr);
  raise(signal);
  _exit(128 + signal);
}

/// Opens /dev/null for each standard stream that is closed, since otherwise the
/// next file that is opened would take its place. Using the substitute is an
/// error, as using the closed stream was.
void openStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0)
      static_cast<void>(
          open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

} // namespace

void leaveNothingBehind(std::atomic<bool> *firstInterrupt) {
  openStandardStreams();
  passing();
  sigset_t awaited;
  sigemptyset(&awaited);
  std::vector<int> ignored; // as of `nohup`: they stay so
  for (const int signal : Ending) {
    sigaddset(&awaited, signal);
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN)
      ignored.push_back(signal);
  }
  sigset_t blocked = awaited;
  sigaddset(&blocked, SIGPIPE);
  sigaddset(&blocked, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  std::thread(endBySignal, awaited, ignored, firstInterrupt).detach();
}

Uninterrupted::Uninterrupted() : Lock(passing().mutex) {}

void removeAtEnd(const std::string &path) { passing().paths.push_back(path); }

void forgetPath(const std::string &path) { std::erase(passing().paths, path); }

void stopAtEnd(pid_t leader) { passing().programs.push_back(leader); }

void forgetProgram(pid_t leader) { std::erase(passing().programs, leader); }

const sigset_t &signalsAtStart() { return passing().signals; }

} // namespace kfuse
