//===- Commands.cpp - Commands until their times are known ----------------===//
//
// A command's record waits with its event. Whenever the program has waited for
// something, the records whose events have ended are written. So they survive a
// crash, and nothing runs in a thread of the driver's.
//
//===----------------------------------------------------------------------===//

#include "bench/collect/layer/Commands.h"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

/// Records that wait until they are looked through without a wait of the
/// program's.
constexpr std::size_t ManyRecords = 256;
/// How long the end of the program waits without a command that ends.
constexpr auto Patience = std::chrono::seconds(10);

struct KnownQueue {
  std::uint32_t number = 0, device = 0;
  bool isHidden = false;
};

struct WaitingRecord {
  RecordLine line;
  cl_event event;
};

/// Lives until the process is gone: other threads may call at its end.
struct Collection {
  const RecordFile file;
  const pid_t process = getpid();
  std::mutex lock; ///< of what follows
  std::map<cl_command_queue, KnownQueue> queues;
  std::map<cl_device_id, std::uint32_t> devices;
  std::vector<WaitingRecord> waiting;
  std::uint32_t queueCount = 0;
  std::uint64_t commandCount = 0;
  std::mutex writing; ///< held while records are written
};

Collection &collection() {
  static auto *const All = new Collection;
  return *All;
}

cl_icd_dispatch driverFunctions;

std::string deviceText(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (driver().clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS)
    return {};
  std::string text(size, '\0');
  if (driver().clGetDeviceInfo(device, what, size, text.data(), nullptr) !=
      CL_SUCCESS)
    return {};
  return text.substr(0, text.find('\0'));
}

/// Returns the device's number; writes what it is when it is met first.
std::uint32_t numberOf(Collection &all, cl_device_id device) {
  const auto [place, isNew] = all.devices.try_emplace(
      device, static_cast<std::uint32_t>(all.devices.size()));
  if (isNew)
    all.file.write(RecordLine()
                       .text("kind", "device")
                       .text("interface", "opencl")
                       .number("process", static_cast<std::uint64_t>(getpid()))
                       .number("device", place->second)
                       .text("name", deviceText(device, CL_DEVICE_NAME))
                       .text("driver", deviceText(device, CL_DRIVER_VERSION)));
  return place->second;
}

KnownQueue &known(Collection &all, cl_command_queue queue) {
  const auto [place, isNew] = all.queues.try_emplace(queue);
  if (isNew) {
    cl_device_id device = nullptr;
    driver().clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(cl_device_id),
                                   static_cast<void *>(&device), nullptr);
    place->second.number = all.queueCount++;
    place->second.device = device ? numberOf(all, device) : 0;
  }
  return place->second;
}

/// Checks whether the command has ended, or failed.
bool hasEnded(cl_event event) {
  cl_int status = CL_QUEUED;
  return driver().clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                 sizeof(status), &status,
                                 nullptr) != CL_SUCCESS ||
         status <= CL_COMPLETE;
}

/// Writes a record with its times, in nanoseconds, if there are any.
void writeRecord(const Collection &all, WaitingRecord &record) {
  cl_ulong begin = 0, end = 0;
  const auto &time = driver().clGetEventProfilingInfo;
  if (time(record.event, CL_PROFILING_COMMAND_START, sizeof(begin), &begin,
           nullptr) == CL_SUCCESS &&
      time(record.event, CL_PROFILING_COMMAND_END, sizeof(end), &end,
           nullptr) == CL_SUCCESS &&
      end >= begin)
    record.line.number("begin", begin).number("end", end);
  all.file.write(record.line);
}

/// Waits for what the program left running, as long as something ends now and
/// then, and writes what never ended without times.
void writeAtExit() {
  using Clock = std::chrono::steady_clock;
  Collection &all = collection();
  if (getpid() != all.process)
    return; // a child that was forked
  {
    const std::lock_guard guard(all.lock);
    for (const auto &[queue, state] : all.queues)
      driver().clFlush(queue);
  }
  std::size_t left = 0;
  for (auto last = Clock::now(); Clock::now() - last < Patience;) {
    writeEnded();
    {
      const std::scoped_lock guard(all.writing, all.lock);
      if (all.waiting.empty())
        return;
      if (std::exchange(left, all.waiting.size()) != all.waiting.size())
        last = Clock::now();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::scoped_lock guard(all.writing, all.lock);
  for (const WaitingRecord &record : all.waiting)
    all.file.write(record.line);
  all.waiting.clear();
}

} // namespace

void useDriver(const cl_icd_dispatch &functions) {
  driverFunctions = functions;
}

const cl_icd_dispatch &driver() { return driverFunctions; }

void addQueue(cl_command_queue queue, bool isHidden) {
  Collection &all = collection();
  const std::lock_guard guard(all.lock);
  all.queues.erase(queue); // another one had this address
  known(all, queue).isHidden = isHidden;
}

void removeQueue(cl_command_queue queue) {
  Collection &all = collection();
  const std::lock_guard guard(all.lock);
  all.queues.erase(queue);
}

bool isProfilingHidden(cl_command_queue queue) {
  Collection &all = collection();
  const std::lock_guard guard(all.lock);
  const auto found = all.queues.find(queue);
  return found != all.queues.end() && found->second.isHidden;
}

RecordLine newRecord(const char *kind, cl_command_queue queue) {
  Collection &all = collection();
  const std::lock_guard guard(all.lock);
  // The driver's own work at exit was registered before, and comes later.
  if (all.commandCount == 0)
    std::atexit(writeAtExit);
  const KnownQueue &state = known(all, queue);
  return RecordLine()
      .text("kind", kind)
      .text("interface", "opencl")
      .number("process", static_cast<std::uint64_t>(getpid()))
      .number("ordinal", all.commandCount++)
      .number("device", state.device)
      .number("stream", state.number);
}

void awaitRecord(RecordLine record, cl_event event) {
  Collection &all = collection();
  bool areMany = false;
  {
    const std::lock_guard guard(all.lock);
    all.waiting.push_back({std::move(record), event});
    areMany = all.waiting.size() % ManyRecords == 0;
  }
  if (areMany)
    writeEnded();
}

void writeEnded() {
  // A callback of the program's, called when an event is released, may get
  // here again.
  thread_local bool isWriting = false;
  if (std::exchange(isWriting, true))
    return;
  Collection &all = collection();
  {
    const std::lock_guard writer(all.writing);
    std::vector<WaitingRecord> taken, left;
    {
      const std::lock_guard guard(all.lock);
      taken.swap(all.waiting);
    }
    for (WaitingRecord &record : taken) {
      if (!hasEnded(record.event)) {
        left.push_back(std::move(record));
        continue;
      }
      writeRecord(all, record);
      driver().clReleaseEvent(record.event);
    }
    const std::lock_guard guard(all.lock);
    left.insert(left.end(), std::make_move_iterator(all.waiting.begin()),
                std::make_move_iterator(all.waiting.end()));
    all.waiting = std::move(left);
  }
  isWriting = false;
}

} // namespace kfuse
