//===- FormWriter.h - Texts with forms for operations ---------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_FORMWRITER_H
#define KFUSE_FRONTEND_REWRITE_FORMWRITER_H

#include "frontend/rewrite/FmaForms.h"
#include "frontend/syntax/SourceMap.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kfuse {

/// The text for a part of a file: words, and ranges of the part as they will be
/// written.
struct TextPiece {
  SourceRange whole;
  unsigned order = 0; ///< of those with one range the least is the outermost
  std::vector<std::variant<std::string, SourceRange>> parts;
};

/// Returns a piece for each of `forms`; nullopt if that can't be done. An
/// operation with an operand of a macro's text is printed without macros.
std::optional<std::vector<TextPiece>> piecesOf(const FmaForms &sums,
                                               const Forms &forms,
                                               const clang::ASTContext &ast,
                                               FileTable &files);

/// Writes the `range` of the input with the pieces in it.
MappedText writePieces(std::string_view input, std::vector<TextPiece> pieces,
                       const SourceRange &range);

} // namespace kfuse

#endif
