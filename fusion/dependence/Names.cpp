//===- Names.cpp - Launches, arrays and indices in words ------------------===//

#include "fusion/dependence/Names.h"

#include "fusion/dependence/Coordinates.h"

#include <algorithm>
#include <array>
#include <functional>

namespace kfuse {
namespace {

/// The most names in a term that is printed; a longer one tells a person
/// nothing.
constexpr std::size_t MostNames = 100;

std::string
printTerm(const Term &term,
          const std::function<std::string(const Polynomial &)> &printOperand) {
  std::vector<std::string> operands;
  operands.reserve(term.operands.size());
  for (const Polynomial &operand : term.operands)
    operands.push_back(printOperand(operand));
  auto infix = [&](const char *symbol) {
    return operands.size() == 2
               ? "((" + operands[0] + ")" + symbol + "(" + operands[1] + "))"
               : std::string("(...)");
  };
  auto call = [&](const char *name) {
    return name + ("(" + (operands.empty() ? "" : operands[0]) +
                   (operands.size() > 1 ? ", " + operands[1] : "") + ")");
  };
  switch (term.kind) {
  case TermKind::Divide:
    return infix(" / ");
  case TermKind::Remainder:
    return infix(" % ");
  case TermKind::Minimum:
    return call("min");
  case TermKind::Maximum:
    return call("max");
  case TermKind::ShiftRight:
    return infix(" >> ");
  case TermKind::ShiftLeft:
    return infix(" << ");
  case TermKind::BitAnd:
    return infix(" & ");
  case TermKind::BitOr:
    return infix(" | ");
  case TermKind::BitXor:
    return infix(" ^ ");
  case TermKind::Narrow:
    return operands.empty() ? "(...)" : "(" + operands[0] + ")";
  case TermKind::Compare:
  case TermKind::Select:
  case TermKind::Unique:
    return "(...)";
  }
  return "(...)";
}

std::string printOwn(const Polynomial &polynomial, const Kernel &kernel,
                     const TermTable &terms, bool oneAxis) {
  return print(polynomial, [&](Symbol symbol) -> std::string {
    static constexpr std::array<const char *, 3> Axes = {"x", "y", "z"};
    const bool isAxis =
        symbol.kind <= SymbolKind::StrideIdx && symbol.index < Axes.size();
    const std::string axis = isAxis ? Axes[symbol.index] : "";
    switch (symbol.kind) {
    case SymbolKind::ThreadIdx:
      return "threadIdx." + axis;
    case SymbolKind::BlockIdx:
      return "blockIdx." + axis;
    case SymbolKind::BlockDim:
      return "blockDim." + axis;
    case SymbolKind::GridDim:
      return "gridDim." + axis;
    case SymbolKind::GlobalIdx:
      return oneAxis ? "i" : axis;
    case SymbolKind::StrideIdx:
      return kernel.gridStride && !kernel.gridStride->variable.empty()
                 ? kernel.gridStride->variable
                 : "i";
    case SymbolKind::LoopCounter:
      return "k" + (symbol.index == 0 ? "" : std::to_string(symbol.index));
    case SymbolKind::Parameter:
      return scalarName(kernel, symbol.index);
    case SymbolKind::HostValue:
      return "?";
    case SymbolKind::Opaque:
      return symbol.index < terms.size() &&
                     !isLongerThan(MostNames, Polynomial(symbol), terms)
                 ? printTerm(
                       terms[symbol],
                       [&](const Polynomial &operand) {
                         return printOwn(operand, kernel, terms, oneAxis);
                       })
                 : "(...)";
    }
    return "?";
  });
}

/// Returns the byte offset of the pointer through which an access goes, as far
/// as known.
Polynomial offsetOf(const Launch &launch, const Access &access) {
  if (access.pointer >= launch.pointers.size())
    return {};
  const auto *offset =
      std::get_if<Polynomial>(&launch.pointers[access.pointer].offset);
  return offset ? *offset : Polynomial(Symbol{SymbolKind::HostValue, 0});
}

} // namespace

std::string launchName(const Program &program, LaunchId launch) {
  const Launch &member = program[launch];
  std::string name = "'" + program.kernelOf(launch).name + "'";
  const auto uses = std::count_if(
      program.launches.begin(), program.launches.end(),
      [&](const Launch &other) { return other.kernel == member.kernel; });
  if (uses > 1 && member.range.line != 0)
    name += " (line " + std::to_string(member.range.line) + ")";
  return name;
}

std::string copyName(const Program &program, StepId id) {
  const HostStep &step = program[id];
  if (step.kind == StepKind::Launch)
    return launchName(program, step.launch);
  if (!step.transfer || !step.transfer->isRenaming || !step.transfer->source)
    return "'" + step.text + "'";
  return "writing the new " + arrayName(program, step.transfer->target.array) +
         " into " + arrayName(program, step.transfer->source->array);
}

std::string exchangeText(const Program &program, StepId id) {
  const HostStep &step = program[id];
  std::vector<std::string> pairs;
  for (const Exchange &exchange : step.exchanges)
    pairs.push_back(arrayName(program, exchange.target) + " with " +
                    arrayName(program, exchange.source));
  return copyName(program, id) + " becomes a swap of " + listText(pairs);
}

std::string traceLabel(const Program &program, ArrayId id) {
  const Array &array = program[id];
  if (!array.site.empty())
    return array.site;
  const Region *inner = nullptr;
  for (const Region &region : program.regions) {
    const bool holds = region.range.file == array.range.file &&
                       region.range.begin <= array.range.begin &&
                       array.range.end <= region.range.end;
    if (holds && (!inner || inner->range.begin <= region.range.begin))
      inner = &region;
  }
  const std::string function = inner ? inner->function : "";
  const std::size_t scope = function.rfind("::");
  return function.substr(scope == std::string::npos ? 0 : scope + 2) + ":" +
         array.name;
}

std::string arrayName(const Program &program, ArrayId array) {
  if (indexOf(array) < program.arrays.size() && !program[array].name.empty())
    return program[array].name;
  return "an array";
}

std::string scalarName(const Kernel &kernel, std::uint32_t scalar) {
  if (scalar >= kernel.scalars.size() ||
      kernel.scalars[scalar].parameter >= kernel.parameters.size())
    return "?";
  return kernel.parameters[kernel.scalars[scalar].parameter].name +
         kernel.scalars[scalar].path;
}

std::string pointerName(const Kernel &kernel, std::uint32_t pointer) {
  if (pointer >= kernel.pointers.size() || kernel.pointers[pointer].global ||
      kernel.pointers[pointer].parameter >= kernel.parameters.size())
    return "?";
  return kernel.parameters[kernel.pointers[pointer].parameter].name +
         kernel.pointers[pointer].path;
}

std::string indexText(const Program &program, LaunchId launch,
                      std::uint32_t number) {
  const Stage own = makeStage(program, launch, SymbolSpace::Kernel);
  if (number >= own.accesses.size())
    return "?";
  const auto *index = std::get_if<Polynomial>(&own.accesses[number].index);
  if (!index)
    return "?";
  const bool oneAxis = !index->mentions(Symbol{SymbolKind::GlobalIdx, 1}) &&
                       !index->mentions(Symbol{SymbolKind::GlobalIdx, 2});
  // The kernel's pointer may begin within the array.
  const Access &access = *own.accesses[number].access;
  const Polynomial bytes = offsetOf(program[launch], access);
  const auto first = bytes.asConstant();
  const bool isWhole =
      first && access.elementBytes != 0 && *first % access.elementBytes == 0;
  const auto whole = isWhole
                         ? add(*index, Polynomial(*first / access.elementBytes))
                         : std::nullopt;
  return printOwn(whole.value_or(*index), *own.kernel, program.terms, oneAxis) +
         (whole ? "" : " + ...");
}

std::string placeText(const Program &program, LaunchId launch,
                      std::uint32_t number) {
  const std::vector<Access> &accesses = program.ownAccesses(program[launch]);
  if (number >= accesses.size())
    return "somewhere";
  const IndexExpr &index = accesses[number].index;
  if (std::holds_alternative<Polynomial>(index))
    return "at (" + indexText(program, launch, number) + ")";
  switch (std::get<NotPolynomial>(index)) {
  case NotPolynomial::Indirect:
    return "at an index that is loaded from memory";
  case NotPolynomial::LoopVariant:
    return "at an index that a loop changes";
  case NotPolynomial::Call:
    return "at an index that a call returns";
  case NotPolynomial::Floating:
    return "at an index computed in floating point";
  case NotPolynomial::Overflow:
  case NotPolynomial::Unsupported:
    return "at an index that isn't understood";
  }
  return "somewhere";
}

std::string listText(const std::vector<std::string> &items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0)
      text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

std::string featureText(KernelFeature feature) {
  switch (feature) {
  case KernelFeature::Volatile:
    return "volatile accesses";
  case KernelFeature::InlineAssembly:
    return "inline assembly";
  case KernelFeature::DeviceLaunch:
    return "a launch from the device";
  case KernelFeature::DeviceAllocation:
    return "allocation on the device";
  case KernelFeature::Printf:
    return "printf";
  case KernelFeature::Assert:
    return "assert";
  case KernelFeature::Clock:
    return "the clock";
  case KernelFeature::Texture:
    return "textures or surfaces";
  case KernelFeature::WarpOperation:
    return "warp operations";
  case KernelFeature::PartedWarp:
  case KernelFeature::WarpsOfRows:
    return "a warp operation that some threads may not come to";
  case KernelFeature::Fence:
    return "a memory fence";
  case KernelFeature::CooperativeGroups:
    return "cooperative groups";
  case KernelFeature::ReadOnlyLoad:
    return "loads through the read-only path";
  case KernelFeature::UnknownCall:
    return "a call whose body isn't visible";
  case KernelFeature::NotFollowed:
    return "code that kfuse doesn't follow";
  case KernelFeature::Recursion:
    return "recursion";
  case KernelFeature::OtherCompiler:
    return "a choice by the compiler or its version";
  case KernelFeature::EscapingPointer:
    return "a pointer that leaves the analysis";
  case KernelFeature::SharedAddress:
    return "shared memory";
  case KernelFeature::ReturnBeforeBarrier:
    return "a return before a barrier";
  case KernelFeature::CoordinatesInCallee:
    return "thread coordinates in a callee";
  case KernelFeature::CoordinatesInMacro:
    return "thread coordinates in a macro";
  case KernelFeature::GridShape:
  case KernelFeature::GridFactor:
    return "the shape of the grid";
  case KernelFeature::BlockPlace:
    return "the thread's place in its block";
  case KernelFeature::SideEffect:
    return "a side effect that can't be followed";
  case KernelFeature::Size:
    return "more than kfuse follows";
  }
  return "a feature that isn't known";
}

/// Returns a value of the kernel with the names of its scalars.
static std::string kernelValueText(const TermTable &terms, const Kernel &kernel,
                                   const Polynomial &polynomial) {
  return print(polynomial, [&](Symbol symbol) -> std::string {
    if (symbol.kind == SymbolKind::Parameter)
      return scalarName(kernel, symbol.index);
    if (symbol.kind == SymbolKind::Opaque)
      return printTerm(terms[symbol], [&](const Polynomial &operand) {
        return kernelValueText(terms, kernel, operand);
      });
    return print(Polynomial(symbol));
  });
}

std::string conditionText(const Program &program, const Condition &condition) {
  const Kernel &first = program.kernelOf(condition.first);
  const Kernel &second = program.kernelOf(condition.second);
  const std::string one = launchName(program, condition.first);
  const std::string two = launchName(program, condition.second);
  switch (condition.kind) {
  case ConditionKind::EqualGrid:
    return one + " and " + two + " have equal grids";
  case ConditionKind::EqualBlock:
    return one + " and " + two + " have equal blocks";
  case ConditionKind::UsualExtent:
    return print(
               Polynomial(Symbol{condition.firstIndex < 3 ? SymbolKind::BlockDim
                                                          : SymbolKind::GridDim,
                                 condition.firstIndex % 3})) +
           " of " + one + " is " + std::to_string(condition.secondIndex);
  case ConditionKind::EqualScalar:
    return scalarName(first, condition.firstIndex) + " of " + one + " equals " +
           scalarName(second, condition.secondIndex) + " of " + two;
  case ConditionKind::NoOverlap:
    if (isOfAllocations(condition))
      return pointerName(first, condition.firstIndex) + " of " + one + " and " +
             pointerName(second, condition.secondIndex) + " of " + two +
             " lead into different allocations";
    return pointerName(first, condition.firstIndex) + " of " + one +
           " doesn't overlap " + pointerName(second, condition.secondIndex) +
           " of " + two;
  case ConditionKind::AtLeast:
  case ConditionKind::WholeShares:
  case ConditionKind::LongRows:
  case ConditionKind::NoWrap: {
    const auto text = [&](const Kernel &kernel, const Polynomial &polynomial) {
      return kernelValueText(program.terms, kernel, polynomial);
    };
    if (isRemainder(program.terms, condition))
      return text(first, condition.other) + " of " + one + " is 0";
    return text(first, condition.polynomial) + " of " + one + " is at least " +
           text(second, condition.other) + " of " + two;
  }
  }
  return {};
}

std::string hostText(const Program &program, const TermTable &terms,
                     const Polynomial &polynomial) {
  return print(polynomial, [&](Symbol symbol) -> std::string {
    if (symbol.kind == SymbolKind::HostValue &&
        symbol.index < program.values.size() &&
        !program.values[symbol.index].text.empty())
      return program.values[symbol.index].text;
    if (symbol.kind == SymbolKind::Opaque && symbol.index < terms.size())
      return printTerm(terms[symbol], [&](const Polynomial &operand) {
        return hostText(program, terms, operand);
      });
    return "(...)";
  });
}

} // namespace kfuse
