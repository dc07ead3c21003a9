//===- kfuse_cpu/Scheduler.h - Runs the blocks and threads of a launch ----===//
//
// A fiber runs fresh threads one after the other until one of them blocks at a
// barrier or in a warp operation. That thread keeps the fiber, and another
// fiber continues with the fresh threads. So a kernel whose threads never block
// is a plain loop. Afterwards the threads that are ready are resumed in passes,
// in thread order, until all of them have left the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_SCHEDULER_H
#define KFUSE_CPU_SCHEDULER_H

#include "kfuse_cpu/Fibers.h"
#include "kfuse_cpu/LaunchTimes.h"
#include "kfuse_cpu/Order.h"
#include "kfuse_cpu/Qualifiers.h"
#include "kfuse_cpu/Record.h"
#include "kfuse_cpu/VectorTypes.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

inline KFUSE_CPU_INSIDE uint3 threadIdx = {0, 0, 0};
inline KFUSE_CPU_INSIDE uint3 blockIdx = {0, 0, 0};
inline KFUSE_CPU_INSIDE dim3 blockDim;
inline KFUSE_CPU_INSIDE dim3 gridDim;
inline constexpr int warpSize = 32;

namespace kfuse_cpu {

struct LaneRequest;
/// Gives each participating lane of a warp its result; the lanes are bits of
/// `participants`.
using Combine = void (*)(LaneRequest *lanes, std::uint32_t participants);

/// Holds a lane's input to an operation of its warp, and its result.
struct LaneRequest {
  Combine combine = nullptr;
  std::uint32_t mask = 0; ///< lanes that participate
  /// The line of the call if only converged lanes participate.
  int site = 0;
  std::uint32_t argument = 0; ///< lane to read from, or an operand of `combine`
  std::uint64_t value = 0;
  std::uint64_t result = 0;

  bool sameOperation(const LaneRequest &other) const {
    return combine == other.combine && mask == other.mask && site == other.site;
  }
};

/// Collects the votes of the threads at a block's barrier.
struct BarrierVote {
  unsigned count = 0; ///< number of threads whose predicate is true
  unsigned all = 1;
};

/// Returns whether this system thread is running a kernel.
inline bool &insideKernel() {
  static thread_local bool inside = false;
  return inside;
}

class Scheduler {
public:
  /// Runs the remaining fresh threads of the current block.
  using RunFresh = void (*)(Scheduler &, const void *body);

  void run(dim3 grid, dim3 block, std::size_t sharedBytes, RunFresh runFresh,
           const void *body, LaunchClock &timer);

  /// Makes the next fresh thread the current one; called by a `RunFresh`.
  bool beginThread() {
    if (NextFresh == Total)
      return false;
    current = Order[NextFresh++];
    threadIdx = Coordinates[current];
    return true;
  }
  void endThread() {
    ++Exited;
    States[current] = State::Exited;
    std::uint32_t lane = 1u << (current % 32);
    Warp &warp = Warps[current / 32];
    warp.alive &= ~lane;
    if (warp.waiting)
      completeIfArrived(current / 32);
  }

  /// Waits for all threads of the block that haven't left the kernel.
  BarrierVote barrier(bool predicate) {
    ++Arrived;
    Pending.count += predicate;
    Pending.all &= predicate;
    block(State::AtBarrier);
    return Released;
  }

  /// Waits for the lanes of the request's mask; returns the result.
  std::uint64_t exchange(const LaneRequest &request) {
    Lanes[current] = request;
    Warps[current / 32].waiting |= 1u << (current % 32);
    unsigned self = current;
    States[self] = State::InWarp;
    completeIfArrived(self / 32);
    block(States[self]);
    return Lanes[self].result;
  }

