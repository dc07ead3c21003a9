//===- driver/MachineCode.h - The code of kernels in a cubin --------------===//
//
//   cubin (ELF) ──.text.NAME, .nv.constant2.NAME, ...──▶ code, by kernel
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_MACHINECODE_H
#define KFUSE_DRIVER_MACHINECODE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kfuse {

struct MachineCode {
  /// Of the code, its constants and its relocations, but for the order of the
  /// factors of a product, which of them has its sign, and what is kept in the
  /// operands' cache.
  std::string hash;
  /// A number for each instruction, equal for those that do the same to the
  /// same registers.
  std::vector<std::uint32_t> instructions;
};

/// For each function that has code of its own in the file, by mangled name.
/// Empty when the file isn't an ELF file.
std::map<std::string, MachineCode> machineCode(const std::string &path);

} // namespace kfuse

#endif
