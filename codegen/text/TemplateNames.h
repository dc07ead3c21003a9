//===- TemplateNames.h - Template parameters and scopes of kernels --------===//
#ifndef KFUSE_CODEGEN_TEXT_TEMPLATENAMES_H
#define KFUSE_CODEGEN_TEXT_TEMPLATENAMES_H

#include "codegen/text/BodyText.h"
#include "graphs/program/Kernel.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace kfuse {

/// Maps each template parameter to its argument in the kernel's instance;
/// nullopt if an argument isn't a single word.
std::optional<Renames> templateNames(const KernelText &text);

/// Returns the kernel's scope as a prefix, `::app::`.
std::string scopeOf(const Kernel &kernel);

/// Returns the text with `::` before these names where nothing is.
std::string fromGlobalScope(const std::string &text,
                            const std::set<std::string> &names);

/// Returns the text as it reads in the scope `::app::`: `app::Pan` and
/// `::app::Pan` become `Pan`, unless that is one of the names in `hidden`.
std::string withinScope(const std::string &text, std::string_view scope,
                        const std::set<std::string> &hidden);

} // namespace kfuse

#endif
