//===- JoinMethods.h - One method for calls of several --------------------===//
//
//   solver.relax();                   solver.relax_update();
//   solver.update(0.5f);       ──▶
//                                     void relax_update(float update_f) {
//                                       relax();
//                                       update(update_f);
//                                     }
//
// A function that is no member of a class can't name its private members, so
// that the statements of its methods can't stand in for calls. In a method of
// the class they can (InlineCalls.h).
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_METHODS_JOINMETHODS_H
#define KFUSE_FRONTEND_REWRITE_METHODS_JOINMETHODS_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Calls one new method in place of neighbouring calls of methods that launch,
/// for the same object. The class must stand in the input. The text is empty
/// when there was nothing to do. Calls of which nothing is fused are put back
/// when the output is written, and their method goes.
RewrittenText joinMethods(const SourceUnit &unit);

} // namespace kfuse

#endif
