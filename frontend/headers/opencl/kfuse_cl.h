// kfuse: OpenCL's classes of C++, as cl.hpp, cl2.hpp and opencl.hpp declare
// them, as far as hosts use them to launch kernels. In place of these headers,
// whose guard is defined here, kfuse reads a program with objects that hold
// handles and nothing else: they are copied as handles are. What kfuse knows
// of a function it knows by its name here and by those of its parameters.
#pragma GCC system_header
#define CL_HPP_

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#undef CL_TARGET_OPENCL_VERSION

#include <array>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cl {

using size_type = std::size_t;
using string = std::string;
template <class T> using vector = std::vector<T>;

class Error : public std::exception {
public:
  Error(cl_int err, const char *errStr = nullptr);
  const char *what() const noexcept override;
  cl_int err() const;
};

class Platform;
class Device;
class Context;
class Program;

namespace detail {
/// What is asked for with `getInfo<name>()`.
template <cl_int Name> struct Info {
  using type = cl_ulong;
};
#define KFUSE_CL_INFO(name, of)                                                \
  template <> struct Info<name> {                                              \
    using type = of;                                                           \
  };
KFUSE_CL_INFO(CL_PLATFORM_PROFILE, std::string)
KFUSE_CL_INFO(CL_PLATFORM_VERSION, std::string)
KFUSE_CL_INFO(CL_PLATFORM_NAME, std::string)
KFUSE_CL_INFO(CL_PLATFORM_VENDOR, std::string)
KFUSE_CL_INFO(CL_PLATFORM_EXTENSIONS, std::string)
KFUSE_CL_INFO(CL_DEVICE_NAME, std::string)
KFUSE_CL_INFO(CL_DEVICE_VENDOR, std::string)
KFUSE_CL_INFO(CL_DRIVER_VERSION, std::string)
KFUSE_CL_INFO(CL_DEVICE_PROFILE, std::string)
KFUSE_CL_INFO(CL_DEVICE_VERSION, std::string)
KFUSE_CL_INFO(CL_DEVICE_EXTENSIONS, std::string)
KFUSE_CL_INFO(CL_DEVICE_OPENCL_C_VERSION, std::string)
KFUSE_CL_INFO(CL_DEVICE_MAX_WORK_ITEM_SIZES, std::vector<size_type>)
KFUSE_CL_INFO(CL_CONTEXT_DEVICES, std::vector<Device>)
KFUSE_CL_INFO(CL_QUEUE_CONTEXT, Context)
KFUSE_CL_INFO(CL_QUEUE_DEVICE, Device)
KFUSE_CL_INFO(CL_PROGRAM_DEVICES, std::vector<Device>)
KFUSE_CL_INFO(CL_PROGRAM_BUILD_STATUS, cl_build_status)
KFUSE_CL_INFO(CL_PROGRAM_BUILD_OPTIONS, std::string)
KFUSE_CL_INFO(CL_PROGRAM_BUILD_LOG, std::string)
KFUSE_CL_INFO(CL_KERNEL_FUNCTION_NAME, std::string)
#undef KFUSE_CL_INFO
template <cl_int Name> using InfoOf = typename Info<Name>::type;

/// An object that holds a handle of C's.
template <class Handle> class Wrapper {
public:
  using cl_type = Handle;
  Wrapper() = default;
  const Handle &operator()() const;
  Handle &operator()();
  Handle get() const;
  Handle object_ = nullptr;
};
} // namespace detail

class Device : public detail::Wrapper<cl_device_id> {
public:
  Device() = default;
  explicit Device(cl_device_id device, bool retainObject = false);
  template <cl_int Name> detail::InfoOf<Name> getInfo(cl_int *err = 0) const;
  template <class T> cl_int getInfo(cl_device_info name, T *param) const;
};

class Platform : public detail::Wrapper<cl_platform_id> {
public:
  Platform() = default;
  explicit Platform(cl_platform_id platform, bool retainObject = false);
  template <cl_int Name> detail::InfoOf<Name> getInfo(cl_int *err = 0) const;
  cl_int getDevices(cl_device_type type, std::vector<Device> *devices) const;
  static cl_int get(std::vector<Platform> *platforms);
};

