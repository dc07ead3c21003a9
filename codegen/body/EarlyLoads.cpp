//===- EarlyLoads.cpp - Loads that all elements make first ----------------===//
#include "codegen/body/EarlyLoads.h"

#include "graphs/program/Aliases.h"

#include <algorithm>

namespace kfuse {
namespace {

class LoadFinder {
public:
  explicit LoadFinder(MergedBodyBuilder &body) : Body(body) {}

  void findEarlyLoads() {
    if (!Body.haveOneGuard())
      return;
    for (std::size_t m = 0; m < Body.builder.members(); ++m) {
      const Kernel &kernel = Body.builder.kernelOf(m);
      for (const Access &load : kernel.accesses) {
        const PointerParameter &pointer = kernel.pointers[load.pointer];
        const ArrayId array =
            Body.builder.launchOf(m).pointers[load.pointer].array;
        const bool isTaken = std::any_of(
            Body.builder.forwards.begin(), Body.builder.forwards.end(),
            [&](const ForwardedArray &each) {
              return each.array == array &&
                     (each.roles[m].consumes ||
                      (each.roles[m].produces && !each.stored));
            });
        if (load.kind != AccessKind::Read || load.form != AccessForm::Load ||
            isTaken || !load.editable || load.range.inMacro || !load.isValue ||
            load.offset != 0 || load.width != load.elementBytes ||
            pointer.global || !pointer.element.trivial || !load.loops.empty() ||
            load.range.begin < Body.statementsOf(m).begin ||
            !isPassed(m, pointer) || !isOnlyLoaded(array) ||
            !isCertain(m, load) || !isLoadedFirst(m, load))
          continue;
        const std::string element =
            renamed(Body.textAt(m, load.range), Body.members[m].names);
        if (isOfCoordinates(element) && !isPointedTo(element))
          addEarlyLoad(m, pointer, element);
      }
    }
    for (MemberText &member : Body.members)
      for (const EarlyLoad &load : Body.early)
        replaceAll(member.statements, load.element,
                   load.name + "[" + Body.builder.element + "]");
  }

private:
  /// Checks whether no store that may be to the same memory runs before `load`,
  /// in `member` or in an earlier one.
  bool isLoadedFirst(std::size_t member, const Access &load) const {
    const ArrayId array =
        Body.builder.launchOf(member).pointers[load.pointer].array;
    for (std::size_t m = 0; m < member; ++m)
      if (mayWrite(Body.builder.program, Body.builder.launchOf(m), array))
        return false;
    const Kernel &kernel = Body.builder.kernelOf(member);
    return std::none_of(
        kernel.accesses.begin(), kernel.accesses.end(),
        [&](const Access &each) {
          return each.kind != AccessKind::Read && &each < &load &&
                 alias(
                     Body.builder.program,
                     Body.builder.launchOf(member).pointers[each.pointer].array,
                     array) != Alias::Never;
        });
  }

  /// Checks whether the access is a store that a later member's replaces.
  bool isOverwritten(std::size_t member, const Access &access) const {
    const ArrayId array =
        Body.builder.launchOf(member).pointers[access.pointer].array;
    return access.kind != AccessKind::Read &&
           std::any_of(
               Body.builder.forwards.begin(), Body.builder.forwards.end(),
               [&](const ForwardedArray &each) {
                 return each.array == array && each.roles[member].isOverwritten;
               });
  }

  /// Checks whether the member's rewritten text still uses the parameter.
  bool isPassed(std::size_t member, const PointerParameter &pointer) const {
    const Kernel &kernel = Body.builder.kernelOf(member);
    return Body.members[member].names.count(
               kernel.parameters[pointer.parameter].name) != 0;
  }

  /// Checks whether all accesses to the array are loads of values, and at most
  /// one store after them. The text of an element then means the early value
  /// wherever it stands.
  bool isOnlyLoaded(ArrayId array) const {
    const FusedKernelBuilder &builder = Body.builder;
    const Access *store = nullptr;
    std::size_t writer = 0;
    for (std::size_t m = 0; m < builder.members(); ++m)
      for (const Access &access : builder.kernelOf(m).accesses) {
        const ArrayId other =
            builder.launchOf(m).pointers[access.pointer].array;
        if (alias(builder.program, other, array) == Alias::Never ||
            isOverwritten(m, access))
          continue;
        const bool isLoad = access.form == AccessForm::Load && access.isValue &&
                            access.kind == AccessKind::Read;
        const bool isStore =
            access.form == AccessForm::Store && !store && isPlain(m, access);
        if (!isLoad && !isStore)
          return false;
        if (isStore) {
          store = &access;
          writer = m;
        }
      }
    for (std::size_t m = 0; store && m < builder.members(); ++m)
      for (const Access &access : builder.kernelOf(m).accesses) {
        const ArrayId other =
            builder.launchOf(m).pointers[access.pointer].array;
        const bool isForwarded = // and a variable in the text
            std::any_of(builder.forwards.begin(), builder.forwards.end(),
                        [&](const ForwardedArray &each) {
                          return each.array == other && each.roles[m].consumes;
                        });
        if (access.form == AccessForm::Load && !isForwarded &&
            alias(builder.program, other, array) != Alias::Never &&
            (m > writer || (m == writer && &access > store)))
          return false;
      }
    return true;
  }

