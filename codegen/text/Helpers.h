//===- Helpers.h - Functions that the output defines for itself -----------===//
#ifndef KFUSE_CODEGEN_TEXT_HELPERS_H
#define KFUSE_CODEGEN_TEXT_HELPERS_H

#include "codegen/text/Names.h"

#include <map>
#include <string>

namespace kfuse {

/// The small functions that fused programs need; only those whose name was
/// asked for are emitted.
class Helpers {
public:
  explicit Helpers(Names &names) : Unique(names) {}
  /// Copies `other` for a trial: only `names` learns what the copy is asked
  /// for.
  Helpers(const Helpers &other, Names &names)
      : Unique(names), ZerosOf(other.ZerosOf), Isolate(other.Isolate),
        Zeros(other.Zeros), Same(other.Same), Disjoint(other.Disjoint),
        Bytes(other.Bytes), Separate(other.Separate),
        Allocation(other.Allocation), Move(other.Move), Around(other.Around),
        Either(other.Either), Swap(other.Swap), Load(other.Load),
        Store(other.Store), Computed(other.Computed),
        ComputedArray(other.ComputedArray) {}

  /// Returns the name of `T isolate(T value, unsigned zero)`, which returns the
  /// value as if it had just been loaded.
  std::string isolate() { return name(Isolate, "kfuseIsolate"); }
  /// Returns the name of `template <unsigned N> struct zeros`, whose member
  /// `zeroMember` has the zeros that `isolate` takes.
  std::string opaqueZeros() { return name(Zeros, "KfuseZeros"); }
  std::string zeroMember() const { return spared("at"); }
  /// Returns the name of OpenCL's struct of `count` zeros.
  std::string opaqueZeros(std::size_t count) {
    return name(ZerosOf[count], ("KfuseZeros" + std::to_string(count)).c_str());
  }
  /// Returns the names of all such structs that were asked for, by count.
  const std::map<std::size_t, std::string> &allZeros() const { return ZerosOf; }
  /// Returns the name of `bool same(dim3, dim3)`.
  std::string same() { return name(Same, "kfuseSame"); }
  /// Returns the name of `void move(int place, int threads, unsigned &block,
  /// unsigned &thread)`, which finds the block and thread at a place beside the
  /// block's first thread.
  std::string move() { return name(Move, "kfuseMove"); }
  /// Returns the name of `int3 around(unsigned cell, uint3 work, uint3 low,
  /// uint3 high)`, which returns the place of a cell of the halo.
  std::string around() { return name(Around, "kfuseAround"); }
  /// Returns the name of `const T &either(bool written, const T &tile, const T
  /// &memory)`.
  std::string either() { return name(Either, "kfuseEither"); }
  /// Returns the name of `void load(T (&to)[N], const T *from, long long
  /// count)`, which loads neighbouring elements by one access.
  std::string load() { return name(Load, "kfuseLoad"); }
  /// Returns the name of `void store(T *to, const T (&from)[N], long long
  /// count)`.
  std::string store() { return name(Store, "kfuseStore"); }
  /// Returns the name of `ComputedArray<T> computed(T at)`, which returns an
  /// array whose element i is at(i).
  std::string computed() {
    name(ComputedArray, "KfuseComputed");
    return name(Computed, "kfuseComputed");
  }
  /// Returns the name of `bool disjoint(a, aBegin, aEnd, b, bBegin, bEnd)`,
  /// whose ranges are in bytes.
  std::string disjoint() { return name(Disjoint, "kfuseDisjoint"); }
  /// Returns the name of `bool disjoint({one}, {others}, begin, end)`, for one
  /// range from each pointer. Each of `one` must be disjoint from the rest of
  /// these and from all others, of which there may be none.
  std::string disjointPointers() {
    HasDisjointPointers = true;
    return disjoint();
  }
  /// Returns the name of `bool disjoint({{a, aBegin, aEnd}, ...}, {...})`, the
  /// same for ranges.
  std::string disjointRanges() {
    name(Bytes, "KfuseBytes");
    return disjoint();
  }
  /// Returns the name of `bool separate(a, b)`: whether these are known to lead
  /// into different allocations.
  std::string separate() {
    name(Allocation, "kfuseAllocation");
    return name(Separate, "kfuseSeparate");
  }
  /// Returns the name of `bool separate({one}, {others})`, which is to
  /// separate() what disjointPointers() is to disjoint().
  std::string separateLists() {
    HasSeparateLists = true;
    return separate();
  }

  /// Returns the name of `void swap(T *&first, T *&second)`.
  std::string swap() { return name(Swap, "kfuseSwap"); }

  /// Checks whether a stage needs the definitions before it.
  bool isCalledIn(std::string_view stage) const {
    return !Either.empty() && stage.find(Either) != std::string_view::npos;
  }

  /// Checks whether a text that is this name may be several words.
  bool isMacro(std::string_view name) const { return Unique.isMacro(name); }

  /// Returns the definitions of all helpers that were asked for.
  std::string text() const;

private:
  /// Returns `text` as if the user had no macros.
  std::string plainText() const;
  /// Returns `wanted`, or another name if it is a macro.
  std::string spared(const std::string &wanted) const;
  std::string name(std::string &known, const char *wanted) {
    if (known.empty())
      known = Unique.fresh(wanted);
    return known;
  }

  Names &Unique;
  std::map<std::size_t, std::string> ZerosOf;
  std::string Isolate, Zeros, Same, Disjoint, Bytes, Separate, Allocation, Move,
      Around, Either, Swap, Load, Store, Computed, ComputedArray;
  bool HasDisjointPointers = false, HasSeparateLists = false;
};

} // namespace kfuse

#endif
