//===- MergedBody.cpp - Members' statements in one body -------------------===//
#include "codegen/body/MergedBody.h"

#include "codegen/body/BodyNames.h"
#include "codegen/body/BodyWriter.h"
#include "codegen/body/ByteTables.h"
#include "codegen/body/DefinedValues.h"
#include "codegen/body/EarlyLoads.h"
#include "codegen/body/EqualScalars.h"
#include "codegen/body/Mergeable.h"
#include "codegen/body/PackedElements.h"
#include "codegen/builder/Contractible.h"
#include "codegen/builder/IsolatedParameters.h"
#include "codegen/stage/BodyRewriter.h"
#include "codegen/stage/ExplicitSums.h"
#include "codegen/stage/ForwardRounding.h"
#include "codegen/text/BodyText.h"
#include "codegen/text/IdleVariables.h"
#include "codegen/text/TemplateNames.h"

#include <algorithm>

namespace kfuse {
namespace {

class BodyMerger {
public:
  BodyMerger(FusedKernelBuilder &builder, bool mayDeclare)
      : Body(builder), MayDeclare(mayDeclare) {}

  std::optional<MergedBody> run() {
    FusedKernelBuilder &builder = Body.builder;
    if (!isMergeable(builder))
      return std::nullopt;
    Body.members.resize(builder.members());
    for (std::size_t m = 0; m < builder.members(); ++m) {
      Body.members[m].source = &builder.stages.sourceOf(builder.kernelOf(m));
      Body.members[m].loadsPlainly = builder.loadsPlainly(m);
    }
    if (!findFirstLoads(Body))
      return std::nullopt;
    builder.hasCommonProducts = membersWithCommonProducts(
        builder.program, builder.group, builder.forwards);
    const auto isolated =
        isolatedParameters(builder.program, builder.group, builder.forwards,
                           builder.hasCommonProducts);
    if (!isolated)
      return std::nullopt;
    for (std::size_t m = 0; m < Body.builder.members(); ++m)
      if (!findNames(m))
        return std::nullopt;
    holdForwards(Body);
    if (MayDeclare)
      findLastStores(Body);
    for (std::size_t m = 0; m < Body.builder.members(); ++m)
      if (!replaceForwards(m))
        return std::nullopt;
    nameParameters(Body);
    takeFromStructures(Body, *isolated);
    if (changesTypes())
      return std::nullopt;
    nameForwards(Body);
    for (std::size_t m = 0; m < Body.builder.members(); ++m)
      if (!addCoordinates(m) || !addGuards(m) || !addLoop(m))
        return std::nullopt;
    Body.findCommonGuard();
    if (!Body.haveOneGuard() && hasFactors(builder, alwaysDefined(Body)))
      return std::nullopt;
    for (std::size_t m = 0; m < Body.builder.members(); ++m)
      for (const std::size_t parameter : (*isolated)[m])
        if (!setApart(m, parameter))
          return std::nullopt;
    for (std::size_t m = 0; m < Body.builder.members(); ++m) {
      nameVariables(Body, m);
      if (!keepsNamesInMacros(m))
        return std::nullopt;
    }
    if (Body.builder.movesBlocks()) {
      findEarlyLoads(Body);
      takeNeighbours(Body);
      takeTables(Body);
    }
    MergedBody body;
    body.text = "{\n" + bodyText(Body) + "}";
    body.zeroCount = Body.opaqueZeros * Body.builder.group.elementsPerThread;
    return Body.hasProblem ? std::nullopt : std::optional(std::move(body));
  }

private:
  /// Checks whether a parameter is constant, or points to what is, in one
  /// member and not in another, and that may matter to what its uses mean.
  bool changesTypes() const {
    const auto constants = [](const std::string &type) {
      const std::vector<TextToken> tokens = tokensOf(type);
      return std::count_if(tokens.begin(), tokens.end(),
                           [&](const TextToken &token) {
                             return spelling(type, token) == "const";
                           });
    };
    for (const FusedParameter &parameter : Body.builder.parameters)
      for (const ParameterSource source : parameter.sources) {
        const Parameter &own =
            Body.builder.kernelOf(source.member).parameters[source.parameter];
        if (constants(own.type) != constants(parameter.type) &&
            Body.bodyOf(source.member).typed.count(own.name) != 0)
          return true;
      }
    return false;
  }

