//===- MergedBody.cpp - Members' statements in one body -------------------===//
#include "codegen/body/MergedBody.h"

#include "codegen/body/ByteTables.h"
#include "codegen/body/EarlyLoads.h"
#include "codegen/body/Mergeable.h"
#include "codegen/body/PackedElements.h"
#include "codegen/body/Writer.h"
#include "codegen/draft/Contractible.h"
#include "codegen/draft/ParametersApart.h"
#include "codegen/stage/BodyRewriter.h"
#include "codegen/stage/ForwardRounding.h"
#include "codegen/text/BodyText.h"
#include "codegen/text/TemplateNames.h"

#include <algorithm>

namespace kfuse {
namespace {

using Kind = StageArgument::Kind;

class Merger {
public:
  Merger(KernelDraft &draft, bool mayDeclare)
      : Body(draft), MayDeclare(mayDeclare) {}

  std::optional<MergedBody> run() {
    KernelDraft &draft = Body.draft;
    draft.meets = meetingMembers(draft.program, draft.group, draft.forwards);
    const auto apart = parametersApart(draft.program, draft.group,
                                       draft.forwards, draft.meets);
    if (!apart || !isMergeable(draft))
      return std::nullopt;
    for (std::size_t m = 0; m < Body.draft.members(); ++m)
      if (!findNames(m))
        return std::nullopt;
    holdForwards();
    for (std::size_t m = 0; m < Body.draft.members(); ++m)
      if (!replaceForwards(m))
        return std::nullopt;
    nameParameters();
    nameForwards();
    for (std::size_t m = 0; m < Body.draft.members(); ++m)
      if (!addCoordinates(m) || !addGuards(m) || !addLoop(m))
        return std::nullopt;
    if (!Body.haveOneGuard() && hasFactors(draft))
      return std::nullopt;
    for (std::size_t m = 0; m < Body.draft.members(); ++m)
      for (const std::size_t parameter : (*apart)[m])
        if (!setApart(m, parameter))
          return std::nullopt;
    for (std::size_t m = 0; m < Body.draft.members(); ++m)
      nameVariables(m);
    if (Body.draft.movesBlocks()) {
      findEarlyLoads(Body);
      takeNeighbours(Body);
      takeTables(Body);
    }
    MergedBody body;
    body.text = "{\n" + bodyText(Body) + "}";
    body.zeroCount = Body.zeros * Body.draft.group.elementsPerThread;
    return Body.hasProblem ? std::nullopt : std::optional(std::move(body));
  }

private:
  /// Whether nothing but coordinates is outside of the member's grid-stride
  /// loop, and no jump in it would leave out another member.
  bool isOnlyLoop(std::size_t member) const {
    const GridStrideLoop &loop = *Body.draft.kernelOf(member).gridStride;
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
  /// name in the fused kernel may hide them.
  bool findNames(std::size_t member) {
    const Kernel &kernel = Body.draft.kernelOf(member);
    const GuardedBody &body = Body.bodyOf(member);
    MemberText text;
    text.source = &Body.draft.stages.sourceOf(kernel);
    const auto arguments = templateNames(kernel.text);
    if (!arguments)
      return false;
    text.names = *arguments;
    Body.members.push_back(std::move(text));
    // A continued line can't be broken, nor joined.
    const std::string whole = Body.textAt(member, kernel.text.body);
    if (whole.find("\\\n") != whole.npos || whole.find("\\\r") != whole.npos)
      return false;
    const std::string statements =
        Body.textAt(member, Body.statementsOf(member));
    std::set<std::string> names = plainIdentifiers(statements);
    for (const Token &token : tokensOf(statements))
      if (token.kind == TokenKind::Directive &&
          !mentions(statements.substr(token.begin, token.end - token.begin),
                    "pragma"))
        return false;
    if (!arguments->empty() && names.count("constexpr") != 0)
      return false;
    if (Body.draft.movesBlocks() && names.count("gridDim") != 0)
      return false;
    for (const BodyCoordinate &coordinate : body.coordinates) {
      names.merge(plainIdentifiers(coordinate.type));
      names.merge(plainIdentifiers(Body.textAt(member, coordinate.value)));
    }
    for (const BodyGuard &guard : body.guards)
      names.merge(plainIdentifiers(Body.textAt(member, guard.condition)));
    const auto hasComment = [&](const SourceRange &range) {
      const std::string text = Body.textAt(member, range);
      const std::vector<Token> tokens = tokensOf(text);
      return std::any_of(tokens.begin(), tokens.end(), [](const Token &token) {
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
      Body.draft.taken.insert(argument);
    }
    for (const std::string &name : own)
      if (Body.draft.names.inMacro(name))
        return false;
    for (const std::string &name : names)
      if (own.count(name) == 0)
        Body.draft.taken.insert(name);
    return true;
  }

  /// Until all parameters have names a forwarded value has one that nothing in
  /// the members' texts is.
  void holdForwards() {
    std::set<std::string> avoided = Body.draft.taken;
    for (std::size_t m = 0; m < Body.draft.members(); ++m) {
      for (const Parameter &parameter : Body.draft.kernelOf(m).parameters)
        avoided.insert(parameter.name);
      for (const BodyCoordinate &each : Body.bodyOf(m).coordinates)
        avoided.insert(each.name);
      avoided.insert(Body.bodyOf(m).declared.begin(),
                     Body.bodyOf(m).declared.end());
    }
    for (const Forward &forward : Body.draft.forwards) {
      addIdentifiers(forward.element.spelling, Body.draft.taken);
      Body.held.push_back(Body.draft.names.local("kfuseValue", avoided));
    }
    if (Body.draft.movesBlocks()) {
      Body.draft.grid = Body.draft.names.local("kfuseGrid", avoided);
      Body.draft.element = Body.draft.names.inner("v", avoided);
      Body.draft.taken.insert({Body.draft.grid, Body.draft.element});
    }
    Body.draft.zero = Body.draft.names.local("kfuseZero", avoided);
    Body.draft.taken.insert(Body.draft.zero);
  }

  /// Names forwarded values after the arrays that they passed through.
  void nameForwards() {
    for (std::size_t f = 0; f < Body.draft.forwards.size(); ++f) {
      const Forward &forward = Body.draft.forwards[f];
      std::string array = Body.draft.program[forward.array].name;
      array.erase(0, array.find_last_of(".>") + 1); // of `fields->speed`
      const bool isName =
          !array.empty() &&
          std::all_of(array.begin(), array.end(), isIdentifierCharacter);
      std::string wanted = isName ? array : "value";
      // The element, not the array on the device.
      for (const std::string prefix : {"d_", "dev_", "device_"})
        if (wanted.starts_with(prefix) && wanted.size() > prefix.size())
          wanted.erase(0, prefix.size());
      std::set<std::string> avoided = Body.draft.taken;
      for (std::size_t m = 0; m < Body.draft.members(); ++m)
        if (forward.roles[m].takesPart()) {
          avoided.insert(Body.bodyOf(m).declared.begin(),
                         Body.bodyOf(m).declared.end());
          for (const BodyCoordinate &each : Body.bodyOf(m).coordinates)
            avoided.insert(each.name);
        }
      if (avoided.count(wanted) != 0)
        wanted += "_value";
      Body.draft.values.push_back(Body.draft.names.inner(wanted, avoided));
      Body.draft.flags.emplace_back();
      Body.draft.taken.insert(Body.draft.values.back());
      for (MemberText &member : Body.members)
        member.names[Body.held[f]] = Body.draft.values.back();
    }
  }

  /// Returns the only store of the forward's value if its statement can declare
  /// the variable, else nullptr.
  const Access *declaringStore(std::size_t forward) const {
    const Access *only = nullptr;
    std::size_t producer = 0;
    for (std::size_t m = 0; m < Body.draft.members(); ++m) {
      if (!Body.draft.forwards[forward].roles[m].produces)
        continue;
      for (const Access *access :
           accessesTo(Body.draft.program, Body.draft.launchOf(m),
                      Body.draft.forwards[forward].array)) {
        if (access->kind == AccessKind::Read)
          continue;
        if (only)
          return nullptr;
        only = access;
        producer = m;
      }
    }
    const bool isDeclaring = only && only->form == AccessForm::Store &&
                             only->loops.empty() &&
                             Body.isOutermost(producer, only->whole.begin) &&
                             Body.endOfStatement(producer, *only).has_value();
    return isDeclaring ? only : nullptr;
  }

  bool replaceForwards(std::size_t member) {
    const SourceText &source = *Body.members[member].source;
    const SourceRange &range = Body.statementsOf(member);
    std::vector<ForwardUse> uses;
    Edits edits;
    for (std::size_t f = 0; f < Body.draft.forwards.size(); ++f) {
      const Forward &forward = Body.draft.forwards[f];
      ForwardUse use;
      use.forward = f;
      use.role = forward.roles[member];
      use.stored = forward.stored;
      use.variable = use.parameter = Body.held[f];
      use.accesses = accessesTo(Body.draft.program, Body.draft.launchOf(member),
                                forward.array);
      if (!use.role.takesPart() || use.accesses.empty())
        continue;
      const Access *declaring = declaringStore(f);
      if (use.role.produces)
        for (const Access *access : use.accesses)
          if (access->kind != AccessKind::Read &&
              !roundValue(member, forward, *access, use.variable, edits))
            return false;
      if (MayDeclare && declaring && use.role.produces) {
        use.declaring = declaring;
        use.declaration = forward.element.spelling + " " + use.variable + " = ";
        Body.declared.insert(f);
        if (Body.removeUnread(member, f, *declaring, edits))
          continue;
      }
      uses.push_back(std::move(use));
    }
    auto rewritten = rewriteBody(source, range, uses);
    if (refusalOf(rewritten))
      return false;
    // A store's target comes before what rounds the value.
    Edits all = std::get<Edits>(std::move(rewritten));
    all.append(edits);
    const auto edited = all.apply(source.text, range.begin, range.end);
    if (!edited)
      return false;
    Body.members[member].statements = *edited;
    return true;
  }

  /// Writes the stored value so that it is rounded as it was in memory.
  bool roundValue(std::size_t member, const Forward &forward,
                  const Access &store, const std::string &variable,
                  Edits &edits) {
    if (!forward.isUsedAfter(member))
      return true;
    const auto number =
        static_cast<std::size_t>(&forward - Body.draft.forwards.data());
    switch (Body.draft.meetsLater(member, number)
                ? Rounding::Opaque
                : roundingOf(Body.draft.program, Body.draft.group, forward,
                             member, store)) {
    case Rounding::AsWritten:
      return true;
    case Rounding::Product:
      return (store.form != AccessForm::Update ||
              forward.roles[member].consumes) &&
             roundProduct(Body.draft.kernelOf(member), forward, store, variable,
                          edits);
    case Rounding::Opaque:
      break;
    }
    // A braced list has no type of its own.
    if (Body.draft.isOpenCl() || store.form != AccessForm::Store ||
        Body.textAt(member, store.value).starts_with("{"))
      return false;
    edits.insert(store.value.begin, Body.draft.helpers.apart() + "(");
    edits.insert(store.value.end, ", " + nextZero() + ")");
    return true;
  }

  /// A zero that no other value has, nor another element of the thread.
  std::string nextZero() {
    KernelDraft &draft = Body.draft;
    draft.usesZeros = true;
    return draft.zero + "." + draft.helpers.zeroMember() + "[" +
           std::to_string(Body.zeros++) +
           (draft.movesBlocks() ? " * " + draft.count() + " + " + draft.element
                                : "") +
           "]";
  }

  /// Gives the member's statements a variable in the parameter's place, of
  /// which the compiler doesn't know that it is the same for others.
  bool setApart(std::size_t member, std::size_t parameter) {
    const FusedParameter *fused = Body.draft.parameterFor(member, parameter);
    MemberText &text = Body.members[member];
    const std::string &own =
        Body.draft.kernelOf(member).parameters[parameter].name;
    if (!fused || Body.draft.isOpenCl() || !mentions(text.statements, own))
      return false;
    const std::string name =
        Body.draft.names.inner(fused->name + "_apart", Body.draft.taken);
    text.variables += fused->type + " " + name + " = " +
                      Body.draft.helpers.apart() + "(" + fused->name + ", " +
                      nextZero() + ");\n";
    text.apart[own] = name;
    return true;
  }

  /// Returns the names that the member uses, including those in its guards and
  /// in the coordinates that are used.
  std::set<std::string> usedNames(std::size_t member) const {
    const GuardedBody &body = Body.bodyOf(member);
    std::set<std::string> used =
        plainIdentifiers(Body.members[member].statements);
    for (const BodyGuard &guard : body.guards)
      used.merge(plainIdentifiers(Body.textAt(member, guard.condition)));
    if (const auto &loop = Body.draft.kernelOf(member).gridStride)
      used.merge(plainIdentifiers(Body.textAt(member, loop->header)));
    for (std::size_t i = body.coordinates.size(); i-- > 0;)
      if (used.count(body.coordinates[i].name) != 0)
        used.merge(
            plainIdentifiers(Body.textAt(member, body.coordinates[i].value)));
    return used;
  }

  void nameParameters() {
    for (std::size_t m = 0; m < Body.draft.members(); ++m) {
      const std::set<std::string> used = usedNames(m);
      StageCall call;
      for (std::size_t p = 0; p < Body.draft.kernelOf(m).parameters.size(); ++p)
        if (used.count(Body.draft.kernelOf(m).parameters[p].name) != 0)
          call.arguments.push_back({Kind::Parameter, p});
      Body.draft.calls.push_back(std::move(call));
    }
    Body.draft.parameters =
        fusedParameters(Body.draft.program, Body.draft.group, Body.draft.calls,
                        Body.draft.names, Body.draft.taken);
    for (const FusedParameter &parameter : Body.draft.parameters)
      for (const ParameterSource source : parameter.sources)
        Body.members[source.member].names[Body.draft.kernelOf(source.member)
                                              .parameters[source.parameter]
                                              .name] = parameter.name;
  }

  bool addCoordinates(std::size_t member) {
    const std::set<std::string> used = usedNames(member);
    Renames &names = Body.members[member].names;
    BodyDraft::HeadComments comments = Body.headComments(member);
    for (const std::string &comment : comments.others)
      Body.members[member].comments += comment + "\n";
    for (const BodyCoordinate &own : Body.bodyOf(member).coordinates) {
      if (used.count(own.name) == 0)
        continue;
      CommonCoordinate common;
      common.type = renamed(own.type, names);
      common.value = renamed(Body.textAt(member, own.value), names);
      common.written = common.value;
      if (Body.draft.movesBlocks()) {
        const char axis = axisName(Body.draft.group.elementsAxis)[0];
        const auto moved = withBlockIndex(common.value, axis,
                                          std::string("(blockIdx.") + axis +
                                              " * " + Body.draft.count() +
                                              " + " + Body.draft.element + ")");
        if (!moved || mentions(common.value, "gridDim"))
          return false;
        common.value = *moved;
      }
      common.isBeforeGuards = own.guardsBefore == 0;
      const auto isSame = [&](const CommonCoordinate &other) {
        return normalised(other.type) == normalised(common.type) &&
               normalised(other.value) == normalised(common.value);
      };
      auto known = std::find_if(Body.coordinates.begin(),
                                Body.coordinates.end(), isSame);
      if (known == Body.coordinates.end()) {
        common.name = Body.draft.names.inner(own.name, Body.draft.taken);
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
      std::string text = renamed(Body.textAt(member, guard.condition),
                                 Body.members[member].names);
      if (Body.draft.movesBlocks() &&
          (mentions(text, "blockIdx") || mentions(text, "gridDim")))
        return false;
      for (std::string &each : conjuncts(text, guard.isExit))
        if (std::find(all.begin(), all.end(), each) == all.end())
          all.push_back(std::move(each));
    }
    Body.guards.push_back(std::move(all));
    return true;
  }

  /// The members' grid-stride loops must be one.
  bool addLoop(std::size_t member) {
    const auto &loop = Body.draft.kernelOf(member).gridStride;
    std::string head;
    if (loop) {
      Renames &names = Body.members[member].names;
      const auto &first = Body.draft.kernelOf(0).gridStride;
      if (member == 0)
        Body.index = Body.draft.names.inner(loop->variable, Body.draft.taken);
      names[loop->variable] = Body.index;
      head = onOneLine(renamed(Body.textAt(member, loop->header), names));
      if (!first)
        return false;
    }
    if (member == 0)
      Body.loop = head;
    return normalised(Body.loop) == normalised(head);
  }

  /// Gives the member's variables names that no other member's have.
  void nameVariables(std::size_t member) {
    Renames &names = Body.members[member].names;
    for (const std::string &name : Body.bodyOf(member).declared) {
      if (names.count(name) != 0)
        continue;
      if (Body.draft.taken.insert(name).second)
        continue;
      const std::string other = Body.draft.names.inner(
          name + "_" + Body.draft.kernelOf(member).name, Body.draft.taken);
      names[name] = other;
    }
    Renames all = names;
    for (const auto &[parameter, variable] : Body.members[member].apart)
      all[parameter] = variable;
    std::string text = renamed(Body.members[member].statements, all);
    if (Body.draft.movesBlocks()) {
      const char axis = axisName(Body.draft.group.elementsAxis)[0];
      const auto moved = withBlockIndex(text, axis,
                                        std::string("(blockIdx.") + axis +
                                            " * " + Body.draft.count() + " + " +
                                            Body.draft.element + ")");
      Body.hasProblem |= !moved;
      text = moved.value_or(text);
    }
    Body.members[member].statements = std::move(text);
  }

  BodyDraft Body;
  const bool MayDeclare; ///< values where they are computed
};
} // namespace

std::optional<MergedBody> mergedBody(KernelDraft &draft, bool mayDeclare) {
  return Merger(draft, mayDeclare).run();
}

} // namespace kfuse
