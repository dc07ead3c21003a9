//===- Launches.h - Kernel launches among tokens --------------------------===//
#ifndef KFUSE_RUNTIME_LAUNCHES_H
#define KFUSE_RUNTIME_LAUNCHES_H

#include "runtime/Tokens.h"

namespace kfuse {

/// Tokens [first, last).
struct TokenRange {
  std::size_t first = 0, last = 0;
};

/// `callee<<<configuration>>>(arguments)`, as indices of tokens.
struct LaunchSyntax {
  std::size_t callee = 0;          ///< first token
  std::size_t less = 0;            ///< `<<<`
  std::size_t greater = 0;         ///< `>>>`
  std::size_t open = 0, close = 0; ///< the arguments' parentheses
  std::vector<TokenRange> arguments;
  /// No callee or no argument list at this place, as in a macro that holds the
  /// configuration alone; then only `less` and `greater` are set.
  bool partial = false;
};

/// The launch whose `<<<` is token `less`; none when no `>>>` follows.
std::optional<LaunchSyntax> launchAt(const TokenList &tokens, std::size_t less);

/// The ranges between the commas at the top level of tokens (open, close).
std::vector<TokenRange> argumentsBetween(const TokenList &tokens,
                                         std::size_t open, std::size_t close);

/// Whether evaluating the tokens once for each thread could differ from once
/// for the launch: they hold a call or an assignment.
bool needsSingleEvaluation(const TokenList &tokens, TokenRange range);

/// Whether the tokens may read what a kernel can change: they hold more than
/// names of variables and arithmetic.
bool mayReadMemory(const TokenList &tokens, TokenRange range);

} // namespace kfuse

#endif
