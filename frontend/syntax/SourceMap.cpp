//===- SourceMap.cpp - Where the bytes of a changed text come from --------===//

#include "frontend/syntax/SourceMap.h"

#include <algorithm>

namespace kfuse {

void MappedText::copy(std::string_view source, std::uint32_t begin,
                      std::uint32_t end) {
  if (begin >= end)
    return;
  pieces.push_back({static_cast<std::uint32_t>(text.size()), begin, true});
  text += source.substr(begin, end - begin);
}

void MappedText::write(std::string_view words, std::uint32_t origin) {
  if (words.empty())
    return;
  pieces.push_back({static_cast<std::uint32_t>(text.size()), origin, false});
  text += words;
}

void MappedText::append(const MappedText &other) {
  for (Piece piece : other.pieces) {
    piece.begin += static_cast<std::uint32_t>(text.size());
    pieces.push_back(piece);
  }
  text += other.text;
}

Origins::Origins(std::string original) : Text(std::move(original)) {
  Lines.push_back(0);
  for (std::uint32_t i = 0; i < Text.size(); ++i)
    if (Text[i] == '\n')
      Lines.push_back(i + 1);
}

std::uint32_t Origins::of(std::uint32_t offset) const {
  return find(offset).first;
}

bool Origins::isOriginal(std::uint32_t offset) const {
  return find(offset).second;
}

std::pair<std::uint32_t, bool> Origins::find(std::uint32_t offset) const {
  bool isOriginal = true;
  for (auto round = Rounds.rbegin(); round != Rounds.rend(); ++round) {
    auto next =
        std::upper_bound(round->begin(), round->end(), offset,
                         [](std::uint32_t at, const MappedText::Piece &piece) {
                           return at < piece.begin;
                         });
    if (next == round->begin())
      continue;
    const MappedText::Piece &piece = *std::prev(next);
    offset = piece.origin + (piece.isCopied ? offset - piece.begin : 0);
    isOriginal &= piece.isCopied;
  }
  return {offset, isOriginal};
}

std::pair<std::uint32_t, std::uint32_t>
Origins::place(std::uint32_t origin) const {
  const auto next = std::upper_bound(Lines.begin(), Lines.end(), origin);
  const auto line = static_cast<std::uint32_t>(next - Lines.begin());
  return {line, origin - *std::prev(next) + 1};
}

} // namespace kfuse
