//===- BodyWriter.cpp - The text of a merged body -------------------------===//
#include "codegen/body/BodyWriter.h"

#include "codegen/text/ParameterText.h"

#include <algorithm>

namespace kfuse {
namespace {

class BodyWriter {
public:
  explicit BodyWriter(MergedBodyBuilder &body) : Body(body) {}

  std::string text() {
    // Another guard's block can't see what one declares.
    const auto isHidden = [this](const auto &declared) {
      return !Body.guards[declared.second].empty() ||
             (Body.commonGuard.empty() && !Body.haveOneGuard());
    };
    // First loads have no guard but the common one.
    const auto isGuarded = [this](const auto &load) {
      return !Body.guards[load.second.owner].empty();
    };
    if (std::any_of(Body.declared.begin(), Body.declared.end(), isHidden) ||
        std::any_of(Body.firstLoads.begin(), Body.firstLoads.end(),
                    isGuarded)) {
      Body.hasProblem = true;
      return {};
    }
    return Body.builder.movesBlocks() ? elementLoops()
                                      : elementText("  ", "return;");
  }

private:
  std::string packedLoops() {
    const std::string v = Body.builder.element, count = Body.builder.count();
    std::string text =
        tableText() + "  const long long " + Body.first +
        " = (1ll * blockIdx.x * blockDim.x + threadIdx.x) * " + count +
        ";\n  long long " + Body.count + " = 1ll * " + Body.builder.grid +
        ".x * blockDim.x - " + Body.first + ";\n" +
        listed("if (" + Body.count + " > ", {Body.bound + " - " + Body.first},
               ")", "  ") +
        "\n    " + Body.count + " = " + Body.bound + " - " + Body.first +
        ";\n  if (" + Body.count + " <= 0)\n    return;\n";
    for (const auto *all : {&Body.early, &Body.late})
      for (const EarlyLoad &each : *all)
        text += "  " + each.type + " " + each.name + "[" + count + "];\n";
    std::string others;
    for (const EarlyLoad &each : Body.early)
      if (each.pointer.empty())
        others += "    " + each.name + "[" + v + "] = " + each.element + ";\n";
      else
        text += "  " + Body.builder.helpers.load() + "(" + each.name + ", " +
                each.pointer + " + " + Body.first + ", " + Body.count + ");\n";
    const std::string head = "#pragma unroll\n  for (unsigned " + v + " = 0; " +
                             v + " < " + count + "; ++" + v + ") {\n";
    const std::string guard =
        Body.isWhole
            ? ""
            : "    if (" + v + " >= " + Body.count + ")\n      continue;\n";
    const auto coordinates = [&](const std::string &code) {
      std::string lines;
      for (const CommonCoordinate &each : Body.coordinates)
        if (usedBy(code).count(each.name) != 0)
          lines += each.name == Body.indexName
                       ? "    " + each.type + " " + each.name + " = " +
                             Body.first + " + " + v + ";\n"
                       : line(each, "    ");
      return lines;
    };
    if (!others.empty())
      text += head + guard + coordinates(others) + others + "  }\n";
    const bool isOneLine = Body.tables.size() == 1;
    text += isOneLine ? head.substr(0, head.size() - 3) + "\n" : head;
    if (Body.tables.empty()) {
      text += guard + coordinates(statements()) + variables("    ");
      for (std::size_t m = 0; m < Body.builder.members(); ++m)
        text += (m == 0 ? "" : "\n") + memberText(m, "    ");
    }
    for (std::size_t s = 0; s < Body.tables.size(); ++s)
      text += "    " + Body.late[s].name + "[" + v + "] = " + Body.tables[s] +
              "[" + (isUnsignedByte() ? "" : "(unsigned char)") +
              Body.early.front().name + "[" + v + "]];\n";
    text += isOneLine ? "" : "  }\n";
    for (const EarlyLoad &each : Body.late)
      text += "  " + Body.builder.helpers.store() + "(" + each.pointer + " + " +
              Body.first + ", " + each.name + ", " + Body.count + ");\n";
    return text;
  }

