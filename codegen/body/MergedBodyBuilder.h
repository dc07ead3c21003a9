//===- MergedBodyBuilder.h - A merged body while it is written ------------===//
#ifndef KFUSE_CODEGEN_BODY_MERGEDBODYBUILDER_H
#define KFUSE_CODEGEN_BODY_MERGEDBODYBUILDER_H

#include "codegen/builder/FusedKernelBuilder.h"
#include "codegen/text/BodyText.h"
#include "text/Edits.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// A member's text on its way into the body.
struct MemberText {
  const SourceText *source = nullptr;
  bool loadsPlainly = false;      ///< what it loads is written (PlainLoads.h)
  std::string comments;           ///< of coordinates and guards, a line each
  std::string variables;          ///< before the statements, a line each
  std::string statements;         ///< with forwarded values in place
  Renames names;                  ///< of what the text names
  std::set<std::string> inMacros; ///< its own names that its macros mention
  Renames parameterNames; ///< parameters as `variables`, for statements alone
};

/// A coordinate of the fused kernel.
struct CommonCoordinate {
  std::string type, name, value;
  std::string canonical;      ///< the type without aliases
  std::string written;        ///< the value in the user's words
  std::string comment = {};   ///< that follows it on its line
  bool isBeforeGuards = true; ///< in its kernel
};

/// A load that all elements of a thread make first.
struct EarlyLoad {
  std::string name; ///< of the array of the elements' values
  std::string type;
  std::string element;      ///< `x[i]`, in the fused kernel's names
  std::string pointer = {}; ///< if neighbours are loaded together: `x`
};

/// A statement that accesses memory for several members.
struct CommonAccess {
  std::size_t owner = 0; ///< the member in whose names the text is
  std::string text;
};

/// A store that is made for all members that define its value, behind the last
/// of them.
struct LastStore : CommonAccess {
  std::size_t after = 0; ///< that member
};

/// The members' texts, and what they have in common.
class MergedBodyBuilder {
public:
  explicit MergedBodyBuilder(FusedKernelBuilder &kernel) : builder(kernel) {}

  FusedKernelBuilder &builder;
  std::vector<MemberText> members;
  std::vector<std::string> held; ///< by forward: a name to be replaced
  std::vector<CommonCoordinate> coordinates;
  std::vector<std::string> commonGuard;         ///< conjuncts of all members
  std::vector<std::vector<std::string>> guards; ///< by member: its other ones
  /// Forwards that a statement declares, with the member whose it is.
  std::map<std::size_t, std::size_t> declared;
  std::string loop, index; ///< the head of the grid-stride loop, its variable
  std::vector<LastStore> lastStores;
  /// The loads that give variables what memory holds, by forward.
  std::map<std::size_t, CommonAccess> firstLoads;
  std::vector<EarlyLoad> early;
  std::vector<EarlyLoad> late; ///< stores that all elements make last
  bool isPacked = false;       ///< a thread's elements are neighbours
  bool isWhole = false;        ///< nothing else goes to memory
  std::string bound, indexName, first, count; ///< if they are neighbours
  /// One table for each of `late`, if results are looked up by the byte that is
  /// loaded. The others name that byte and its number while tables are filled.
  std::vector<std::string> tables;
  std::string byte, entry;
  std::size_t opaqueZeros = 0;
  bool hasProblem = false;

  const GuardedBody &bodyOf(std::size_t member) const;

  std::string textAt(std::size_t member, const SourceRange &range) const;
  /// Returns the member's `text` with plain loads, if it needs them.
  std::string withPlainLoads(std::size_t member, std::string text) const;

  /// Returns the range of the member's statements; in a grid-stride loop, those
  /// of the loop's body.
  SourceRange statementsOf(std::size_t member) const;

  /// The comments between the start of the body and the member's statements:
  /// those that follow coordinates, keyed by these, and all others.
  struct HeadComments {
    std::map<std::string, std::string> behind;
    std::vector<std::string> others;
  };
  HeadComments headComments(std::size_t member) const;

  /// Checks whether a forwarded value replaces the member's access, so that it
  /// no longer goes to memory.
  bool isReplaced(std::size_t member, const Access &access) const;

  /// Checks whether two members' accesses, one of which writes, may be to the
  /// same memory. By different names those of different members aren't: the
  /// group's conditions ensure it.
  bool mayMeet(std::size_t member, const Access &access, std::size_t other,
               const Access &otherAccess) const;

  SourceRange withSemicolon(std::size_t member, SourceRange range) const;

  /// Checks whether the statement that begins at `begin` is one of the member's
  /// outermost ones, and so runs whenever they do.
  bool isOutermost(std::size_t member, std::uint32_t begin) const;

  /// Checks whether `load` stands in an outermost statement that runs whenever
  /// the member does, and not after `?`, `&&` or `||`, also in macros.
  bool isCertain(std::size_t member, const Access &load) const;

  /// Checks whether the text names only the member's parameters and
  /// coordinates, which mean the same all over the body.
  bool isOfCoordinates(std::size_t member, const SourceRange &range) const;

  /// Moves what all members' guards have to the common one.
  void findCommonGuard();
  /// Checks whether members have no guard but the common one.
  bool haveOneGuard() const;

  static bool isSameGuard(std::vector<std::string> one,
                          std::vector<std::string> other);

  /// Replaces the store's statement by a comment if nothing takes the forward's
  /// value and computing it does nothing else. Returns whether it did.
  bool removeUnread(std::size_t member, std::size_t forward,
                    const Access &store, Edits &edits) const;

  /// Checks whether a value may divide, perhaps inside a macro, by something
  /// that only a guard ensures not to be zero.
  bool mayDivide(const std::string &value) const;

  /// Returns the end of the semicolon of the store's statement; nullopt if no
  /// semicolon follows the store.
  std::optional<std::uint32_t> endOfStatement(std::size_t member,
                                              const Access &store) const;

private:
  /// Whether an access runs whenever the member does, as far as the text tells:
  /// a macro before it in its statement may hide a condition.
  enum class Certainty { None, UnlessByMacro, Full };
  Certainty certaintyOf(std::size_t member, const Access &access) const;
};

} // namespace kfuse

#endif
