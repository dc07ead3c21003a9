//===- Conditions.cpp - Run-time tests as C++ -----------------------------===//
#include "codegen/text/Conditions.h"

#include "codegen/text/Expressions.h"
#include "codegen/text/ParameterText.h"
#include "codegen/text/RangeTests.h"
#include "fusion/dependence/Intervals.h"
#include "graphs/program/Ranges.h"
#include "text/Tokens.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace kfuse {
namespace {

/// The tests of a condition: operands of `&&`.
struct Tests {
  std::vector<std::string> texts;
  std::vector<RangePair> ranges;
};

class ConditionWriter {
public:
  ConditionWriter(const Program &program, const HostText &text,
                  Helpers &helpers)
      : Code(program), Text(text), Tools(helpers) {}

  /// Lets later tests name what these find equal by one of both.
  void assumeEqual(const Condition &condition) {
    switch (condition.kind) {
    case ConditionKind::EqualGrid:
      EqualGrids[condition.second] = gridLike(condition.first);
      break;
    case ConditionKind::EqualBlock:
      EqualBlocks[condition.second] = blockLike(condition.first);
      break;
    case ConditionKind::EqualScalar:
      if (isOneNumber(condition))
        EqualScalars[{condition.second, condition.secondIndex}] =
            scalarLike({condition.first, condition.firstIndex});
      break;
    default:
      break;
    }
  }

  /// Returns the tests of one condition; nullopt if one can't be written.
  std::optional<Tests> write(const Condition &condition) {
    switch (condition.kind) {
    case ConditionKind::EqualGrid:
      return one(equalShapes(condition, &Launch::grid));
    case ConditionKind::EqualBlock:
      return one(equalShapes(condition, &Launch::block));
    case ConditionKind::UsualExtent:
      return one(usualExtent(condition));
    case ConditionKind::EqualScalar:
      return one(equalScalars(condition));
    case ConditionKind::NoOverlap:
      return disjointSpans(condition);
    case ConditionKind::AtLeast:
    case ConditionKind::WholeShares:
    case ConditionKind::LongRows: {
      if (const auto text = plainComparison(condition))
        return one(text);
      const auto more = wide(condition.first, condition.polynomial);
      const auto less = wide(condition.second, condition.other);
      if (!more || !less)
        return std::nullopt;
      return one(*more + " >= " + *less);
    }
    case ConditionKind::NoWrap:
      return one(room(condition));
    }
    return std::nullopt;
  }

private:
  static std::optional<Tests> one(const std::optional<std::string> &text) {
    if (!text)
      return std::nullopt;
    return Tests{{*text}, {}};
  }

  using ScalarOf = std::pair<LaunchId, std::uint32_t>;

  template <typename Key>
  static Key likeness(const std::map<Key, Key> &equal, const Key &key) {
    const auto found = equal.find(key);
    return found == equal.end() ? key : found->second;
  }
  LaunchId gridLike(LaunchId id) const { return likeness(EqualGrids, id); }
  LaunchId blockLike(LaunchId id) const { return likeness(EqualBlocks, id); }
  ScalarOf scalarLike(const ScalarOf &scalar) const {
    return likeness(EqualScalars, scalar);
  }

  /// Returns the text as one operand of an expression.
  std::string operand(const std::string &text) const {
    const std::vector<TextToken> tokens = tokensOf(text);
    const bool hasMacro =
        std::any_of(tokens.begin(), tokens.end(), [&](const TextToken &token) {
          return token.kind == TokenKind::Identifier &&
                 Tools.isMacro(spelling(text, token));
        });
    return hasMacro ? "(" + text + ")" : asOperand(text);
  }

  std::string shapeText(LaunchId id, LaunchConfig Launch::*member) {
    return Text(id, (Code[id].*member).expression);
  }

