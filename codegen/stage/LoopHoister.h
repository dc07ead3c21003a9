//===- LoopHoister.h - A grid-stride loop's body without it ---------------===//
#ifndef KFUSE_CODEGEN_STAGE_LOOPHOISTER_H
#define KFUSE_CODEGEN_STAGE_LOOPHOISTER_H

#include "codegen/text/Result.h"
#include "graphs/program/Program.h"
#include "text/Edits.h"
#include "text/Layout.h"

namespace kfuse {

/// A kernel's body with its grid-stride loop taken away, so that it is the work
/// of one iteration.
struct HoistedBody {
  Edits edits;      ///< to the text of `extent`
  TextRange extent; ///< what of the body remains
};

/// Removes the grid-stride loop from the kernel's body. Refuses a loop whose
/// iterations a thread can't run as calls of their own: one that it leaves
/// early, or that carries a value to the next iteration.
Result<HoistedBody> hoistLoop(const SourceText &source, const Kernel &kernel);

} // namespace kfuse

#endif
