//===- KernelReport.cpp - Kernels beside what they became, as text --------===//

#include "bench/compare/KernelReport.h"

#include "bench/TimeText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace kfuse {
namespace {

/// Kernels that a line of text names; the others are counted.
constexpr std::size_t NamesPerLine = 4;

/// Returns "4.63x", how many times less the second one is; "-" for nothing.
std::string timesLess(double one, double other) {
  if (one <= 0 || other <= 0)
    return "-";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2fx", one / other);
  return text.data();
}

std::string namesOf(const std::vector<std::string> &names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most)
    text += " and " + std::to_string(names.size() - most) + " more";
  return names.empty() ? "nothing" : text;
}

/// Returns "172.8 us -> 37.3 us".
std::string change(double one, double other) {
  return timeText(one) + " -> " + timeText(other);
}

/// Returns "172.8 us ± 3 %": the median, and half of what lies between the
/// least and the most of several runs.
std::string measuredText(const RowSide &side) {
  std::string text = timeText(side.seconds);
  if (side.runs > 1 && side.seconds > 0) {
    std::array<char, 32> percent{};
    std::snprintf(percent.data(), percent.size(), " ± %.0f %%",
                  50 * (side.most - side.least) / side.seconds);
    text += percent.data();
  }
  return text;
}

/// The cells of a row, in the order of the columns.
using Cells = std::array<std::string, 6>;

Cells cellsOf(const KernelRow &row, std::size_t most) {
  Cells cells;
  cells[0] = measuredText(row.original) + " -> " + measuredText(row.fused);
  cells[1] = timesLess(row.original.seconds, row.fused.seconds);
  if (row.original.projected && row.fused.projected) {
    cells[2] = change(*row.original.projected, *row.fused.projected);
    cells[3] = timesLess(*row.original.projected, *row.fused.projected);
  }
  cells[4] = std::to_string(row.original.launches) + " -> " +
             std::to_string(row.fused.launches);
  cells[5] = namesOf(row.original.kernels, most);
  if (row.fused.kernels != row.original.kernels)
    cells[5] += " -> " + namesOf(row.fused.kernels, most);
  return cells;
}

/// Returns the cells of a row and of the kernels that are alone in none. Those
/// of the fused program are behind an arrow.
std::vector<Cells> linesOf(const KernelRow &row, std::size_t most,
                           const std::string &indent) {
  std::vector<Cells> lines = {cellsOf(row, most)};
  for (const auto &[side, before] :
       {std::pair(&row.original, std::string()), {&row.fused, "-> "}})
    for (const RowSide &member : side->members) {
      Cells cells;
      cells[0] = indent + before + measuredText(member);
      if (member.projected)
        cells[2] = indent + before + timeText(*member.projected);
      cells[4] = indent + before + std::to_string(member.launches);
      cells[5] = indent + before + member.kernels.front();
      lines.push_back(std::move(cells));
    }
  return lines;
}

/// Adds up all rows; a projection only if each row has one.
KernelRow totalOf(const std::vector<KernelRow> &rows) {
  const auto add = [](RowSide &sum, const RowSide &side) {
    sum.seconds += side.seconds;
    sum.launches += side.launches;
    // A side without kernels has nothing to be projected.
    if (!side.kernels.empty() && !side.projected)
      sum.projected.reset();
    else if (sum.projected)
      *sum.projected += side.projected.value_or(0);
  };
  KernelRow sum;
  sum.original.projected = sum.fused.projected = 0;
  for (const KernelRow &row : rows) {
    add(sum.original, row.original);
    add(sum.fused, row.fused);
  }
  return sum;
}

Cells headOf(const KernelTable &table) {
  return {"measured",
          "",
          table.device.empty() ? "" : "projected on " + table.device,
          "",
          "launches",
          "kernels"};
}

nlohmann::ordered_json timesJson(const RowSide &side) {
  nlohmann::ordered_json json = {{"seconds", side.seconds},
                                 {"least", side.least},
                                 {"most", side.most},
                                 {"runs", side.runs},
                                 {"launches", side.launches}};
  if (side.projected)
    json["projected"] = *side.projected;
  return json;
}

nlohmann::ordered_json jsonOf(const RowSide &side) {
  nlohmann::ordered_json json = {{"kernels", side.kernels}};
  json.update(timesJson(side));
  json["members"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < side.kernels.size(); ++i) {
    nlohmann::ordered_json member = {{"kernel", side.kernels[i]}};
    member.update(timesJson(side.members.empty() ? side : side.members[i]));
    json["members"].push_back(std::move(member));
  }
  return json;
}

/// Returns how many columns the text takes on a terminal: these texts have no
/// letters beyond ASCII but in names.
std::size_t widthOf(const std::string &text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(),
                    [](char letter) { return (letter & 0xC0) != 0x80; }));
}

} // namespace

std::string kernelText(const KernelTable &table) {
  const KernelRow total = totalOf(table.rows);
  std::string text =
      "kernels : " + change(total.original.seconds, total.fused.seconds) +
      ", " + timesLess(total.original.seconds, total.fused.seconds) + "; " +
      std::to_string(total.original.launches) + " launches -> " +
      std::to_string(total.fused.launches);
  if (total.original.projected && total.fused.projected)
    text += "; projected on " + table.device + ": " +
            change(*total.original.projected, *total.fused.projected) + ", " +
            timesLess(*total.original.projected, *total.fused.projected);
  text += "\n\n";
  std::vector<Cells> lines = {headOf(table)};
  for (const KernelRow &row : table.rows)
    for (Cells &cells : linesOf(row, NamesPerLine, "  "))
      lines.push_back(std::move(cells));
  std::array<std::size_t, 6> widths{};
  for (const Cells &cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths.at(i) = std::max(widths.at(i), widthOf(cells.at(i)));
  for (const Cells &cells : lines) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (widths.at(i) != 0)
        line += "  " + cells.at(i) +
                std::string(widths.at(i) - widthOf(cells.at(i)), ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string kernelMarkdown(const KernelTable &table) {
  const auto lineOf = [](const Cells &cells) {
    std::string line = "|";
    for (const std::string &cell : cells)
      line += " " + cell + " |";
    return line + "\n";
  };
  std::string text = lineOf(headOf(table)) + "|---|---|---|---|---|---|\n";
  for (const KernelRow &row : table.rows)
    for (const Cells &cells :
         linesOf(row, row.original.kernels.size() + row.fused.kernels.size(),
                 "&ensp;"))
      text += lineOf(cells);
  Cells all = cellsOf(totalOf(table.rows), 0);
  all.back() = "all";
  return text + lineOf(all);
}

nlohmann::ordered_json kernelJson(const KernelTable &table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const KernelRow &row : table.rows)
    rows.push_back(
        {{"original", jsonOf(row.original)}, {"fused", jsonOf(row.fused)}});
  return rows;
}

} // namespace kfuse