  std::optional<std::string> equalShapes(const Condition &condition,
                                         LaunchConfig Launch::*member) {
    const std::string a = shapeText(condition.first, member);
    const std::string b = shapeText(condition.second, member);
    if ((Code[condition.first].*member).isScalar &&
        (Code[condition.second].*member).isScalar)
      return operand(a) + " == " + operand(b);
    return Tools.same() + "(" + a + ", " + b + ")";
  }

  std::optional<std::string> usualExtent(const Condition &condition) {
    const auto extent =
        extentText(condition.first,
                   condition.firstIndex < 3 ? &Launch::block : &Launch::grid,
                   condition.firstIndex % 3, /*isWidened=*/true);
    return extent
               ? std::optional(*extent +
                               " == " + std::to_string(condition.secondIndex))
               : std::nullopt;
  }

  /// Returns the argument `parameter` of a launch, or the member of it at
  /// `path`.
  std::optional<std::string> argument(LaunchId id, std::uint32_t parameter,
                                      const std::string &path) {
    const Launch &launch = Code[id];
    if (parameter >= launch.arguments.size())
      return std::nullopt;
    std::string text = Text(id, launch.arguments[parameter].expression);
    // Elsewhere than in a call, a list in braces needs its type.
    if (text.starts_with('{')) {
      const std::string &type =
          Code.kernelOf(id).parameters[parameter].canonical;
      if (path.empty() || type.find_first_of("*&") != std::string::npos)
        return std::nullopt;
      return type + text + path;
    }
    return path.empty() ? text : operand(text) + path;
  }

  std::optional<std::string> scalar(LaunchId id, std::uint32_t index) {
    const Kernel &kernel = Code.kernelOf(id);
    if (index >= kernel.scalars.size())
      return std::nullopt;
    return argument(id, kernel.scalars[index].parameter,
                    kernel.scalars[index].path);
  }

  std::optional<std::string> pointer(LaunchId id, std::uint32_t index) {
    const Kernel &kernel = Code.kernelOf(id);
    if (index >= kernel.pointers.size() || kernel.pointers[index].global)
      return std::nullopt;
    return argument(id, kernel.pointers[index].parameter,
                    kernel.pointers[index].path);
  }

  /// An argument that the kernel sees as the host does, and its type.
  struct Plain {
    std::string text, type;
  };
  std::optional<Plain> plain(LaunchId id, const Polynomial &value) {
    const std::optional<Symbol> symbol = value.asSymbol();
    if (!symbol || symbol->kind != SymbolKind::Parameter)
      return std::nullopt;
    const auto [like, index] = scalarLike({id, symbol->index});
    const ScalarParameter &parameter = Code.kernelOf(like).scalars[index];
    const auto text = scalar(like, index);
    if (!text || !isUnconverted(like, parameter))
      return std::nullopt;
    return Plain{operand(*text), typeOf(like, parameter)};
  }

  /// Writes `pitch >= width`; nullopt if these aren't numbers of one type that
  /// the kernel sees as the host does.
  std::optional<std::string> plainComparison(const Condition &condition) {
    const auto more = plain(condition.first, condition.polynomial);
    const auto less = plain(condition.second, condition.other);
    if (!more || !less || more->type != less->type)
      return std::nullopt;
    return more->text + " >= " + less->text;
  }

  bool isUnconverted(LaunchId id, const ScalarParameter &scalar) const {
    const std::vector<LaunchArgument> &arguments = Code[id].arguments;
    return scalar.path.empty() && scalar.parameter < arguments.size() &&
           arguments[scalar.parameter].hasParameterType;
  }

  /// Returns a scalar as the kernel sees it: the conversion to the parameter's
  /// type may change the value.
  std::string seen(LaunchId id, std::uint32_t index) {
    const ScalarParameter &parameter = Code.kernelOf(id).scalars[index];
    const std::string text = operand(*scalar(id, index));
    if (!parameter.path.empty() || isUnconverted(id, parameter))
      return text;
    return "(" + typeOf(id, parameter) + ")" + text;
  }