class Event : public detail::Wrapper<cl_event> {
public:
  Event() = default;
  cl_int wait() const;
  template <cl_int Name>
  detail::InfoOf<Name> getProfilingInfo(cl_int *err = 0) const;
  template <class T>
  cl_int getProfilingInfo(cl_profiling_info name, T *param) const;
};

class Context : public detail::Wrapper<cl_context> {
public:
  Context() = default;
  using Properties = cl_context_properties;
  using Notify = void(CL_CALLBACK *)(const char *, const void *, size_type,
                                     void *);
  Context(const std::vector<Device> &devices,
          const Properties *properties = nullptr, Notify notify = nullptr,
          void *data = nullptr, cl_int *err = nullptr);
  Context(const Device &device, const Properties *properties = nullptr,
          Notify notify = nullptr, void *data = nullptr, cl_int *err = nullptr);
  Context(cl_device_type type, const Properties *properties = nullptr,
          Notify notify = nullptr, void *data = nullptr, cl_int *err = nullptr);
  template <cl_int Name> detail::InfoOf<Name> getInfo(cl_int *err = 0) const;
};

class Memory : public detail::Wrapper<cl_mem> {};

class Buffer : public Memory {
public:
  Buffer() = default;
  Buffer(const Context &context, cl_mem_flags flags, size_type size,
         void *host_ptr = nullptr, cl_int *err = nullptr);
  template <class Iterator>
  Buffer(const Context &context, Iterator startIterator, Iterator endIterator,
         bool readOnly, bool useHostPtr = false, cl_int *err = nullptr);
  template <class Iterator>
  Buffer(const class CommandQueue &queue, Iterator startIterator,
         Iterator endIterator, bool readOnly, bool useHostPtr = false,
         cl_int *err = nullptr);
  Buffer createSubBuffer(cl_mem_flags flags, cl_buffer_create_type type,
                         const void *info, cl_int *err = nullptr);
};

class NDRange {
public:
  NDRange();
  NDRange(size_type size0);
  NDRange(size_type size0, size_type size1);
  NDRange(size_type size0, size_type size1, size_type size2);
  size_type dimensions() const;
  size_type sizes_[3];
  cl_uint dimensions_;
};
static const NDRange NullRange;

struct LocalSpaceArg {
  size_type size_;
};
LocalSpaceArg Local(size_type size);

class Program : public detail::Wrapper<cl_program> {
public:
  using Sources = std::vector<std::pair<const char *, size_type>>;
  Program() = default;
  Program(const std::string &source, bool build = false, cl_int *err = nullptr);
  Program(const Context &context, const std::string &source, bool build = false,
          cl_int *err = nullptr);
  Program(const Context &context, const Sources &sources,
          cl_int *err = nullptr);
  cl_int build(const std::vector<Device> &devices,
               const char *options = nullptr,
               void(CL_CALLBACK *notify)(cl_program, void *) = nullptr,
               void *data = nullptr) const;
  cl_int build(const Device &device, const char *options = nullptr) const;
  cl_int build(const char *options = nullptr,
               void(CL_CALLBACK *notify)(cl_program, void *) = nullptr,
               void *data = nullptr) const;
  template <cl_int Name>
  detail::InfoOf<Name> getBuildInfo(const Device &device,
                                    cl_int *err = nullptr) const;
  template <class T>
  cl_int getBuildInfo(const Device &device, cl_program_build_info name,
                      T *param) const;
};

class Kernel : public detail::Wrapper<cl_kernel> {
public:
  Kernel() = default;
  Kernel(const Program &program, const char *name, cl_int *err = nullptr);
  Kernel(const Program &program, const std::string &name,
         cl_int *err = nullptr);
  template <class T> cl_int setArg(cl_uint index, const T &value) const;
  cl_int setArg(cl_uint index, size_type size, const void *argPtr) const;
  template <cl_int Name> detail::InfoOf<Name> getInfo(cl_int *err = 0) const;
  template <cl_int Name>
  detail::InfoOf<Name> getWorkGroupInfo(const Device &device,
                                        cl_int *err = 0) const;
};

