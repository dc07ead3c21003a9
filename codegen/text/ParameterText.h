//===- ParameterText.h - Parameters, their lists, comments ----------------===//
#ifndef KFUSE_CODEGEN_TEXT_PARAMETERTEXT_H
#define KFUSE_CODEGEN_TEXT_PARAMETERTEXT_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

/// Returns the text without white space around it.
std::string trimmed(std::string_view text);

/// Returns the declaration without `__restrict__`.
std::string withoutRestrict(std::string_view declaration);

/// Returns the type without any `const`.
std::string withoutConst(std::string_view type);

/// Returns the declaration without its default argument.
std::string withoutDefault(std::string_view declaration);

/// Returns the type that `const T *__restrict__ name` points to, as the user
/// spelled it (`T`); nullopt if the declaration isn't of that simple form.
std::optional<std::string> pointeeText(std::string_view declaration);

/// Writes `type name`, also for `float (*)[16]`; a pointer gets `__restrict__`
/// if `isRestrict` is set.
std::string declare(const std::string &type, const std::string &name,
                    bool isRestrict);

/// Checks whether the type can be written down: no lambda, no unnamed struct.
bool isSpellable(std::string_view type);

/// Checks whether the type is made of the language's words alone, so that it
/// can be named in any scope, before any declaration.
bool isBuiltinType(std::string_view type);

/// Writes the sentence as `//` lines of at most 80 columns.
std::string commentLines(const std::string &sentence,
                         const std::string &indent);

/// Returns the definition within these namespaces, opened around it; an unnamed
/// one is empty.
std::string inNamespaces(const std::vector<std::string> &namespaces,
                         const std::string &definition);

/// Returns the lines with `indent` before each that isn't a directive.
std::string indented(const std::string &lines, const std::string &indent);

/// Returns `indent` `before` a, b, c `after`, broken after commas, or another
/// separator, so that lines have at most 80 columns if possible.
std::string listed(const std::string &before,
                   const std::vector<std::string> &items,
                   const std::string &after, const std::string &indent,
                   const std::string &separator = ",");

} // namespace kfuse

#endif
