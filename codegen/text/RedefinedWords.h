//===- RedefinedWords.h - Words that mean something else ------------------===//
#ifndef KFUSE_CODEGEN_TEXT_REDEFINEDWORDS_H
#define KFUSE_CODEGEN_TEXT_REDEFINEDWORDS_H

#include "codegen/text/Sources.h"
#include "graphs/program/Program.h"

#include <string>

namespace kfuse {

/// Returns a word of the texts written here that means something else in the
/// program, `the macro 'x'`, or an empty string.
std::string redefinedWord(const Program &program, const Sources &sources);

} // namespace kfuse

#endif
