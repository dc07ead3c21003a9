//===- PrintProgram.cpp - A printable account of a program ----------------===//

#include "graphs/program/PrintProgram.h"

#include <string_view>

namespace kfuse {
namespace {

std::string name(const Program &program, Symbol symbol);

std::string text(const Program &program, const Polynomial &polynomial) {
  return print(polynomial,
               [&](Symbol symbol) { return name(program, symbol); });
}

std::string text(const Program &program, const Term &term) {
  static constexpr const char *Names[] = {
      "div", "rem", "min",    "max",     "shr",    "shl",   "and",
      "or",  "xor", "narrow", "compare", "select", "unique"};
  std::string result = Names[static_cast<std::size_t>(term.kind)];
  if (term.detail != 0)
    result += std::to_string(term.detail);
  result += '(';
  for (std::size_t i = 0; i < term.operands.size(); ++i)
    result += (i == 0 ? "" : ", ") + text(program, term.operands[i]);
  return result + ')';
}

std::string name(const Program &program, Symbol symbol) {
  if (symbol.kind == SymbolKind::HostValue &&
      symbol.index < program.values.size())
    return program.values[symbol.index].text + '#' +
           std::to_string(symbol.index);
  constexpr std::size_t MostNames = 1000;
  if (symbol.kind == SymbolKind::Opaque &&
      symbol.index < program.terms.size() &&
      !isLongerThan(MostNames, Polynomial(symbol), program.terms))
    return text(program, program.terms[symbol]);
  return print(Polynomial(symbol));
}

const char *text(NotPolynomial reason) {
  switch (reason) {
  case NotPolynomial::Indirect:
    return "<loaded value>";
  case NotPolynomial::LoopVariant:
    return "<changed by a loop>";
  case NotPolynomial::Call:
    return "<result of a call>";
  case NotPolynomial::Floating:
    return "<from floating point>";
  case NotPolynomial::Overflow:
    return "<too large>";
  case NotPolynomial::Unsupported:
    return "<unknown>";
  }
  return "<unknown>";
}

std::string text(const Program &program, const IndexExpr &index) {
  if (const auto *polynomial = std::get_if<Polynomial>(&index))
    return text(program, *polynomial);
  return text(std::get<NotPolynomial>(index));
}

std::string text(const Program &program, const Guard &guard) {
  std::string result;
  for (const Constraint &constraint : guard) {
    result += result.empty() ? " if " : " and ";
    switch (constraint.relation) {
    case Relation::NonNegative:
      result += text(program, constraint.expression) + " >= 0";
      break;
    case Relation::Zero:
      result += text(program, constraint.expression) + " == 0";
      break;
    case Relation::NonZero:
      result += text(program, constraint.expression) + " != 0";
      break;
    case Relation::Unknown:
      result += "<unknown>";
      break;
    }
  }
  return result;
}

const char *text(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::Atomic:
    return "atomic";
  }
  return "access";
}

const char *text(ArrayOrigin origin) {
  switch (origin) {
  case ArrayOrigin::Allocation:
    return "allocation";
  case ArrayOrigin::Managed:
    return "managed";
  case ArrayOrigin::DeviceVariable:
    return "device variable";
  case ArrayOrigin::ConstantVariable:
    return "constant variable";
  case ArrayOrigin::PointerArgument:
    return "pointer argument";
  case ArrayOrigin::Unknown:
    return "unknown";
  }
  return "unknown";
}

const char *text(StepKind kind) {
  static constexpr const char *Names[] = {
      "launch", "copy-to-host", "copy-to-device", "copy-on-device",
      "set",    "allocate",     "free",           "synchronize",
      "timing", "error-check",  "loop",           "branch",
      "call",   "opaque",       "plain"};
  return Names[static_cast<std::size_t>(kind)];
}

std::string arrayName(const Program &program, ArrayId id) {
  return indexOf(id) < program.arrays.size() ? program[id].name
                                             : std::string("<none>");
}

std::string extents(const Program &program, const LaunchConfig &shape) {
  return '(' + text(program, shape.extent[0]) + ", " +
         text(program, shape.extent[1]) + ", " +
         text(program, shape.extent[2]) + ')';
}

std::string printArrays(const Program &program) {
  std::string result;
  for (const Array &array : program.arrays) {
    result += "array " + array.name + ": " + text(array.origin) + " of " +
              array.element.spelling;
    if (array.bytes)
      result += ", " + text(program, *array.bytes) + " bytes";
    if (array.escapes)
      result += ", escapes";
    if (array.isReadOnly)
      result += ", read-only";
    for (std::size_t i = 0; i < array.candidates.size(); ++i)
      result += (i == 0 ? ", one of " : " ") +
                arrayName(program, array.candidates[i]);
    result += '\n';
  }
  return result;
}

std::string printKernels(const Program &program) {
  std::string result;
  for (const Kernel &kernel : program.kernels) {
    result += "kernel " + kernel.qualifiedName + kernel.text.templateArguments +
              " at line " + std::to_string(kernel.text.declaration.line);
    if (!kernel.analysed)
      result += ", not followed to the end";
    if (!kernel.text.copyable)
      result += ", not copyable: " + kernel.text.obstacle;
    result += '\n';
    for (const FeatureUse &use : kernel.features)
      result += "  feature " +
                std::to_string(static_cast<unsigned>(use.feature)) +
                (use.detail.empty() ? "" : " " + use.detail) + " at line " +
                std::to_string(use.range.line) + '\n';
  }
  return result;
}

std::string printLaunch(const Program &program, const Launch &launch,
                        const std::string &indent) {
  std::string result = " of " + program[launch.kernel].name + " grid " +
                       extents(program, launch.grid) + " block " +
                       extents(program, launch.block);
  if (!launch.sharedBytes.text.empty())
    result += " shared " + launch.sharedBytes.text;
  if (!launch.stream.text.empty())
    result += " stream " + launch.stream.text;
  result += '\n';
  for (const Access &access : launch.accesses) {
    std::string array =
        access.pointer < launch.pointers.size()
            ? arrayName(program, launch.pointers[access.pointer].array)
            : std::string("<none>");
    result += indent + "  " + text(access.kind) + ' ' + array + '[' +
              text(program, access.index) + ']' + text(program, access.guard) +
              '\n';
  }
  return result;
}

void printRegion(const Program &program, RegionId id, unsigned depth,
                 std::vector<bool> &seen, std::string &result) {
  if (indexOf(id) >= seen.size() || seen[indexOf(id)])
    return;
  seen[indexOf(id)] = true;
  std::string indent(2 * depth, ' ');
  for (StepId stepId : program[id].steps) {
    const HostStep &step = program[stepId];
    result += indent + std::to_string(step.range.line) + ": " + text(step.kind);
    if (indexOf(step.launch) < program.launches.size()) {
      result += printLaunch(program, program[step.launch], indent);
    } else {
      if (!step.text.empty())
        result += ' ' + step.text;
      for (const Effect &effect : step.effects)
        result += (effect.reads ? effect.writes ? " updates " : " reads "
                                : " writes ") +
                  arrayName(program, effect.array);
      result += step.touchesEverything ? " touches everything" : "";
      result += step.mayLeave ? " may leave" : "";
      result += '\n';
    }
    for (RegionId nested : step.nested)
      printRegion(program, nested, depth + 1, seen, result);
  }
}

} // namespace

std::string print(const Program &program) {
  std::string result = printArrays(program) + printKernels(program);
  std::vector<bool> seen(program.regions.size());
  for (std::uint32_t i = 0; i < program.regions.size(); ++i) {
    if (program.regions[i].parent || seen[i])
      continue;
    result += "function " + program.regions[i].function + '\n';
    printRegion(program, static_cast<RegionId>(i), 1, seen, result);
  }
  for (const Program::Ignored &ignored : program.ignored)
    result += "ignored launch at line " + std::to_string(ignored.range.line) +
              ": " + ignored.reason + '\n';
  return result;
}

} // namespace kfuse
