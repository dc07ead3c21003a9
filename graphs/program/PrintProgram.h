//===- PrintProgram.h - A printable account of a program ------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_PRINTPROGRAM_H
#define KFUSE_GRAPHS_PROGRAM_PRINTPROGRAM_H

#include "graphs/program/Program.h"

#include <string>

namespace kfuse {

/// Returns a printable account of the program (`--emit=program`).
std::string print(const Program &program);

} // namespace kfuse

#endif