  /// Returns a scalar as the kernel sees it, in 64 bits. With `isWidened` it
  /// multiplies a number of 64 bits, so C++ itself converts it if it has fewer.
  std::optional<std::string> wideScalar(LaunchId id, std::uint32_t index,
                                        bool isWidened = false) {
    if (!scalar(id, index))
      return std::nullopt;
    const ScalarParameter &parameter = Code.kernelOf(id).scalars[index];
    const bool isPlain =
        isWidened && parameter.path.empty() && isNarrow(typeOf(id, parameter));
    return (isPlain ? "" : "(long long)") + seen(id, index);
  }

  std::optional<std::string> extentText(LaunchId id,
                                        LaunchConfig Launch::*member,
                                        std::uint32_t axis, bool isWidened) {
    const LaunchConfig &shape = Code[id].*member;
    if (axis > 2)
      return std::nullopt;
    if (const auto constant = shape.extent[axis].asConstant())
      return std::to_string(*constant) + (isWidened ? "" : "ll");
    const std::string text = shapeText(id, member);
    const std::string wide = isWidened ? "" : "(long long)";
    if (shape.isScalar)
      return wide + "(unsigned)" + operand(text);
    const std::vector<TextToken> tokens = tokensOf(text);
    // `grid` or `shape.grid`
    const bool isName =
        std::all_of(tokens.begin(), tokens.end(), [&](const TextToken &token) {
          return token.kind == TokenKind::Identifier ||
                 spelling(text, token) == ".";
        });
    static constexpr const char *Components[] = {".x", ".y", ".z"};
    return wide + (isName ? operand(text) : "dim3(" + text + ")") +
           Components[axis];
  }

  /// Writes the test that a scalar is a multiple of a number: `pitch % 4 == 0`.
  std::optional<std::string> wholeNumber(LaunchId id, const Term &remainder) {
    const auto symbol = remainder.operands[0].asSymbol();
    const auto divisor = remainder.operands[1].asConstant();
    if (!symbol || symbol->kind != SymbolKind::Parameter || !divisor)
      return std::nullopt;
    const auto [like, index] = scalarLike({id, symbol->index});
    if (!scalar(like, index))
      return std::nullopt;
    return seen(like, index) + " % " + std::to_string(*divisor) + " == 0";
  }

  /// Writes the test that a number fits,
  /// `2147483647 >= (long long)blocks * 256`. Numbers that may not fit into 64
  /// bits either are compared as floating-point numbers: large ones are no
  /// nearer to each other than to the limit.
  std::optional<std::string> room(const Condition &condition) {
    if (isRemainder(Code.terms, condition))
      return wholeNumber(condition.first,
                         Code.terms[*condition.other.asSymbol()]);
    const NumberRange range = rangeOfSums(condition);
    if (contains(rangeOf(IntegerType{}), range)) {
      const auto more = wide(condition.first, condition.polynomial);
      const auto less = wide(condition.first, condition.other);
      return more && less ? std::optional(*more + " >= " + *less)
                          : std::nullopt;
    }
    const auto real = [&](const Polynomial &value) {
      return expressionText(value, Code.terms, [&](Symbol s, bool) {
        return realText(condition.first, s);
      });
    };
    const auto more = real(condition.polynomial), less = real(condition.other);
    return more && less ? std::optional(*more + " >= " + *less) : std::nullopt;
  }

  NumberRange rangeOfSums(const Condition &condition) {
    const Kernel &kernel = Code.kernelOf(condition.first);
    const Launch &launch = Code[condition.first];
    Ranges ranges(Code.terms, [&](Symbol s) {
      if (s.kind == SymbolKind::Parameter)
        return rangeOf(kernel.scalars[s.index].type);
      const LaunchConfig &shape =
          s.kind == SymbolKind::BlockDim ? launch.block : launch.grid;
      if (const auto extent = shape.extent[s.index].asConstant())
        return NumberRange{*extent, *extent};
      return rangeOf(IntegerType{32, true});
    });
    const NumberRange more = ranges.of(condition.polynomial);
    const NumberRange less = ranges.of(condition.other);
    return {std::min(more.least, less.least), std::max(more.most, less.most)};
  }

