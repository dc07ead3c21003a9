// A little of Thrust, as a header of the system, for the CPU executor too.
#pragma once
#pragma GCC system_header
#include <cuda_runtime.h>
#include <vector>

namespace thrust {

struct device_t {};
constexpr device_t device{};
struct stream_t {
  cudaStream_t stream;
};

template <typename T> class device_ptr {
public:
  explicit device_ptr(T *raw) : Raw(raw) {}
  T *get() const { return Raw; }
  device_ptr operator+(long by) const { return device_ptr(Raw + by); }
  long operator-(const device_ptr &other) const { return Raw - other.Raw; }

private:
  T *Raw;
};
template <typename T> device_ptr<T> device_pointer_cast(T *raw) {
  return device_ptr<T>(raw);
}
template <typename T> T *raw_pointer_cast(T *raw) { return raw; }
template <typename T> T *raw_pointer_cast(const device_ptr<T> &pointer) {
  return pointer.get();
}

template <typename T> class device_vector {
public:
  device_vector(const T *first, const T *last) : Size(last - first) {
    cudaMalloc(&Storage, Size * sizeof(T));
    cudaMemcpy(Storage, first, Size * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  device_vector(int size, T value) : Size(size) {
    cudaMalloc(&Storage, Size * sizeof(T));
    std::vector<T> host(size, value);
    cudaMemcpy(Storage, host.data(), Size * sizeof(T), cudaMemcpyHostToDevice);
  }
  device_vector(const device_vector &) = delete;
  ~device_vector() { cudaFree(Storage); }
  device_ptr<T> begin() { return device_ptr<T>(Storage); }
  device_ptr<T> end() { return begin() + Size; }

private:
  T *Storage = nullptr;
  long Size;
};

template <typename T> std::vector<T> copied(const T *first, const T *last) {
  std::vector<T> host(last - first);
  cudaMemcpy(host.data(), first, host.size() * sizeof(T),
             cudaMemcpyDeviceToHost);
  return host;
}

struct maximum {
  template <typename T> T operator()(T x, T y) const { return x > y ? x : y; }
};

template <typename Iterator, typename T, typename Operation>
T reduce(Iterator first, Iterator last, T init, Operation operation) {
  for (T each : copied(raw_pointer_cast(first), raw_pointer_cast(last)))
    init = operation(init, each);
  return init;
}
template <typename Iterator, typename T>
T reduce(Iterator first, Iterator last, T init) {
  for (T each : copied(raw_pointer_cast(first), raw_pointer_cast(last)))
    init += each;
  return init;
}
template <typename Iterator, typename T>
T reduce(const device_t &, Iterator first, Iterator last, T init) {
  return reduce(first, last, init);
}
template <typename Iterator, typename T>
T reduce(const stream_t &, Iterator first, Iterator last, T init) {
  return reduce(first, last, init);
}
template <typename T, typename Predicate>
long count_if(const device_t &, T *first, T *last, Predicate predicate) {
  std::vector<T> host = copied(first, last);
  long count = 0;
  for (T &each : host)
    count += predicate(each);
  cudaMemcpy(first, host.data(), host.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  return count;
}
template <typename T>
T *max_element(const device_t &, T *first, T *last) {
  const std::vector<T> host = copied(first, last);
  long best = 0;
  for (unsigned long i = 0; i < host.size(); ++i)
    if (host[i] > host[best])
      best = i;
  return first + best;
}
template <typename T, typename Operation>
T *transform(const device_t &, T *first, T *last, T *to, Operation operation) {
  std::vector<T> host = copied(first, last);
  for (T &each : host)
    each = operation(each);
  cudaMemcpy(to, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to + host.size();
}

} // namespace thrust
