//===- Search.h - Searching partitions ------------------------------------===//
//
// Minimise Σ T_p(F_j) over partitions of K into legal groups whose graph is
// acyclic. The searchers know nothing of programs: they see numbers of items,
// order edges, pairs that may never meet, and a pure cost of a set.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_SEARCH_H
#define KFUSE_GA_SEARCH_H

#include "ga/problem/PartitionProblem.h"
#include "ga/problem/SearchOptions.h"

namespace kfuse {

SearchResult search(const PartitionProblem &problem,
                    const SearchOptions &options);

} // namespace kfuse

#endif