  bool isUnsignedByte() const {
    return Body.early.front().type.find('u') != std::string::npos;
  }

  /// Fills a table for each store with the results of all bytes.
  std::string tableText() {
    if (Body.tables.empty())
      return {};
    const EarlyLoad &load = Body.early.front();
    const std::string element = "[" + Body.builder.element + "]";
    std::string text = "  // All results depend on one byte of " +
                       load.pointer + ": a block computes those of all\n" +
                       "  // bytes, to look them up.\n";
    for (std::size_t s = 0; s < Body.tables.size(); ++s)
      text += "  __shared__ " + Body.late[s].type + " " + Body.tables[s] +
              "[256];\n";
    text += "  for (unsigned " + Body.entry + " = threadIdx.x; " + Body.entry +
            " < 256; " + Body.entry + " += blockDim.x) {\n    " + load.type +
            " " + Body.byte + " = " + Body.entry + ";\n" + variables("    ");
    for (std::size_t m = 0; m < Body.builder.members(); ++m) {
      std::string member = memberText(m, "    ");
      replaceAll(member, load.name + element, Body.byte);
      for (std::size_t s = 0; s < Body.tables.size(); ++s)
        replaceAll(member, Body.late[s].name + element,
                   Body.tables[s] + "[" + Body.entry + "]");
      text += (m == 0 ? "" : "\n") + member;
    }
    return text + "  }\n  __syncthreads();\n\n";
  }

  static void replaceAll(std::string &text, const std::string &from,
                         const std::string &to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }

  /// Returns the statements of all members, to find the names in them.
  std::string statements() const {
    std::string text;
    for (const MemberText &member : Body.members)
      text += member.statements + "\n";
    for (const LastStore &store : Body.lastStores)
      text += store.text + "\n";
    for (const auto &[forward, load] : Body.firstLoads)
      text += load.text + "\n";
    return text;
  }

  /// Returns the names in `code`, and in the coordinates that it uses.
  std::set<std::string> usedBy(const std::string &code) const {
    std::set<std::string> used = plainIdentifiers(code);
    for (std::size_t i = Body.coordinates.size(); i-- > 0;)
      if (used.count(Body.coordinates[i].name) != 0)
        used.merge(plainIdentifiers(Body.coordinates[i].value));
    return used;
  }

  /// Declares the coordinates `ofGuards`, or the others that the statements
  /// name if `isOfGuards` is false.
  std::string coordinateLines(const std::string &indent, bool isOfGuards,
                              const std::set<std::string> &ofGuards) const {
    const std::set<std::string> used = usedBy(statements());
    std::string text;
    for (const CommonCoordinate &each : Body.coordinates)
      if (isOfGuards
              ? ofGuards.count(each.name) != 0
              : ofGuards.count(each.name) == 0 && used.count(each.name) != 0)
        text += line(each, indent);
    return text;
  }

  static std::string line(const CommonCoordinate &each,
                          const std::string &indent) {
    std::string text =
        listed(each.type + " " + each.name + " = ", {each.value}, ";", indent);
    // Too long a line gets the comment above it.
    if (!each.comment.empty() && text.size() + 1 + each.comment.size() > 80)
      return indent + each.comment + "\n" + text + "\n";
    return text + (each.comment.empty() ? "" : " " + each.comment) + "\n";
  }

  /// Returns the names in the guards, and in the coordinates that they use.
  std::set<std::string> ofGuards() const {
    std::set<std::string> used;
    for (const std::string &conjunct : Body.commonGuard)
      used.merge(plainIdentifiers(conjunct));
    for (const auto &guard : Body.guards)
      for (const std::string &conjunct : guard)
        used.merge(plainIdentifiers(conjunct));
    for (std::size_t i = Body.coordinates.size(); i-- > 0;)
      if (used.count(Body.coordinates[i].name) != 0)
        used.merge(plainIdentifiers(Body.coordinates[i].value));
    return used;
  }

