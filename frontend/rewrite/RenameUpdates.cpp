//===- RenameUpdates.cpp - Updates into other arrays ----------------------===//

#include "frontend/rewrite/RenameUpdates.h"

#include "frontend/api/RuntimeRoles.h"
#include "frontend/rewrite/Rewriting.h"
#include "text/Edits.h"
#include "text/Layout.h"

#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace kfuse {
namespace {

using Text = std::optional<std::string>;

std::string_view spelledAt(const SourceText &source, std::size_t token) {
  return token < source.tokens.size()
             ? spelling(source.text, source.tokens[token])
             : std::string_view();
}

/// Writes a kernel's copy that stores into another of its parameters.
class KernelCopy {
public:
  KernelCopy(const SourceText &source, const clang::Preprocessor &macros,
             const Kernel &kernel, std::uint32_t pointer, std::string target,
             bool isNew)
      : Source(source), Macros(macros), TheKernel(kernel), Pointer(pointer),
        Old(parameterOf(pointer).name), Target(std::move(target)),
        IsNew(isNew) {}

  /// Returns the definition as `name`; nullopt if the text doesn't allow it.
  Text write(const std::string &name) {
    const KernelText &text = TheKernel.text;
    if (text.include.line != 0 || !text.templateHeader.empty() ||
        !Source.holds(text.declaration) || Old.empty() ||
        !mentionsAreElements(Source, text.body, Old, placesOfAccesses()))
      return std::nullopt;
    Change.replace(text.name.begin, text.name.end, name);
    if (!declareTarget() || !moveStores())
      return std::nullopt;
    return Change.apply(Source.text, text.declaration.begin,
                        text.declaration.end);
  }

private:
  const Parameter &parameterOf(std::uint32_t pointer) const {
    return TheKernel.parameters[TheKernel.pointers[pointer].parameter];
  }

  std::set<std::uint32_t> placesOfAccesses() const {
    std::set<std::uint32_t> places;
    for (const Access &access : TheKernel.accesses)
      if (access.pointer == Pointer)
        places.insert(access.range.begin);
    return places;
  }

  /// Gives the target's parameter the type of the other one.
  bool declareTarget() {
    const std::string &type = parameterOf(Pointer).type;
    const std::string declared =
        type + (type.ends_with('*') ? "" : " ") + Target;
    const SourceRange &all = TheKernel.text.parameters;
    if (IsNew) {
      Change.insert(all.end, ", " + declared);
      return Source.holds(all);
    }
    for (const Parameter &parameter : TheKernel.parameters)
      if (parameter.name == Target) {
        Change.replace(parameter.range.begin, parameter.range.end, declared);
        return Source.holds(parameter.range);
      }
    return false;
  }

  bool moveStores() {
    std::set<std::uint32_t> done;
    for (const Access &access : TheKernel.accesses)
      if (access.pointer == Pointer && access.kind == AccessKind::Write &&
          done.insert(access.range.begin).second &&
          !(access.form == AccessForm::Store ? moveStore(access)
                                             : splitUpdate(access)))
        return false;
    return true;
  }

  /// Turns `u[i] = e` into `v[i] = e`.
  bool moveStore(const Access &store) {
    if (!Source.holds(store.range) || !begins(store))
      return false;
    const auto length = static_cast<std::uint32_t>(Old.size());
    Change.replace(store.range.begin, store.range.begin + length, Target);
    return true;
  }

  /// Turns `u[i] += e` into `v[i] = u[i] + (e)`.
  bool splitUpdate(const Access &update) {
    const std::string_view element = Source.at(update.range);
    const std::string_view value = Source.at(update.value);
    if (element.empty() || value.empty() || !begins(update) ||
        !isRepeatable(update.range) || update.value.begin < update.range.end)
      return false;
    const std::size_t sign = tokenAt(Source, update.range.end);
    const std::string_view assign = spelledAt(Source, sign);
    if (assign.size() < 2 || !assign.ends_with('=') ||
        Source.tokens[sign].end > update.value.begin)
      return false;
    const std::string index(element.substr(Old.size()));
    const bool isInvalidatedAtJoins =
        std::any_of(
            value.begin(), value.end(),
            [](char c) { return !isIdentifierCharacter(c) && c != '.'; }) ||
        hasMacro(update.value);
    Change.replace(update.range.begin, update.whole.end,
                   Target + index + " = " + std::string(element) + " " +
                       std::string(assign.substr(0, assign.size() - 1)) + " " +
                       (isInvalidatedAtJoins ? "(" : "") + std::string(value) +
                       (isInvalidatedAtJoins ? ")" : ""));
    return update.whole.begin == update.range.begin &&
           update.whole.end == update.value.end;
  }

  bool begins(const Access &access) const {
    return spelledAt(Source, tokenAt(Source, access.range.begin)) == Old;
  }

  /// Checks whether the text of `range` can be evaluated twice.
  bool isRepeatable(const SourceRange &range) const {
    for (std::size_t i = tokenAt(Source, range.begin);
         i < Source.tokens.size() && Source.tokens[i].begin < range.end; ++i) {
      const std::string_view word = spelledAt(Source, i);
      const bool isCall = Source.tokens[i].kind == TokenKind::Identifier &&
                          spelledAt(Source, i + 1) == "(";
      if (isCall || word == "=" || word == "++" || word == "--")
        return false;
    }
    return true;
  }