  void *sharedMemory() const { return Shared.get(); }
  std::size_t sharedSize() const { return SharedSize; }
  /// The rank of the running thread in its block; x varies fastest.
  unsigned current = 0;

private:
  enum class State : std::uint8_t { Fresh, Ready, AtBarrier, InWarp, Exited };
  struct Warp {
    std::uint32_t alive = 0, waiting = 0;
  };
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  void prepare(dim3 block, std::size_t sharedBytes);
  void runBlock();
  void resume(unsigned fiber);
  void block(State state);
  void releaseBarrier();
  void completeIfArrived(unsigned warp);
  void complete(unsigned warp, std::uint32_t participants);
  std::uint32_t sameOperation(unsigned warp, unsigned lane) const;
  void completeConverged();
  static void fiberMain(context::transfer_t from);

  std::mutex Mutex;
  RunFresh Run = nullptr;
  const void *Body = nullptr;

  unsigned Total = 0, NextFresh = 0, Exited = 0, Arrived = 0;
  BarrierVote Pending, Released;
  std::vector<unsigned> Order; ///< the ranks in execution order
  std::vector<uint3> Coordinates;
  std::vector<State> States;
  std::vector<unsigned> FiberOf; ///< the fiber of each blocked thread
  std::vector<LaneRequest> Lanes;
  std::vector<Warp> Warps;

  std::vector<std::unique_ptr<Fiber>> Fibers;
  std::vector<unsigned> Idle;
  unsigned CurrentFiber = 0;
  bool FiberIdle = false; ///< the fiber has returned because it has no thread
  HostStack Host;

