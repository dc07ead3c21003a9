//===- driver/MachineCode.h - The code of kernels in a cubin --------------===//
//
//   cubin (ELF) ──.text.NAME, .nv.constant2.NAME, ...──▶ hash, by kernel
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_MACHINECODE_H
#define KFUSE_DRIVER_MACHINECODE_H

#include <map>
#include <string>

namespace kfuse {

/// For each function that has code of its own in the file, by mangled name, a
/// hash of the code, its constants and its relocations. Empty when the file
/// isn't an ELF file.
std::map<std::string, std::string> machineCode(const std::string &path);

} // namespace kfuse

#endif
