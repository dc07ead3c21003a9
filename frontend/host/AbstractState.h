//===- AbstractState.h - Value numbering of host variables ----------------===//
#ifndef KFUSE_FRONTEND_HOST_ABSTRACTSTATE_H
#define KFUSE_FRONTEND_HOST_ABSTRACTSTATE_H

#include "frontend/host/Model.h"

#include "clang/AST/Type.h"

#include <map>
#include <optional>
#include <string>

namespace kfuse {

/// The values that variables hold at one point of a function.
class AbstractState {
public:
  explicit AbstractState(HostModel &model);

  Polynomial readInteger(const HostPlace &place, const std::string &text,
                         clang::QualType type);
  HostPointer readPointer(const HostPlace &place, clang::QualType type,
                          const std::string &text);
  void write(const HostPlace &place, HostData data);
  /// Gives the place an unknown value.
  void forget(const HostPlace &place);
  void forget(VariableId base);
  /// Drops the variable at the end of its block, unless it is shared.
  void endLifetime(VariableId base);
  /// Forgets shared variables and all memory, after code that can't be
  /// followed. The unit's own variables stay, which only some functions change.
  void forgetShared();
  /// Starts a new epoch for the pointer `base`, so that what is read through it
  /// is another place than before.
  void forgetBehind(VariableId base);
  void forgetEverything();
  /// Returns the epoch of all variables at the start of a function.
  unsigned entryEpoch() const { return LocalEpoch; }
  /// Returns the object of the pointer that the place holds, if one was written
  /// or read.
  std::optional<ObjectId> knownPointer(const HostPlace &place) const;
  void bindMerged(VariableId base, ObjectId object);
  /// Takes over what the variable holds in `other`.
  void adopt(VariableId base, const AbstractState &other);
  /// Returns the state that holds after either of two paths.
  static AbstractState join(const AbstractState &lhs, const AbstractState &rhs);

private:
  void forgetPointees(const HostPlace &place);
  struct Base {
    unsigned epoch = 0;
    std::map<std::string, HostData> known;
    bool operator==(const Base &) const = default;
  };
  Base &base(VariableId id);
  unsigned epochOf(VariableId id) const;
  std::optional<HostData> lookUp(const HostPlace &place) const;
  EpochKey key(const HostPlace &place) const;
  void escapeAll(const Base &base);
  HostData joined(const HostPlace &place, const HostData &lhs,
                  const HostData &rhs);

  HostModel *Model;
  std::map<VariableId, Base> Bases;
  unsigned LocalEpoch = 0, SharedEpoch = 0, MemoryEpoch = 0;
};

} // namespace kfuse

#endif
