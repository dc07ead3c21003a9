//===- driver/ClearSums.cpp - Sums contracted as the compiler does --------===//

#include "driver/ClearSums.h"

#include "driver/Nvcc.h"
#include "driver/Registers.h"
#include "driver/Solve.h"
#include "frontend/Contractions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace kfuse {
namespace {

using Names = std::set<std::string>;
using Compiled = std::map<std::string, CompiledKernel>;

/// Texts that are compiled to find the way of each sum. In functions that would
/// need more by themselves only all sums are tried.
constexpr std::size_t MostTries = 64;
/// For how many of them a function with clear sums waits.
constexpr unsigned MostWaits = 2;

/// How many instructions one has and the other hasn't.
std::size_t distance(const CompiledKernel &one, const CompiledKernel &other) {
  std::vector<std::uint32_t> different;
  std::set_symmetric_difference(
      one.instructions.begin(), one.instructions.end(),
      other.instructions.begin(), other.instructions.end(),
      std::back_inserter(different));
  return different.size();
}

/// Whether the kernel has code, and the same in both.
bool isSame(const std::string &kernel, const Compiled &before,
            const Compiled &now) {
  const auto was = before.find(kernel), is = now.find(kernel);
  return was != before.end() && is != now.end() && !was->second.code.empty() &&
         was->second.code == is->second.code;
}

/// How far the code of a function's kernels is from what it was.
struct Distance {
  std::size_t kernels = 0; ///< that have other code
  std::size_t instructions = 0;
  std::size_t unclear = 0; ///< sums
  auto operator<=>(const Distance &) const = default;
};

/// What is known of the kernels that aren't clear, by name.
using FindUnclear =
    std::function<std::optional<UnclearSums>(const std::string &kernel)>;

/// One function on the way to contractions with which its kernels have the code
/// that they had and are clear: all sums the likeliest way, all the next one;
/// of these what isn't clear in full, where only that is missing, and with its
/// factors turned, where that has other code; then all in full, the nearer of
/// these and with one sum after the other another way, as long as that comes
/// nearer; and what was found, not in full.
class Descent {
public:
  explicit Descent(const OpenFunction &function) : Open(function) {
    for (const OpenSum &sum : Open.sums)
      Tried.push_back({sum.ways.front()});
    Best = Tried;
    for (const bool isTurned : {false, true})
      for (std::size_t sum = 0; sum < Open.sums.size(); ++sum)
        for (const Contraction way : Open.sums[sum].ways)
          if (isTurned == (way >= Contraction::LeftTurned) &&
              Open.sums[sum].ways.size() > 1)
            Steps.emplace_back(sum, way);
  }

  const FunctionContractions &best() const { return Best; }
  const FunctionContractions &tried() const { return Tried; }

  /// Unclear kernels are none that it is looked for.
  void judge(const Compiled &before, const Compiled &now,
             const FindUnclear &unclearIn) {
    Distance found;
    for (const std::string &name : Open.kernels) {
      const auto was = before.find(name), is = now.find(name);
      if (was == before.end() || is == now.end() || was->second.code.empty())
        return;
      found.kernels += was->second.code != is->second.code;
      found.instructions += distance(was->second, is->second);
    }
    // Of other code it doesn't matter whether it is clear.
    Unclear.clear();
    HasOtherCode = found.kernels != 0;
    if (!HasOtherCode)
      for (const std::string &name : Open.kernels)
        if (const auto sums = unclearIn(name)) {
          found.unclear += sums->count;
          Unclear.insert(sums->places.begin(), sums->places.end());
        }
    const bool isPlainer = found == Least && isInFull(Best) && !isInFull(Tried);
    if (found >= Least && !isPlainer)
      return;
    Least = found;
    Best = Tried;
  }

