//===- MacroNames.cpp - Names that macros may use -------------------------===//

#include "frontend/syntax/MacroNames.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether the text of `macro` has `name`, other than as a parameter.
bool holds(const MacroInfo &macro, const IdentifierInfo *name) {
  return macro.getParameterNum(name) < 0 &&
         std::any_of(
             macro.tokens_begin(), macro.tokens_end(),
             [name](const clang::Token &token) {
               return token.getIdentifierInfo() == name;
             });
}

} // namespace

bool isInMacro(std::string_view name, Preprocessor &preprocessor) {
  const IdentifierTable &known = preprocessor.getIdentifierTable();
  const auto found = known.find(name);
  if (found == known.end())
    return false;
  const IdentifierInfo *wanted = found->second;
  const SourceManager &sources = preprocessor.getSourceManager();
  for (const auto &[macro, state] : preprocessor.macros())
    for (const MacroDirective *each =
             preprocessor.getLocalMacroDirectiveHistory(macro);
         each; each = each->getPrevious())
      if (const auto *definition = dyn_cast<DefMacroDirective>(each))
        if (macro == wanted ||
            (!sources.isInSystemHeader(definition->getLocation()) &&
             holds(*definition->getInfo(), wanted)))
          return true;
  return false;
}

} // namespace kfuse
