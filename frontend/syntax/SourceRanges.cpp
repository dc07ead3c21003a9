//===- SourceRanges.cpp - Clang's locations as byte ranges ----------------===//

#include "frontend/syntax/SourceRanges.h"

#include "frontend/syntax/SourceMap.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <tuple>

namespace kfuse {

FileTable::FileTable(const clang::ASTContext &context, const Origins *origins)
    : Sources(context.getSourceManager()), Language(context.getLangOpts()),
      From(origins) {
  fileOf(Sources.getMainFileID());
  for (unsigned i = 0; i < Sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry &entry = Sources.getLocalSLocEntry(i);
    if (!entry.isFile())
      continue;
    const clang::FileID id = Sources.getFileID(
        clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
    if (Sources.getFileEntryForID(id) && !isSystem(id))
      fileOf(id);
  }
}

FileTable::FileTable(const clang::ASTContext &context, std::uint32_t number)
    : Sources(context.getSourceManager()), Language(context.getLangOpts()),
      Only(number) {
  Files.resize(number + 1);
  Ids.resize(number + 1);
  Ids[number] = Sources.getMainFileID();
  Files[number].text = Sources.getBufferData(Ids[number]).str();
}

std::uint32_t FileTable::add(SourceFile file) {
  const auto number = static_cast<std::uint32_t>(Files.size());
  Paths.emplace(file.path, number);
  Files.push_back(std::move(file));
  Ids.emplace_back();
  return number;
}

bool FileTable::isSystem(clang::FileID id) const {
  // A pragma on its first lines may make a file one of the system.
  return Sources.isInSystemHeader(Sources.getLocForEndOfFile(id));
}

std::uint32_t FileTable::fileOf(clang::FileID id) {
  if (Only)
    return *Only;
  auto known = Numbers.find(id);
  if (known != Numbers.end())
    return known->second;
  std::string path = Sources.getBufferOrFake(id).getBufferIdentifier().str();
  if (auto entry = Sources.getFileEntryRefForID(id))
    path = entry->getName().str();
  // A header included twice is one file.
  auto [place, isNew] =
      Paths.emplace(path, static_cast<std::uint32_t>(Files.size()));
  if (isNew) {
    Files.push_back(
        {path, isSystem(id) ? std::string() : Sources.getBufferData(id).str()});
    Ids.push_back(id);
  }
  Numbers.emplace(id, place->second);
  return place->second;
}

SourceRange FileTable::bytes(clang::SourceLocation begin,
                             clang::SourceLocation end, bool inMacro) {
  SourceRange result;
  auto [file, offset] = Sources.getDecomposedLoc(begin);
  auto [endFile, endOffset] = Sources.getDecomposedLoc(end);
  result.file = fileOf(file);
  result.begin = offset;
  result.end = endOffset;
  result.line = Sources.getLineNumber(file, offset);
  result.column = Sources.getColumnNumber(file, offset);
  if (From && result.file == 0)
    std::tie(result.line, result.column) = From->place(From->of(offset));
  result.inMacro = inMacro || (Only && file != Sources.getMainFileID());
  if (endFile != file || endOffset < offset) {
    // The ends are in different files: there is no text that could be edited.
    result.end = offset;
    result.inMacro = true;
  }
  return result;
}

SourceRange FileTable::range(clang::SourceRange tokens) {
  if (tokens.isInvalid())
    return {};
  bool inMacro = tokens.getBegin().isMacroID() || tokens.getEnd().isMacroID();
  clang::SourceLocation begin = Sources.getExpansionLoc(tokens.getBegin());
  clang::SourceLocation last =
      Sources.getExpansionRange(tokens.getEnd()).getEnd();
  return bytes(begin,
               last.getLocWithOffset(static_cast<int>(
                   clang::Lexer::MeasureTokenLength(last, Sources, Language))),
               inMacro);
}

SourceRange FileTable::charRange(clang::SourceLocation begin,
                                 clang::SourceLocation end) {
  if (begin.isInvalid() || end.isInvalid())
    return {};
  return bytes(Sources.getExpansionLoc(begin), Sources.getExpansionLoc(end),
               begin.isMacroID() || end.isMacroID());
}

SourceRange FileTable::point(clang::SourceLocation location) {
  return charRange(location, location);
}

SourceRange FileTable::wholeText(clang::SourceRange tokens) {
  SourceRange plain = range(tokens);
  if (!plain.inMacro)
    return plain;
  clang::CharSourceRange text = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(tokens), Sources, Language);
  return text.isValid() && text.getBegin().isFileID() &&
                 text.getEnd().isFileID()
             ? charRange(text.getBegin(), text.getEnd())
             : plain;
}

SourceRange FileTable::statement(const clang::Stmt &statement) {
  SourceRange result = wholeText(statement.getSourceRange());
  if (result.line == 0)
    return result;
  clang::SourceLocation end =
      Sources.getComposedLoc(Ids[result.file], result.end);
  std::string_view buffer(Sources.getBufferData(Ids[result.file]));
  // A declaration's range already ends with its semicolon.
  if (result.end > result.begin && buffer[result.end - 1] == ';')
    return result;
  clang::Token next;
  if (!clang::Lexer::getRawToken(end, next, Sources, Language, true) &&
      next.is(clang::tok::semi))
    result.end = Sources.getFileOffset(next.getEndLoc());
  return result;
}

std::string FileTable::text(const SourceRange &range) const {
  if (range.line == 0 || range.file >= Ids.size() ||
      Ids[range.file].isInvalid())
    return {};
  llvm::StringRef buffer = Sources.getBufferData(Ids[range.file]);
  if (range.end > buffer.size() || range.begin > range.end)
    return {};
  return buffer.slice(range.begin, range.end).str();
}

bool FileTable::isInSystemHeader(clang::SourceLocation location) const {
  return location.isInvalid() || Sources.isInSystemHeader(location);
}

} // namespace kfuse
