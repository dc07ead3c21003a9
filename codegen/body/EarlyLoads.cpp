//===- EarlyLoads.cpp - Loads that all elements make first ----------------===//
#include "codegen/body/EarlyLoads.h"

#include <algorithm>

namespace kfuse {
namespace {

class LoadFinder {
public:
  explicit LoadFinder(MergedBodyBuilder &body) : Body(body) {}

  void findEarlyLoads() {
    for (std::size_t m = 0; m < Body.builder.members(); ++m) {
      if (!Body.guards[m].empty())
        continue; // beyond the guard that all members have
      const Kernel &kernel = Body.builder.kernelOf(m);
      for (const Access &load : kernel.accesses) {
        const PointerParameter &pointer = kernel.pointers[load.pointer];
        const ArrayId array =
            Body.builder.launchOf(m).pointers[load.pointer].array;
        const bool isTaken = std::any_of(
            Body.builder.forwards.begin(), Body.builder.forwards.end(),
            [&](const ForwardedArray &each) {
              return each.array == array &&
                     (each.roles[m].consumes ||
                      (each.roles[m].produces && !each.stored));
            });
        if (load.kind != AccessKind::Read || load.form != AccessForm::Load ||
            isTaken || !load.editable || load.range.inMacro || !load.isValue ||
            load.offset != 0 || load.width != load.elementBytes ||
            pointer.global || !pointer.element.trivial || !load.loops.empty() ||
            load.range.begin < Body.statementsOf(m).begin ||
            !isPassed(m, pointer) || !isOnlyLoaded(array) ||
            !Body.isCertain(m, load) || !isLoadedFirst(m, load))
          continue;
        const std::string element =
            renamed(Body.textAt(m, load.range), Body.members[m].names);
        if (isOfCoordinates(element) && !isPointedTo(element))
          addEarlyLoad(m, pointer, element);
      }
    }
    // An element may be another one's index.
    std::vector<const EarlyLoad *> outermost;
    for (const EarlyLoad &load : Body.early)
      outermost.push_back(&load);
    std::sort(outermost.begin(), outermost.end(),
              [](const EarlyLoad *lhs, const EarlyLoad *rhs) {
                return lhs->element.size() > rhs->element.size();
              });
    for (MemberText &member : Body.members)
      for (const EarlyLoad *load : outermost)
        replaceAll(member.statements, load->element,
                   load->name + "[" + Body.builder.element + "]");
    std::erase_if(Body.early, [&](const EarlyLoad &load) {
      return std::none_of(Body.members.begin(), Body.members.end(),
                          [&](const MemberText &member) {
                            return mentions(member.statements, load.name);
                          });
    });
    // No other text loads what these do.
    for (auto &[forward, load] : Body.firstLoads)
      if (Body.early.size() < MostEarly) {
        const std::string &value = Body.builder.values[forward];
        const std::string name = value.substr(0, value.rfind("_value"));
        Body.early.push_back({Body.builder.names.plain(suffixed(name, "_in"),
                                                       Body.builder.taken),
                              Body.builder.forwards[forward].element.spelling,
                              load.text});
        load.text = Body.early.back().name + "[" + Body.builder.element + "]";
      }
  }

private:
  /// Checks whether no store that may be to the same memory runs before `load`,
  /// in `member` or in an earlier one.
  bool isLoadedFirst(std::size_t member, const Access &load) const {
    for (std::size_t m = 0; m <= member; ++m)
      for (const Access &each : Body.builder.kernelOf(m).accesses)
        if (each.kind != AccessKind::Read && (m < member || &each < &load) &&
            !Body.isReplaced(m, each) && Body.mayMeet(member, load, m, each))
          return false;
    return true;
  }

  /// Checks whether the member's rewritten text still uses the parameter.
  bool isPassed(std::size_t member, const PointerParameter &pointer) const {
    const Kernel &kernel = Body.builder.kernelOf(member);
    return Body.members[member].names.count(
               kernel.parameters[pointer.parameter].name) != 0;
  }

  /// Checks whether all accesses to the array are loads of values, and plain
  /// stores after them. The text of an element then means the early value
  /// wherever it isn't stored to.
  bool isOnlyLoaded(ArrayId array) const {
    const FusedKernelBuilder &builder = Body.builder;
    const Access *store = nullptr;
    std::size_t writer = 0;
    for (std::size_t m = 0; m < builder.members(); ++m)
      for (const Access &access : builder.kernelOf(m).accesses) {
        if (Body.isReplaced(m, access))
          continue;
        if (builder.arrayOf(m, access) != array) {
          if (access.kind != AccessKind::Read && mayBeLoad(m, access, array))
            return false;
          continue;
        }
        const bool isLoad = access.form == AccessForm::Load && access.isValue &&
                            access.kind == AccessKind::Read;
        if (isLoad ? store && (m > writer || &access > store)
                   : !isPlain(m, access))
          return false;
        if (!isLoad && !store) {
          store = &access;
          writer = m;
        }
      }
    return true;
  }

