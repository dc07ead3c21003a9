//===- ProgramEnvironment.h - Variables of a program that is measured -----===//
#ifndef KFUSE_BENCH_COLLECT_PROGRAMENVIRONMENT_H
#define KFUSE_BENCH_COLLECT_PROGRAMENVIRONMENT_H

#include "bench/DeviceChoice.h"

#include <string>
#include <vector>

namespace kfuse {

/// The variables of the program, each as "NAME=value".
using ProgramEnvironment = std::vector<std::string>;

/// Returns the variables of kfuse-bench itself.
ProgramEnvironment ownEnvironment();

/// Sets a variable, in place of what it was.
void setVariable(ProgramEnvironment &environment, const std::string &name,
                 const std::string &value);

/// Puts the layer that is beside kfuse-bench between the program and OpenCL's
/// drivers. Returns why it can't, or an empty text.
std::string addOpenClLayer(ProgramEnvironment &environment);

/// Lets the program see only these devices: of CUDA's by the driver's own
/// variable, of OpenCL's by the layer. Returns why it can't, or an empty text.
std::string showOnly(const VisibleDevices &devices,
                     ProgramEnvironment &environment);

/// Lets the C library note which files it loads into the program, in files of
/// this path and a process' number.
void noteLoadedFiles(ProgramEnvironment &environment, const std::string &path);

/// Returns the loader of OpenCL's drivers that a program used and that loaded
/// a driver without the layer, as the files of `path` note it; empty if there
/// is none.
std::string loaderWithoutLayer(const std::string &path);

/// The same of what the C library noted in one process.
std::string loaderWithoutLayerIn(const std::string &notes);

/// Returns what is wrong with such a loader.
std::string withoutLayerText(const std::string &loader);

} // namespace kfuse

#endif
