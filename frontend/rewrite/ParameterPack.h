//===- ParameterPack.h - A wrapper's parameters of any number -------------===//
//
//   template <typename... A> void launch(void (*k)(A...), A... a) {
//     k<<<1, 128>>>(a...);          ──▶   k<<<1, 128>>>(a_1, a_2);
//   }
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_PARAMETERPACK_H
#define KFUSE_FRONTEND_REWRITE_PARAMETERPACK_H

#include "text/Layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
class ValueDecl;
} // namespace clang

namespace kfuse {

class FileTable;

/// `a...` in a text, for which each element stands once.
struct PackExpansion {
  TextRange whole;
  /// `a`, also of `std::forward<A>(a)...` where a kernel is given copies.
  TextRange pattern;
};

struct ParameterPack {
  /// The parameters of the instance, which have one name.
  std::vector<const clang::ValueDecl *> elements;
  std::vector<PackExpansion> expansions;

  /// Returns the expansion that has the offset, or nullptr.
  const PackExpansion *around(std::uint32_t offset) const;
};

/// Returns the pack among the parameters of the template that `function` is an
/// instance of; an empty one if it has none. Sets `obstacle` if its expansions
/// aren't plain text, or if there are several packs.
ParameterPack parameterPack(FileTable &files,
                            const clang::FunctionDecl &function,
                            std::string &obstacle);

} // namespace kfuse

#endif