class CommandQueue : public detail::Wrapper<cl_command_queue> {
public:
  CommandQueue() = default;
  using Properties = cl_command_queue_properties;
  CommandQueue(const Context &context, Properties properties = 0,
               cl_int *err = nullptr);
  CommandQueue(const Context &context, const Device &device,
               Properties properties = 0, cl_int *err = nullptr);
  template <cl_int Name> detail::InfoOf<Name> getInfo(cl_int *err = 0) const;
  cl_int enqueueNDRangeKernel(const Kernel &kernel, const NDRange &offset,
                              const NDRange &global,
                              const NDRange &local = NullRange,
                              const std::vector<Event> *events = nullptr,
                              Event *event = nullptr) const;
  cl_int enqueueReadBuffer(const Buffer &buffer, cl_bool blocking,
                           size_type offset, size_type size, void *ptr,
                           const std::vector<Event> *events = nullptr,
                           Event *event = nullptr) const;
  cl_int enqueueWriteBuffer(const Buffer &buffer, cl_bool blocking,
                            size_type offset, size_type size, const void *ptr,
                            const std::vector<Event> *events = nullptr,
                            Event *event = nullptr) const;
  cl_int enqueueCopyBuffer(const Buffer &source, const Buffer &target,
                           size_type from, size_type to, size_type size,
                           const std::vector<Event> *events = nullptr,
                           Event *event = nullptr) const;
  template <class T>
  cl_int enqueueFillBuffer(const Buffer &buffer, T pattern, size_type offset,
                           size_type size,
                           const std::vector<Event> *events = nullptr,
                           Event *event = nullptr) const;
  void *enqueueMapBuffer(const Buffer &buffer, cl_bool blocking,
                         cl_map_flags flags, size_type offset, size_type size,
                         const std::vector<Event> *events = nullptr,
                         Event *event = nullptr, cl_int *err = nullptr) const;
  cl_int enqueueUnmapMemObject(const Memory &memory, void *ptr,
                               const std::vector<Event> *events = nullptr,
                               Event *event = nullptr) const;
  cl_int enqueueMigrateMemObjects(const std::vector<Memory> &objects,
                                  cl_mem_migration_flags flags,
                                  const std::vector<Event> *events = nullptr,
                                  Event *event = nullptr) const;
  cl_int flush() const;
  cl_int finish() const;
};

class EnqueueArgs {
public:
  EnqueueArgs(const NDRange &global);
  EnqueueArgs(const NDRange &global, const NDRange &local);
  EnqueueArgs(const NDRange &offset, const NDRange &global,
              const NDRange &local);
  EnqueueArgs(const CommandQueue &queue, const NDRange &global);
  EnqueueArgs(const CommandQueue &queue, const NDRange &global,
              const NDRange &local);
  EnqueueArgs(const CommandQueue &queue, const NDRange &offset,
              const NDRange &global, const NDRange &local);
  EnqueueArgs(const CommandQueue &queue, Event event, const NDRange &global);
  EnqueueArgs(const CommandQueue &queue, Event event, const NDRange &global,
              const NDRange &local);
  EnqueueArgs(const CommandQueue &queue, const std::vector<Event> &events,
              const NDRange &global);
  EnqueueArgs(const CommandQueue &queue, const std::vector<Event> &events,
              const NDRange &global, const NDRange &local);
};

/// A kernel that is given its arguments with each launch. (One of a Kernel
/// object would change the arguments of that.)
template <class... Ts> class KernelFunctor : public detail::Wrapper<cl_kernel> {
public:
  KernelFunctor(const Program &program, const std::string &name,
                cl_int *err = nullptr);
  Event operator()(const EnqueueArgs &args, Ts... ts) const;
};
template <class... Ts> class make_kernel : public detail::Wrapper<cl_kernel> {
public:
  make_kernel(const Program &program, const std::string &name,
              cl_int *err = nullptr);
  Event operator()(const EnqueueArgs &args, Ts... ts) const;
};

namespace toBuffer {
template <class Iterator>
cl_int copy(const CommandQueue &queue, Iterator startIterator,
            Iterator endIterator, const Buffer &buffer);
}
namespace fromBuffer {
template <class Iterator>
cl_int copy(const CommandQueue &queue, const Buffer &buffer,
            Iterator startIterator, Iterator endIterator);
}
using fromBuffer::copy;
using toBuffer::copy;

} // namespace cl
