//===- Arguments.cpp - Kernels and what they are given --------------------===//

#include "bench/collect/layer/Arguments.h"

#include "bench/collect/layer/Commands.h"

#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace kfuse {
namespace {

constexpr std::size_t LargestScalar = 8; ///< bytes whose value is recorded

/// One argument as it was set last.
struct SetArgument {
  std::size_t size = 0;
  std::array<unsigned char, LargestScalar> value{}; ///< of a scalar
  bool hasValue = false;
  std::optional<std::uint64_t> arrayBytes; ///< of memory
  bool isLocal = false;                    ///< `size` bytes of local memory
};

/// A parameter as the program's source has it; empty if the driver doesn't
/// tell.
struct ParameterText {
  std::string name, type;
  bool isMemory = false;
};

struct KernelState {
  std::string name;
  std::map<cl_uint, SetArgument> arguments;
  std::map<cl_uint, ParameterText> parameters;
};

/// Lives until the process is gone.
struct ArgumentTable {
  std::mutex lock; ///< of what follows
  std::map<cl_kernel, KernelState> kernels;
  std::set<cl_mem> memory;
  std::map<const char *, std::size_t> shared; ///< bytes, by their begin
};

ArgumentTable &argumentTable() {
  static auto *const All = new ArgumentTable;
  return *All;
}

std::string kernelName(cl_kernel kernel) {
  std::size_t size = 0;
  if (driver().clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr,
                               &size) != CL_SUCCESS)
    return {};
  std::string name(size, '\0');
  driver().clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(),
                           nullptr);
  return name.substr(0, name.find('\0'));
}

std::string parameterText(cl_kernel kernel, cl_uint index,
                          cl_kernel_arg_info what) {
  std::size_t size = 0;
  if (driver().clGetKernelArgInfo(kernel, index, what, 0, nullptr, &size) !=
      CL_SUCCESS)
    return {};
  std::string text(size, '\0');
  if (driver().clGetKernelArgInfo(kernel, index, what, size, text.data(),
                                  nullptr) != CL_SUCCESS)
    return {};
  return text.substr(0, text.find('\0'));
}

ParameterText parameterOf(cl_kernel kernel, cl_uint index) {
  ParameterText parameter;
  if (!driver().clGetKernelArgInfo)
    return parameter; // OpenCL 1.1
  parameter.name = parameterText(kernel, index, CL_KERNEL_ARG_NAME);
  parameter.type = parameterText(kernel, index, CL_KERNEL_ARG_TYPE_NAME);
  cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  if (driver().clGetKernelArgInfo(kernel, index,
                                  CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                  sizeof(space), &space, nullptr) == CL_SUCCESS)
    parameter.isMemory = space == CL_KERNEL_ARG_ADDRESS_GLOBAL ||
                         space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
  return parameter;
}

/// Returns the kernel's state, with the text of a parameter.
KernelState &stateOf(ArgumentTable &all, cl_kernel kernel, cl_uint index) {
  KernelState &state = all.kernels[kernel];
  if (state.name.empty())
    state.name = kernelName(kernel);
  if (!state.parameters.contains(index))
    state.parameters[index] = parameterOf(kernel, index);
  return state;
}

std::string argumentObject(cl_uint index, const SetArgument &argument,
                           const ParameterText &parameter) {
  RecordLine text;
  text.number("index", index);
  if (!parameter.name.empty())
    text.text("name", parameter.name);
  if (!parameter.type.empty())
    text.text("type", parameter.type);
  text.number("bytes", argument.size);
  if (argument.arrayBytes)
    text.number("array", *argument.arrayBytes);
  else if (argument.isLocal)
    text.number("local", argument.size);
  else if (argument.hasValue)
    text.bytes("raw", argument.value.data(), argument.size);
  return text.object();
}

} // namespace

void addKernel(cl_kernel kernel) {
  ArgumentTable &all = argumentTable();
  const std::lock_guard guard(all.lock);
  all.kernels.erase(kernel);
}

void cloneArguments(cl_kernel source, cl_kernel clone) {
  ArgumentTable &all = argumentTable();
  const std::lock_guard guard(all.lock);
  KernelState copy = all.kernels[source];
  all.kernels[clone] = std::move(copy);
}

void setArgument(cl_kernel kernel, cl_uint index, std::size_t size,
                 const void *value) {
  ArgumentTable &all = argumentTable();
  const std::lock_guard guard(all.lock);
  KernelState &state = stateOf(all, kernel, index);
  SetArgument argument;
  argument.size = size;
  if (value && size <= LargestScalar) {
    std::memcpy(argument.value.data(), value, size);
    argument.hasValue = true;
  }
  cl_mem memory = nullptr;
  if (value && size == sizeof(cl_mem))
    std::memcpy(static_cast<void *>(&memory), value, size);
  // The driver may not tell what the parameter is.
  if (state.parameters[index].isMemory || all.memory.contains(memory))
    argument.arrayBytes = memory ? bytesOf(memory) : 0;
  else
    argument.isLocal = !value;
  state.arguments[index] = argument;
}

void setSharedPointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  ArgumentTable &all = argumentTable();
  const std::lock_guard guard(all.lock);
  SetArgument argument;
  argument.size = sizeof(pointer);
  argument.arrayBytes = 0;
  const auto *at = static_cast<const char *>(pointer);
  const auto after = all.shared.upper_bound(at);
  if (after != all.shared.begin()) {
    const auto &[begin, bytes] = *std::prev(after);
    if (static_cast<std::size_t>(at - begin) < bytes)
      argument.arrayBytes = bytes;
  }
  stateOf(all, kernel, index).arguments[index] = argument;
}

void addMemory(cl_mem memory) {
  ArgumentTable &all = argumentTable();
  const std::lock_guard guard(all.lock);
  all.memory.insert(memory);
}

void removeMemory(cl_mem memory) {
  ArgumentTable &all = argumentTable();
  const std::lock_guard guard(all.lock);
  all.memory.erase(memory);
}

void addShared(const void *pointer, std::size_t bytes) {
  ArgumentTable &all = argumentTable();
  const std::lock_guard guard(all.lock);
  all.shared[static_cast<const char *>(pointer)] = bytes;
}

void removeShared(const void *pointer) {
  ArgumentTable &all = argumentTable();
  const std::lock_guard guard(all.lock);
  all.shared.erase(static_cast<const char *>(pointer));
}

std::uint64_t bytesOf(cl_mem memory) {
  std::size_t bytes = 0;
  return driver().clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof(bytes), &bytes,
                                     nullptr) == CL_SUCCESS
             ? bytes
             : 0;
}

void addArguments(RecordLine &record, cl_kernel kernel) {
  ArgumentTable &all = argumentTable();
  const std::lock_guard guard(all.lock);
  KernelState &state = all.kernels[kernel];
  if (state.name.empty())
    state.name = kernelName(kernel);
  std::uint64_t local = 0;
  std::string list;
  for (const auto &[index, argument] : state.arguments) {
    list += (list.empty() ? "" : ",") +
            argumentObject(index, argument, state.parameters[index]);
    local += argument.isLocal ? argument.size : 0;
  }
  record.text("name", state.name)
      .number("shared", local)
      .json("arguments", "[" + list + "]");
}

} // namespace kfuse
