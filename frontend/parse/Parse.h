//===- Parse.h - From a file to an AST ------------------------------------===//
#ifndef KFUSE_FRONTEND_PARSE_PARSE_H
#define KFUSE_FRONTEND_PARSE_PARSE_H

#include "frontend/parse/SourceUnit.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kfuse {

/// Returns the files that Clang read for `unit` and for its kernels.
std::vector<std::string> filesRead(const SourceUnit &unit);

/// Parses the input. Diagnostics (already formatted, one per line, in Clang's
/// manner with carets) go to `diagnostics`; nullptr when an error makes the
/// unit unusable.
std::unique_ptr<SourceUnit> parse(const ParseOptions &options,
                                  std::string &diagnostics);
/// Parses `text` as if the input held it, and the headers these texts.
std::unique_ptr<SourceUnit>
parse(const ParseOptions &options, const std::string &text,
      const std::map<std::string, std::string> &headers,
      std::string &diagnostics);

} // namespace kfuse

#endif
