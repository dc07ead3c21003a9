//===- PackedElements.cpp - Threads with neighbours -----------------------===//
#include "codegen/body/PackedElements.h"

#include "codegen/text/Expressions.h"
#include "codegen/text/ParameterText.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

/// An access to a thread's own element, made together with those to the
/// neighbouring elements.
struct Packed {
  bool isLoad = false;
  std::string pointer, element, type;
};

class Packer {
public:
  explicit Packer(MergedBodyBuilder &body) : Body(body) {}

  /// Gives a thread neighbouring elements if they are small: as many as one
  /// access of 16 bytes has.
  void takeNeighbours() {
    const CommonCoordinate *index = onlyIndex();
    if (!index || !Body.haveOneGuard() || Body.commonGuard.size() != 1)
      return;
    const std::string &guard = Body.commonGuard.front();
    const std::string head = index->name + " < ";
    if (!guard.starts_with(head) || !isInteger(index->type))
      return;
    const std::string limit = guard.substr(head.size());
    if (!isSum(limit) || !isOfParameters(limit) ||
        (isUnsigned(index->type) && !areUnsigned(limit)))
      return;
    std::uint32_t smallest = 4;
    bool areAllPacked = Body.firstLoads.empty() && Body.lastStores.empty();
    std::vector<Packed> packed;
    std::map<std::string, std::size_t> stores;
    for (std::size_t m = 0; m < Body.builder.members(); ++m) {
      const Kernel &kernel = Body.builder.kernelOf(m);
      for (const Access &access : kernel.accesses) {
        if (Body.isReplaced(m, access))
          continue;
        const PointerParameter &pointer = kernel.pointers[access.pointer];
        const std::string element =
            renamed(Body.textAt(m, access.range), Body.members[m].names);
        const std::string &name =
            Body.members[m].names[kernel.parameters[pointer.parameter].name];
        const bool isLoad = access.form == AccessForm::Load;
        const auto early = std::find_if(
            Body.early.begin(), Body.early.end(),
            [&](const EarlyLoad &each) { return each.element == element; });
        const bool isOwn = !pointer.global && pointer.path.empty() &&
                           element == name + "[" + index->name + "]";
        const bool isStore = access.form == AccessForm::Store && isOwn &&
                             Body.isOutermost(m, access.whole.begin) &&
                             access.loops.empty() && !isRead(m, access);
        if ((isLoad && isOwn && early != Body.early.end()) || isStore) {
          smallest = std::min(smallest, access.elementBytes);
          // The text must be the store's alone, comments included.
          if (isStore && (++stores[element] > 1 || occurrences(element) != 1))
            return;
          packed.push_back({isLoad, name, element, pointer.element.spelling});
        } else {
          areAllPacked = false;
        }
      }
    }
    if (smallest > 2 || (!areAllPacked && takesProducts()))
      return;
    Body.isPacked = true;
    Body.isWhole = areAllPacked;
    Body.bound = "(long long)" + asOperand(limit);
    if (isWide(limit)) // and may be more than a signed number holds
      Body.bound = "(long long)min(1ull << 62, (unsigned long long)" +
                   asOperand(limit) + ")";
    Body.indexName = index->name;
    Body.first = Body.builder.names.plain("first", Body.builder.taken);
    Body.count = Body.builder.names.plain("count", Body.builder.taken);
    for (const Packed &each : packed) {
      if (each.isLoad) {
        for (EarlyLoad &load : Body.early)
          if (load.element == each.element)
            load.pointer = each.pointer;
        continue;
      }
      const std::string name = Body.builder.names.plain(
          suffixed(each.pointer, "_out"), Body.builder.taken);
      Body.late.push_back({name, each.type, each.element, each.pointer});
      for (MemberText &member : Body.members)
        replaceStore(member.statements, each.element,
                     name + "[" + Body.builder.element + "]");
    }
  }

private:
  /// Returns the coordinate that is the thread's global index on the x axis, if
  /// the members use the thread's place in no other way; else nullptr.
  const CommonCoordinate *onlyIndex() const {
    static const std::set<std::string> indices = {
        "blockIdx . x * blockDim . x + threadIdx . x",
        "blockDim . x * blockIdx . x + threadIdx . x",
        "threadIdx . x + blockIdx . x * blockDim . x",
        "threadIdx . x + blockDim . x * blockIdx . x"};
    const CommonCoordinate *only = nullptr;
    for (const CommonCoordinate &each : Body.coordinates)
      if (indices.count(normalised(each.written)) != 0 && !only)
        only = &each;
      else if (mentions(each.written, "threadIdx") ||
               mentions(each.written, "blockIdx"))
        return nullptr;
    for (const MemberText &member : Body.members)
      if (mentions(member.statements, "threadIdx") ||
          mentions(member.statements, "blockIdx"))
        return nullptr;
    return Body.builder.group.elementsAxis == 0 ? only : nullptr;
  }