  std::optional<std::string> realText(LaunchId id, Symbol symbol) {
    std::optional<std::string> text;
    if (symbol.kind == SymbolKind::Parameter) {
      const auto [like, index] = scalarLike({id, symbol.index});
      if (scalar(like, index))
        text = seen(like, index);
    } else {
      text = wide(id, Polynomial(symbol));
    }
    return text ? std::optional("(double)" + asOperand(*text)) : std::nullopt;
  }

  /// Writes a polynomial in the symbols of a launch's kernel for the host,
  /// which evaluates it in 64 bits; nullopt if it can't be written.
  std::optional<std::string> wide(LaunchId id, const Polynomial &polynomial) {
    const auto constantExtent = [&](Symbol s) -> std::optional<Polynomial> {
      if (s.kind != SymbolKind::BlockDim && s.kind != SymbolKind::GridDim)
        return std::nullopt;
      const Launch &launch = Code[id];
      const Polynomial &extent = s.kind == SymbolKind::BlockDim
                                     ? launch.block.extent[s.index]
                                     : launch.grid.extent[s.index];
      return extent.asConstant() ? std::optional(extent) : std::nullopt;
    };
    const auto value = substitute(polynomial, constantExtent);
    if (!value)
      return std::nullopt;
    return expressionText(
        *value, Code.terms,
        [&](Symbol s, bool isWidened) -> std::optional<std::string> {
          switch (s.kind) {
          case SymbolKind::Parameter: {
            const auto [like, index] = scalarLike({id, s.index});
            return wideScalar(like, index, isWidened);
          }
          case SymbolKind::BlockDim:
            return extentText(blockLike(id), &Launch::block, s.index,
                              isWidened);
          case SymbolKind::GridDim:
            return extentText(gridLike(id), &Launch::grid, s.index, isWidened);
          default:
            return std::nullopt;
          }
        });
  }

  /// Checks whether both have one type, so that equal ones stand for each
  /// other.
  bool isOneNumber(const Condition &condition) const {
    const auto &scalars = Code.kernelOf(condition.first).scalars;
    const auto &others = Code.kernelOf(condition.second).scalars;
    if (condition.firstIndex >= scalars.size() ||
        condition.secondIndex >= others.size())
      return false;
    const ScalarParameter &one = scalars[condition.firstIndex];
    const ScalarParameter &other = others[condition.secondIndex];
    return one.path == other.path &&
           typeOf(condition.first, one) == typeOf(condition.second, other);
  }

  std::optional<std::string> equalScalars(const Condition &condition) {
    const auto a = scalar(condition.first, condition.firstIndex);
    const auto b = scalar(condition.second, condition.secondIndex);
    if (!a || !b)
      return std::nullopt;
    const ScalarParameter &one =
        Code.kernelOf(condition.first).scalars[condition.firstIndex];
    const ScalarParameter &other =
        Code.kernelOf(condition.second).scalars[condition.secondIndex];
    const std::string type = typeOf(condition.first, one);
    const std::string otherType = typeOf(condition.second, other);
    if (isOneNumber(condition)) {
      const bool isAsGiven =
          !one.path.empty() || (isUnconverted(condition.first, one) &&
                                isUnconverted(condition.second, other));
      // Arguments of two types may be equal even if what they become isn't.
      const std::string conversion = isAsGiven ? "" : "(" + type + ")";
      return conversion + operand(*a) + " == " + conversion + operand(*b);
    }
    const std::string equal =
        *wideScalar(condition.first, condition.firstIndex) +
        " == " + *wideScalar(condition.second, condition.secondIndex);
    if (one.path.empty() && other.path.empty() &&
        ((isSigned(type) && isSigned(otherType)) ||
         (isNarrow(type) && isNarrow(otherType))))
      return equal;
    // In 64 bits a negative number looks like a large one.
    return equal + " && (" + seen(condition.first, condition.firstIndex) +
           " < 0) == (" + seen(condition.second, condition.secondIndex) +
           " < 0)";
  }

