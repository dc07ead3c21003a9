//===- Result.h - Text, or why it can't be written safely -----------------===//
#ifndef KFUSE_CODEGEN_TEXT_RESULT_H
#define KFUSE_CODEGEN_TEXT_RESULT_H

#include <string>
#include <variant>

namespace kfuse {

/// Why a group's launches are left as they were.
struct Refusal {
  std::string reason;
};

template <typename T> using Result = std::variant<T, Refusal>;

/// Returns the refusal inside, or nullptr.
template <typename T> const Refusal *refusalOf(const Result<T> &result) {
  return std::get_if<Refusal>(&result);
}

} // namespace kfuse

#endif
