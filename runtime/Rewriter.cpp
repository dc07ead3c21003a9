//===- Rewriter.cpp - CUDA text to C++ text -------------------------------===//

#include "runtime/Rewriter.h"

#include "runtime/Launches.h"
#include "runtime/SharedDeclarations.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Drops the `static` of `static __shared__`, which would become
/// `static static`.
void replaceStaticShared(const TokenList &tokens,
                         TokenReplacements &replacements) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__shared__"))
      continue;
    const auto before = tokens.previous(i), after = tokens.next(i);
    if ((before && tokens.is(*before, "static")) ||
        (after && tokens.is(*after, "static")))
      replacements[i] = "";
  }
}

/// Replaces `__noinline__`. It can't be a macro because system headers write
/// `__attribute__((__noinline__))`.
void replaceNoinline(const TokenList &tokens, TokenReplacements &replacements) {
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens.is(i, "__noinline__") && (i == 0 || !tokens.is(i - 1, "(")))
      replacements[i] = "__attribute__((noinline))";
}

/// Removes the kernel's cast to `void *` in `cudaLaunchKernel((void *)k, ...)`,
/// which hides its parameters' types.
void replaceKernelCasts(const TokenList &tokens,
                        TokenReplacements &replacements) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "cudaLaunchKernel") &&
        !tokens.is(i, "cudaLaunchCooperativeKernel"))
      continue;
    if (!tokens.is(i + 1, "("))
      continue;
    std::size_t at = i + 2;
    if (tokens.is(at, "(")) {
      const std::size_t open = at++;
      at += tokens.is(at, "const");
      if (!tokens.is(at, "void") || !tokens.is(at + 1, "*") ||
          !tokens.is(at + 2, ")"))
        continue;
      for (std::size_t j = open; j <= at + 2; ++j)
        replacements[j] = "";
    } else if (tokens.is(at, "reinterpret_cast") && tokens.is(at + 1, "<")) {
      while (at < tokens.size() && !tokens.is(at, ">"))
        replacements[at++] = "";
      replacements[at] = "";
    }
  }
}

class Rewriter {
public:
  explicit Rewriter(const TokenList &tokens) : Tokens(tokens) {
    replaceExternShared(tokens, Replacements);
    replaceStaticShared(tokens, Replacements);
    replaceNoinline(tokens, Replacements);
    replaceKernelCasts(tokens, Replacements);
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (tokens.is(i, "<<<"))
        addLaunch(i);
  }

  std::string text() const {
    return textOf({0, Tokens.size()}) + std::string(gap(Tokens.size()));
  }

private:
  void addLaunch(std::size_t less) {
    const std::optional<LaunchSyntax> launch = launchAt(Tokens, less);
    if (!launch)
      return;
    if (!launch->partial) {
      Launches.emplace(launch->callee, *launch);
      return;
    }
    Replacements[launch->less] = "->*::kfuse_cpu::Configuration(";
    Replacements[launch->greater] = ")";
  }

  std::string_view gap(std::size_t i) const { return Tokens.gapBefore(i); }

  /// Returns the rewritten range, with the gap before every token except the
  /// first (unless that one starts the text).
  std::string textOf(TokenRange range) const {
    std::string result;
    for (std::size_t i = range.first; i < range.last;) {
      if (i != range.first || i == 0)
        result += gap(i);
      const auto launch = Launches.find(i);
      // A callee is rewritten as part of its own launch.
      if (launch != Launches.end() && launch->second.close < range.last) {
        result += launchText(launch->second);
        i = launch->second.close + 1;
        continue;
      }
      const auto replacement = Replacements.find(i);
      result += replacement == Replacements.end() ? std::string(Tokens[i].text)
                                                  : replacement->second;
      ++i;
    }
    return result;
  }

