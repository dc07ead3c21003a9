//===- CollectOpenCl.h - What an OpenCL host does all over ----------------===//
#ifndef KFUSE_FRONTEND_HOST_COLLECTOPENCL_H
#define KFUSE_FRONTEND_HOST_COLLECTOPENCL_H

namespace kfuse {

struct HostUnit;

/// Finds what an OpenCL host does all over the unit: which variables hold
/// errors and which kernels, and why launches can't be followed.
void collectOpenCl(HostUnit &unit);

} // namespace kfuse

#endif
