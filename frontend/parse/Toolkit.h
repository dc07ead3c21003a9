//===- Toolkit.h - The CUDA toolkit of the machine ------------------------===//
#ifndef KFUSE_FRONTEND_PARSE_TOOLKIT_H
#define KFUSE_FRONTEND_PARSE_TOOLKIT_H

#include <string>
#include <string_view>

namespace kfuse {

/// Returns the folder of the toolkit whose nvcc a shell would start; empty if
/// there is none.
std::string findToolkit();

/// Checks whether the toolkit in `folder` has the header called `name`.
bool hasHeader(const std::string &folder, std::string_view name);

/// Checks whether `name` is a header of CUDA's libraries, such as
/// `cub/cub.cuh`, of which kfuse has no declarations of its own.
bool isOfToolkit(std::string_view name);

/// Checks whether the header `name` goes only with the toolkit's own runtime,
/// as those of CUB and Thrust do.
bool needsWholeToolkit(std::string_view name);

} // namespace kfuse

#endif
