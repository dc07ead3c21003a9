//===- MachineCode.h - The code of kernels in a cubin ---------------------===//
//
//   cubin (ELF) ──.text.NAME, .nv.constant2.NAME, ...──▶ code, by kernel
//               ──.debug_line─────────────────────────▶ lines of its arithmetic
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_NVCC_MACHINECODE_H
#define KFUSE_DRIVER_NVCC_MACHINECODE_H

#include "fusion/plan/Measurements.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kfuse {

struct MachineCode {
  std::string hash; ///< of the code, its constants and its relocations
  /// In the order of the code; empty without a table of lines, and for devices
  /// whose instructions aren't known.
  std::vector<Arithmetic> arithmetic;
};

/// Returns the code of each function that has its own in the file, by mangled
/// name. Empty when the file isn't an ELF file.
std::map<std::string, MachineCode> machineCode(const std::string &path);

} // namespace kfuse

#endif