  bool takesProducts() const {
    for (std::size_t m = 0; m < Body.builder.members(); ++m)
      for (const RoundedProduct &each :
           Body.builder.kernelOf(m).multiplyAdds->products)
        if (each.isTaken)
          return true;
    return false;
  }

  /// Checks whether anything except the early loads may access what `store`
  /// stores.
  bool isRead(std::size_t member, const Access &store) const {
    for (std::size_t m = 0; m < Body.builder.members(); ++m)
      for (const Access &access : Body.builder.kernelOf(m).accesses) {
        if (Body.isReplaced(m, access) ||
            !Body.mayMeet(member, store, m, access))
          continue;
        const std::string element =
            renamed(Body.textAt(m, access.range), Body.members[m].names);
        const bool isEarly = access.form == AccessForm::Load &&
                             std::any_of(Body.early.begin(), Body.early.end(),
                                         [&](const auto &each) {
                                           return each.element == element;
                                         });
        if (!isEarly && &access != &store)
          return true;
      }
    return false;
  }

  /// Checks whether the bound names only parameters whose integer types
  /// `isInteger` knows.
  bool isOfParameters(const std::string &limit) const {
    std::set<std::string> names = plainIdentifiers(limit);
    for (const FusedParameter &each : Body.builder.parameters)
      if (isInteger(each.type))
        names.erase(each.name);
    return names.empty();
  }

  /// Checks whether the bound is an unsigned number of 64 bits.
  bool isWide(const std::string &limit) const {
    const std::set<std::string> names = plainIdentifiers(limit);
    return std::any_of(
        Body.builder.parameters.begin(), Body.builder.parameters.end(),
        [&](const FusedParameter &each) {
          return names.count(each.name) != 0 && isWideUnsigned(each.type);
        });
  }

  /// Checks whether `type` is spelled as unsigned; aliases for it don't count.
  static bool isUnsigned(const std::string &type) {
    static const std::set<std::string> types = {"unsigned", "unsigned int",
                                                "uint32_t", "std::uint32_t"};
    return types.count(withoutConst(type)) != 0 || isWideUnsigned(type);
  }
  static bool isWideUnsigned(const std::string &type) {
    static const std::set<std::string> types = {
        "unsigned long", "unsigned long long", "size_t",
        "std::size_t",   "uint64_t",           "std::uint64_t"};
    return types.count(withoutConst(type)) != 0;
  }
  static bool isInteger(const std::string &type) {
    static const std::set<std::string> types = {
        "int",     "long",         "long long", "int32_t",
        "int64_t", "std::int32_t", "ptrdiff_t", "std::int64_t"};
    return isUnsigned(type) || types.count(withoutConst(type)) != 0;
  }

  /// Checks whether the bound consists of numbers, names, signs and parentheses
  /// alone.
  static bool isSum(const std::string &limit) {
    const std::vector<TextToken> code = codeOf(limit);
    return std::all_of(code.begin(), code.end(), [&](const TextToken &token) {
      const std::string_view word = spelling(limit, token);
      return token.kind == TokenKind::Number ||
             token.kind == TokenKind::Identifier || word == "+" ||
             word == "-" || word == "*" || word == "(" || word == ")";
    });
  }

  /// Checks whether the bound is an unsigned number: an unsigned index would
  /// turn a signed bound below zero into a large number.
  bool areUnsigned(const std::string &text) const {
    const std::set<std::string> names = plainIdentifiers(text);
    return !names.empty() && std::all_of(Body.builder.parameters.begin(),
                                         Body.builder.parameters.end(),
                                         [&](const FusedParameter &each) {
                                           return names.count(each.name) == 0 ||
                                                  isUnsigned(each.type);
                                         });
  }

  std::size_t occurrences(const std::string &element) const {
    std::size_t count = 0;
    for (const MemberText &member : Body.members)
      for (std::size_t at = member.statements.find(element);
           at != std::string::npos;
           at = member.statements.find(element, at + 1))
        ++count;
    return count;
  }

  static void replaceStore(std::string &text, const std::string &element,
                           const std::string &value) {
    for (std::size_t at = text.find(element); at != std::string::npos;
         at = text.find(element, at + 1))
      if (at == 0 || !isIdentifierCharacter(text[at - 1])) {
        text.replace(at, element.size(), value);
        return;
      }
  }

  MergedBodyBuilder &Body;
};

} // namespace

void takeNeighbours(MergedBodyBuilder &body) { Packer(body).takeNeighbours(); }

} // namespace kfuse
