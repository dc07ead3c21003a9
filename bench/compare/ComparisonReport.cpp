//===- ComparisonReport.cpp - A comparison as text ------------------------===//

#include "bench/compare/ComparisonReport.h"

#include "bench/TimeText.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace kfuse {
namespace {

std::string formatted(const char *format, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string lineOf(const std::string &name, const Summary &times) {
  return name + ": " + timeText(times.mean) + " ± " +
         timeText(times.deviation, times.mean) + " (median " +
         timeText(times.median) + ", " + timeText(times.least) + " to " +
         timeText(times.most) + ", " + std::to_string(times.count) +
         (times.count == 1 ? " run" : " runs") + ")\n";
}

std::string rowOf(const std::string &program, const Summary &times,
                  const std::string &verdict) {
  return "| `" + program + "` | " + timeText(times.mean) + " ± " +
         timeText(times.deviation, times.mean) + " | " +
         timeText(times.median) + " | " + std::to_string(times.count) + " | " +
         verdict + " |\n";
}

/// Returns what was found equal, and how much of it couldn't be compared.
std::string agreementText(const Agreement &agreement) {
  std::string text = "both print the same";
  if (agreement.hasTraces)
    text += " and leave equal traces";
  const auto unsteady = [&](std::size_t count, const char *what) {
    if (count != 0)
      text += ", but for " + std::to_string(count) + " " + what +
              " that the original changes itself";
  };
  unsteady(agreement.unsteadyLines, "lines");
  unsteady(agreement.unsteadyEvents, "arrays");
  return text;
}

nlohmann::ordered_json jsonOf(const std::string &program,
                              const std::vector<double> &times) {
  const Summary summary = summarise(times);
  return {{"program", program},
          {"mean", summary.mean},
          {"deviation", summary.deviation},
          {"median", summary.median},
          {"least", summary.least},
          {"most", summary.most},
          {"times", times}};
}

} // namespace

std::string verdictOf(const Ratio &ratio) {
  if (!std::isfinite(ratio.halfWidth))
    return "not known from one pair of runs";
  const auto numbers = [](double value, double half) {
    return formatted("%.2f", value) + " ± " + formatted("%.2f", half);
  };
  if (ratio.isUndecided())
    return "no difference (" + numbers(ratio.value, ratio.halfWidth) + ")";
  if (ratio.value > 1)
    return numbers(ratio.value, ratio.halfWidth) + " times faster";
  // The inverse, with the same relative width.
  return numbers(1 / ratio.value,
                 ratio.halfWidth / (ratio.value * ratio.value)) +
         " times slower";
}

std::string comparisonText(const ComparisonResult &result) {
  const Comparison &comparison = result.comparison;
  std::string text =
      lineOf("original", summarise(comparison.original)) +
      lineOf("fused   ", summarise(comparison.fused)) + "fused   : " +
      verdictOf(pairedRatio(comparison.original, comparison.fused)) + "; " +
      agreementText(comparison.agreement) + "\n";
  if (!result.kernels.rows.empty())
    text += kernelText(result.kernels);
  return text;
}

std::string comparisonMarkdown(const ComparisonResult &result) {
  const Comparison &comparison = result.comparison;
  std::string text =
      "| program | mean | median | runs | verdict |\n"
      "|---|---|---|---|---|\n" +
      rowOf(result.original, summarise(comparison.original), "") +
      rowOf(result.fused, summarise(comparison.fused),
            verdictOf(pairedRatio(comparison.original, comparison.fused)));
  if (!result.kernels.rows.empty())
    text += "\n" + kernelMarkdown(result.kernels);
  return text;
}

std::string comparisonJson(const ComparisonResult &result) {
  const Comparison &comparison = result.comparison;
  const Ratio ratio = pairedRatio(comparison.original, comparison.fused);
  nlohmann::ordered_json json = {
      {"original", jsonOf(result.original, comparison.original)},
      {"fused", jsonOf(result.fused, comparison.fused)},
      {"arguments", result.arguments},
      {"ratio", ratio.value}};
  // JSON has no infinity.
  json["halfWidth"] = std::isfinite(ratio.halfWidth)
                          ? nlohmann::ordered_json(ratio.halfWidth)
                          : nlohmann::ordered_json();
  json["unsteadyLines"] = comparison.agreement.unsteadyLines;
  json["traces"] = comparison.agreement.hasTraces;
  if (!result.kernels.rows.empty()) {
    if (!result.kernels.device.empty())
      json["projectedOn"] = result.kernels.device;
    json["kernels"] = kernelJson(result.kernels);
  }
  return json.dump(2, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

} // namespace kfuse