  /// Makes up the next try, but waits with single sums where other functions of
  /// its kernels are tried; false when there is none.
  bool advance(Names &busyKernels) {
    const bool isFound = Least.kernels == 0 && Least.unclear == 0;
    const FunctionContractions last = std::exchange(Tried, Best);
    switch (Stage) {
    case Begun:
      if (Least.kernels == 0)
        return isFound ? finish() : advanceUnclear(last);
      Stage = TriedNext;
      for (std::size_t sum = 0; sum < Open.sums.size(); ++sum)
        Tried[sum].way =
            Open.sums[sum].ways[Open.sums[sum].ways.size() > 1 ? 1 : 0];
      break;
    case TriedNext:
      if (Least.kernels == 0)
        return isFound ? finish() : advanceUnclear(Best);
      return beginInFull();
    case UnclearInFull:
      return isFound ? finish() : advanceUnclear(last);
    case InFull:
      Stage = Stepping;
      if (isFound)
        return advance(busyKernels);
      for (ChosenContraction &sum : Tried)
        if (sum.way == Contraction::AsWritten)
          sum.way = Contraction::None;
      break;
    case Stepping:
      if (!isFound && std::any_of(Open.kernels.begin(), Open.kernels.end(),
                                  [&](const std::string &name) {
                                    return busyKernels.count(name) != 0;
                                  }))
        return true;
      while (!isFound && Steps.size() <= MostTries && Next < Steps.size()) {
        busyKernels.insert(Open.kernels.begin(), Open.kernels.end());
        const auto [sum, way] = Steps[Next++];
        if (std::exchange(Tried[sum].way, way) != way)
          return true;
      }
      Stage = Done;
      if (isFound) {
        for (ChosenContraction &sum : Tried)
          sum.inFull = false;
        return true;
      }
      // What is missing may come from other functions, or never for some.
      if (Plain.first < Least)
        std::tie(Least, Best) = Plain;
      Tried = Best;
      return false;
    case Done:
      return false;
    }
    return true;
  }

private:
  static bool isInFull(const FunctionContractions &sums) {
    return std::any_of(sums.begin(), sums.end(),
                       [](const ChosenContraction &sum) { return sum.inFull; });
  }
  bool finish() {
    Stage = Done;
    return false;
  }
  bool beginInFull() {
    Stage = InFull;
    Plain = {Least, Best};
    for (auto &[way, inFull] : Tried) {
      way = unturned(way);
      inFull = true;
    }
    Best = Tried;
    Least = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    return true;
  }

  /// Of the sums in full those with factors; false where all are turned.
  bool turnInFull() {
    bool isTurned = false;
    for (auto &[way, inFull] : Tried)
      if (inFull && turned(way) != way) {
        way = turned(way);
        isTurned = true;
      }
    return isTurned;
  }

  /// What was tried last, and in full what wasn't clear in it. Where that is
  /// in other functions of its kernels, these come first.
  bool advanceUnclear(const FunctionContractions &last) {
    bool isOther = false;
    Tried = last;
    for (std::size_t sum = 0; sum < Open.sums.size(); ++sum)
      if (const auto place = Open.sums[sum].place;
          place && Unclear.count(*place) != 0)
        isOther |= !std::exchange(Tried[sum].inFull, true);
    if (!isOther && !(HasOtherCode && turnInFull()) &&
        (HasOtherCode || ++Waits > MostWaits))
      return beginInFull();
    Stage = UnclearInFull;
    return true;
  }

