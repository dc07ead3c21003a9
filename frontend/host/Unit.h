//===- Unit.h - The host functions of a unit ------------------------------===//
//
// The state that the walks over the single host functions share: the program
// that is built, the kernels met so far, and a summary of every function. The
// summaries allow a walk to follow calls.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_HOST_UNIT_H
#define KFUSE_FRONTEND_HOST_UNIT_H

#include "frontend/api/ErrorConditions.h"
#include "frontend/host/Model.h"
#include "frontend/host/Scan.h"
#include "frontend/kernel/Analysis.h"

#include <map>
#include <set>
#include <vector>

namespace kfuse {

/// A Transfer in terms of objects.
struct HostTransfer {
  HostPointer target;
  std::optional<HostPointer> source;
  IndexExpr bytes = NotPolynomial::Unsupported;
  bool isRenaming = false; ///< then of all bytes
};

/// A statement's effects, as far as the device and the order are concerned.
struct StepFacts {
  struct Use {
    bool reads = false, writes = false;
  };
  std::set<StepKind> kinds; ///< all but Plain
  std::map<ObjectId, Use> effects;
  std::map<ObjectId, Use> ownEffects; ///< without those of nested steps
  std::set<VariableId> assigns;
  std::set<VariableId> uses;      ///< for a whole statement
  bool usesShared = false;        ///< and every variable that others may reach
  bool touchesEverything = false; ///< itself
  bool nestedTouch = false;       ///< nested steps touch everything
  /// Every variable that others may reach, of the unit's own ones only those in
  /// `assigns`.
  bool assignsShared = false;
  bool returns = false, exits = false, breaks = false, continues = false;
  std::optional<ObjectId> freed; ///< if the call is the whole statement
  /// The transfer by the call that is the whole statement.
  std::optional<HostTransfer> transfer;

  void use(ObjectId object, bool reads, bool writes);
  bool everything() const { return touchesEverything || nestedTouch; }
  /// Adds the facts of a step inside this one.
  void merge(const StepFacts &nested);
  bool mayLeave() const { return mayLeaveLoop() || breaks || continues; }
  bool mayLeaveLoop() const { return returns || exits; }
  /// Returns one kind for the whole step. `compound` is the kind of a statement
  /// of several parts, or Plain.
  StepKind kind(StepKind compound) const;
};

/// Storage that a function allocates in each call and returns, known to nobody
/// but the caller.
struct ReturnedAllocation {
  ObjectId storage{};
  /// Values of parameters that its bytes may be made of, with their numbers.
  std::map<Symbol, std::uint32_t> arguments;
};

/// A host function that is defined in the unit (a concrete one).
struct HostFunction {
  const clang::FunctionDecl *declaration = nullptr;
  HostScan scan;
  /// Including everything it calls:
  bool usesDevice = false, assignsShared = false, mayExit = false;
  bool subtractsPointers = false, numbersPointers = false; ///< of HostScan
  std::set<VariableId> assignsOwn;  ///< HostModel::isOwn() of them
  bool setsKernelArguments = false; ///< may set arguments of OpenCL's kernels
  bool isShared = false;            ///< one of several instantiations
  enum class State : std::uint8_t { New, Walking, Done } state = State::New;
  StepFacts facts; ///< once Done
  /// Checks whether the function, once Done, only frees device storage.
  bool onlyFrees() const;
  /// Parameters whose pointer outlives the call; once Done.
  std::set<std::uint32_t> keeps;
  std::set<std::uint32_t> measured;       ///< see Array::isMeasured
  std::optional<ReturnedAllocation> gift; ///< once Done
};

/// The kernels' unit: that of the host, or in OpenCL one of their own.
struct KernelUnitRef {
  clang::ASTContext &ast;
  clang::Preprocessor &preprocessor;
  FileTable &files;
  bool isSeparateUnit = false;
};

struct HostUnit {
  HostUnit(clang::ASTContext &ast, FileTable &files, Program &program,
           KernelUnitRef ofKernels);

  HostModel model;
  KernelContext kernels;
  /// In source order, instantiations after their pattern.
  std::vector<const clang::FunctionDecl *> order;
  std::map<const clang::FunctionDecl *, HostFunction> functions;
  std::map<const clang::FunctionDecl *, KernelId> kernelIds;
  /// Kernels whose attributes the host sets: another kernel wouldn't have them.
  std::set<const clang::FunctionDecl *> tuned;
  std::vector<StepFacts> steps;        ///< by StepId
  std::map<ArrayId, ObjectId> objects; ///< of arrays
  /// Storage allocated through `&variable`.
  std::map<const clang::VarDecl *, std::vector<ObjectId>> allocations;
  /// Storage that functions allocated and a variable was given.
  std::map<const clang::VarDecl *, std::vector<ObjectId>> gifts;
  /// Mentions of variables in launches, and in statements that exist only for
  /// the storage of one array.
  std::map<const clang::ValueDecl *, unsigned> accounted;
  std::map<ObjectId, std::vector<StepId>> lifetimeStatements;
  /// The kernel of each kernel object; null for one that isn't there.
  std::map<ObjectId, const clang::FunctionDecl *> kernelObjects;
  /// Variables at file scope that are given nothing else, all of one kernel.
  std::map<const clang::VarDecl *, ObjectId> kernelVariables;
  ErrorVariables errors;
  /// Why OpenCL launches are no members of K, or empty.
  std::string openClObstacle;
  /// Functions whose statements were written for calls of them, by name.
  std::set<std::string> copied;
  /// Own variables that functions assign which other files may call.
  std::set<VariableId> ownOfOthers;
  std::set<std::string> runtimeNames; ///< that the functions call
  bool managed = false;        ///< memory that host and device share is used
  bool catches = false;        ///< exceptions of functions go somewhere
  bool mapsHostMemory = false; ///< kernels may use what the host names
  bool waitsForEvents = false; ///< events order streams, not only measure
  bool operatorsUseDevice = false; ///< some that the user wrote
  bool asksStreams = false;        ///< whether they are done
  bool copiesLater = false;        ///< the host gets copies once it has waited
  bool passesHostMemory = false;   ///< a kernel is given what malloc returned

  const HostFunction *find(const clang::FunctionDecl &function) const;
  ArrayId array(ObjectId object);
  /// Returns the OpenCL kernel called `name`, or nullptr if there is none.
  const clang::FunctionDecl *kernelNamed(llvm::StringRef name) const;
  KernelId kernel(const clang::FunctionDecl &function);
};

} // namespace kfuse

#endif
