//===- WholeElements.h - Pitches that are whole numbers of elements -------===//
#ifndef KFUSE_GRAPHS_PROGRAM_WHOLEELEMENTS_H
#define KFUSE_GRAPHS_PROGRAM_WHOLEELEMENTS_H

#include "graphs/program/Program.h"

namespace kfuse {

/// Adds to the launch's rooms that the quotients in its accesses have no
/// remainder, where these are right only then.
void needWholeElements(Program &program, Launch &launch);

} // namespace kfuse

#endif