  const OpenFunction &Open;
  FunctionContractions Best, Tried;
  Distance Least = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
  std::pair<Distance, FunctionContractions> Plain; ///< before all in full
  bool HasOtherCode = true;                        ///< what was tried last
  std::set<std::uint32_t> Unclear;                 ///< in it, where it hasn't
  unsigned Waits = 0;
  std::vector<std::pair<std::size_t, Contraction>> Steps;
  std::size_t Next = 0;
  enum {
    Begun,
    TriedNext,
    UnclearInFull,
    InFull,
    Stepping,
    Done
  } Stage = Begun;
};

/// The text with a macro defined at each of these places, ascending; their
/// names are counted on.
std::string withMarks(const std::string &text,
                      const std::vector<std::uint32_t> &places,
                      std::size_t &count) {
  std::string marked;
  std::uint32_t copied = 0;
  for (const std::uint32_t place : places) {
    marked += text.substr(copied, place - copied);
    marked += "\n#define kfuseRead" + std::to_string(++count) + "\n";
    copied = place;
  }
  return marked + text.substr(copied);
}

/// What the compiler makes of a text of the unit; nullopt where it doesn't
/// compile, which proves nothing. Nor would a function that the compiler
/// doesn't read, in a header that it knows from elsewhere or a branch of an
/// `#if`.
std::optional<Compiled> tryOut(const Compilation &from,
                               const RewrittenText &contracted,
                               const Options &options) {
  if (contracted.text.text.empty())
    return from.problem->evidence.kernels;
  std::size_t count = 0;
  std::vector<std::uint32_t> inBodies;
  for (const Replacement &each : contracted.replaced.made)
    if (each.clearsSums)
      inBodies.push_back(each.range.begin + 1);
  std::string text = withMarks(contracted.text.text, inBodies, count);
  std::map<std::string, std::string> headers;
  for (const auto &[path, header] : contracted.headers)
    headers[path] = withMarks(header.text, header.places, count);
  for (std::size_t i = 1; i <= count; ++i)
    text += "\n#ifndef kfuseRead" + std::to_string(i) + "\n#error\n#endif\n";
  std::string ignored;
  return askCompiler(options, from.program, text, ignored, headers);
}

/// Names of the program's kernels that the compiler may contract in more than
/// one way.
Names unclearIn(const Program &program) {
  Names unclear;
  for (const Kernel &kernel : program.kernels)
    if (kernel.ambiguousSums)
      unclear.insert(kernel.name);
  return unclear;
}

/// Those of them that may be in a text of the unit.
std::map<std::string, UnclearSums> unclearIn(const Compilation &from,
                                             RewrittenText contracted,
                                             const Options &options) {
  const Names before = unclearIn(from.program);
  const bool isAsBefore = contracted.text.text.empty();
  const auto parsed =
      parseContracted(options.parse, *from.unit, std::move(contracted));
  const SourceUnit *unit = isAsBefore ? from.unit.get() : parsed.get();
  std::map<std::string, UnclearSums> now;
  if (unit)
    now = unclearKernels(*unit);
  else
    for (const std::string &name : before)
      now[name];
  std::erase_if(
      now, [&](const auto &each) { return before.count(each.first) == 0; });
  return now;
}

/// Which kernels are unclear, each with what was chosen for the functions that
/// it runs: a text is only parsed for what isn't known yet.
class Clearness {
public:
  Clearness(const Compilation &from, const OpenFunctions &open,
            const Options &options)
      : From(from), Set(options) {
    for (const auto &[function, each] : open)
      for (const std::string &kernel : each.kernels)
        Run[kernel].push_back(function);
  }

  /// What is known of a kernel that is. `contracted` is the text with what was
  /// chosen.
  std::optional<UnclearSums> unclear(const std::string &kernel,
                                     const ChosenContractions &chosen,
                                     const RewrittenText &contracted) {
    if (const auto known = Known.find({kernel, ofKernel(kernel, chosen)});
        known != Known.end())
      return known->second;
    const auto unclear = unclearIn(From, contracted, Set);
    const auto placesIn = [&](const std::string &name) {
      const auto found = unclear.find(name);
      return found == unclear.end() ? std::nullopt
                                    : std::optional(found->second);
    };
    for (const auto &[each, functions] : Run)
      Known[{each, ofKernel(each, chosen)}] = placesIn(each);
    return placesIn(kernel);
  }

private:
  ChosenContractions ofKernel(const std::string &kernel,
                              const ChosenContractions &chosen) const {
    ChosenContractions own;
    for (const FunctionPlace &function : Run.at(kernel))
      own[function] = chosen.at(function);
    return own;
  }

  const Compilation &From;
  const Options &Set;
  std::map<std::string, std::vector<FunctionPlace>> Run; ///< by kernel
  std::map<std::pair<std::string, ChosenContractions>,
           std::optional<UnclearSums>>
      Known;
};

/// Whether the compiler may have macros that kfuse doesn't know.
bool definesMacros(llvm::StringRef command) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(command, words);
  return std::any_of(words.begin(), words.end(), [](llvm::StringRef word) {
    return word.starts_with("-D") || word.starts_with("-U") ||
           word.contains("macro") || word.contains("include") ||
           word.contains("optf") || word.contains("options-file");
  });
}

/// Without functions that the compiler doesn't read, or of which a copy doesn't
/// compile.
OpenFunctions readFunctions(const Compilation &from,
                            const ContractionSites &sites,
                            const Options &options) {
  OpenFunctions open = sites.open();
  std::erase_if(open, [&](const auto &each) {
    const std::uint32_t file = each.first.first;
    return (file != 0 && !canReadOtherwise(from.program.files[file].path,
                                           options.parse.input)) ||
           (each.second.hasDirectives &&
            definesMacros(wholeCommand(options.nvcc)));
  });
  const auto compiles = [&](const OpenFunctions &functions) {
    ChosenContractions all;
    for (const auto &[place, function] : functions)
      for (const OpenSum &sum : function.sums)
        all[place].push_back({sum.ways.front() == Contraction::AsWritten
                                  ? Contraction::None
                                  : sum.ways.front(),
                              /*inFull=*/true});
    return tryOut(from, sites.write(all), options).has_value();
  };
  if (open.empty() || compiles(open))
    return open;
  std::erase_if(open, [&](const auto &each) { return !compiles({{each}}); });
  return open;
}

