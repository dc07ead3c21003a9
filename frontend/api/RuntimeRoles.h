//===- RuntimeRoles.h - What runtime functions are for --------------------===//
//
// The calls of the CUDA and the OpenCL runtime that move data, allocate, wait
// or report, by name. A function of a runtime that isn't here can't be
// followed.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_API_RUNTIMEROLES_H
#define KFUSE_FRONTEND_API_RUNTIMEROLES_H

#include "graphs/program/Program.h"

#include <optional>
#include <string_view>

namespace kfuse {

struct RuntimeCall {
  enum class Role : std::uint8_t {
    Allocate,        ///< `pointer` is the address of the variable
    AllocateManaged, ///< the same, for memory that the host may touch
    Free,
    Set,
    Copy, ///< direction by an argument
    CopyToSymbol,
    CopyFromSymbol,
    SymbolAddress, ///< `pointer` receives the address of symbol `source`
    MappedAddress, ///< `pointer` receives the device's name of `source`
    Move,          ///< MoveCall
    // OpenCL's roles:
    CreateBuffer, ///< returns storage
    CreateKernel, ///< returns the kernel object of a name
    ReleaseKernel,
    SetArgument, ///< of a kernel object
    Enqueue,     ///< a launch
    ReadBuffer,  ///< `source` to the host
    WriteBuffer, ///< the host to `pointer`
    CopyBuffer,  ///< `source` to `pointer`
    Simple,      ///< `kind` says it all; arguments may be assigned
    Unknown,
  };
  Role role = Role::Unknown;
  StepKind kind = StepKind::Opaque;
  int pointer = -1, source = -1, bytes = -1, direction = -1;
};

/// Returns what the runtime function `name` does; nullopt for a name that isn't
/// one of the CUDA runtime, driver or a CUDA library, or of OpenCL.
std::optional<RuntimeCall> runtimeCall(std::string_view name);

/// Stands in texts that kfuse wrote: all of array `source` goes to `pointer`,
/// and nobody needs what `source` holds.
constexpr const char *MoveCall = "kfuseMove";

/// cudaMemcpyKind.
enum class CopyDirection : int {
  HostToHost,
  HostToDevice,
  DeviceToHost,
  DeviceToDevice,
  Default
};

} // namespace kfuse

#endif
