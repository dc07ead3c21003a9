//===- PinContractions.cpp - Sums contracted as the compiler does ---------===//

#include "driver/pipeline/PinContractions.h"

#include "driver/nvcc/Nvcc.h"
#include "driver/pipeline/Registers.h"
#include "driver/pipeline/Solve.h"
#include "frontend/ParseRewritten.h"
#include "frontend/rewrite/Contractions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>

namespace kfuse {
namespace {

using Names = std::set<std::string>;

/// Compiles a text of the unit; returns nullopt, with the compiler's message in
/// `error`, if it doesn't compile, which proves nothing.
std::optional<CompiledKernels> tryOut(const Compilation &from,
                                      const RewrittenText &text,
                                      const Options &options, bool hasLines,
                                      std::string &error) {
  return compileWithNvcc(options, from.program, text.text.text, error,
                         text.headers, hasLines);
}

/// Returns the first line of a compiler's report that tells an error, behind a
/// colon; empty if none does.
std::string firstError(llvm::StringRef report) {
  llvm::SmallVector<llvm::StringRef> lines;
  report.split(lines, '\n');
  for (const llvm::StringRef line : lines)
    if (const std::size_t at = line.find("error"); at != llvm::StringRef::npos)
      return ": " + line.substr(line.take_front(at).ends_with("fatal ")
                                    ? at - llvm::StringRef("fatal ").size()
                                    : at)
                        .rtrim()
                        .str();
  return {};
}

/// Returns whether the command may give the compiler macros that kfuse doesn't
/// know.
bool definesMacros(llvm::StringRef command) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(command, words);
  return std::any_of(words.begin(), words.end(), [](llvm::StringRef word) {
    return word.starts_with("-D") || word.starts_with("-U") ||
           word.contains("macro") || word.contains("include") ||
           word.contains("optf") || word.contains("options-file");
  });
}

/// Returns the ambiguous functions, without those that the compiler doesn't
/// read as kfuse does.
AmbiguousFunctions readFunctions(const Compilation &from,
                                 const ContractionSites &sites,
                                 const Options &options) {
  AmbiguousFunctions ambiguous = sites.ambiguous();
  std::erase_if(ambiguous, [&](const auto &each) {
    const std::uint32_t file = each.first.first;
    return (file != 0 && !canReadOtherwise(from.program.files[file].path,
                                           options.parse.input)) ||
           (each.second.hasDirectives &&
            definesMacros(wholeCommand(options.nvcc)));
  });
  return ambiguous;
}

/// Says which kinds of instructions stand in a line.
struct LineUse {
  unsigned adds = 0; ///< how many
  bool multiplies = false;
  std::vector<Arithmetic> contractions = {}; ///< those that contract
};
using LineUses = std::map<std::uint32_t, LineUse>;

LineUses usesIn(const CompiledKernel &kernel) {
  LineUses all;
  for (const Arithmetic &each : kernel.arithmetic) {
    LineUse &use = all[each.line];
    use.adds += each.kind == Arithmetic::Kind::Add ? 1 : 0;
    use.multiplies |= each.kind == Arithmetic::Kind::Multiply;
    if (each.kind == Arithmetic::Kind::MultiplyAdd)
      use.contractions.push_back(each);
  }
  return all;
}

LineUse useOf(const LineUses &code, std::uint32_t line) {
  const auto found = code.find(line);
  return found == code.end() ? LineUse() : found->second;
}

/// Returns whether the summand of an instruction may be the product. A
/// computation that is moved out of a loop loses its line.
bool mayAdd(const Arithmetic &instruction, const ProductLine &product) {
  if (!instruction.added)
    return true;
  const std::uint32_t line = *instruction.added;
  if (line == 0)
    return product.mayBeTrivial;
  return line < LabelledText::First
             ? product.isElsewhere
             : line == product.line || product.others.count(line) != 0;
}

/// Returns whether each instruction adds a product of that line, and each
/// another one. In some copies of the sum the other product may be the value
/// that this product is in the next copy. If that value is added, it is added
/// twice.
bool areEachAdded(const std::vector<Arithmetic> &instructions,
                  const ProductLine &product) {
  std::set<std::uint32_t> places;
  return llvm::all_of(instructions, [&](const Arithmetic &each) {
    return each.added == product.line && places.insert(each.addedAt).second;
  });
}

/// Returns whether instructions that contract one of the sum's products
/// contract `product`: they all add the other one, or at least none adds this
/// one.
bool isContracted(const std::vector<Arithmetic> &instructions,
                  const ProductLine &product, const ProductLine &other,
                  bool isOtherFree) {
  if (product.line == 0)
    return false;
  if (other.line != 0 && areEachAdded(instructions, other))
    return true;
  // In no copy is a part of that sum zero, which leaves the other part alone.
  if (other.sum != 0 && llvm::all_of(instructions, [&](const Arithmetic &each) {
        return each.addedSum == other.sum;
      }))
    return true;
  return llvm::none_of(instructions, [&](const Arithmetic &each) {
    return isOtherFree ? each.added == product.line : mayAdd(each, product);
  });
}

/// Finds out which product of the sum the code contracts. Returns nullopt if
/// its instructions don't tell, or do both: the compiler may have made several
/// of one sum. Those that add a product have the sum's line or the product's.
/// There must be one for each copy of the function.
std::optional<Contraction>
contractionIn(const LineUses &code, const SumLines &lines, unsigned copies) {
  LineUse sum = useOf(code, lines.sum);
  for (const ProductLine &product : {lines.left, lines.right}) {
    const LineUse use = useOf(code, product.line);
    if (product.line == 0 || (product.isHeld && !use.contractions.empty()))
      continue;
    // Twice a number is its sum with itself.
    sum.adds += product.isExact ? 0 : use.adds;
    llvm::append_range(sum.contractions, use.contractions);
  }
  const bool isAdded = sum.adds > 0;
  if (sum.multiplies || isAdded != sum.contractions.empty() || copies == 0 ||
      sum.adds + sum.contractions.size() < copies)
    return std::nullopt;
  if (isAdded)
    return Contraction::None;
  // They may contract one that only the compiler sees, such as the last of
  // `expf`.
  const bool isLeft = isContracted(sum.contractions, lines.left, lines.right,
                                   lines.isRightFree);
  const bool isRight =
      isContracted(sum.contractions, lines.right, lines.left, lines.isLeftFree);
  // Whether an exact product is contracted makes no difference: a call's is no
  // product of the text.
  const auto isExactBeside = [&](const ProductLine &product,
                                 const ProductLine &other) {
    return product.line == 0 && product.isExact && other.line != 0 &&
           areEachAdded(sum.contractions, other);
  };
  if (!isLeft && !isRight &&
      (isExactBeside(lines.left, lines.right) ||
       isExactBeside(lines.right, lines.left)))
    return Contraction::None;
  if (isLeft == isRight || (isLeft ? lines.left : lines.right).hidesProduct)
    return std::nullopt;
  return isLeft ? Contraction::Left : Contraction::Right;
}

/// Holds what the compiler's code tells.
struct Readings {
  ChosenContractions chosen; ///< of functions with a choice for all sums
  Names kernels;             ///< that run no other
  std::map<std::string, std::string> unread; ///< other kernels, and why
};

/// Says why a kernel's code doesn't tell how a sum is contracted.
std::string whyUnread(bool isSame, bool isUnclear) {
  if (!isSame)
    return "with a table of lines it is another one";
  return isUnclear ? "it doesn't show a sum by itself"
                   : "another kernel contracts the sum of a function that both "
                     "call in another way";
}

/// Reads the kernels that have the same machine code with lines as without.
Readings read(const Compilation &from, const AmbiguousFunctions &ambiguous,
              const LabelledText &labelled, const CompiledKernels &compiled) {
  const CompiledKernels &before = from.problem->evidence.kernels;
  std::map<std::string, LineUses> same;
  for (const auto &[place, function] : ambiguous)
    for (const std::string &name : function.kernels) {
      const CompiledKernel *was = compiledAs(before, name);
      const CompiledKernel *is = compiledAs(compiled, name);
      if (was && is && !is->code.empty() && is->code == was->code)
        same.try_emplace(name, usesIn(*is));
    }
  Readings found;
  for (const auto &[place, function] : ambiguous) {
    const std::vector<SumLines> &lines = labelled.lines.at(place);
    FunctionContractions own;
    for (const SumLines &sum : lines) {
      std::optional<Contraction> way;
      for (const std::string &name : function.kernels) {
        const auto code = same.find(name);
        const auto here =
            code == same.end()
                ? std::nullopt
                : contractionIn(code->second, sum, function.copies.at(name));
        if (!here || (way && way != here))
          found.unread.emplace(name, whyUnread(code != same.end(), !here));
        else
          way = here;
      }
      // Without one all kernels that run it are unread.
      own.push_back(way.value_or(Contraction::None));
    }
    found.chosen[place] = std::move(own);
  }
  for (const auto &[place, function] : ambiguous)
    for (const std::string &name : function.kernels)
      if (found.unread.count(name) == 0)
        found.kernels.insert(name);
  return found;
}

struct ProvedFunctions {
  ChosenContractions chosen;
  std::set<FunctionPlace> copied; ///< other kernels run them as they were
  Names kernels;                  ///< that are proved with these
};

/// Keeps those of the functions run by kernels that are proved with what
/// remains. Functions that other kernels run too need copies; without them they
/// are dropped.
ProvedFunctions provedFunctions(ChosenContractions functions,
                                const AmbiguousFunctions &ambiguous,
                                Names known, bool copies) {
  const auto isKnown = [&](const std::string &name) {
    return known.count(name) != 0;
  };
  const auto isShared = [&](const AmbiguousFunction &function) {
    return !llvm::all_of(function.kernels, isKnown);
  };
  const auto isUnproved = [&](const auto &each) {
    const AmbiguousFunction &function = ambiguous.at(each.first);
    return llvm::none_of(function.kernels, isKnown) ||
           (isShared(function) && !(copies && function.canBeCopied));
  };
  for (auto unproved = llvm::find_if(functions, isUnproved);
       unproved != functions.end();
       unproved = llvm::find_if(functions, isUnproved)) {
    for (const std::string &name : ambiguous.at(unproved->first).kernels)
      known.erase(name);
    functions.erase(unproved);
  }
  std::set<FunctionPlace> copied;
  for (const auto &[place, sums] : functions)
    if (isShared(ambiguous.at(place)))
      copied.insert(place);
  return {std::move(functions), std::move(copied), std::move(known)};
}

} // namespace