ChosenContractions likeliest(const Compilation &from,
                             const ContractionSites &sites,
                             const OpenFunctions &open,
                             const Options &options) {
  const Compiled &before = from.problem->evidence.kernels;
  std::map<FunctionPlace, Descent> descents;
  for (const auto &[function, each] : open)
    descents.emplace(function, each);
  Clearness clearness(from, open, options);
  bool goesOn = true;
  for (std::size_t tries = 0; goesOn && tries < MostTries; ++tries) {
    ChosenContractions tried;
    for (const auto &[function, descent] : descents)
      tried[function] = descent.tried();
    const RewrittenText contracted = sites.write(tried);
    const auto compiled = tryOut(from, contracted, options);
    const auto unclear = [&](const std::string &kernel) {
      return clearness.unclear(kernel, tried, contracted);
    };
    goesOn = false;
    Names busyKernels;
    for (auto &[function, descent] : descents) {
      if (compiled)
        descent.judge(before, *compiled, unclear);
      goesOn |= descent.advance(busyKernels);
    }
  }
  ChosenContractions best;
  for (const auto &[function, descent] : descents)
    best[function] = descent.best();
  return best;
}

/// Names of kernels that are clear with these contractions, and have the
/// machine code that they had.
Names proved(const Compilation &from, const RewrittenText &contracted,
             const Options &options) {
  Names same;
  const Compiled &before = from.problem->evidence.kernels;
  if (const auto compiled = tryOut(from, contracted, options))
    for (const auto &[name, kernel] : before)
      if (isSame(name, before, *compiled))
        same.insert(name);
  for (const auto &[name, places] : unclearIn(from, contracted, options))
    same.erase(name);
  return same;
}

struct ProvedFunctions {
  ChosenContractions chosen;
  std::set<FunctionPlace> copied; ///< other kernels run them as they were
  Names kernels;                  ///< that are proved with these
};

/// Those of the functions that kernels run which are proved with what remains;
/// with copies where others run them too, or not at all then.
ProvedFunctions provedFunctions(ChosenContractions functions,
                                const OpenFunctions &open, Names known,
                                bool copies) {
  const auto isKnown = [&](const std::string &name) {
    return known.count(name) != 0;
  };
  const auto isShared = [&](const OpenFunction &function) {
    return !llvm::all_of(function.kernels, isKnown);
  };
  const auto isUnproved = [&](const auto &each) {
    const OpenFunction &function = open.at(each.first);
    return llvm::none_of(function.kernels, isKnown) ||
           (isShared(function) && !(copies && function.canBeCopied));
  };
  for (auto unproved = llvm::find_if(functions, isUnproved);
       unproved != functions.end();
       unproved = llvm::find_if(functions, isUnproved)) {
    for (const std::string &name : open.at(unproved->first).kernels)
      known.erase(name);
    functions.erase(unproved);
  }
  std::set<FunctionPlace> copied;
  for (const auto &[place, sums] : functions)
    if (isShared(open.at(place)))
      copied.insert(place);
  return {std::move(functions), std::move(copied), std::move(known)};
}

} // namespace

std::unique_ptr<Compilation> clearSums(std::unique_ptr<Compilation> from,
                                       const Options &options) {
  if (!options.fusion.exactRounding || unclearIn(from->program).empty() ||
      from->problem->evidence.kernels.empty())
    return from;
  const ContractionSites sites(*from->unit);
  const OpenFunctions open = readFunctions(*from, sites, options);
  if (open.empty())
    return from;
  const ChosenContractions chosen = likeliest(*from, sites, open, options);
  const Names known = proved(*from, sites.write(chosen), options);
  ProvedFunctions found = provedFunctions(chosen, open, known, /*copies=*/true);
  RewrittenText contracted = sites.write(found.chosen, found.copied);
  // What was proved were texts without copies.
  if (!found.copied.empty()) {
    const Names same = proved(*from, contracted, options);
    if (!llvm::all_of(found.kernels, [&](const std::string &name) {
          return same.count(name) != 0;
        })) {
      found = provedFunctions(chosen, open, known, /*copies=*/false);
      contracted = sites.write(found.chosen);
    }
  }
  auto unit =
      parseContracted(options.parse, *from->unit, std::move(contracted));
  return unit ? analyseAs(*from, std::move(unit), options) : std::move(from);
}

} // namespace kfuse
