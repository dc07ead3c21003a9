//===- Model.h - Values and storage that the host names -------------------===//
//
// Value numbering of host variables. An AbstractState maps every scalar or
// pointer place (a variable and a path of members and elements) to what it
// holds. A place nobody wrote since some event gets one value for each such
// event (its epoch), made when it is first read. So an unmodified member is the
// same value at every read, whatever branch it is read in.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_HOST_MODEL_H
#define KFUSE_FRONTEND_HOST_MODEL_H

#include "frontend/syntax/SourceRanges.h"
#include "graphs/program/Program.h"

#include "clang/AST/Type.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace clang {
class ASTContext;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace kfuse {

/// Storage that a host pointer may name; becomes an Array once the device
/// touches it.
enum class ObjectId : std::uint32_t {};

struct MemoryObject {
  Array array;
  bool isHost = false; ///< malloc, new, a local array, null
  /// The pointee is a class, a character or a pointer: storage the host reads
  /// its parameters from, rather than data.
  bool isRecord = false;
  std::vector<ObjectId> candidates;
  std::optional<std::uint32_t> parameter; ///< of the enclosing function
  ArrayId id = noneOf<ArrayId>();
};

struct HostPointer {
  ObjectId object{};
  IndexExpr offset = Polynomial{}; ///< bytes
  auto operator<=>(const HostPointer &) const = default;
};

/// The path from a pointer to whether it isn't null.
inline constexpr const char *TruthPath = ".isSet()";

/// The value that a place holds.
using HostData = std::variant<Polynomial, HostPointer>;

/// A variable with a path such as `.x`, `->grid.n`, `[0]`.
struct HostPlace {
  VariableId base{};
  std::string path;
  bool isIndirect() const { return path.find("->") != std::string::npos; }
  bool hasOpenIndex() const { return path.find("[?") != std::string::npos; }
  auto operator<=>(const HostPlace &) const = default;
};

/// A pointer's identity when it is read from a place that is not known.
using EpochKey = std::tuple<HostPlace, unsigned, unsigned>;

/// The names of one translation unit's host side.
class HostModel {
public:
  HostModel(Program &program, clang::ASTContext &ast, FileTable &files)
      : program(program), ast(ast), files(files) {}

  Program &program;
  clang::ASTContext &ast;
  FileTable &files;

  VariableId variable(const clang::ValueDecl &declaration);
  /// Returns the variable that represents all memory read through pointers.
  VariableId memory();
  /// Returns the variable that represents the arguments of an OpenCL kernel
  /// object.
  VariableId argumentsOf(ObjectId kernelObject);
  /// Returns the variables that argumentsOf() made so far.
  const std::map<ObjectId, VariableId> &kernelArguments() const {
    return KernelArguments;
  }
  /// Checks whether calls that can't be followed may change `id`: a global, a
  /// member of `this`, or a local whose address is known elsewhere.
  bool isShared(VariableId id) const { return Shared.count(id) != 0; }
  void markShared(const clang::ValueDecl &declaration);
  /// Marks a global that only assignments in functions of this unit change. If
  /// it `isOfMain`, it is as one of main's local variables.
  void markOwn(VariableId id, bool isOfMain);
  /// Checks whether only calls of functions that assign `id` may change it,
  /// though it is shared.
  bool isOwn(VariableId id) const { return Own.count(id) != 0; }
  const std::set<VariableId> &ownVariables() const { return Own; }
  const std::set<VariableId> &sharedVariables() const { return Shared; }
  /// Marks a variable whose values are lost where paths join that aren't
  /// followed, such as those through a loop.
  void markInvalidatedAtJoins(VariableId id) { Loose.insert(id); }
  bool isInvalidatedAtJoins(VariableId id) const {
    return Loose.count(id) != 0;
  }

  /// Returns a new value for `place`; an unsigned one is exact, not only modulo
  /// its range.
  Polynomial freshValue(const HostPlace &place, std::string text,
                        IntegerType type = {});
  /// Returns the place of each HostValue.
  const std::vector<HostPlace> &valuePlaces() const { return ValuePlaces; }
  const std::map<const clang::ValueDecl *, VariableId> &variables() const {
    return Variables;
  }
  bool isUnsigned(const Symbol &symbol) const {
    return symbol.kind == SymbolKind::HostValue &&
           program.values[symbol.index].type.isUnsigned;
  }
  /// Returns a new value for what an OpenCL call returns: 0 or an error code.
  Polynomial errorValue();
  bool isError(const Polynomial &value) const;
  Polynomial unknown(IntegerType type = {}) {
    return Polynomial(program.terms.unique(type));
  }
  /// Returns the symbol for `key`, the text of a pure function outside the
  /// polynomials (`ceil(n / 256.0)`). Structurally equal texts have the same
  /// symbol.
  Polynomial interned(const std::string &key, IntegerType type = {});

  ObjectId addObject(MemoryObject object);
  MemoryObject &operator[](ObjectId id) { return Objects[indexOf(id)]; }
  std::size_t rootCount() const { return Objects.size(); }
  /// Adds storage for a pointer if only its type is known.
  ObjectId unknownObject(std::string name, clang::QualType pointer);
  ObjectId hostObject();
  ObjectId deviceVariable(const clang::VarDecl &variable);
  /// Returns the storage of a `__constant` variable of OpenCL kernels, which
  /// are a unit of their own.
  ObjectId constantOf(const clang::VarDecl &variable,
                      const clang::ASTContext &kernels);
  /// Returns the array of the object `id`, which the device touches.
  ArrayId array(ObjectId id);
  void escape(ObjectId id);
  /// Notes that the distance of `id`'s storage from others becomes a number.
  void measure(ObjectId id);
  /// Storage that isn't known was measured: it may be any that escapes.
  bool measuresAll = false;
  /// Returns the object of a pointer that may point to any of `values`; `name`
  /// is for messages.
  ObjectId merge(const std::string &name, const std::set<ObjectId> &values);

  unsigned newEpoch() { return ++Epoch; }
  std::map<EpochKey, HostData> defaults;
  /// Pointer parameters of the function that is walked, by variable, and the
  /// epoch in which they still hold what was passed.
  std::map<VariableId, std::uint32_t> parameters;
  /// Parameters that were read when they could hold something else, too.
  std::set<std::uint32_t> lostParameters;
  unsigned entryEpoch = 0;
  bool inMain = false;

private:
  std::vector<MemoryObject> Objects;
  std::map<const clang::ValueDecl *, VariableId> Variables;
  std::map<const clang::VarDecl *, ObjectId> DeviceVariables;
  std::map<std::string, Polynomial> Interned;
  std::vector<HostPlace> ValuePlaces;
  std::set<Symbol> Errors;
  std::set<VariableId> Shared, Own, Loose;
  std::map<ObjectId, VariableId> KernelArguments;
  std::optional<VariableId> Memory;
  std::optional<ObjectId> Host;
  unsigned Epoch = 0;
};

ElementType pointeeElement(const clang::ASTContext &ast,
                           clang::QualType pointer);

} // namespace kfuse

#endif
