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
  /// A copy to try things with: what it is asked for only `names` knows of.
  Helpers(const Helpers &other, Names &names)
      : Unique(names), ZerosOf(other.ZerosOf), Isolate(other.Isolate),
        Zeros(other.Zeros), Same(other.Same), Disjoint(other.Disjoint),
        Move(other.Move), Around(other.Around), Either(other.Either),
        Swap(other.Swap), Load(other.Load), Store(other.Store),
        Computed(other.Computed), ComputedArray(other.ComputedArray) {}

  /// `T apart(T value, unsigned zero)`: the value as if it had just been
  /// loaded.
  std::string isolate() { return name(Isolate, "kfuseIsolate"); }
  /// `template <unsigned N> struct zeros`: what `isolate` takes, from its
  /// member `zeroMember`.
  std::string opaqueZeros() { return name(Zeros, "KfuseZeros"); }
  std::string zeroMember() const { return spared("at"); }
  /// The same of OpenCL, for so many.
  std::string opaqueZeros(std::size_t count) {
    return name(ZerosOf[count], ("KfuseZeros" + std::to_string(count)).c_str());
  }
  /// All of these that were asked for.
  const std::map<std::size_t, std::string> &allZeros() const { return ZerosOf; }
  /// `bool same(dim3, dim3)`.
  std::string same() { return name(Same, "kfuseSame"); }
  /// `void move(int place, int threads, unsigned &block, unsigned &thread)`:
  /// the block and thread at a place beside the block's first thread.
  std::string move() { return name(Move, "kfuseMove"); }
  /// `int3 around(unsigned cell, uint3 work, uint3 low, uint3 high)`: the place
  /// of a cell of the halo.
  std::string around() { return name(Around, "kfuseAround"); }
  /// `const T &either(bool written, const T &tile, const T &memory)`.
  std::string either() { return name(Either, "kfuseEither"); }
  /// `void load(T (&to)[N], const T *from, long long count)`: neighbouring
  /// elements by one access.
  std::string load() { return name(Load, "kfuseLoad"); }
  /// `void store(T *to, const T (&from)[N], long long count)`.
  std::string store() { return name(Store, "kfuseStore"); }
  /// `ComputedArray<T> computed(T at)`: an array whose element i is at(i).
  std::string computed() {
    name(ComputedArray, "KfuseComputed");
    return name(Computed, "kfuseComputed");
  }
  /// `bool disjoint(a, aBegin, aEnd, b, bBegin, bEnd)`, in bytes.
  std::string disjoint() { return name(Disjoint, "kfuseDisjoint"); }

  /// `void swap(T *&first, T *&second)`.
  std::string swap() { return name(Swap, "kfuseSwap"); }

  /// Checks whether a stage needs the definitions before it.
  bool isCalledIn(std::string_view stage) const {
    return !Either.empty() && stage.find(Either) != std::string_view::npos;
  }

  /// Whether a text that is this name may be one of several words.
  bool isMacro(std::string_view name) const { return Unique.isMacro(name); }

  /// The definitions of all that were asked for.
  std::string text() const;

private:
  /// `text` as if the user had no macros.
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
  std::string Isolate, Zeros, Same, Disjoint, Move, Around, Either, Swap, Load,
      Store, Computed, ComputedArray;
};

} // namespace kfuse

#endif
