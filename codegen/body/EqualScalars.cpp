//===- EqualScalars.cpp - One name for equal numbers ----------------------===//
#include "codegen/body/EqualScalars.h"

#include "codegen/text/BodyText.h"

#include <algorithm>

namespace kfuse {
namespace {

/// A number that the fused kernel gets, as it is written.
struct PassedScalar {
  std::string text; ///< `n`, `in.size.x`
  std::string name; ///< the user's, without the structure's: `n`, `x`
  std::string type; ///< canonical
  ScalarSource source;
  bool isMember = false; ///< of a structure
};

class PassedScalars {
public:
  explicit PassedScalars(const FusedKernelBuilder &builder) : From(builder) {
    for (const FusedParameter &parameter : builder.parameters) {
      const ParameterSource source = parameter.sources.front();
      const Kernel &kernel = builder.kernelOf(source.member);
      for (std::size_t s = 0; s < kernel.scalars.size(); ++s) {
        const ScalarParameter &scalar = kernel.scalars[s];
        if (scalar.parameter != source.parameter)
          continue;
        const std::string whole =
            kernel.parameters[source.parameter].name + scalar.path;
        all.push_back({parameter.name + scalar.path,
                       whole.substr(whole.rfind('.') + 1),
                       scalar.canonical,
                       {source.member, s},
                       !scalar.path.empty()});
      }
    }
  }

  std::vector<PassedScalar> all;

  /// Returns the numbers that are equal to `each`, itself included: those of
  /// the same name, or all if they can't be mistaken for each other.
  std::vector<const PassedScalar *> like(const PassedScalar &each) const {
    std::vector<const PassedScalar *> equal;
    for (const PassedScalar &other : all)
      if (isEqual(each, other))
        equal.push_back(&other);
    if (!areInterchangeable(equal))
      std::erase_if(equal, [&](const PassedScalar *other) {
        return other->name != each.name;
      });
    return equal;
  }

private:
  bool isEqual(const PassedScalar &one, const PassedScalar &other) const {
    return &one == &other ||
           (one.type == other.type &&
            haveOneValue(From.program, From.group, one.source, other.source));
  }

  /// Checks whether numbers of different names mean the same. Constants may be
  /// equal by chance, and a member's width and height if its images are square.
  bool
  areInterchangeable(const std::vector<const PassedScalar *> &equal) const {
    std::map<std::size_t, std::string> names; // by member
    return std::all_of(
        equal.begin(), equal.end(), [&](const PassedScalar *each) {
          const Launch &launch = From.launchOf(each->source.member);
          return !launch.scalars[each->source.scalar].asConstant() &&
                 names.try_emplace(each->source.member, each->name)
                         .first->second == each->name;
        });
  }

  const FusedKernelBuilder &From;
};

} // namespace

void takeFromStructures(MergedBodyBuilder &body,
                        const std::vector<std::set<std::size_t>> &isolated) {
  FusedKernelBuilder &builder = body.builder;
  const PassedScalars scalars(builder);
  const auto isFixed = [&](const ParameterSource &source) {
    const std::string &name =
        builder.kernelOf(source.member).parameters[source.parameter].name;
    return isolated[source.member].count(source.parameter) != 0 ||
           body.members[source.member].inMacros.count(name) != 0 ||
           body.bodyOf(source.member).typed.count(name) != 0;
  };
  const auto isOwn = [](const FusedParameter &parameter, std::size_t member) {
    return std::any_of(
        parameter.sources.begin(), parameter.sources.end(),
        [&](const ParameterSource &source) { return source.member == member; });
  };
  std::erase_if(builder.parameters, [&](const FusedParameter &parameter) {
    const auto own = std::find_if(
        scalars.all.begin(), scalars.all.end(), [&](const PassedScalar &each) {
          return !each.isMember && each.text == parameter.name;
        });
    if (own == scalars.all.end() ||
        std::any_of(parameter.sources.begin(), parameter.sources.end(),
                    isFixed))
      return false;
    const PassedScalar *found = nullptr;
    for (const PassedScalar *other : scalars.like(*own))
      if (other->isMember && !isOwn(parameter, other->source.member) &&
          (!found || (found->name != own->name && other->name == own->name)))
        found = other;
    if (!found)
      return false;
    for (const ParameterSource &source : parameter.sources)
      body.members[source.member].names
          [builder.kernelOf(source.member).parameters[source.parameter].name] =
          found->text;
    return true;
  });
}

std::string withEqualScalars(const FusedKernelBuilder &builder,
                             const std::string &text) {
  const PassedScalars scalars(builder);
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
        scalars.all.begin(), scalars.all.end(),
        [&](const PassedScalar &each) { return each.text == whole; });
    if (end == i || named == scalars.all.end())
      continue;
    const std::vector<const PassedScalar *> equal = scalars.like(*named);
    // Parameters that are still there after takeFromStructures() stay.
    const auto parameter =
        std::find_if(equal.begin(), equal.end(),
                     [](const PassedScalar *each) { return !each->isMember; });
    const PassedScalar *first =
        parameter == equal.end() ? equal.front() : *parameter;
    result += text.substr(done, code[i].begin - done) + first->text;
    done = code[end].end;
    i = end;
  }
  return result + text.substr(done);
}

} // namespace kfuse