  std::string ifLine(const std::vector<std::string> &conjuncts,
                     const std::string &indent) const {
    return listed("if (", conjuncts, ") {", indent, " &&") + "\n";
  }

  /// Writes the guards as `if (i >= n) return;`, in the first member's own
  /// words.
  std::string exits(const std::string &indent, const std::string &exit) const {
    std::string text;
    for (const BodyGuard &guard : Body.bodyOf(0).guards)
      text += listed("if (",
                     {renamed(Body.textAt(0, guard.condition),
                              Body.members[0].names)},
                     ")", indent) +
              "\n" + indent + "  " + exit + "\n";
    return text;
  }

  bool hasExits() const {
    const auto &guards = Body.bodyOf(0).guards;
    return std::all_of(guards.begin(), guards.end(),
                       [](const BodyGuard &each) { return each.isExit; });
  }

  /// Returns the comments right above the member's kernel.
  std::string commentOf(std::size_t member) const {
    const SourceText &source = *Body.members[member].source;
    const std::uint32_t end =
        Body.builder.kernelOf(member).text.declaration.begin;
    const std::uint32_t begin = commentsAbove(source, end);
    return begin < end ? std::string(source.text.substr(begin, end - begin))
                       : std::string();
  }

  std::string memberText(std::size_t member, const std::string &indent) const {
    return indent + "// " + Body.builder.kernelOf(member).name + "\n" +
           reindented(commentOf(member), indent) +
           reindented(Body.members[member].comments, indent) +
           wrapped(reindented(Body.members[member].variables, indent)) +
           wrapped(reindented(Body.members[member].statements, indent)) +
           (Body.guards[member].empty() ? lastStores(member, indent) : "");
  }

  std::string lastStores(std::size_t after, const std::string &indent) const {
    std::string text;
    for (const LastStore &store : Body.lastStores)
      if (store.after == after)
        text += wrapped(indent + store.text + "\n");
    return text;
  }

  /// Returns what keeps compilers from warning of a value that nothing reads,
  /// though its store is part of other statements.
  std::string unreadMark(const ForwardedArray &value) const {
    const bool isUnread =
        !value.stored &&
        std::none_of(value.roles.begin(), value.roles.end(),
                     [](const ForwardRole &role) { return role.consumes; });
    return isUnread && !Body.builder.isOpenCl() ? "[[maybe_unused]] " : "";
  }

  /// Declares variables for the forwarded values that no statement can declare.
  std::string variables(const std::string &indent) const {
    std::string text;
    for (std::size_t f = 0; f < Body.builder.forwards.size(); ++f)
      if (const auto load = Body.firstLoads.find(f);
          load != Body.firstLoads.end())
        text +=
            wrapped(indent + Body.builder.forwards[f].element.spelling + " " +
                    Body.builder.values[f] + " = " + load->second.text + ";\n");
      else if (Body.declared.count(f) == 0)
        text +=
            indent + unreadMark(Body.builder.forwards[f]) +
            variableOf(Body.builder.forwards[f].element, Body.builder.values[f],
                       Body.builder.program.language);
    return text;
  }

  /// Writes everything that a thread does for one element.
  std::string elementText(const std::string &indent, const std::string &exit) {
    const std::set<std::string> needed = ofGuards();
    // A guard may protect what a later one is made of.
    for (const CommonCoordinate &each : Body.coordinates)
      Body.hasProblem |= !each.isBeforeGuards && Body.mayDivide(each.value) &&
                         (needed.count(each.name) != 0 || !Body.haveOneGuard());
    if (!Body.loop.empty())
      return loopText(indent);
    const bool isOne = Body.haveOneGuard();
    if (!isOne && Body.commonGuard.empty())
      return coordinateLines(indent, true, needed) +
             coordinateLines(indent, false, needed) + variables(indent) +
             memberTexts(indent, /*braced=*/true);
    std::string text = coordinateLines(indent, true, needed);
    const bool isBlock = !isOne || !hasExits();
    const std::string inner = isBlock ? indent + "  " : indent;
    text += isBlock ? ifLine(Body.commonGuard, indent) : exits(indent, exit);
    const std::string head =
        coordinateLines(inner, false, needed) + variables(inner);
    text += head;
    if (!isBlock || !Body.firstLoads.empty())
      text += "\n";
    return text + memberTexts(inner, /*braced=*/false) +
           (isBlock ? indent + "}\n" : "");
  }