  /// Checks whether the member loads the array, and `store`, which names
  /// another one, may be to the same memory.
  bool mayBeLoad(std::size_t member, const Access &store, ArrayId array) const {
    const std::vector<Access> &all = Body.builder.kernelOf(member).accesses;
    return std::any_of(all.begin(), all.end(), [&](const Access &each) {
      return each.form == AccessForm::Load &&
             Body.builder.arrayOf(member, each) == array &&
             !Body.isReplaced(member, each) &&
             Body.mayMeet(member, store, member, each);
    });
  }

  /// Checks whether `=` follows the element of `store` directly in the member's
  /// rewritten text, so that this tells it from a load.
  bool isPlain(std::size_t member, const Access &store) const {
    const SourceText &source = *Body.members[member].source;
    const std::size_t next = tokenAt(source, store.range.end);
    const std::string element = Body.textAt(member, store.range);
    if (!isIdentifierCharacter(element.front()) || !element.ends_with("]"))
      return false;
    if (store.form == AccessForm::Update) // of a variable, if it was forwarded
      return std::any_of(
          Body.builder.forwards.begin(), Body.builder.forwards.end(),
          [&](const ForwardedArray &each) {
            return each.array == Body.builder.arrayOf(member, store) &&
                   each.roles[member].consumes;
          });
    return store.form == AccessForm::Store &&
           store.whole.begin == store.range.begin &&
           next < source.tokens.size() &&
           spelling(source.text, source.tokens[next]) == "=";
  }

  /// Checks whether `text` names only coordinates and parameters.
  bool isOfCoordinates(const std::string &text) const {
    std::set<std::string> known;
    for (const CommonCoordinate &each : Body.coordinates)
      known.insert(each.name);
    for (const FusedParameter &each : Body.builder.parameters)
      known.insert(each.name);
    for (const std::string &name : plainIdentifiers(text))
      if (known.count(name) == 0)
        return false;
    return true;
  }

  /// Checks whether the members' statements take the element's address with
  /// `&`.
  bool isPointedTo(const std::string &element) const {
    for (const MemberText &member : Body.members) {
      const std::string &text = member.statements;
      for (std::size_t at = text.find(element); at != std::string::npos;
           at = text.find(element, at + 1)) {
        const std::size_t before =
            at == 0 ? std::string::npos
                    : text.find_last_not_of(" \t\r\n(", at - 1);
        if (before != std::string::npos && text[before] == '&')
          return true;
      }
    }
    return false;
  }

  void addEarlyLoad(std::size_t member, const PointerParameter &pointer,
                    const std::string &element) {
    for (const EarlyLoad &known : Body.early)
      if (known.element == element)
        return;
    if (Body.early.size() >= MostEarly)
      return;
    const std::string &parameter =
        Body.builder.kernelOf(member).parameters[pointer.parameter].name;
    const std::string name =
        pointer.path.empty()
            ? Body.members[member].names[parameter]
            : pointer.path.substr(pointer.path.find_last_of('.') + 1);
    Body.early.push_back(
        {Body.builder.names.plain(suffixed(name, "_in"), Body.builder.taken),
         pointer.element.spelling, element});
  }

  /// Replaces the loads of `element` in `text` by `value`. Stores to the
  /// element, which have the same text, are left.
  static void replaceAll(std::string &text, const std::string &element,
                         const std::string &value) {
    for (std::size_t at = text.find(element); at != std::string::npos;
         at = text.find(element, at)) {
      const std::size_t end = at + element.size();
      const bool isPart =
          (at > 0 && (isIdentifierCharacter(text[at - 1]) ||
                      text[at - 1] == '.' || text[at - 1] == '>')) ||
          (end < text.size() && isIdentifierCharacter(text[end]));
      const std::size_t next = text.find_first_not_of(" \t\r\n", end);
      const bool isStored = next != std::string::npos && text[next] == '=' &&
                            text.compare(next, 2, "==") != 0;
      if (isPart || isStored) {
        at = end;
        continue;
      }
      text.replace(at, element.size(), value);
      at += value.size();
    }
  }

  static constexpr std::size_t MostEarly = 16;

  MergedBodyBuilder &Body;
};

} // namespace

void findEarlyLoads(MergedBodyBuilder &body) {
  LoadFinder(body).findEarlyLoads();
}

} // namespace kfuse