  /// Checks whether only coordinates are outside of the member's grid-stride
  /// loop, and no jump in it would skip another member.
  bool isOnlyLoop(std::size_t member) const {
    const GridStrideLoop &loop = *Body.builder.kernelOf(member).gridStride;
    const SourceText &source = *Body.members[member].source;
    const SourceRange &all = Body.bodyOf(member).statements;
    const SourceRange inner = Body.statementsOf(member);
    const auto isCode = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::size_t i = tokenAt(source, begin);
           i < source.tokens.size() && source.tokens[i].begin < end; ++i)
        if (source.tokens[i].kind != TokenKind::Comment &&
            spelling(source.text, source.tokens[i]) != "}")
          return true;
      return false;
    };
    const std::string_view text = source.at(inner);
    return Body.bodyOf(member).guards.empty() &&
           all.begin <= loop.header.begin &&
           !isCode(all.begin, loop.header.begin) &&
           !isCode(inner.end, all.end) && !mentions(text, "continue") &&
           !mentions(text, "break");
  }

  /// Collects the names that the member's text uses without declaring them: no
  /// name in the fused kernel may hide them. Returns false if the text can't be
  /// merged.
  bool findNames(std::size_t member) {
    const Kernel &kernel = Body.builder.kernelOf(member);
    const GuardedBody &body = Body.bodyOf(member);
    const auto arguments = templateNames(kernel.text);
    if (!arguments)
      return false;
    Body.members[member].names = *arguments;
    // A continued line can't be broken, nor joined.
    const std::string whole = Body.textAt(member, kernel.text.body);
    if (whole.find("\\\n") != whole.npos || whole.find("\\\r") != whole.npos)
      return false;
    const std::string statements =
        Body.textAt(member, Body.statementsOf(member));
    std::set<std::string> names = plainIdentifiers(statements);
    for (const TextToken &token : tokensOf(statements))
      if (token.kind == TokenKind::Directive &&
          !mentions(statements.substr(token.begin, token.end - token.begin),
                    "pragma"))
        return false;
    if (!arguments->empty() && names.count("constexpr") != 0)
      return false;
    if (Body.builder.movesBlocks() && names.count("gridDim") != 0)
      return false;
    for (const BodyCoordinate &coordinate : body.coordinates) {
      names.merge(plainIdentifiers(coordinate.type));
      names.merge(plainIdentifiers(Body.textAt(member, coordinate.value)));
    }
    for (const BodyGuard &guard : body.guards)
      names.merge(plainIdentifiers(Body.textAt(member, guard.condition)));
    const auto hasComment = [&](const SourceRange &range) {
      const std::string text = Body.textAt(member, range);
      const std::vector<TextToken> tokens = tokensOf(text);
      return std::any_of(tokens.begin(), tokens.end(),
                         [](const TextToken &token) {
                           return token.kind == TokenKind::Comment;
                         });
    };
    for (const BodyGuard &guard : body.guards)
      if (hasComment(guard.condition))
        return false;
    for (const BodyCoordinate &coordinate : body.coordinates)
      if (hasComment(coordinate.value))
        return false;
    if (kernel.gridStride && hasComment(kernel.gridStride->header))
      return false;
    if (const auto &loop = kernel.gridStride) {
      if (!isOnlyLoop(member))
        return false;
      names.merge(plainIdentifiers(Body.textAt(member, loop->header)));
    }
    std::set<std::string> own = body.declared;
    for (const BodyCoordinate &coordinate : body.coordinates)
      own.insert(coordinate.name);
    for (const Parameter &parameter : kernel.parameters)
      own.insert(parameter.name);
    for (const auto &[name, argument] : *arguments) {
      own.insert(name);
      Body.builder.taken.insert(argument);
    }
    const std::set<std::string> inMacros =
        Body.builder.names.mentionedBy(plainIdentifiers(whole));
    names.insert(inMacros.begin(), inMacros.end());
    for (const std::string &name : names)
      if (own.count(name) == 0)
        Body.builder.taken.insert(name);
      else if (inMacros.count(name) != 0)
        Body.members[member].inMacros.insert(name);
    return true;
  }