  /// Returns the tokens on one line: a `KFUSE_CPU_TEXT` in a directive must not
  /// be broken, and no lines may be added anywhere.
  std::string onOneLine(TokenRange range) const {
    std::string result;
    for (std::size_t i = range.first; i < range.last; ++i) {
      if (i != range.first && !gap(i).empty())
        result += ' ';
      result += Tokens[i].text;
    }
    return result;
  }

  bool hasDirectiveInside(const LaunchSyntax &launch) const {
    for (std::size_t i = launch.open; i < launch.close; ++i)
      if (Tokens[i].directive != Tokens[launch.open].directive)
        return true;
    return false;
  }

  /// Returns the launch as a call:
  ///
  /// ::kfuse_cpu::Launch(KFUSE_CPU_TEXT(k), g, b)
  ///     .run([&](auto &&...kfuseArg0) { k(x, kfuseArg0...); }, f(y))
  std::string launchText(const LaunchSyntax &launch) const {
    std::string parameters, evaluated, call = "(";
    const bool asWritten = hasDirectiveInside(launch);
    const auto isSingle = [&](const TokenRange &argument) {
      return !asWritten && needsSingleEvaluation(Tokens, argument);
    };
    const bool isPack = std::count_if(launch.arguments.begin(),
                                      launch.arguments.end(), isSingle) == 1;
    std::size_t count = 0;
    // A pack comes last; a macro that expands to several arguments is one.
    std::string pack, packed;
    for (const TokenRange &argument : launch.arguments) {
      call += gap(argument.first);
      const bool isLoad =
          !asWritten && !isSingle(argument) && mayReadMemory(Tokens, argument);
      if (isLoad || isSingle(argument)) {
        const std::string name = "kfuseArg" + std::to_string(count++);
        if (isPack && !isLoad) {
          pack = "auto &&..." + name;
          packed = ", " + textOf(argument);
          call += name + "...";
        } else {
          parameters += (parameters.empty() ? "auto &&" : ", auto &&") + name;
          evaluated += isLoad ? ", ::kfuse_cpu::kept(" + textOf(argument) + ")"
                              : ", " + textOf(argument);
          call += name;
        }
      } else {
        call += textOf(argument);
      }
      if (argument.last < launch.close) {
        call += gap(argument.last);
        call += ',';
      }
    }
    call += gap(launch.close);
    call += ')';
    if (!pack.empty())
      parameters += (parameters.empty() ? "" : ", ") + pack;
    evaluated += packed;

    const TokenRange callee{launch.callee, launch.less};
    std::string result = "::kfuse_cpu::Launch(KFUSE_CPU_TEXT(";
    result += onOneLine(callee) + "),";
    result += gap(launch.less + 1);
    result += textOf({launch.less + 1, launch.greater});
    result += gap(launch.greater);
    result += ").run([&](" + parameters + ") { " + calleeText(callee);
    result += gap(launch.less);
    result += gap(launch.open);
    return result + call + "; }" + evaluated + ")";
  }

  std::string calleeText(TokenRange callee) const {
    std::string result;
    for (std::size_t i = callee.first; i < callee.last; ++i) {
      if (i != callee.first)
        result += gap(i);
      result += Tokens[i].text;
    }
    return result;
  }

  const TokenList &Tokens;
  TokenReplacements Replacements;
  std::map<std::size_t, LaunchSyntax> Launches; ///< by callee's first token
};

/// Returns the path as a string literal for a #line directive.
std::string quoted(std::string_view path) {
  std::string result = "\"";
  for (char c : path) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

} // namespace

std::string rewriteForCpu(std::string_view source, std::string_view fileName) {
  // A byte order mark is only valid at the start of a file.
  constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";
  if (source.substr(0, ByteOrderMark.size()) == ByteOrderMark)
    source.remove_prefix(ByteOrderMark.size());
  const TokenList tokens = lexRaw(source);
  std::string text = Rewriter(tokens).text();
  if (fileName.empty())
    return text;
  return "#line 1 " + quoted(fileName) + "\n" + text;
}

} // namespace kfuse