  /// Writes the members, those next to each other with the same guard in one
  /// block; `braced` gives those without a guard a block, too.
  std::string memberTexts(const std::string &indent, bool braced) const {
    std::string text;
    for (std::size_t m = 0; m < Body.builder.members();) {
      const std::vector<std::string> &guard = Body.guards[m];
      const bool isBlock = braced || !guard.empty();
      std::string inner;
      std::size_t next = m;
      for (; next < Body.builder.members() &&
             Body.isSameGuard(Body.guards[next], guard);
           ++next)
        inner += (inner.empty() ? "" : "\n") +
                 memberText(next, isBlock ? indent + "  " : indent);
      text += text.empty() || braced ? "" : "\n";
      if (isBlock)
        text += guard.empty() ? indent + "{\n" : ifLine(guard, indent);
      text += inner + (isBlock ? indent + "}\n" : "");
      std::string stores;
      for (; m < next; ++m)
        stores += guard.empty() ? "" : lastStores(m, indent);
      text += stores.empty() ? "" : "\n" + stores;
    }
    return text;
  }

  std::string loopText(const std::string &indent) const {
    std::string text;
    for (const CommonCoordinate &each : Body.coordinates)
      text += line(each, indent);
    text += wrapped(indent + Body.loop + " {") + variables(indent + "  ");
    for (std::size_t m = 0; m < Body.builder.members(); ++m)
      text += (m == 0 ? "" : "\n") + memberText(m, indent + "  ");
    return text + indent + "}\n";
  }

  std::string loopHead() const {
    const std::string axis(1, axisName(Body.builder.group.elementsAxis)[0]);
    return "#pragma unroll\n" +
           listed("for (unsigned " + Body.builder.element + " = 0;",
                  {" " + Body.builder.element + " < " + Body.builder.count() +
                   " && blockIdx." + axis + " * " + Body.builder.count() +
                   " + " + Body.builder.element + " < " + Body.builder.grid +
                   "." + axis + "; ++" + Body.builder.element},
                  ") {", "  ") +
           "\n";
  }

  std::string elementLoops() {
    if (Body.isPacked)
      return packedLoops();
    std::string text;
    if (!Body.early.empty()) {
      for (const EarlyLoad &load : Body.early)
        text += "  " + load.type + " " + load.name + "[" +
                Body.builder.count() + "];\n";
      const std::set<std::string> needed = ofGuards();
      std::string loads;
      for (const EarlyLoad &load : Body.early)
        loads += load.element + "\n";
      const std::set<std::string> used = usedBy(loads);
      const bool isGuarded = !Body.commonGuard.empty();
      const std::string inner = isGuarded ? "      " : "    ";
      text += loopHead() + coordinateLines("    ", true, needed);
      if (isGuarded)
        text += ifLine(Body.commonGuard, "    ");
      for (const CommonCoordinate &each : Body.coordinates)
        if (needed.count(each.name) == 0 && used.count(each.name) != 0)
          text += line(each, inner);
      for (const EarlyLoad &load : Body.early)
        text += inner + load.name + "[" + Body.builder.element +
                "] = " + load.element + ";\n";
      text += (isGuarded ? "    }\n" : "") + std::string("  }\n");
    }
    return text + loopHead() + elementText("    ", "continue;") + "  }\n";
  }

  MergedBodyBuilder &Body;
};

} // namespace

std::string bodyText(MergedBodyBuilder &body) {
  return BodyWriter(body).text();
}

} // namespace kfuse
