//===- Launches.h - Kernel launches among tokens --------------------------===//
#ifndef KFUSE_RUNTIME_LAUNCHES_H
#define KFUSE_RUNTIME_LAUNCHES_H

#include "runtime/Tokens.h"

namespace kfuse {

/// Represents the tokens [first, last).
struct TokenRange {
  std::size_t first = 0, last = 0;
};

/// Describes `callee<<<configuration>>>(arguments)` by indices of tokens.
struct LaunchSyntax {
  std::size_t callee = 0;          ///< first token
  std::size_t less = 0;            ///< `<<<`
  std::size_t greater = 0;         ///< `>>>`
  std::size_t open = 0, close = 0; ///< the arguments' parentheses
  std::vector<TokenRange> arguments;
  /// There is no callee or no argument list here, as in a macro that holds only
  /// the configuration. Then only `less` and `greater` are set.
  bool partial = false;
};

/// Returns the launch whose `<<<` is token `less`; none if no `>>>` follows.
std::optional<LaunchSyntax> launchAt(const TokenList &tokens, std::size_t less);

/// Returns the ranges between the top-level commas of the tokens (open, close).
std::vector<TokenRange> argumentsBetween(const TokenList &tokens,
                                         std::size_t open, std::size_t close);

/// Checks whether evaluating the tokens once per thread could differ from once
/// per launch: they contain a call or an assignment.
bool needsSingleEvaluation(const TokenList &tokens, TokenRange range);

/// Checks whether the tokens may read what a kernel can change: they contain
/// more than names of variables and arithmetic.
bool mayReadMemory(const TokenList &tokens, TokenRange range);

} // namespace kfuse

#endif
