//===- HostScan.h - Summary of a piece of host code -----------------------===//
//
// The variables that the code assigns and those whose address it takes, the
// functions that it calls, and whether it has to do with the device.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_HOST_HOSTSCAN_H
#define KFUSE_FRONTEND_HOST_HOSTSCAN_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class Expr;
class FunctionDecl;
class InitListExpr;
class LambdaExpr;
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

  /// Adds an item to one of the lists, unless it is there already.
  template <typename T> static void insert(std::vector<T> &list, T item) {
    if (std::find(list.begin(), list.end(), item) == list.end())
      list.push_back(item);
  }
  /// Notes that the lvalue is assigned `source`; nullptr if that isn't simply
  /// the value of an expression.
  void assign(const clang::Expr &lvalue, const clang::Expr *source);
  /// Notes that the lvalue's address is taken: for its expression alone, if
  /// `isTransient`.
  void takeAddress(const clang::Expr &lvalue, bool isTransient);
  /// Notes that the references that are members lead to what the list
  /// initialises them with.
  void takeMembers(const clang::InitListExpr &list);
  /// Notes that the code declares the variable, which is no reference with an
  /// initialiser, and gives it its first value.
  void declare(const clang::VarDecl &variable);
  /// Notes that the expression, if it is such a one, makes a number of a
  /// pointer or of the difference of two.
  void measure(const clang::Expr &value);
};

} // namespace kfuse

#endif
