//===- kfuse_cpu/Bits.h - One bit for each byte of an array ---------------===//
#ifndef KFUSE_CPU_BITS_H
#define KFUSE_CPU_BITS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace kfuse_cpu {

/// Represents a set of an array's bytes. It uses plain memory because a
/// vector's operators would be recorded, too, and not inlined.
class ByteSet {
public:
  explicit ByteSet(std::size_t bytes)
      : Count((bytes + 63) / 64),
        Words(static_cast<std::uint64_t *>(std::calloc(Count + 1, 8))) {
    if (!Words)
      std::abort();
  }
  ~ByteSet() { std::free(Words); }
  ByteSet(const ByteSet &) = delete;
  ByteSet &operator=(const ByteSet &) = delete;

  /// Adds a range; returns how many of its bytes are new.
  std::size_t add(std::size_t offset, std::size_t bytes) {
    return visit(offset, bytes, [](std::uint64_t &word, std::uint64_t mask) {
      std::uint64_t added = mask & ~word;
      word |= mask;
      return added;
    });
  }
  /// Removes a range; returns how many of its bytes were in the set.
  std::size_t remove(std::size_t offset, std::size_t bytes) {
    return visit(offset, bytes, [](std::uint64_t &word, std::uint64_t mask) {
      std::uint64_t removed = mask & word;
      word &= ~mask;
      return removed;
    });
  }
  void clear() { std::fill_n(Words, Count, 0); }

  std::size_t size() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < Count; ++i)
      sum += __builtin_popcountll(Words[i]);
    return sum;
  }
  /// Counts the aligned groups of 32 bytes, a GPU's smallest memory transfer,
  /// that contain a byte of the set.
  std::size_t sectors() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < Count; ++i)
      sum += ((Words[i] & 0xffffffff) != 0) + ((Words[i] >> 32) != 0);
    return sum;
  }

private:
  template <class Change>
  std::size_t visit(std::size_t offset, std::size_t bytes, Change change) {
    std::size_t changed = 0;
    while (bytes > 0) {
      std::size_t bit = offset % 64, here = std::min(64 - bit, bytes);
      std::uint64_t mask = here == 64 ? ~std::uint64_t(0)
                                      : ((std::uint64_t(1) << here) - 1) << bit;
      changed += __builtin_popcountll(change(Words[offset / 64], mask));
      offset += here;
      bytes -= here;
    }
    return changed;
  }

  std::size_t Count;
  std::uint64_t *Words;
};

} // namespace kfuse_cpu

#endif