  /// Returns the type of the parameter that the scalar is, or is a member of.
  std::string typeOf(LaunchId id, const ScalarParameter &scalar) const {
    return withoutConst(Code.kernelOf(id).parameters[scalar.parameter].type);
  }
  static bool isSigned(const std::string &type) {
    static const std::set<std::string_view> Types = {
        "signed char", "short",     "int",     "long",
        "long long",   "ptrdiff_t", "int32_t", "int64_t"};
    return Types.count(type) != 0;
  }
  /// Checks whether `type` has fewer than 64 bits.
  static bool isNarrow(const std::string &type) {
    static const std::set<std::string_view> Types = {
        "char",           "signed char", "unsigned char", "short",
        "unsigned short", "int",         "unsigned int",  "unsigned",
        "bool",           "int32_t",     "uint32_t"};
    return Types.count(type) != 0;
  }

  std::optional<ByteRange> bytes(LaunchId id, const std::string &pointer,
                                 const Span &span) {
    const auto scaled = [&](const Polynomial &element) {
      return multiply(element, Polynomial(std::int64_t{span.elementBytes}));
    };
    if (span.high.empty())
      return std::nullopt;
    const auto next = add(endOf(span), Polynomial(std::int64_t{1}));
    const auto low = scaled(span.low), high = next ? scaled(*next) : next;
    const auto begin = low ? wide(id, *low) : std::nullopt;
    const auto end = high ? wide(id, *high) : std::nullopt;
    if (!begin || !end)
      return std::nullopt;
    ByteRange found{pointer, *begin + ", " + *end, std::nullopt};
    if (low->asConstant() && high->asConstant())
      found.bytes = {*low->asConstant(), *high->asConstant()};
    return found;
  }

  std::optional<Tests> disjointSpans(const Condition &condition) {
    const auto a = pointer(condition.first, condition.firstIndex);
    const auto b = pointer(condition.second, condition.secondIndex);
    if (!a || !b)
      return std::nullopt;
    Tests tests;
    if (isOfAllocations(condition)) {
      tests.ranges.push_back({{*a, {}, {}}, {*b, {}, {}}});
      return tests;
    }
    for (const Span &first : condition.firstSpans)
      for (const Span &second : condition.secondSpans) {
        const auto one = bytes(condition.first, *a, first);
        const auto other = bytes(condition.second, *b, second);
        if (!one || !other)
          return std::nullopt;
        tests.ranges.push_back({*one, *other});
      }
    return tests;
  }

  const Program &Code;
  const HostText &Text;
  Helpers &Tools;
  std::map<LaunchId, LaunchId> EqualGrids, EqualBlocks;
  std::map<ScalarOf, ScalarOf> EqualScalars;
};

bool isEqualityTest(const Condition &condition) {
  return condition.kind == ConditionKind::EqualGrid ||
         condition.kind == ConditionKind::EqualBlock ||
         condition.kind == ConditionKind::EqualScalar;
}

} // namespace

Result<std::vector<std::string>> conditionTexts(const Program &program,
                                                const FusedKernel &kernel,
                                                const HostText &text,
                                                Helpers &helpers) {
  std::vector<std::string> tests;
  std::vector<RangePair> ranges;
  ConditionWriter writer(program, text, helpers);
  for (const bool isEquality : {true, false})
    for (const Condition &condition : kernel.conditions) {
      if (isEqualityTest(condition) != isEquality)
        continue;
      const auto own = writer.write(condition);
      if (!own)
        return Refusal{"a condition can't be written as host code"};
      for (const std::string &test : own->texts)
        if (std::find(tests.begin(), tests.end(), test) == tests.end())
          tests.push_back(test);
      ranges.insert(ranges.end(), own->ranges.begin(), own->ranges.end());
      writer.assumeEqual(condition);
    }
  for (std::string &test : rangeTests(ranges, helpers))
    tests.push_back(std::move(test));
  return tests;
}

} // namespace kfuse
