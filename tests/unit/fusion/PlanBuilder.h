//===- PlanBuilder.h - Programs for tests of planning ---------------------===//
//
// Builds a Program from kernels whose accesses are written as polynomials, like
// those from the front end.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_TESTS_UNIT_FUSION_PLANBUILDER_H
#define KFUSE_TESTS_UNIT_FUSION_PLANBUILDER_H

#include "fusion/plan/Problem.h"

#include <memory>
#include <string>
#include <vector>

namespace kfuse::test {

/// Holds the extents of a grid or a block.
using PerAxis = std::array<Polynomial, 3>;

inline Polynomial operator+(const Polynomial &a, const Polynomial &b) {
  return *add(a, b);
}
inline Polynomial operator-(const Polynomial &a, const Polynomial &b) {
  return *subtract(a, b);
}
inline Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  return *multiply(a, b);
}
inline Polynomial num(std::int64_t value) { return Polynomial(value); }
inline Polynomial sym(SymbolKind kind, std::uint32_t index) {
  return Polynomial(Symbol{kind, index});
}
inline Polynomial thread(std::uint32_t axis = 0) {
  return sym(SymbolKind::ThreadIdx, axis);
}
inline Polynomial block(std::uint32_t axis = 0) {
  return sym(SymbolKind::BlockIdx, axis);
}
/// Returns blockIdx * blockDim + threadIdx.
inline Polynomial global(std::uint32_t axis = 0) {
  return block(axis) * sym(SymbolKind::BlockDim, axis) + thread(axis);
}
inline Polynomial param(std::uint32_t scalar) {
  return sym(SymbolKind::Parameter, scalar);
}
inline Polynomial counter(std::uint32_t loop) {
  return sym(SymbolKind::LoopCounter, loop);
}
/// Returns the constraint lhs < rhs.
inline Constraint less(const Polynomial &lhs, const Polynomial &rhs) {
  return {Relation::NonNegative, rhs - lhs - num(1)};
}
inline Constraint atLeast(const Polynomial &lhs, const Polynomial &rhs) {
  return {Relation::NonNegative, lhs - rhs};
}
inline Constraint equal(const Polynomial &lhs, const Polynomial &rhs) {
  return {Relation::Zero, lhs - rhs};
}
inline Constraint unknown() { return {Relation::Unknown, {}}; }
/// These guards admit a thread for each of scalar 0's elements, and for each
/// except the first and the last.
inline const Guard Below = {less(global(), param(0))};
inline const Guard Interior = {atLeast(global(), num(1)),
                               less(global(), param(0) - num(1))};

/// Returns a read, a write or an atomic access by the pointer with this number.
Access read(std::uint32_t pointer, IndexExpr index, Guard guard = {});
Access write(std::uint32_t pointer, IndexExpr index, Guard guard = {});
Access atomic(std::uint32_t pointer, IndexExpr index, Guard guard = {});
/// Returns the read and the write of `p[i] += e`.
std::vector<Access> update(std::uint32_t pointer, IndexExpr index,
                           Guard guard = {});

class PlanBuilder {
public:
  PlanBuilder();

  ArrayId array(const std::string &name,
                ArrayOrigin origin = ArrayOrigin::Allocation);
  /// Returns the value of a new host variable, about which nothing is known.
  Polynomial value(const std::string &name);
  /// Adds a kernel with `pointers` float pointers p0, p1... and `scalars`
  /// integers n, m...
  KernelId kernel(const std::string &name, unsigned pointers, unsigned scalars,
                  std::vector<Access> accesses);
  /// Adds a kernel that reads the first `inputs` pointers and writes the last
  /// one. All accesses are at the global index, below scalar 0.
  KernelId pointwise(const std::string &name, unsigned inputs);
  /// Adds a launch of 64 blocks of 256 threads.
  LaunchId launch(KernelId kernel, const std::vector<ArrayId> &arrays,
                  std::vector<Polynomial> scalars);
  LaunchId launch(KernelId kernel, const std::vector<PointerValue> &pointers,
                  std::vector<Polynomial> scalars,
                  std::array<Polynomial, 3> grid,
                  std::array<Polynomial, 3> block);
  StepId step(StepKind kind, std::vector<Effect> effects);

  Kernel &operator[](KernelId id) { return TheProgram.kernels[indexOf(id)]; }
  Program &program() { return TheProgram; }
  FusionOptions &options() { return Options; }
  Device &device() { return TheDevice; }
  /// Binds the launches and builds the graphs; afterwards the program is
  /// complete.
  const Problem &problem();

  FusedKernel plan(const std::vector<LaunchId> &group);
  /// Returns the obstacle's name, or `fused`.
  std::string verdict(const std::vector<LaunchId> &group);
  Obstacle obstacle(const std::vector<LaunchId> &group);

private:
  Program TheProgram;
  FusionOptions Options;
  Device TheDevice;
  DependencyGraph Dependencies;
  ExecutionGraph Order;
  std::unique_ptr<Problem> TheProblem;
  std::uint32_t NextOffset = 0;
};

/// Returns the verdict on two kernels, the first with pointers A and B, the
/// second with pointers B and C. Both get n.
std::string verdictOf(std::vector<Access> first, std::vector<Access> second,
                      PlanBuilder builder = {});

/// Returns how the plan places the array: `global`, `register 0->1,2` or
/// `never stored 0->1`.
std::string placementOf(const FusedKernel &kernel, ArrayId array);

} // namespace kfuse::test

#endif
