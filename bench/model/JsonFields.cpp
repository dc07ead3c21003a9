//===- JsonFields.cpp - Checked fields of JSON ----------------------------===//

#include "bench/model/JsonFields.h"

#include <utility>

namespace kfuse {

std::variant<nlohmann::json, std::string> parseJson(std::string_view text) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception &error) {
    // It begins with the library's name for it: "[json.exception...] ".
    const std::string what = error.what();
    const std::size_t end = what.find("] ");
    return "not JSON: " + (end == what.npos ? what : what.substr(end + 2));
  }
}

bool isUsable(double value) {
  constexpr double Least = 1e-30, Most = 1e30;
  return value == 0 || (value >= Least && value <= Most);
}

JsonFields::JsonFields(const nlohmann::json &object, std::string place)
    : Object(object), Place(std::move(place)) {
  if (!object.is_object())
    Error = Place + " is no object";
}

void JsonFields::fail(const std::string &what) {
  if (Error.empty())
    Error = Place + ": " + what;
}

bool JsonFields::has(const char *key) const {
  return Object.is_object() && Object.contains(key);
}

const nlohmann::json *JsonFields::find(const char *key) {
  if (has(key))
    return &Object[key];
  fail("there is no '" + std::string(key) + "'");
  return nullptr;
}

std::string JsonFields::text(const char *key) {
  const nlohmann::json *value = find(key);
  if (value && value->is_string() && !value->get<std::string>().empty())
    return value->get<std::string>();
  fail("'" + std::string(key) + "' is no text, or is empty");
  return {};
}

std::string JsonFields::optionalText(const char *key) {
  if (!has(key))
    return {};
  if (Object[key].is_string())
    return Object[key].get<std::string>();
  fail("'" + std::string(key) + "' is no text");
  return {};
}

double JsonFields::amount(const char *key) {
  const nlohmann::json *value = find(key);
  if (value && value->is_number() && isUsable(value->get<double>()))
    return value->get<double>();
  fail("'" + std::string(key) + "' is no number from 0 to 1e30");
  return 0;
}

double JsonFields::amountOr(const char *key, double other) {
  return has(key) ? amount(key) : other;
}

double JsonFields::positive(const char *key) {
  const double value = amount(key);
  if (value == 0)
    fail("'" + std::string(key) + "' must be above 0");
  return value;
}

} // namespace kfuse
