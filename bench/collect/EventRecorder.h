//===- EventRecorder.h - What records CUDA's launches by events -----------===//
//
// A program gets it when it is built. kfuse-bench has its source in it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_COLLECT_EVENTRECORDER_H
#define KFUSE_BENCH_COLLECT_EVENTRECORDER_H

#include <string>
#include <vector>

namespace kfuse {

/// Writes the source, and the headers beside it. Returns the command that
/// compiles it to `object`; empty if there is no room for temporary files.
std::vector<std::string> eventRecorderCommand(const std::string &nvcc,
                                              const std::string &folder,
                                              const std::string &object);

/// Returns nvcc's options that link the object into a program, so that all
/// launches of its sources lead there.
std::vector<std::string> eventRecorderOptions(const std::string &object);

} // namespace kfuse

#endif
