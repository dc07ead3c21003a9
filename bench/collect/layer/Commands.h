//===- Commands.h - Commands until their times are known ------------------===//
#ifndef KFUSE_BENCH_COLLECT_LAYER_COMMANDS_H
#define KFUSE_BENCH_COLLECT_LAYER_COMMANDS_H

#include "bench/collect/RecordWriter.h"

#include <CL/cl_icd.h>

namespace kfuse {

/// Sets the functions of the driver, or of the next layer; comes first.
void useDriver(const cl_icd_dispatch &functions);
const cl_icd_dispatch &driver();

/// Registers a queue. `isHidden` if the layer turned profiling on, and the
/// program isn't to see that.
void addQueue(cl_command_queue queue, bool isHidden);
/// Registers that the program has released the queue for good.
void removeQueue(cl_command_queue queue);
/// Checks whether the layer turned the queue's profiling on.
bool isProfilingHidden(cl_command_queue queue);

/// Returns a record of what is enqueued next: its number, queue and device.
RecordLine newRecord(const char *kind, cl_command_queue queue);
/// Keeps a record until its event, of which a reference is handed over, has
/// ended.
void awaitRecord(RecordLine record, cl_event event);
/// Writes the records of all commands that have ended.
void writeEnded();

/// Enqueues a command by `call`, which gets the place for its event, and
/// records it if that succeeds. `event` is the program's own place, or null.
template <typename Call>
cl_int recorded(RecordLine record, cl_event *event, bool isBlocking,
                Call call) {
  cl_event own = nullptr;
  cl_event *place = event ? event : &own;
  const cl_int status = call(place);
  if (status == CL_SUCCESS && *place) {
    if (event)
      driver().clRetainEvent(*event);
    awaitRecord(std::move(record), *place);
  }
  if (isBlocking)
    writeEnded();
  return status;
}

} // namespace kfuse

#endif
