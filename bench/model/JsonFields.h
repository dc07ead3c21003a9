//===- JsonFields.h - Checked fields of JSON ------------------------------===//
#ifndef KFUSE_BENCH_MODEL_JSONFIELDS_H
#define KFUSE_BENCH_MODEL_JSONFIELDS_H

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace kfuse {

/// Parses a text; or says at which line and column it isn't JSON.
std::variant<nlohmann::json, std::string> parseJson(std::string_view text);

/// Reads the fields of one object. The first problem is kept; what is read
/// after it, or couldn't be read, is empty or 0.
class JsonFields {
public:
  /// `place` is how messages call the object, as `roofs[3]`.
  JsonFields(const nlohmann::json &object, std::string place);

  /// Returns a text that must be there, and not be empty.
  std::string text(const char *key);
  /// Returns a text that may be left out or empty.
  std::string optionalText(const char *key);
  /// Returns a number above zero that must be there.
  double positive(const char *key);
  /// Returns a number that must be there, and not be negative.
  double amount(const char *key);
  double amountOr(const char *key, double other);
  bool has(const char *key) const;

  void fail(const std::string &what);
  const std::string &error() const { return Error; } ///< empty if all is well

private:
  const nlohmann::json *find(const char *key);

  const nlohmann::json &Object;
  std::string Place, Error;
};

/// Checks whether a number is one that can be drawn: 0, or of a size at which
/// quotients and logarithms neither overflow nor vanish.
bool isUsable(double value);

} // namespace kfuse

#endif
