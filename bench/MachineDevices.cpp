//===- MachineDevices.cpp - The devices of this machine -------------------===//

#include "bench/MachineDevices.h"

#include "bench/CudaDevices.h"
#include "bench/OpenClDevices.h"

namespace kfuse {

DeviceList machineDevices() {
  DeviceList all = openClDevices();
  const DeviceList cuda = cudaDevices(all.platforms);
  all.devices.insert(all.devices.end(), cuda.devices.begin(),
                     cuda.devices.end());
  all.problems.insert(all.problems.end(), cuda.problems.begin(),
                      cuda.problems.end());
  return all;
}

} // namespace kfuse
