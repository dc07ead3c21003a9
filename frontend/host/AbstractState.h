//===- AbstractState.h - Value numbering of host variables ----------------===//
#ifndef KFUSE_FRONTEND_HOST_ABSTRACTSTATE_H
#define KFUSE_FRONTEND_HOST_ABSTRACTSTATE_H

#include "frontend/host/Model.h"

#include "clang/AST/Type.h"

#include <map>
#include <optional>
#include <string>

namespace kfuse {

/// What the variables hold at one point of a function.
class AbstractState {
public:
  explicit AbstractState(HostModel &model);

  Polynomial readInteger(const HostPlace &place, const std::string &text,
                         clang::QualType type);
  HostPointer readPointer(const HostPlace &place, clang::QualType type,
                          const std::string &text);
  void write(const HostPlace &place, HostData data);
  /// The place gets a value that is not known.
  void forget(const HostPlace &place);
  void forget(VariableId base);
  /// Behind its block nobody can name the variable.
  void endLifetime(VariableId base);
  /// After code that can't be followed: shared variables and all memory.
  void forgetShared();
  /// What is read through the base, a pointer, becomes another place.
  void forgetBehind(VariableId base);
  void forgetEverything();
  /// The epoch of everything at the start of a function.
  unsigned entryEpoch() const { return LocalEpoch; }
  /// The pointer that the place holds, when one was written or read.
  std::optional<ObjectId> knownPointer(const HostPlace &place) const;
  void bindMerged(VariableId base, ObjectId root);
  /// The variable holds what it does in `other`.
  void adopt(VariableId base, const AbstractState &other);
  /// What holds after either of two ways.
  static AbstractState join(const AbstractState &lhs, const AbstractState &rhs);

private:
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
