//===- Kernels.cpp - Kernels under the roofs of a device ------------------===//

#include "bench/model/Kernels.h"

#include <algorithm>

namespace kfuse {

std::optional<Workload> RoofKernel::workAt(std::string_view level) const {
  if (level == "DRAM")
    return Workload{operations, bytes};
  if (level == "L2" && l2Bytes)
    return Workload{operations, *l2Bytes};
  return std::nullopt;
}

bool KernelBound::isAbove() const {
  constexpr double Least = 0.02;
  return roof && share > 1 + std::max(Least, 2 * roof->spread);
}

KernelBound boundOf(const std::vector<DeviceRoof> &roofs,
                    const RoofKernel &kernel) {
  KernelBound bound;
  const auto consider = [&](const DeviceRoof *roof, double amount) {
    if (!roof || amount / roof->value <= bound.seconds)
      return;
    bound.roof = roof;
    bound.seconds = amount / roof->value;
    bound.share = bound.seconds / kernel.seconds;
  };
  for (const std::string &level : placesOf(roofs, RoofKind::Memory))
    if (const std::optional<Workload> work = kernel.workAt(level))
      consider(boundingRoof(roofs, RoofKind::Memory, level), work->bytes);
  const std::string &unit =
      kernel.unit.empty() ? usualUnit(roofs) : kernel.unit;
  consider(boundingRoof(roofs, RoofKind::Compute, unit), kernel.operations);
  return bound;
}

} // namespace kfuse
