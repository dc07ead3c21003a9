//===- Queues.cpp - Queues whose commands have times ----------------------===//

#include "bench/collect/layer/Commands.h"
#include "bench/collect/layer/Layer.h"

#include <cstddef>
#include <cstring>
#include <vector>

namespace kfuse {
namespace {

constexpr cl_command_queue_properties Profiling = CL_QUEUE_PROFILING_ENABLE;

cl_command_queue CL_API_CALL createQueue(cl_context context,
                                         cl_device_id device,
                                         cl_command_queue_properties wanted,
                                         cl_int *error) {
  cl_command_queue queue = driver().clCreateCommandQueue(
      context, device, wanted | Profiling, nullptr);
  const bool isProfiled = queue != nullptr;
  if (!queue)
    queue = driver().clCreateCommandQueue(context, device, wanted, error);
  else if (error)
    *error = CL_SUCCESS;
  if (queue)
    addQueue(queue, isProfiled && (wanted & Profiling) == 0);
  return queue;
}

cl_command_queue CL_API_CALL createQueueWith(cl_context context,
                                             cl_device_id device,
                                             const cl_queue_properties *list,
                                             cl_int *error) {
  std::vector<cl_queue_properties> properties;
  cl_queue_properties wanted = 0;
  for (; list && *list != 0; list += 2)
    if (list[0] == CL_QUEUE_PROPERTIES)
      wanted = list[1];
    else
      properties.insert(properties.end(), {list[0], list[1]});
  const auto create = [&](cl_queue_properties flags, cl_int *place) {
    std::vector<cl_queue_properties> all = properties;
    if (flags != 0)
      all.insert(all.end(), {CL_QUEUE_PROPERTIES, flags});
    all.push_back(0);
    return driver().clCreateCommandQueueWithProperties(context, device,
                                                       all.data(), place);
  };
  // Nothing that the host enqueues goes to a device's own queue.
  const bool isOnDevice = (wanted & CL_QUEUE_ON_DEVICE) != 0;
  cl_command_queue queue =
      isOnDevice ? nullptr : create(wanted | Profiling, nullptr);
  const bool isProfiled = queue != nullptr;
  if (!queue)
    queue = create(wanted, error);
  else if (error)
    *error = CL_SUCCESS;
  if (queue && !isOnDevice)
    addQueue(queue, isProfiled && (wanted & Profiling) == 0);
  return queue;
}

cl_int CL_API_CALL queueInfo(cl_command_queue queue, cl_command_queue_info what,
                             std::size_t size, void *value,
                             std::size_t *needed) {
  const cl_int status =
      driver().clGetCommandQueueInfo(queue, what, size, value, needed);
  cl_command_queue_properties flags = 0;
  if (status != CL_SUCCESS || what != CL_QUEUE_PROPERTIES || !value ||
      size < sizeof(flags) || !isProfilingHidden(queue))
    return status;
  std::memcpy(&flags, value, sizeof(flags));
  flags &= ~Profiling;
  std::memcpy(value, &flags, sizeof(flags));
  return status;
}

cl_int CL_API_CALL eventTime(cl_event event, cl_profiling_info what,
                             std::size_t size, void *value,
                             std::size_t *needed) {
  cl_command_queue queue = nullptr;
  if (driver().clGetEventInfo(
          event, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue),
          static_cast<void *>(&queue), nullptr) == CL_SUCCESS &&
      isProfilingHidden(queue))
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  return driver().clGetEventProfilingInfo(event, what, size, value, needed);
}

cl_int CL_API_CALL releaseQueue(cl_command_queue queue) {
  cl_uint references = 0;
  driver().clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT,
                                 sizeof(references), &references, nullptr);
  writeEnded();
  if (references == 1)
    removeQueue(queue);
  return driver().clReleaseCommandQueue(queue);
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
  const cl_int status = driver().clFinish(queue);
  writeEnded();
  return status;
}

cl_int CL_API_CALL waitFor(cl_uint count, const cl_event *events) {
  const cl_int status = driver().clWaitForEvents(count, events);
  writeEnded();
  return status;
}

} // namespace

void replaceQueues(cl_icd_dispatch &table) {
  replace(table.clCreateCommandQueue, createQueue);
  replace(table.clCreateCommandQueueWithProperties, createQueueWith);
  replace(table.clGetCommandQueueInfo, queueInfo);
  replace(table.clGetEventProfilingInfo, eventTime);
  replace(table.clReleaseCommandQueue, releaseQueue);
  replace(table.clFinish, finish);
  replace(table.clWaitForEvents, waitFor);
}

} // namespace kfuse
