//===- SpecialiseTemplates.h - Instances with a text of their own ---------===//
//
// The text of a template is that of all its instances, so that nothing in it
// can be written for one of them. If several instances of a function have
// launches to fuse, each gets a specialisation with the template's text:
//
//   template <typename T> void run(T *u) { k<T><<<n, 128>>>(u); ... }
//   ──▶   template <> void run<float>(float *u) { using T = float; ... }
//
// Those in which nothing is fused go when the output is written.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_SPECIALISETEMPLATES_H
#define KFUSE_FRONTEND_REWRITE_SPECIALISETEMPLATES_H

#include "frontend/rewrite/Rewriting.h"

#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Gives instances of templates that launch a text of their own, in one round:
/// what copied functions alone call is for the next. The text is empty when
/// there was nothing to do. The instances in `kept`, by name, get no text of
/// their own.
RewrittenText specialiseTemplates(const SourceUnit &unit,
                                  const std::set<std::string> &kept = {});

/// Does the same for the functions `instances`, which kernels run.
RewrittenText
specialise(const SourceUnit &unit,
           const std::vector<const clang::FunctionDecl *> &instances,
           const std::set<std::string> &kept);

/// Returns those of the instances `names` whose statements do something else in
/// `after` than in `before`.
std::set<std::string> changedInstances(const SourceUnit &before,
                                       const SourceUnit &after,
                                       const std::set<std::string> &names);

} // namespace kfuse

#endif