  /// Checks whether `=` follows the element of `store` directly, so that the
  /// text tells it from a load.
  bool isPlain(std::size_t member, const Access &store) const {
    const SourceText &source = *Body.members[member].source;
    const std::size_t next = tokenAt(source, store.range.end);
    const std::string element = Body.textAt(member, store.range);
    return store.whole.begin == store.range.begin &&
           isIdentifierCharacter(element.front()) && element.ends_with("]") &&
           next < source.tokens.size() &&
           spelling(source.text, source.tokens[next]) == "=";
  }

  /// Checks whether `load` stands in an outermost statement that runs whenever
  /// the member does, and not after `?`, `&&` or `||`.
  bool isCertain(std::size_t member, const Access &load) const {
    const SourceText &source = *Body.members[member].source;
    const SourceRange &statements = Body.statementsOf(member);
    int depth = 0, braces = 0;
    bool isFirst = true, isConditional = false;
    for (std::size_t i = tokenAt(source, statements.begin);
         i < source.tokens.size() && source.tokens[i].begin < load.range.begin;
         ++i) {
      if (source.tokens[i].kind == TokenKind::Comment)
        continue;
      const std::string_view word = spelling(source.text, source.tokens[i]);
      isConditional |=
          word == "?" || word == "&&" || word == "||" || word == "and" ||
          word == "or" ||
          (isFirst && (word == "if" || word == "for" || word == "while" ||
                       word == "do" || word == "switch" || word == "else"));
      braces += word == "{" ? 1 : word == "}" ? -1 : 0;
      depth += word == "(" || word == "[" || word == "{" ? 1 : 0;
      depth -= word == ")" || word == "]" || word == "}" ? 1 : 0;
      isFirst = depth == 0 && (word == ";" || word == "}");
      // A brace may end an initializer.
      if (depth == 0 && word == ";")
        isConditional = false;
    }
    return braces == 0 && !isConditional;
  }

  /// Checks whether `text` names only coordinates and parameters.
  bool isOfCoordinates(const std::string &text) const {
    std::set<std::string> known;
    for (const CommonCoordinate &each : Body.coordinates)
      known.insert(each.name);
    for (const FusedParameter &each : Body.builder.parameters)
      known.insert(each.name);
    for (const std::string &name : plainIdentifiers(text))
      if (known.count(name) == 0)
        return false;
    return true;
  }

  /// Checks whether the members' statements take the element's address with
  /// `&`.
  bool isPointedTo(const std::string &element) const {
    for (const MemberText &member : Body.members) {
      const std::string &text = member.statements;
      for (std::size_t at = text.find(element); at != std::string::npos;
           at = text.find(element, at + 1)) {
        const std::size_t before =
            at == 0 ? std::string::npos
                    : text.find_last_not_of(" \t\r\n(", at - 1);
        if (before != std::string::npos && text[before] == '&')
          return true;
      }
    }
    return false;
  }

  void addEarlyLoad(std::size_t member, const PointerParameter &pointer,
                    const std::string &element) {
    for (const EarlyLoad &known : Body.early)
      if (known.element == element)
        return;
    if (Body.early.size() >= MostEarly)
      return;
    const std::string &parameter =
        Body.builder.kernelOf(member).parameters[pointer.parameter].name;
    Body.early.push_back(
        {Body.builder.names.inner(Body.members[member].names[parameter] + "_in",
                                  Body.builder.taken),
         pointer.element.spelling, element});
  }

  /// Replaces the loads of `element` in `text` by `value`. Stores to the
  /// element, which have the same text, are left.
  static void replaceAll(std::string &text, const std::string &element,
                         const std::string &value) {
    for (std::size_t at = text.find(element); at != std::string::npos;
         at = text.find(element, at)) {
      const std::size_t end = at + element.size();
      const bool isPart =
          (at > 0 && (isIdentifierCharacter(text[at - 1]) ||
                      text[at - 1] == '.' || text[at - 1] == '>')) ||
          (end < text.size() && isIdentifierCharacter(text[end]));
      const std::size_t next = text.find_first_not_of(" \t\r\n", end);
      const bool isStored = next != std::string::npos && text[next] == '=' &&
                            text.compare(next, 2, "==") != 0;
      if (isPart || isStored) {
        at = end;
        continue;
      }
      text.replace(at, element.size(), value);
      at += value.size();
    }
  }

  static constexpr std::size_t MostEarly = 16;

  MergedBodyBuilder &Body;
};

} // namespace

void findEarlyLoads(MergedBodyBuilder &body) {
  LoadFinder(body).findEarlyLoads();
}

} // namespace kfuse
