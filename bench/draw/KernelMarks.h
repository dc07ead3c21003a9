//===- KernelMarks.h - Where kernels are in the picture -------------------===//
#ifndef KFUSE_BENCH_DRAW_KERNELMARKS_H
#define KFUSE_BENCH_DRAW_KERNELMARKS_H

#include "bench/draw/RooflinePlot.h"
#include "bench/draw/Sheet.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

/// Returns axes on which all roofs, ridge points and kernels have a place.
PlotFrame frameOf(const RooflinePlot &plot);

/// Kernels that are drawn at one place, since they differ too little.
struct KernelMark {
  double x = 0, y = 0; ///< pixels
  LegendItem::Sign sign = LegendItem::Disc;
  bool isProjected = false, isAbove = false;
  std::string colour;               ///< of what bounds them
  std::string bound;                ///< the same in words
  std::vector<std::size_t> kernels; ///< indices into the plot's
  double seconds = 0;               ///< of all their launches
};

/// The kernels of a plot as marks.
struct KernelMarks {
  std::vector<KernelMark> marks;    ///< what takes longest comes first
  std::vector<std::size_t> unknown; ///< kernels that have no place
  bool hasEdge = false; ///< some have no operations, and are at the left edge
  /// Indices of marks: original kernels, and the fused ones they went into.
  std::vector<std::pair<std::size_t, std::size_t>> arrows;
};

KernelMarks marksOf(const RooflinePlot &plot, const PlotFrame &frame);

/// Returns what a pointer on the kernel shows: its numbers and its bound.
std::string kernelTitle(const RooflinePlot &plot, const RoofKernel &kernel);
/// Returns the names of the kernels of a mark, shortened.
std::string markName(const RooflinePlot &plot, const KernelMark &mark);

} // namespace kfuse

#endif
