//===- Scan.h - What a piece of host code may assign ----------------------===//
//
// A walk over the syntax that needs no values: which variables a statement may
// assign, which ones have an address that others may know, which functions it
// calls, whether it has to do with the device at all.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_HOST_SCAN_H
#define KFUSE_FRONTEND_HOST_SCAN_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class CallExpr;
class CUDAKernelCallExpr;
class Expr;
class FunctionDecl;
class LambdaExpr;
class SourceManager;
class Stmt;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace kfuse {

struct HostScan {
  /// In order of their occurrence.
  std::vector<const clang::ValueDecl *> assigned;
  /// Pointer variables to the variables whose value is assigned to them.
  std::map<const clang::ValueDecl *, std::vector<const clang::ValueDecl *>>
      flows;
  /// Variables that are assigned something else as well.
  std::set<const clang::ValueDecl *> otherFlows;
  /// Variables whose address outlives the expression that takes it.
  std::vector<const clang::ValueDecl *> addressTaken;
  /// Visible functions outside system headers that are called or named.
  std::vector<const clang::FunctionDecl *> callees;
  std::vector<const clang::LambdaExpr *> lambdas;
  std::set<std::string> runtimeNames; ///< CUDA functions that are named
  /// An argument of an OpenCL kernel object that the code sets: `object` is
  /// null if no variable holds it, and without an index it may be any.
  struct SetArgument {
    const clang::ValueDecl *object = nullptr;
    std::optional<std::int64_t> index;
    bool operator==(const SetArgument &) const = default;
  };
  std::vector<SetArgument> armed;
  bool hasLaunch = false;
  bool callsUnknown = false;  ///< a callee that can't be seen
  bool callsTemplate = false; ///< a system's, which finds operators by itself
  unsigned memoryStores = 0;  ///< through pointers, of what is tracked
  bool readsMemory = false;   ///< through a pointer
  /// Differences of pointers become numbers, or pointers themselves do, that
  /// may lead from one array to another.
  bool subtractsPointers = false, numbersPointers = false;
  /// Globals and members that are such pointers.
  std::set<const clang::ValueDecl *> measured;
  bool hasLabel = false;
  bool mayExit = false; ///< a `throw`, or a call that doesn't return
  bool catches = false; ///< has a `try`
  bool launchesOnHostArray = false; ///< a kernel is given an array of the host
  /// Variables declared in the code.
  std::set<const clang::ValueDecl *> declared;

  /// Checks whether the code may use the device, as unseen code may.
  bool usesDevice() const {
    return hasLaunch || callsUnknown || !runtimeNames.empty();
  }
};

/// Scans `statement`. The bodies of lambdas are not part of it.
HostScan scanHost(const clang::Stmt &statement,
                  const clang::SourceManager &sources);
/// The body, with what a constructor initialises before it.
HostScan scanHost(const clang::FunctionDecl &function,
                  const clang::SourceManager &sources);

/// Adds the pointers' differences, and casts of pointers to numbers, in the
/// statement's own operands that lead nowhere: they are compared or printed, or
/// tell of an alignment.
void overlookNumbers(const clang::Stmt &statement,
                     std::set<const clang::Expr *> &overlooked);

} // namespace kfuse

#endif
