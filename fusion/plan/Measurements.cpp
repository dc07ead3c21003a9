//===- Measurements.cpp - Measured times of kernels -----------------------===//

#include "fusion/plan/Measurements.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace kfuse {
namespace {

using Json = nlohmann::json;

constexpr int ProfileVersion = 1;

/// Returns a number above zero, or nullopt.
std::optional<double> positive(const Json &entry, const char *key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_number() ||
      !(found->get<double>() > 0))
    return std::nullopt;
  return found->get<double>();
}

std::string_view nameOf(std::string_view signature) {
  return signature.substr(0, signature.find_first_of("<("));
}

} // namespace

const CompiledKernel *compiledAs(const CompiledKernels &kernels,
                                 std::string_view signature) {
  if (const auto exact = kernels.find(std::string(signature));
      exact != kernels.end())
    return &exact->second;
  const CompiledKernel *only = nullptr;
  for (const auto &[each, kernel] : kernels) {
    if (nameOf(each) != nameOf(signature))
      continue;
    if (only)
      return nullptr;
    only = &kernel;
  }
  return only;
}

std::variant<Profile, std::string> loadProfile(std::string_view text) {
  const Json file = Json::parse(text, nullptr, false);
  if (!file.is_object())
    return std::string("it is not a JSON object");
  if (file.value("version", Json()) != ProfileVersion)
    return "it is not of version " + std::to_string(ProfileVersion);
  const auto kernels = file.find("kernels");
  if (kernels == file.end() || !kernels->is_array())
    return std::string("it has no list of \"kernels\"");
  Profile profile;
  for (const Json &entry : *kernels) {
    const std::string place =
        "kernel " + std::to_string(&entry - &kernels->front() + 1);
    if (!entry.is_object())
      return place + " is not an object";
    for (const auto &[key, value] : entry.items())
      if (key != "name" && key != "seconds" && key != "threads")
        return std::string(place).append(": unknown key \"" + key + "\"");
    const auto name = entry.find("name");
    if (name == entry.end() || !name->is_string())
      return place + " has no \"name\"";
    const std::optional<double> seconds = positive(entry, "seconds");
    const std::optional<double> threads = positive(entry, "threads");
    if (!seconds)
      return place + ": \"seconds\" is not a number above 0";
    if (entry.contains("threads") && !threads)
      return place + ": \"threads\" is not a number above 0";
    profile[name->get<std::string>()].push_back({*seconds, threads});
  }
  return profile;
}

const MeasuredKernel *measuredAs(const Profile &profile,
                                 const std::string &kernel,
                                 std::optional<double> threads) {
  const auto found = profile.find(kernel);
  if (found == profile.end())
    return nullptr;
  const auto distance = [&](const MeasuredKernel &each) {
    return threads && each.threads
               ? std::abs(std::log(*each.threads / *threads))
               : 0;
  };
  return &*std::min_element(
      found->second.begin(), found->second.end(),
      [&](const MeasuredKernel &lhs, const MeasuredKernel &rhs) {
        return distance(lhs) < distance(rhs);
      });
}

} // namespace kfuse
