//===- SplitKernels.cpp - Kernels as launches of their parts --------------===//

#include "frontend/rewrite/SplitKernels.h"

#include "frontend/kernel/Parts.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/KernelDefinitions.h"
#include "frontend/rewrite/Rewriting.h"
#include "frontend/syntax/SourceVisitor.h"
#include "text/Edits.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/ASTUnit.h"

#include <algorithm>
#include <map>

namespace kfuse {

using namespace clang;

namespace {

/// Returns the words of the text, without comments.
std::vector<std::string_view> wordsOf(const SourceText &source,
                                      std::uint32_t begin, std::uint32_t end) {
  std::vector<std::string_view> words;
  for (std::size_t i = tokenAt(source, begin);
       i < source.tokens.size() && source.tokens[i].begin < end; ++i)
    if (source.tokens[i].kind != TokenKind::Comment)
      words.push_back(spelling(source.text, source.tokens[i]));
  return words;
}

/// Checks whether launches of other kernels, with some of its arguments each,
/// can stand in place of `launch`.
bool isPlain(const SourceText &source, const Program &program,
             const Launch &launch) {
  const Kernel &kernel = program[launch.kernel];
  const HostStep &step = program[launch.step];
  // A comment may be on an argument that only one part has.
  for (std::size_t i = tokenAt(source, step.range.begin);
       i < source.tokens.size() && source.tokens[i].begin < step.range.end; ++i)
    if (source.tokens[i].kind == TokenKind::Comment)
      return false;
  if (!source.holds(step.range) || !step.editable ||
      program[launch.region].isShared || !step.exchanges.empty() ||
      launch.argumentsAct || !step.assigns.empty() ||
      !beginsStatement(source, step.range.begin) ||
      launch.range.begin != step.range.begin ||
      wordsOf(source, launch.range.end, step.range.end) !=
          std::vector<std::string_view>{";"} ||
      launch.range.begin < kernel.text.declaration.end ||
      launch.arguments.empty() ||
      launch.arguments.size() != kernel.parameters.size())
    return false;
  const TextRange name = kernelName(source, launch, kernel);
  const std::uint32_t first = launch.arguments.front().expression.range.begin;
  const auto head = wordsOf(source, name.end, first);
  if (name.begin == name.end || first < name.end || head.empty() ||
      head.back() != "(")
    return false;
  for (const HostExpr *each :
       {&launch.grid.expression, &launch.block.expression, &launch.sharedBytes,
        &launch.stream})
    if (!each->isPure)
      return false;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const HostExpr &argument = launch.arguments[i].expression;
    const bool isLast = i + 1 == launch.arguments.size();
    const std::uint32_t next =
        isLast ? launch.range.end
               : launch.arguments[i + 1].expression.range.begin;
    if (!argument.isPure || argument.text.empty() ||
        !FileTable::isInputText(argument.range) ||
        wordsOf(source, argument.range.end, next) !=
            std::vector<std::string_view>{isLast ? ")" : ","})
      return false;
  }
  return true;
}

/// Returns the parameters, or arguments, of the parts.
std::set<std::uint32_t> parametersOf(const FissionCandidate &separation,
                                     const PartSet &piece) {
  std::set<std::uint32_t> all;
  for (const std::uint32_t part : piece)
    all.insert(separation.parts[part].parameters.begin(),
               separation.parts[part].parameters.end());
  return all;
}

class KernelSplitter {
public:
  KernelSplitter(Rewriting &rewriting, const Program &program,
                 const std::vector<FissionCandidate> &known)
      : Text(rewriting), Source(rewriting.layout()), Code(program),
        Known(known) {}

  RewrittenText run(const std::vector<Fission> &fissions) {
    for (const Fission &fission : fissions)
      split(fission);
    return Text.finish();
  }

private:
  void split(const Fission &fission) {
    const Launch &launch = Code[fission.launch];
    const Kernel &kernel = Code[launch.kernel];
    const SourceRange &statement = Code[launch.step].range;
    const TextRange name = kernelName(Source, launch, kernel);
    const std::string line = Text.lineAt(statement.begin);
    MappedText text;
    for (const PartSet &piece : fission.pieces) {
      if (!text.text.empty())
        text.write(line, statement.begin);
      text.copy(Text.input(), statement.begin, name.begin);
      text.write(copyOf(kernel, fission.separation, piece), name.begin);
      text.copy(Text.input(), name.end,
                launch.arguments.front().expression.range.begin);
      bool isFirst = true;
      for (const std::uint32_t index :
           parametersOf(Known[fission.separation], piece)) {
        const SourceRange &argument = launch.arguments[index].expression.range;
        if (!isFirst)
          text.write(", ", argument.begin);
        isFirst = false;
        text.copy(Text.input(), argument.begin, argument.end);
      }
      text.copy(Text.input(), launch.range.end - 1, statement.end);
    }
    Text.replace(statement, std::move(text));
  }

