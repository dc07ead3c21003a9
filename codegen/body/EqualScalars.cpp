//===- EqualScalars.cpp - One name for equal numbers ----------------------===//
#include "codegen/body/EqualScalars.h"

#include "codegen/text/BodyText.h"

#include <algorithm>

namespace kfuse {
namespace {

/// A number that the fused kernel gets, as it is written.
struct PassedScalar {
  std::string text; ///< `n`, `in.size.x`
  std::string type; ///< canonical
  Polynomial value;
};

std::vector<PassedScalar> passedScalars(const FusedKernelBuilder &builder) {
  std::vector<PassedScalar> found;
  for (const FusedParameter &parameter : builder.parameters) {
    const ParameterSource source = parameter.sources.front();
    const Kernel &kernel = builder.kernelOf(source.member);
    const Launch &launch = builder.launchOf(source.member);
    for (std::size_t s = 0; s < kernel.scalars.size(); ++s)
      if (kernel.scalars[s].parameter == source.parameter)
        found.push_back({parameter.name + kernel.scalars[s].path,
                         kernel.scalars[s].canonical, launch.scalars[s]});
  }
  return found;
}

} // namespace

std::string withEqualScalars(const FusedKernelBuilder &builder,
                             const std::string &text) {
  const std::vector<PassedScalar> scalars = passedScalars(builder);
  const std::vector<TextToken> code = codeOf(text);
  const auto word = [&](std::size_t token) {
    return spelling(text, code[token]);
  };
  std::string result;
  std::size_t done = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].kind != TokenKind::Identifier ||
        (i > 0 &&
         (word(i - 1) == "." || word(i - 1) == "->" || word(i - 1) == "::")))
      continue;
    std::size_t end = i;
    std::string whole(word(i));
    while (end + 2 < code.size() && word(end + 1) == "." &&
           code[end + 2].kind == TokenKind::Identifier) {
      whole += "." + std::string(word(end + 2));
      end += 2;
    }
    const auto named = std::find_if(
        scalars.begin(), scalars.end(),
        [&](const PassedScalar &each) { return each.text == whole; });
    if (end == i || named == scalars.end())
      continue;
    const auto first =
        std::find_if(scalars.begin(), named, [&](const PassedScalar &each) {
          return each.type == named->type && each.value == named->value;
        });
    result += text.substr(done, code[i].begin - done) + first->text;
    done = code[end].end;
    i = end;
  }
  return result + text.substr(done);
}

} // namespace kfuse