  bool hasMacro(const SourceRange &range) const {
    for (std::size_t i = tokenAt(Source, range.begin);
         i < Source.tokens.size() && Source.tokens[i].begin < range.end; ++i)
      if (const auto *name = Macros.getIdentifierInfo(spelledAt(Source, i));
          name->hadMacroDefinition())
        return true;
    return false;
  }

  const SourceText &Source;
  const clang::Preprocessor &Macros;
  const Kernel &TheKernel;
  std::uint32_t Pointer;
  std::string Old, Target;
  bool IsNew;
  Edits Change;
};

class Renamer {
public:
  Renamer(Rewriting &rewriting, const Program &program)
      : Text(rewriting), Source(rewriting.layout()), Code(program) {}

  RewrittenText run(const std::vector<Renaming> &renamings) {
    // The name is known to RuntimeRoles.h.
    if (Text.fresh(MoveCall) != MoveCall)
      return {};
    bool isAny = false;
    for (const Renaming &renaming : renamings)
      isAny |= rename(renaming);
    if (isAny)
      Text.define({MoveCall, {}},
                  "void " + std::string(MoveCall) +
                      "(void *to, const void *from);\n",
                  0);
    return Text.finish();
  }

private:
  bool rename(const Renaming &renaming) {
    const Launch &launch = Code[renaming.launch];
    const Kernel &kernel = Code[launch.kernel];
    const SourceRange &statement = Code[launch.step].range;
    if (!Source.holds(statement) || !Text.isFree(statement) ||
        !beginsStatement(Source, statement.begin) ||
        !Source.at(statement).ends_with(';') ||
        launch.range.begin < statement.begin ||
        launch.range.end > statement.end ||
        !Source.at(launch.range).ends_with(')'))
      return false;
    const TextRange old = kernelName(Source, launch, kernel);
    if (old.begin == old.end)
      return false;
    const std::string variable = Code[renaming.into].holder->name;
    const auto own = std::find_if(
        launch.pointers.begin(), launch.pointers.end(),
        [&](const PointerValue &each) { return each.array == renaming.into; });
    const bool isNew = own == launch.pointers.end();
    const auto index = static_cast<std::size_t>(own - launch.pointers.begin());
    const std::string target =
        isNew ? Text.fresh(parameterOf(kernel, renaming.pointer) + "_out")
              : parameterOf(kernel, index);
    std::string &name = Copies[{indexOf(launch.kernel), renaming.pointer,
                                isNew ? std::string() : target}];
    if (name.empty()) {
      const std::string wanted = Text.fresh(kernel.name + "_apart");
      const auto text = KernelCopy(Source, Text.macros(), kernel,
                                   renaming.pointer, target, isNew)
                            .write(wanted);
      if (!text)
        return false;
      name = wanted;
      Text.define({name, kernel.name, kernel.part}, "\n\n" + *text,
                  behind(kernel));
    }
    writeLaunch(launch, old, name, isNew ? ", " + variable : std::string(),
                Code[launch.pointers[renaming.pointer].array].holder->name,
                variable);
    return true;
  }

  static const std::string &parameterOf(const Kernel &kernel,
                                        std::size_t pointer) {
    return kernel.parameters[kernel.pointers[pointer].parameter].name;
  }

  /// Returns the end of `kernel` and what kfuse wrote with it, which may go.
  std::uint32_t behind(const Kernel &kernel) const {
    const SourceRange &own = kernel.text.declaration;
    std::uint32_t place = own.end;
    for (const Replacement &each : Code.replaced)
      if (!each.defines.empty() && each.range.begin <= own.begin &&
          own.end <= each.range.end)
        place = std::max(place, each.range.end);
    return place;
  }

  void writeLaunch(const Launch &launch, const TextRange &old,
                   const std::string &name, const std::string &argument,
                   const std::string &to, const std::string &from) {
    const SourceRange &statement = Code[launch.step].range;
    const std::uint32_t close = launch.range.end - 1; // its last parenthesis
    MappedText text;
    text.copy(Text.input(), statement.begin, old.begin);
    text.write(name, old.begin);
    text.copy(Text.input(), old.end, close);
    text.write(argument, close);
    text.copy(Text.input(), close, statement.end);
    text.write(Text.lineAt(statement.begin) + MoveCall + "(" + to + ", " +
                   from + ");",
               statement.begin);
    Text.replace(statement, std::move(text));
  }

  Rewriting &Text;
  const SourceText &Source;
  const Program &Code;
  /// Names of copies by kernel, pointer and parameter that takes the stores.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::string>
      Copies;
};

} // namespace

RewrittenText renameUpdates(const SourceUnit &unit, const Program &program,
                            const std::vector<Renaming> &renamings) {
  Rewriting rewriting(unit);
  return Renamer(rewriting, program).run(renamings);
}

} // namespace kfuse
