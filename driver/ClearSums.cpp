//===- driver/ClearSums.cpp - Sums contracted as the compiler does --------===//

#include "driver/ClearSums.h"

#include "driver/Registers.h"
#include "driver/Solve.h"

namespace kfuse {
namespace {

using Names = std::set<std::string>;

/// Names of kernels that the compiler may contract in more than one way.
Names unclearKernels(const Program &program) {
  Names unclear;
  for (const Kernel &kernel : program.kernels)
    if (kernel.ambiguousSums)
      unclear.insert(kernel.name);
  return unclear;
}

/// Names of kernels that are clear when the functions round these products, and
/// have the machine code that they had.
Names proved(const Compilation &from, const RoundedFunctions &functions,
             const Options &options) {
  Names same;
  std::string ignored; // A text that doesn't compile proves nothing.
  const auto unit = parseRounded(options.parse, *from.unit, functions);
  const auto compiled =
      unit ? askCompiler(options, from.program, unit->text(), ignored)
           : std::nullopt;
  if (!compiled)
    return same;
  for (const auto &[name, kernel] : from.problem->evidence.kernels)
    if (const auto found = compiled->find(name);
        found != compiled->end() && !kernel.code.empty() &&
        kernel.code == found->second.code)
      same.insert(name);
  for (const std::string &name : unclearKernels(extract(*unit)))
    same.erase(name);
  return same;
}

/// Those of the functions that only run in kernels that are proved with what
/// remains.
RoundedFunctions provedFunctions(RoundedFunctions functions,
                                 const std::map<std::uint32_t, Names> &kernels,
                                 Names known) {
  while (true) {
    const auto isUnproved = [&](const auto &each) {
      const Names &own = kernels.at(each.first);
      return !std::includes(known.begin(), known.end(), own.begin(), own.end());
    };
    const auto unproved =
        std::find_if(functions.begin(), functions.end(), isUnproved);
    if (unproved == functions.end())
      return functions;
    for (const std::string &name : kernels.at(unproved->first))
      known.erase(name);
    functions.erase(unproved);
  }
}

} // namespace

std::unique_ptr<Compilation> clearSums(std::unique_ptr<Compilation> from,
                                       const Options &options) {
  const Names unclear = unclearKernels(from->program);
  if (!options.fusion.exactRounding || unclear.empty() ||
      from->problem->evidence.kernels.empty())
    return from;
  const auto kernels = functionsWithUnclearSums(*from->unit);
  // Compilers mostly contract the left product.
  RoundedFunctions functions;
  for (const auto &[function, names] : kernels)
    functions[function] = RoundedProduct::Right;
  Names known = proved(*from, functions, options);
  bool isOther = false;
  for (auto &[function, rounded] : functions) {
    const Names &own = kernels.at(function);
    if (std::none_of(own.begin(), own.end(), [&](const std::string &name) {
          return known.count(name) != 0;
        })) {
      rounded = RoundedProduct::Left;
      isOther = true;
    }
  }
  if (isOther)
    known = proved(*from, functions, options);
  auto unit = parseRounded(
      options.parse, *from->unit,
      provedFunctions(std::move(functions), kernels, std::move(known)));
  return unit ? analyseAs(*from, std::move(unit), options) : std::move(from);
}

} // namespace kfuse