  /// Checks whether what the member's macros mention has its name still.
  bool keepsNamesInMacros(std::size_t member) const {
    const MemberText &text = Body.members[member];
    return std::all_of(text.inMacros.begin(), text.inMacros.end(),
                       [&](const std::string &name) {
                         const auto renamed = text.names.find(name);
                         return text.parameterNames.count(name) == 0 &&
                                (renamed == text.names.end() ||
                                 renamed->second == name);
                       });
  }

  bool replaceForwards(std::size_t member) {
    const SourceText &source = *Body.members[member].source;
    const SourceRange &range = Body.statementsOf(member);
    std::vector<ForwardUse> uses;
    const Program &program = Body.builder.program;
    const Launch &launch = Body.builder.launchOf(member);
    Edits edits;
    std::vector<ArrayId> added; // by explicit sums
    for (std::size_t f = 0; f < Body.builder.forwards.size(); ++f) {
      const ForwardedArray &forward = Body.builder.forwards[f];
      ForwardUse use;
      use.forward = f;
      use.role = forward.roles[member];
      use.stored = forward.stored;
      use.variable = use.parameter = Body.held[f];
      use.accesses = accessesTo(program, launch, forward.array);
      if (!use.role.takesPart() || use.accesses.empty())
        continue;
      if (addsExplicitly(program, Body.builder.group, forward, member, false))
        added.push_back(forward.array);
      const Access *declaring = declaringStore(Body, member, f);
      if (use.role.produces)
        for (const Access *access : use.accesses)
          if (access->kind != AccessKind::Read &&
              !roundValue(member, forward, *access, use.variable, edits))
            return false;
      if (MayDeclare && declaring) {
        use.declaring = declaring;
        use.declaration = forward.element.spelling + " " + use.variable + " = ";
        Body.declared.emplace(f, member);
        if (forward.producers() == 1 &&
            Body.removeUnread(member, f, *declaring, edits))
          continue;
      }
      uses.push_back(std::move(use));
    }
    auto rewritten = rewriteBody(source, range, uses);
    if (refusalOf(rewritten))
      return false;
    // The edit of a store's target comes before the one that rounds its value.
    Edits all = std::get<Edits>(std::move(rewritten));
    writeExplicitSums(program, launch, added, all);
    all.append(edits);
    if (const SourceRange &said = Body.bodyOf(member).repeated;
        said.begin < said.end)
      all.replace(said.begin, said.end, "");
    removeIdleVariables(source, program, range, all);
    const auto edited = all.apply(source.text, range.begin, range.end);
    if (edited)
      Body.members[member].statements = Body.withPlainLoads(member, *edited);
    return edited.has_value();
  }

  /// Writes the stored value so that it is rounded as it was in memory. Returns
  /// false if that can't be written.
  bool roundValue(std::size_t member, const ForwardedArray &forward,
                  const Access &store, const std::string &variable,
                  Edits &edits) {
    if (!forward.isUsedAfter(member))
      return true;
    const auto number =
        static_cast<std::size_t>(&forward - Body.builder.forwards.data());
    switch (Body.builder.feedsCommonProducts(member, number)
                ? Rounding::Opaque
                : roundingOf(Body.builder.program, Body.builder.group, forward,
                             member, store)) {
    case Rounding::AsWritten:
    case Rounding::Sums:
      return true;
    case Rounding::Product:
      return (store.form != AccessForm::Update ||
              forward.roles[member].consumes) &&
             roundProduct(Body.builder.program, Body.builder.kernelOf(member),
                          store, variable, edits);
    case Rounding::Opaque:
      break;
    }
    // A braced list has no type of its own.
    if (Body.builder.isOpenCl() || store.form != AccessForm::Store ||
        Body.textAt(member, store.value).starts_with("{"))
      return false;
    edits.insert(store.value.begin, Body.builder.helpers.isolate() + "(");
    edits.insert(store.value.end, ", " + nextZero() + ")");
    return true;
  }

  /// Returns the expression of an opaque zero that no other value has, nor
  /// another element of the thread.
  std::string nextZero() {
    FusedKernelBuilder &builder = Body.builder;
    builder.usesZeros = true;
    return builder.zero + "." + builder.helpers.zeroMember() + "[" +
           std::to_string(Body.opaqueZeros++) +
           (builder.movesBlocks()
                ? " * " + builder.count() + " + " + builder.element
                : "") +
           "]";
  }