  std::unique_ptr<void, Free> Shared;
  std::size_t SharedSize = 0;
};

/// Returns the only scheduler: launches from several host threads wait for each
/// other.
KFUSE_CPU_UNRECORDED inline Scheduler &scheduler() {
  static Scheduler *instance = new Scheduler; // kernels may run at exit
  return *instance;
}

inline void Scheduler::fiberMain(context::transfer_t from) {
  auto &self = *static_cast<Scheduler *>(from.data);
  enterFiber(self.Host, from);
  for (;;) {
    self.Run(self, self.Body);
    self.FiberIdle = true;
    switchBack(*self.Fibers[self.CurrentFiber], self.Host);
  }
}

inline void Scheduler::resume(unsigned fiber) {
  CurrentFiber = fiber;
  FiberIdle = false;
  switchTo(*Fibers[fiber], Host, this);
  if (FiberIdle)
    Idle.push_back(fiber);
}

/// Suspends the current thread on its fiber until it is ready.
inline void Scheduler::block(State state) {
  unsigned self = current;
  States[self] = state;
  FiberOf[self] = CurrentFiber;
  recordThread(false);
  switchBack(*Fibers[CurrentFiber], Host);
  recordThread(true);
}

inline void Scheduler::releaseBarrier() {
  Released = Pending;
  Pending = {};
  Arrived = 0;
  for (State &state : States)
    if (state == State::AtBarrier)
      state = State::Ready;
}

/// Returns the waiting lanes that request the same operation as this one.
inline std::uint32_t Scheduler::sameOperation(unsigned warp,
                                              unsigned lane) const {
  std::uint32_t same = 0;
  const LaneRequest &mine = Lanes[warp * 32 + lane];
  for (std::uint32_t rest = Warps[warp].waiting & mine.mask; rest;
       rest &= rest - 1) {
    unsigned other = __builtin_ctz(rest);
    if (Lanes[warp * 32 + other].sameOperation(mine))
      same |= 1u << other;
  }
  return same | 1u << lane;
}

inline void Scheduler::complete(unsigned warp, std::uint32_t participants) {
  LaneRequest *lanes = &Lanes[warp * 32];
  lanes[__builtin_ctz(participants)].combine(lanes, participants);
  Warps[warp].waiting &= ~participants;
  for (std::uint32_t rest = participants; rest; rest &= rest - 1)
    States[warp * 32 + __builtin_ctz(rest)] = State::Ready;
}

/// Completes the operations for which all lanes have arrived or left the
/// kernel.
inline void Scheduler::completeIfArrived(unsigned warp) {
  const Warp &lanes = Warps[warp];
  for (std::uint32_t rest = lanes.waiting; rest;) {
    unsigned first = __builtin_ctz(rest);
    std::uint32_t needed = Lanes[warp * 32 + first].mask & lanes.alive;
    needed |= 1u << first;
    rest &= ~needed;
    if (needed & ~lanes.waiting)
      continue;
    if (std::uint32_t same = sameOperation(warp, first); same == needed)
      complete(warp, same);
  }
}

/// Completes the operations of lanes that would wait forever when no thread can
/// continue. Lanes that wait at the same operation are the converged ones.
inline void Scheduler::completeConverged() {
  for (unsigned warp = 0; warp < Warps.size(); ++warp)
    while (Warps[warp].waiting)
      complete(warp, sameOperation(warp, __builtin_ctz(Warps[warp].waiting)));
}

inline void Scheduler::runBlock() {
  NextFresh = Exited = Arrived = 0;
  Pending = {};
  std::fill(States.begin(), States.end(), State::Fresh);
  for (unsigned warp = 0; warp < Warps.size(); ++warp) {
    unsigned lanes = std::min(32u, Total - warp * 32);
    Warps[warp] = {lanes == 32 ? ~0u : (1u << lanes) - 1, 0};
  }
  while (NextFresh < Total) {
    if (Idle.empty()) {
      unsigned index = Fibers.size();
      Fibers.push_back(std::make_unique<Fiber>(makeFiber(fiberMain, index)));
      Idle.push_back(index);
    }
    unsigned fiber = Idle.back();
    Idle.pop_back();
    resume(fiber);
  }
  while (Exited < Total) {
    if (Arrived && Arrived + Exited == Total)
      releaseBarrier();
    bool progress = false;
    for (unsigned thread : Order)
      if (States[thread] == State::Ready) {
        progress = true;
        current = thread;
        threadIdx = Coordinates[thread];
        resume(FiberOf[thread]);
      }
    if (!progress && Arrived + Exited != Total)
      completeConverged();
  }
}

inline void Scheduler::prepare(dim3 block, std::size_t sharedBytes) {
  Total = block.x * block.y * block.z;
  Order = orderOf(Total);
  Coordinates.resize(Total);
  for (unsigned i = 0; i < Total; ++i)
    Coordinates[i] = {i % block.x, i / block.x % block.y,
                      i / block.x / block.y};
  States.resize(Total);
  FiberOf.resize(Total);
  Warps.resize((Total + 31) / 32);
  Lanes.resize(Warps.size() * 32);
  // The size is exactly the requested one, so that the address sanitizer sees
  // overruns.
  SharedSize = sharedBytes;
  if (sharedBytes) {
    void *memory = nullptr;
    if (posix_memalign(&memory, 1024, sharedBytes) != 0)
      std::abort();
    std::memset(memory, 0xA5, sharedBytes);
    Shared.reset(memory);
  }
}

inline void Scheduler::run(dim3 grid, dim3 block, std::size_t sharedBytes,
                           RunFresh runFresh, const void *body,
                           LaunchClock &timer) {
  if (insideKernel()) {
    std::fprintf(stderr, "kfuse-cpu: a kernel that launches a kernel is not "
                         "supported\n");
    std::abort();
  }
  std::lock_guard<std::mutex> lock(Mutex);
  insideKernel() = true;
  timer.start();
  Run = runFresh;
  Body = body;
  gridDim = grid;
  blockDim = block;
  prepare(block, sharedBytes);
  std::uint64_t blocks = std::uint64_t(grid.x) * grid.y * grid.z;
  BlockOrder order(blocks);
  for (std::uint64_t i = 0; i < blocks; ++i) {
    std::uint64_t index = order(i);
    blockIdx = {unsigned(index % grid.x), unsigned(index / grid.x % grid.y),
                unsigned(index / grid.x / grid.y)};
    runBlock();
  }
  Shared.reset();
  timer.stop();
  insideKernel() = false;
}

} // namespace kfuse_cpu

#endif
