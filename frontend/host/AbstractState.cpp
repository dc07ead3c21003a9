//===- AbstractState.cpp - Value numbering of host variables --------------===//

#include "frontend/host/AbstractState.h"

#include "frontend/api/OpenClCalls.h"
#include "frontend/kernel/Analysis.h"
#include "frontend/kernel/Types.h"

namespace kfuse {

/// Checks whether the paths lead to different members or elements of one
/// pointee: `->a.x` and `->b`, `.data()->[0]` and `.data()->[1]`.
static bool isSibling(std::string_view lhs, std::string_view rhs) {
  const std::size_t pointee = lhs.rfind("->");
  if (pointee == std::string_view::npos || pointee != rhs.rfind("->"))
    return false;
  const std::size_t begin = pointee + 2;
  const auto isKnown = [begin](std::string_view path) {
    return path.size() > begin &&
           path.find_first_of("(?", begin) == std::string_view::npos;
  };
  return isKnown(lhs) && isKnown(rhs) &&
         lhs.substr(0, begin + 1) == rhs.substr(0, begin + 1) &&
         !lhs.starts_with(rhs) && !rhs.starts_with(lhs);
}

AbstractState::AbstractState(HostModel &model)
    : Model(&model), LocalEpoch(model.newEpoch()), SharedEpoch(LocalEpoch),
      MemoryEpoch(LocalEpoch) {}

unsigned AbstractState::epochOf(VariableId id) const {
  auto known = Bases.find(id);
  if (known != Bases.end())
    return known->second.epoch;
  return Model->isShared(id) && !Model->isOwn(id) ? SharedEpoch : LocalEpoch;
}

AbstractState::Base &AbstractState::base(VariableId id) {
  auto known = Bases.find(id);
  if (known == Bases.end())
    known = Bases.emplace(id, Base{epochOf(id), {}}).first;
  return known->second;
}

EpochKey AbstractState::key(const HostPlace &place) const {
  return {place, epochOf(place.base), place.isIndirect() ? MemoryEpoch : 0};
}

std::optional<HostData> AbstractState::lookUp(const HostPlace &place) const {
  auto base = Bases.find(place.base);
  if (base != Bases.end()) {
    auto known = base->second.known.find(place.path);
    if (known != base->second.known.end())
      return known->second;
  }
  auto value = Model->defaults.find(key(place));
  if (value != Model->defaults.end())
    return value->second;
  return std::nullopt;
}

Polynomial AbstractState::readInteger(const HostPlace &place,
                                      const std::string &text,
                                      clang::QualType type) {
  if (std::optional<HostData> data = lookUp(place)) {
    if (const auto *value = std::get_if<Polynomial>(&*data))
      return *value;
    return Model->unknown();
  }
  Polynomial value =
      Model->freshValue(place, text, integerType(type, Model->ast));
  Model->defaults.emplace(key(place), value);
  return value;
}

HostPointer AbstractState::readPointer(const HostPlace &place,
                                       clang::QualType type,
                                       const std::string &text) {
  if (std::optional<HostData> data = lookUp(place)) {
    if (const auto *pointer = std::get_if<HostPointer>(&*data))
      return *pointer;
    return {Model->unknownObject(text, type), Polynomial{}};
  }
  ObjectId object = Model->unknownObject(text, type);
  auto parameter = Model->parameters.find(place.base);
  const bool isParameter =
      place.path.empty() && parameter != Model->parameters.end();
  if (isParameter && epochOf(place.base) != Model->entryEpoch)
    Model->lostParameters.insert(parameter->second);
  if (isParameter && epochOf(place.base) == Model->entryEpoch) {
    (*Model)[object].array.origin = ArrayOrigin::PointerArgument;
    (*Model)[object].parameter = parameter->second;
    // Nobody calls main with device pointers.
    (*Model)[object].isHost = Model->inMain;
  }
  HostPointer pointer{object, Polynomial{}};
  Model->defaults.emplace(key(place), pointer);
  return pointer;
}

void AbstractState::escapeAll(const Base &base) {
  for (const auto &[path, data] : base.known)
    if (const auto *pointer = std::get_if<HostPointer>(&data))
      Model->escape(pointer->object);
}

void AbstractState::write(const HostPlace &place, HostData data) {
  // Another path may reach a pointee, another index the element.
  if (place.isIndirect()) {
    // A member of the same object is another place.
    std::vector<std::pair<std::string, HostData>> kept;
    for (auto entry = Model->defaults.lower_bound({{place.base, {}}, 0, 0});
         entry != Model->defaults.end() &&
         std::get<0>(entry->first).base == place.base;
         ++entry) {
      const HostPlace &other = std::get<0>(entry->first);
      if (entry->first == key(other) && isSibling(other.path, place.path))
        kept.emplace_back(other.path, entry->second);
    }
    forgetShared();
    for (auto &[path, value] : kept)
      Model->defaults.insert_or_assign(key({place.base, path}), value);
  } else if (place.path.find('[') != std::string::npos) {
    // An index that isn't constant is spelled `[?`.
    const char *stale = place.hasOpenIndex() ? "[" : "[?";
    Base &target = base(place.base);
    target.epoch = Model->newEpoch();
    std::erase_if(target.known, [&](const auto &entry) {
      return entry.first.find(stale) != std::string::npos;
    });
  }
  forgetPointees(place);
  // Copies of a variable's members aren't followed, unless one is all of an
  // OpenCL object.
  const bool isWhole = place.path.empty() || place.path == HandlePath;
  if (const auto *pointer = std::get_if<HostPointer>(&data))
    if (!isWhole || Model->isShared(place.base) ||
        Model->isInvalidatedAtJoins(place.base))
      Model->escape(pointer->object);
  Base &target = base(place.base);
  std::erase_if(target.known, [&](const auto &entry) {
    return entry.first.size() > place.path.size() &&
           entry.first.starts_with(place.path);
  });
  if (!place.isIndirect() && std::holds_alternative<HostPointer>(data))
    target.known.insert_or_assign(place.path + TruthPath, Model->unknown());
  // Memory is known by epochs only: any store makes a new one.
  if (place.isIndirect())
    Model->defaults.insert_or_assign(key(place), std::move(data));
  else
    target.known.insert_or_assign(place.path, std::move(data));
}

/// Forgets what is read through pointers and references, which may lead to the
/// place.
void AbstractState::forgetPointees(const HostPlace &place) {
  if (!place.isIndirect() && Model->isShared(place.base))
    MemoryEpoch = Model->newEpoch();
}

void AbstractState::forget(const HostPlace &place) {
  if (place.isIndirect())
    forgetShared();
  else
    forget(place.base);
}

void AbstractState::forget(VariableId id) {
  forgetPointees({id, {}});
  Base &target = base(id);
  escapeAll(target);
  target.known.clear();
  target.epoch = Model->newEpoch();
}

void AbstractState::endLifetime(VariableId id) {
  if (!Model->isShared(id))
    Bases.erase(id);
}

void AbstractState::forgetShared() {
  for (auto entry = Bases.begin(); entry != Bases.end();) {
    if (!Model->isShared(entry->first) || Model->isOwn(entry->first)) {
      ++entry;
      continue;
    }
    escapeAll(entry->second);
    entry = Bases.erase(entry);
  }
  SharedEpoch = Model->newEpoch();
  MemoryEpoch = Model->newEpoch();
}

void AbstractState::forgetBehind(VariableId id) {
  base(id).epoch = Model->newEpoch();
}

void AbstractState::forgetEverything() {
  for (const auto &[id, base] : Bases)
    escapeAll(base);
  *this = AbstractState(*Model);
}

std::optional<ObjectId>
AbstractState::knownPointer(const HostPlace &place) const {
  if (std::optional<HostData> data = lookUp(place))
    if (const auto *pointer = std::get_if<HostPointer>(&*data))
      return pointer->object;
  return std::nullopt;
}

void AbstractState::adopt(VariableId id, const AbstractState &other) {
  const auto known = other.Bases.find(id);
  if (known != other.Bases.end())
    Bases.insert_or_assign(id, known->second);
}

void AbstractState::bindMerged(VariableId id, ObjectId object) {
  Base &target = base(id);
  target.known.clear();
  target.epoch = Model->newEpoch();
  target.known.emplace(std::string(), HostPointer{object, Polynomial{}});
}

HostData AbstractState::joined(const HostPlace &place, const HostData &lhs,
                               const HostData &rhs) {
  const auto *left = std::get_if<HostPointer>(&lhs);
  const auto *right = std::get_if<HostPointer>(&rhs);
  const std::string &name = Model->program.variables[indexOf(place.base)].name +
                            shownPath(place.path);
  if (!left || !right)
    return Model->freshValue(place, name);
  if (left->object == right->object)
    return HostPointer{left->object, NotPolynomial::Unsupported};
  return HostPointer{Model->merge(name, {left->object, right->object}),
                     Polynomial{}};
}

AbstractState AbstractState::join(const AbstractState &lhs,
                                  const AbstractState &rhs) {
  AbstractState result = lhs;
  HostModel &model = *lhs.Model;
  if (lhs.SharedEpoch != rhs.SharedEpoch)
    result.SharedEpoch = model.newEpoch();
  if (lhs.MemoryEpoch != rhs.MemoryEpoch)
    result.MemoryEpoch = model.newEpoch();
  if (lhs.LocalEpoch != rhs.LocalEpoch)
    result.LocalEpoch = model.newEpoch();
  std::set<VariableId> ids;
  for (const auto &[id, base] : lhs.Bases)
    ids.insert(id);
  for (const auto &[id, base] : rhs.Bases)
    ids.insert(id);
  for (VariableId id : ids) {
    auto left = lhs.Bases.find(id), right = rhs.Bases.find(id);
    Base mine =
        left != lhs.Bases.end() ? left->second : Base{lhs.epochOf(id), {}};
    Base other =
        right != rhs.Bases.end() ? right->second : Base{rhs.epochOf(id), {}};
    if (mine == other) {
      result.Bases.insert_or_assign(id, std::move(mine));
      continue;
    }
    std::set<std::string> paths;
    for (const auto &[path, data] : mine.known)
      paths.insert(path);
    for (const auto &[path, data] : other.known)
      paths.insert(path);
    Base both{mine.epoch == other.epoch ? mine.epoch : model.newEpoch(), {}};
    for (const std::string &path : paths) {
      std::optional<HostData> one = lhs.lookUp({id, path});
      std::optional<HostData> two = rhs.lookUp({id, path});
      if (path.ends_with(TruthPath) && one != two) {
        both.known.emplace(path, model.unknown());
        continue;
      }
      // A value nobody read before the branch: unknown on that path.
      if (!one || !two) {
        for (const std::optional<HostData> &data : {one, two})
          if (data)
            if (const auto *pointer = std::get_if<HostPointer>(&*data))
              model.escape(pointer->object);
        both.epoch = model.newEpoch();
        continue;
      }
      both.known.emplace(
          path, *one == *two ? *one : result.joined({id, path}, *one, *two));
    }
    result.Bases.insert_or_assign(id, std::move(both));
  }
  return result;
}

} // namespace kfuse
