//===- LaunchBrackets.h - Launches with blanks in their brackets ----------===//
#ifndef KFUSE_FRONTEND_PARSE_LAUNCHBRACKETS_H
#define KFUSE_FRONTEND_PARSE_LAUNCHBRACKETS_H

#include <string>
#include <string_view>

namespace kfuse {

/// Returns `text` with the brackets of launches in one piece: nvcc takes
/// `k<< <g, b>> >(x)`, Clang doesn't. Blanks move behind the bracket, so that
/// everything else stays where it is.
std::string joinLaunchBrackets(std::string_view text);

} // namespace kfuse

#endif