bool hasAmbiguousSums(const Program &program) {
  return llvm::any_of(program.kernels, [](const Kernel &kernel) {
    return kernel.ambiguousSums;
  });
}

std::unique_ptr<Compilation>
pinContractions(std::unique_ptr<Compilation> from, const Options &options,
                const Names &asked, const std::shared_future<bool> &original) {
  if (!options.fusion.exactRounding || options.nvcc.empty() ||
      (asked.empty() && !hasAmbiguousSums(from->program)))
    return from;
  auto &unread = from->problem->evidence.contracted.unread;
  for (const Kernel &kernel : from->program.kernels)
    if (kernel.ambiguousSums)
      unread[originalName(kernel)] =
          "a sum can't be written with explicit operations";
  const auto instances =
      parseSummingInstances(options.parse, *from->unit, asked);
  const SourceUnit &written = instances ? *instances : *from->unit;
  const ContractionSites sites(written, asked);
  const AmbiguousFunctions ambiguous = readFunctions(*from, sites, options);
  if (ambiguous.empty())
    return from;
  const LabelledText labelled = sites.label(ambiguous);
  if (labelled.text.text.text.empty())
    return from;
  std::string report;
  const auto compiled =
      tryOut(*from, labelled.text, options, /*hasLines=*/true, report);
  if (!original.get() || !compiled || compiled->empty()) {
    for (auto &[name, why] : unread)
      why = "it doesn't compile the program" + firstError(report);
    return from;
  }
  Readings readings = read(*from, ambiguous, labelled, *compiled);
  for (const Kernel &kernel : from->program.kernels)
    if (const auto why = readings.unread.find(kernel.signature);
        why != readings.unread.end() && kernel.ambiguousSums)
      unread[originalName(kernel)] = why->second;
  const ProvedFunctions found = provedFunctions(
      std::move(readings.chosen), ambiguous, std::move(readings.kernels),
      /*copies=*/true);
  if (found.chosen.empty())
    return from;
  auto unit = parseContracted(options.parse, written,
                              sites.write(found.chosen, found.copied));
  if (!unit)
    return from;
  ContractedKernels &contracted = from->problem->evidence.contracted;
  contracted.compiler =
      compilerName(options.nvcc, compiled->begin()->second.device);
  for (const Kernel &kernel : from->program.kernels)
    if (found.kernels.count(kernel.signature) != 0)
      contracted.names.insert(kernel.name);
  return analyseAs(*from, std::move(unit), options);
}

} // namespace kfuse
