//===- InstanceText.h - The text of an instance of a template -------------===//
//
//   template <typename T> struct Op { T run(T a) const { return a * a; } };
//   ──▶   template <> float Op<float>::run(float a) const { return a * a; }
//
// The text stands in the input behind the template, or behind the directive
// that includes the template's header.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_INSTANCETEXT_H
#define KFUSE_FRONTEND_REWRITE_INSTANCETEXT_H

#include "frontend/rewrite/Rewriting.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

struct InstanceText {
  struct Part {
    std::uint32_t offset; ///< in the input, where it is to be inserted
    MappedText text;
  };
  std::vector<Part> parts; ///< a declaration, if one is needed; the definition
  std::string obstacle;    ///< why there is no text; empty if there is
};

/// Returns an explicit specialisation that does what the `instance` does. It is
/// of a function template, or of a member of a class template. With `isDevice`
/// the arguments stand in place of the parameters, and not only as their
/// values.
InstanceText textOfInstance(const clang::FunctionDecl &instance,
                            Rewriting &rewriting, bool isDevice);

} // namespace kfuse

#endif
