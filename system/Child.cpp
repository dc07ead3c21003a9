//===- Child.cpp - Programs that kfuse runs -------------------------------===//

#include "system/Child.h"

#include "system/Interrupts.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kfuse {
namespace {

using Clock = std::chrono::steady_clock;

/// How the program is started, for the system.
class Spawn {
public:
  explicit Spawn(const ChildProgram &program) {
    posix_spawnattr_init(&Attributes);
    posix_spawnattr_setflags(&Attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&Attributes, 0);
    posix_spawnattr_setsigmask(&Attributes, &signalsAtStart());
    posix_spawn_file_actions_init(&Actions);
    if (!program.folder.empty())
      posix_spawn_file_actions_addchdir_np(&Actions, program.folder.c_str());
    posix_spawn_file_actions_addopen(&Actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    addFile(STDOUT_FILENO, program.output);
    if (program.errors == program.output)
      posix_spawn_file_actions_adddup2(&Actions, STDOUT_FILENO, STDERR_FILENO);
    else
      addFile(STDERR_FILENO, program.errors);
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&Actions);
    posix_spawnattr_destroy(&Attributes);
  }
  Spawn(const Spawn &) = delete;
  Spawn &operator=(const Spawn &) = delete;

  /// Starts the program; returns its process number, or -1 with `errno`.
  pid_t start(const ChildProgram &program) const {
    std::vector<char *> words = pointers(program.words);
    std::vector<char *> environment;
    if (program.environment)
      environment = pointers(*program.environment);
    pid_t child = -1;
    errno =
        posix_spawn(&child, words.front(), &Actions, &Attributes, words.data(),
                    program.environment ? environment.data() : environ);
    return errno == 0 ? child : -1;
  }

private:
  void addFile(int descriptor, const std::string &path) {
    posix_spawn_file_actions_addopen(&Actions, descriptor, path.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
  }

  static std::vector<char *> pointers(const std::vector<std::string> &words) {
    std::vector<char *> all;
    for (const std::string &word : words)
      all.push_back(const_cast<char *>(word.c_str()));
    all.push_back(nullptr);
    return all;
  }

  posix_spawnattr_t Attributes;
  posix_spawn_file_actions_t Actions;
};

/// Waits until the child has ended, but doesn't reap it, so that its number
/// stays taken; returns false when the time is over.
bool awaitEnd(pid_t child, unsigned seconds) {
  using namespace std::chrono_literals;
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  auto pause = std::chrono::milliseconds(1);
  while (true) {
    siginfo_t info = {};
    const int options = WEXITED | WNOWAIT | (seconds == 0 ? 0 : WNOHANG);
    if (waitid(P_PID, static_cast<id_t>(child), &info, options) != 0) {
      if (errno != EINTR)
        return true;
      continue;
    }
    if (info.si_pid != 0)
      return true;
    if (Clock::now() > end)
      return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(20ms));
  }
}

} // namespace

ChildResult runChild(const ChildProgram &program) {
  pid_t child = -1;
  {
    const Spawn spawn(program);
    const Uninterrupted guard;
    child = spawn.start(program);
    if (child < 0)
      return {-1, std::strerror(errno)};
    stopAtEnd(child);
  }
  const bool isInTime = awaitEnd(child, program.seconds);

  // Until it is waited for the group's number is nobody else's.
  const Uninterrupted guard;
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  forgetProgram(child);
  if (!isInTime)
    return {-2, "it took more than " + std::to_string(program.seconds) +
                    " seconds"};
  if (WIFEXITED(status))
    return {WEXITSTATUS(status), {}};
  return {-2, std::string(strsignal(WTERMSIG(status))) +
                  (WCOREDUMP(status) ? " (core dumped)" : "")};
}

std::vector<std::string> environmentWith(const std::string &name,
                                         const std::string &value) {
  std::vector<std::string> all = {name + "=" + value};
  for (char **entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with(name + "="))
      all.emplace_back(*entry);
  return all;
}

} // namespace kfuse
