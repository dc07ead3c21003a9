//===- Edits.cpp - Changes of a text, applied at once ---------------------===//
#include "text/Edits.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace kfuse {

void Edits::insert(std::uint32_t at, std::string text) {
  All.push_back({at, at, std::move(text)});
}

void Edits::replace(std::uint32_t begin, std::uint32_t end, std::string text) {
  All.push_back({begin, end, std::move(text)});
}

void Edits::append(const Edits &other) {
  All.insert(All.end(), other.All.begin(), other.All.end());
}

bool Edits::touch(std::uint32_t begin, std::uint32_t end) const {
  return std::any_of(All.begin(), All.end(), [&](const Edit &edit) {
    return edit.begin <= end && begin <= edit.end;
  });
}

std::optional<Edits> Edits::within(std::uint32_t begin,
                                   std::uint32_t end) const {
  Edits inner;
  for (const Edit &edit : All)
    if (begin <= edit.begin && edit.end <= end)
      inner.All.push_back(edit);
    else if (edit.begin < end && begin < edit.end)
      return std::nullopt;
  return inner;
}

std::optional<std::string> Edits::apply(std::string_view text,
                                        std::uint32_t begin,
                                        std::uint32_t end) const {
  if (begin > end || end > text.size())
    return std::nullopt;
  std::vector<std::size_t> sorted(All.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [this](std::size_t a, std::size_t b) {
    const auto key = [this](std::size_t i) {
      return std::make_tuple(All[i].begin, All[i].begin != All[i].end, i);
    };
    return key(a) < key(b);
  });

  std::string result;
  std::uint32_t position = begin;
  for (const std::size_t i : sorted) {
    const Edit &edit = All[i];
    if (edit.begin < position || edit.end < edit.begin || edit.end > end)
      return std::nullopt;
    result += text.substr(position, edit.begin - position);
    result += edit.text;
    position = edit.end;
  }
  result += text.substr(position, end - position);
  return result;
}

} // namespace kfuse
