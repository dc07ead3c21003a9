//===- Interrupts.h - Ends that leave nothing behind ----------------------===//
//
// SIGINT, SIGTERM and SIGHUP come to a thread of their own. It stops the
// programs that were started, removes what was to go, and then ends the process
// by the signal. It takes the lock of `Uninterrupted` for good. A thread that
// makes a file, a folder or a program that goes with the process holds the lock
// meanwhile, so that its work is either finished or never begun.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_SYSTEM_INTERRUPTS_H
#define KFUSE_SYSTEM_INTERRUPTS_H

#include <atomic>
#include <csignal>
#include <mutex>
#include <string>

#include <sys/types.h>

namespace kfuse {

/// Starts the thread to which these signals come. Must be called first in main,
/// before there are other threads. Pipes without a reader, and files over the
/// size limit, then become write errors; and the three standard streams are
/// open.
///
/// If `firstInterrupt` is given, the first SIGINT only sets it and stops the
/// programs that run, so that the process can end by itself.
void leaveNothingBehind(std::atomic<bool> *firstInterrupt = nullptr);

/// While one lives, the process isn't ended by these signals.
class Uninterrupted {
public:
  Uninterrupted();

private:
  std::lock_guard<std::mutex> Lock;
};

/// Registers what is removed or stopped when the process is interrupted: a
/// file, a folder with all that is in it, a program and those of its process
/// group. An `Uninterrupted` has to live while these are called.
void removeAtEnd(const std::string &path);
void forgetPath(const std::string &path);
void stopAtEnd(pid_t leader);
void forgetProgram(pid_t leader);

/// Returns the signals that were blocked when the process began, which programs
/// that it starts are to have blocked.
const sigset_t &signalsAtStart();

} // namespace kfuse

#endif
