//===- WrapperArguments.h - What a call gives a wrapper's statements ------===//
//
// A parameter of a wrapper becomes a variable that has the argument's value. Or
// the argument stands for each mention of it: a number, a variable that nothing
// changes, a kernel.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_WRAPPERS_WRAPPERARGUMENTS_H
#define KFUSE_FRONTEND_REWRITE_WRAPPERS_WRAPPERARGUMENTS_H

#include "frontend/rewrite/BlockCopies.h"
#include "frontend/rewrite/CallSites.h"
#include "frontend/rewrite/Rewriting.h"

#include <string>

namespace kfuse {

/// Sets in `names` what stands for the variables and the parameters of
/// `wrapper` when its statements are written for the call `site`. Appends the
/// declarations that this takes, of parameters and of types, to `text`; all of
/// it replaces text that begins at `begin`. Returns why an argument can't be
/// given; empty if all can.
std::string writeArguments(Rewriting &rewriting, const MovableBlock &wrapper,
                           const CallSite &site, std::uint32_t begin,
                           NewNames &names, MappedText &text);

} // namespace kfuse

#endif
