//===- ProfileReport.cpp - A profile as text ------------------------------===//

#include "bench/profile/ProfileReport.h"

#include "bench/TimeText.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace kfuse {
namespace {

/// Lines of the table itself, so that all of it has at most 20.
constexpr std::size_t ShortTable = 17;
constexpr std::size_t LongestName = 40; ///< characters of a kernel's name

using TableRow = std::array<std::string, 6>;

std::string extentsText(const LaunchExtents &extents) {
  std::string text = std::to_string(extents[0]);
  for (std::size_t axis = 1; axis < extents.size(); ++axis)
    if (extents[1] * extents[2] != 1 && (axis == 1 || extents[2] != 1))
      text += "x" + std::to_string(extents[axis]);
  return text;
}

std::string shapeText(const MeasuredLaunch &launch) {
  if (launch.grid)
    return extentsText(*launch.grid) +
           (launch.block ? " x " + extentsText(*launch.block) : "");
  return launch.threads
             ? std::to_string(static_cast<std::uint64_t>(*launch.threads))
             : "";
}

std::string shareText(double seconds, double all) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%",
                all > 0 ? 100 * seconds / all : 0);
  return text.data();
}

TableRow rowOf(const MeasuredLaunch &launch, double all, bool hasStreams) {
  std::string name = launch.name;
  if (name.size() > LongestName)
    name = name.substr(0, LongestName - 3) + "...";
  if (hasStreams && launch.stream)
    name += " in stream " + std::to_string(*launch.stream);
  return {name,
          shapeText(launch),
          std::to_string(launch.count),
          shareText(launch.seconds.total, all),
          timeText(launch.seconds.median),
          timeText(launch.seconds.min, launch.seconds.median) + " to " +
              timeText(launch.seconds.max, launch.seconds.median)};
}

/// Returns the rows in columns: the first two to the left, the others to the
/// right.
std::string tableText(const std::vector<TableRow> &rows) {
  std::array<std::size_t, std::tuple_size_v<TableRow>> widths{};
  for (const TableRow &row : rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  std::string text;
  for (const TableRow &row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string room(widths[column] - row[column].size(), ' ');
      line += column < 2 ? row[column] + room : room + row[column];
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

} // namespace

std::string profileText(const ProfileFile &profile, bool wantsAll) {
  double all = 0;
  std::set<std::optional<std::uint32_t>> streams;
  for (const MeasuredLaunch &launch : profile.launches) {
    all += launch.seconds.total;
    streams.insert(launch.stream);
  }
  for (const MeasuredCopies &copies : profile.copies)
    all += copies.seconds;
  std::vector<TableRow> rows = {
      {"kernel", "grid x block", "launches", "share", "median", "spread"}};
  const std::size_t wanted =
      wantsAll ? profile.launches.size()
               : ShortTable - std::min<std::size_t>(profile.copies.size(), 6);
  double rest = 0;
  std::uint64_t restCount = 0;
  for (std::size_t i = 0; i < profile.launches.size(); ++i) {
    const MeasuredLaunch &launch = profile.launches[i];
    if (i < wanted) {
      rows.push_back(rowOf(launch, all, streams.size() > 1));
      continue;
    }
    rest += launch.seconds.total;
    restCount += launch.count;
  }
  if (restCount != 0)
    rows.push_back(
        {std::to_string(profile.launches.size() - wanted) + " more (--all)", "",
         std::to_string(restCount), shareText(rest, all), "", ""});
  for (const MeasuredCopies &copies : profile.copies)
    rows.push_back(
        {"(" + copies.kind + ")", "", std::to_string(copies.count),
         shareText(copies.seconds, all),
         timeText(copies.seconds / static_cast<double>(std::max<std::uint64_t>(
                                       1, copies.count))),
         ""});
  return profile.device + ", " + std::to_string(profile.runs) +
         (profile.runs == 1 ? " run, " : " runs, ") + timeText(all) +
         " on the device\n" + tableText(rows);
}

} // namespace kfuse