  /// Replaces the parameter in the member's statements by a variable. The
  /// compiler doesn't know that its value is the same for other members.
  bool setApart(std::size_t member, std::size_t parameter) {
    const FusedParameter *fused = Body.builder.parameterFor(member, parameter);
    MemberText &text = Body.members[member];
    const std::string &own =
        Body.builder.kernelOf(member).parameters[parameter].name;
    if (!fused || Body.builder.isOpenCl() || !mentions(text.statements, own))
      return false;
    const std::string name =
        Body.builder.names.plain(fused->name + "_apart", Body.builder.taken);
    text.variables += fused->type + " " + name + " = " +
                      Body.builder.helpers.isolate() + "(" + fused->name +
                      ", " + nextZero() + ");\n";
    text.parameterNames[own] = name;
    return true;
  }

  bool addCoordinates(std::size_t member) {
    const std::set<std::string> used = usedNames(Body, member);
    Renames &names = Body.members[member].names;
    MergedBodyBuilder::HeadComments comments = Body.headComments(member);
    for (const std::string &comment : comments.others)
      Body.members[member].comments += comment + "\n";
    for (const BodyCoordinate &own : Body.bodyOf(member).coordinates) {
      if (used.count(own.name) == 0)
        continue;
      CommonCoordinate common;
      common.type = renamed(own.type, names);
      common.canonical = own.canonical;
      common.value = withEqualScalars(
          Body.builder, renamed(Body.textAt(member, own.value), names));
      common.written = common.value;
      if (Body.builder.movesBlocks()) {
        const char axis = axisName(Body.builder.group.elementsAxis)[0];
        const auto moved = withBlockIndex(
            common.value, axis,
            std::string("(blockIdx.") + axis + " * " + Body.builder.count() +
                " + " + Body.builder.element + ")");
        if (!moved || mentions(common.value, "gridDim"))
          return false;
        common.value = *moved;
      }
      common.isBeforeGuards = own.guardsBefore == 0;
      const auto isSame = [&](const CommonCoordinate &other) {
        return other.canonical == common.canonical &&
               normalised(other.value) == normalised(common.value);
      };
      auto known = std::find_if(Body.coordinates.begin(),
                                Body.coordinates.end(), isSame);
      if (known == Body.coordinates.end()) {
        common.name = Body.builder.names.plain(own.name, Body.builder.taken);
        common.comment = comments.behind[own.name];
        known =
            Body.coordinates.insert(Body.coordinates.end(), std::move(common));
      } else {
        known->isBeforeGuards |= own.guardsBefore == 0;
      }
      names[own.name] = known->name;
    }
    return true;
  }

  bool addGuards(std::size_t member) {
    std::vector<std::string> all;
    for (const BodyGuard &guard : Body.bodyOf(member).guards) {
      std::string text = withEqualScalars(
          Body.builder, renamed(Body.textAt(member, guard.condition),
                                Body.members[member].names));
      if (Body.builder.movesBlocks() &&
          (mentions(text, "blockIdx") || mentions(text, "gridDim")))
        return false;
      for (std::string &each : conjuncts(text, guard.isExit))
        if (std::find(all.begin(), all.end(), each) == all.end())
          all.push_back(std::move(each));
    }
    Body.guards.push_back(std::move(all));
    return true;
  }

  /// Adds the member's grid-stride loop. Returns false if it isn't the same as
  /// the other members'.
  bool addLoop(std::size_t member) {
    const auto &loop = Body.builder.kernelOf(member).gridStride;
    std::string head;
    if (loop) {
      Renames &names = Body.members[member].names;
      const auto &first = Body.builder.kernelOf(0).gridStride;
      if (member == 0)
        Body.index =
            Body.builder.names.plain(loop->variable, Body.builder.taken);
      names[loop->variable] = Body.index;
      head = onOneLine(renamed(Body.textAt(member, loop->header), names));
      if (!first)
        return false;
    }
    if (member == 0)
      Body.loop = head;
    return normalised(Body.loop) == normalised(head);
  }

  MergedBodyBuilder Body;
  const bool MayDeclare; ///< values where they are computed
};
} // namespace

std::optional<MergedBody> mergedBody(FusedKernelBuilder &builder,
                                     bool mayDeclare) {
  return BodyMerger(builder, mayDeclare).run();
}

} // namespace kfuse