  /// Returns the name of `kernel` with these parts only.
  std::string copyOf(const Kernel &kernel, std::uint32_t separation,
                     const PartSet &piece) {
    std::string &name = Copies[{separation, piece}];
    if (!name.empty())
      return name;
    const FissionCandidate &known = Known[separation];
    std::set<std::uint32_t> outputs;
    for (const std::uint32_t part : piece)
      outputs.insert(known.parts[part].outputs.begin(),
                     known.parts[part].outputs.end());
    KernelPart part{kernel.name, {}};
    std::string list;
    name = kernel.name;
    for (const std::uint32_t output : outputs) {
      const std::string &each = kernel.parameters[output].name;
      part.outputs.insert(each);
      list += (list.empty() ? "" : ", ") + each;
      name += "_" + each;
    }
    name = Text.fresh(name);
    const KernelText &text = kernel.text;
    Edits change;
    change.replace(text.name.begin, text.name.end, name);
    std::string parameters;
    for (const std::uint32_t index : parametersOf(known, piece))
      parameters += (parameters.empty() ? "" : ", ") +
                    std::string(Source.at(kernel.parameters[index].range));
    change.replace(text.parameters.begin, text.parameters.end, parameters);
    removeOthers(known, piece, change);
    const auto definition =
        change.apply(Source.text, text.declaration.begin, text.declaration.end);
    if (definition)
      Text.define({name, {}, std::move(part)},
                  "\n\n// kfuse: what of " + kernel.name + "() writes " + list +
                      ".\n" + *definition,
                  text.declaration.end);
    return name;
  }

  /// Leaves out the statements that none of the parts needs.
  void removeOthers(const FissionCandidate &known, const PartSet &piece,
                    Edits &change) const {
    std::uint32_t done = 0;
    for (const FissionCandidate::Statement &statement : known.statements) {
      const bool isNeeded =
          std::any_of(piece.begin(), piece.end(), [&](std::uint32_t part) {
            return statement.parts.count(part) != 0;
          });
      if (isNeeded || statement.range.begin < done)
        continue;
      done = statement.range.end;
      if (beginsStatement(Source, statement.range.begin)) {
        const TextRange extent = removal(Source, statement.range);
        change.replace(extent.begin, extent.end, "");
      } else {
        change.replace(statement.range.begin, statement.range.end, ";");
      }
    }
  }

  Rewriting &Text;
  const SourceText &Source;
  const Program &Code;
  const std::vector<FissionCandidate> &Known;
  std::map<std::pair<std::uint32_t, PartSet>, std::string> Copies;
};

} // namespace

std::vector<FissionCandidate> fissionCandidates(const SourceUnit &unit,
                                                const Program &program) {
  const SourceText source(unit.text());
  FileTable files(unit.ast().getASTContext());
  const auto definitions = kernelDefinitions(unit, files);
  std::vector<FissionCandidate> all;
  for (std::uint32_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel &kernel = program.kernels[i];
    const FunctionDecl *definition = definitionOf(definitions, kernel);
    if (!definition)
      continue;
    std::vector<LaunchId> launches;
    for (std::uint32_t j = 0; j < program.launches.size(); ++j)
      if (program.launches[j].kernel == KernelId{i} &&
          isPlain(source, program, program.launches[j]))
        launches.push_back(LaunchId{j});
    if (launches.empty())
      continue;
    if (auto separation = separate(files, *definition, kernel)) {
      separation->kernel = KernelId{i};
      separation->launches = std::move(launches);
      all.push_back(*std::move(separation));
    }
  }
  return all;
}

RewrittenText splitKernels(const SourceUnit &unit, const Program &program,
                           const std::vector<FissionCandidate> &known,
                           const std::vector<Fission> &fissions) {
  Rewriting rewriting(unit);
  return KernelSplitter(rewriting, program, known).run(fissions);
}

} // namespace kfuse
