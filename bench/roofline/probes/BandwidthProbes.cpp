//===- BandwidthProbes.cpp - Bytes a second -------------------------------===//

#include "bench/roofline/probes/ProbeList.h"
#include "bench/roofline/probes/Walk.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace kfuse {
namespace {

/// An operation over arrays.
struct StreamKernel {
  const char *name, *kernel;
  std::size_t arrays;
};
constexpr StreamKernel StreamKernels[] = {{"read", "readSet", 1},
                                          {"write", "writeSet", 1},
                                          {"copy", "copySet", 2},
                                          {"triad", "triadSet", 3}};

class BandwidthProbes {
public:
  BandwidthProbes(const ProbeSetup &setup, std::vector<Probe> &list)
      : Setup(setup), List(list), Limits(setup.device.limits()),
        Largest(largestSet(Limits, setup.isQuick)),
        // Reads take one array alone, of a copy each is a half.
        First(variedBuffer(setup.device, Largest + Margin)),
        Second(variedBuffer(setup.device, Largest / 2 + Margin)),
        Third(variedBuffer(setup.device, Largest / 2 + Margin)),
        Sink(setup.device.allocate(MostWaves * residentGroups() * groupSize() *
                                   Limits.vectorBytes)) {}

  void addSets() {
    const int perOctave = Setup.isQuick ? 2 : 3;
    constexpr double Smallest = 4096;
    for (const StreamKernel &stream : StreamKernels) {
      double last = 0;
      for (int i = 0;; ++i) {
        const double bytes = Smallest * std::exp2(double(i) / perOctave);
        if (bytes > double(Largest) * 1.01)
          break;
        const Walk walk = usualWalk(vectorsOf(stream, bytes));
        const double real = bytesOf(stream, walk);
        // Sizes are those of whole steps.
        if (real > last)
          List.push_back({stream.name, real, bandwidth(stream, walk)});
        last = std::max(last, real);
      }
    }
  }

  /// Adds other shapes of launches over the largest set: one of them may get
  /// more out of the memory.
  void addShapes() {
    const std::size_t many = residentGroups() * MostWaves;
    for (const StreamKernel &stream : StreamKernels) {
      const std::size_t vectors = vectorsOf(stream, double(Largest));
      std::vector<Walk> walks = {
          walkApart(vectors, many, groupSize()),
          walkAbreast(vectors, residentGroups(), groupSize()),
          walkAbreast(vectors, many, groupSize())};
      // A step a group; a read would write as much as a quarter of it.
      if (!Limits.isCpu && stream.arrays > 1)
        walks.push_back(walkAbreast(
            vectors, vectors / vectorsPerStep(groupSize()), groupSize()));
      for (std::size_t i = 0; i < walks.size(); ++i)
        addShape(stream.name, double(i),
                 launchOf(stream, walks[i], walks[i].steps),
                 bytesOf(stream, walks[i]));
    }
    if (Limits.isCpu)
      return;
    addCopyOnce(4, {First, Second, Largest / 2});
    if (const CopyPair large = largePair(); large.bytes != 0)
      addCopyOnce(5, large);
  }

  /// Adds the driver's own copies of what the shapes copy: as large, and as
  /// many in one queue.
  void addDriver() {
    addDriverCopy({First, Second, Largest / 2});
    if (const CopyPair large = largePair(); large.bytes != 0)
      addDriverCopy(large);
    struct {
      const char *name;
      TransferPath path;
    } const paths[] = {{"to-device-pageable", TransferPath::ToDevicePageable},
                       {"to-device-pinned", TransferPath::ToDevicePinned},
                       {"to-host-pageable", TransferPath::ToHostPageable},
                       {"to-host-pinned", TransferPath::ToHostPinned}};
    const std::size_t most =
        std::min<std::size_t>(Largest / 2, Setup.isQuick ? 4 << 20 : 64 << 20);
    for (const auto &each : paths)
      for (std::size_t size = 4096; size <= most; size *= 4)
        List.push_back(
            {each.name, double(size),
             [path = each.path, size, second = Second, &device = Setup.device] {
               return double(size) / device.transfer(path, second, size);
             }});
  }

  void addLocal() {
    constexpr std::size_t LoadsPerStep = 4;
    const std::size_t items = residentGroups() * groupSize();
    const double bytes = double(items * LoadsPerStep * Limits.vectorBytes);
    const auto seconds = secondsPerStep(
        Setup, 1,
        [groups = residentGroups(), size = groupSize(),
         sink = Sink](std::int32_t steps) {
          return ProbeLaunch{"localRead", groups, size, {sink, steps}};
        },
        [] {});
    List.push_back({"local", 0, [=] { return bytes / seconds(); }});
  }

  /// Adds a copy with so much arithmetic that each would take the same time by
  /// itself.
  void addOverlap() {
    const Walk walk = usualWalk(Largest / 2 / Limits.vectorBytes);
    const auto launched = [&device = Setup.device](const ProbeLaunch &launch) {
      constexpr unsigned Times = 4;
      return device.launch(launch, Times) / Times;
    };
    const auto copying = [self = *this, walk, launched](std::int32_t flops) {
      return launched(
          {"copyWithFlops",
           walk.groups,
           walk.groupSize,
           {self.First, self.Second, Factor, Term, flops, walk.slice, walk.span,
            walk.stride, walk.parts, walk.leap, walk.steps}});
    };
    const auto alone = [sink = Sink, walk, launched](std::int32_t flops) {
      return launched({"flopsAlone",
                       walk.groups,
                       walk.groupSize,
                       {sink, Factor, Term, flops, walk.steps}});
    };
    // All use the number that is found first.
    const auto found = std::make_shared<std::int32_t>(0);
    const auto balanced = [=] {
      if (*found == 0) {
        constexpr std::int32_t Few = 8, Many = 72;
        constexpr double Most = 4096;
        copying(0), alone(Few);
        const double perFlop = (alone(Many) - alone(Few)) / (Many - Few);
        const double wanted = (copying(0) - alone(Few)) / perFlop + Few;
        *found = static_cast<std::int32_t>(
            std::isfinite(wanted) ? std::clamp(wanted, 1.0, Most) : 1.0);
      }
      return *found;
    };
    List.push_back({"overlap", 0, [=] { return copying(0); }});
    List.push_back({"overlap", 1, [=] { return alone(balanced()); }});
    List.push_back({"overlap", 2, [=] { return copying(balanced()); }});
  }

private:
  /// Two arrays, one of which becomes a copy of the other.
  struct CopyPair {
    ProbeBuffer from, to;
    std::size_t bytes = 0; ///< of each; 0 if there are none
  };

  /// Returns arrays that are larger than the curves' sets, so that what a copy
  /// takes at its start and its end doesn't count. There are none for
  /// processors, nor if the memory is short.
  CopyPair largePair() {
    if (Large.bytes == 0 && largeCopy(Limits, Setup.isQuick) > Largest / 2) {
      Large.bytes = largeCopy(Limits, Setup.isQuick);
      Large.from = variedBuffer(Setup.device, Large.bytes);
      Large.to = variedBuffer(Setup.device, Large.bytes);
    }
    return Large;
  }

  /// Adds a copy in which each work-item moves a vector.
  void addCopyOnce(double number, const CopyPair &pair) {
    const std::size_t groups = pair.bytes / Limits.vectorBytes / groupSize();
    addShape("copy", number,
             {"copyOnce", groups, groupSize(), {pair.from, pair.to}},
             2.0 * double(groups * groupSize() * Limits.vectorBytes));
  }

  void addDriverCopy(const CopyPair &pair) {
    List.push_back(
        {"driver-copy", double(pair.bytes), [pair, &device = Setup.device] {
           return 2.0 * double(pair.bytes) * InARow /
                  device.copy(pair.from, pair.to, pair.bytes, InARow);
         }});
  }

  /// Sets are rounded up to steps of all groups.
  static constexpr std::size_t Margin = 16 << 20;
  /// Groups over those that are resident at once.
  static constexpr std::size_t MostWaves = 4;
  /// Copies between two times.
  static constexpr unsigned InARow = 4;
  static constexpr float Factor = 0.999F, Term = 0.001F;

  std::size_t groupSize() const {
    return Limits.isCpu ? 1 : std::min<std::size_t>(256, Limits.groupSize);
  }
  /// A group for each core; on a GPU, as many as a multiprocessor has threads
  /// for.
  std::size_t residentGroups() const {
    constexpr std::size_t Threads = 2048;
    return Limits.computeUnits * (Limits.isCpu ? 1 : Threads / groupSize());
  }

  std::size_t vectorsOf(const StreamKernel &stream, double bytes) const {
    return static_cast<std::size_t>(bytes) / stream.arrays / Limits.vectorBytes;
  }
  double bytesOf(const StreamKernel &stream, const Walk &walk) const {
    return double(walk.vectors * stream.arrays * Limits.vectorBytes);
  }

  /// Returns the walk of the curves. Groups of a processor have sets of their
  /// own, which stay in the caches of their cores. Those of a GPU share one,
  /// which passes a first-level cache unless all of it fits.
  Walk usualWalk(std::size_t vectors) const {
    if (Limits.isCpu)
      return walkApart(vectors, residentGroups(), groupSize());
    return walkShared(vectors, Limits.computeUnits,
                      residentGroups() / Limits.computeUnits, groupSize());
  }

  ProbeLaunch launchOf(const StreamKernel &stream, const Walk &walk,
                       std::int32_t steps) const {
    ProbeLaunch made{stream.kernel, walk.groups, walk.groupSize, {}};
    made.arguments = arraysOf(stream);
    made.arguments.insert(
        made.arguments.end(),
        {walk.slice, walk.span, walk.stride, walk.parts, walk.leap, steps});
    return made;
  }

  /// Adds launches that see the whole set once each. In one that saw it again,
  /// a group could stay in what it has in its cache.
  void addShape(const std::string &stream, double number,
                const ProbeLaunch &once, double bytes) {
    List.push_back(
        {"shape-" + stream, number, [once, bytes, &device = Setup.device] {
           return bytes * InARow / device.launch(once, InARow);
         }});
  }

  std::function<double()> bandwidth(const StreamKernel &stream,
                                    const Walk &walk) const {
    const double bytes = double(walk.groups * vectorsPerStep(walk.groupSize) *
                                stream.arrays * Limits.vectorBytes);
    const auto launch = [self = *this, stream, walk](std::int32_t steps) {
      return self.launchOf(stream, walk, steps);
    };
    // Whatever ran before has filled the caches with something else.
    const auto warm = [launch, walk, &device = Setup.device] {
      device.launch(launch(walk.steps), 1);
    };
    const auto seconds = secondsPerStep(Setup, walk.steps, launch, warm);
    return [=] { return bytes / seconds(); };
  }

  std::vector<ProbeArgument> arraysOf(const StreamKernel &stream) const {
    switch (stream.arrays) {
    case 1:
      if (stream.kernel == std::string("writeSet"))
        return {First};
      return {First, Sink};
    case 2:
      return {First, Second};
    default:
      return {First, Second, Third, Factor};
    }
  }

  const ProbeSetup &Setup;
  std::vector<Probe> &List;
  ProbeLimits Limits;
  std::size_t Largest;
  ProbeBuffer First, Second, Third, Sink;
  CopyPair Large;
};

} // namespace

std::size_t largestSet(const ProbeLimits &limits, bool isQuick) {
  constexpr std::size_t Mebi = 1 << 20;
  std::size_t bytes = limits.isCpu
                          ? std::max(8 * limits.cacheBytes, 128 * Mebi)
                          : std::max(16 * limits.cacheBytes, 1024 * Mebi);
  if (isQuick)
    bytes = std::min(bytes, (limits.isCpu ? 32 : 256) * Mebi);
  // All buffers together take some four times as much.
  if (limits.globalBytes != 0)
    bytes = std::min(bytes, limits.globalBytes / 8);
  if (limits.largestAllocation != 0)
    bytes = std::min(bytes, limits.largestAllocation / 2);
  return bytes / Mebi * Mebi;
}

std::size_t largeCopy(const ProbeLimits &limits, bool isQuick) {
  constexpr std::size_t Mebi = 1 << 20;
  if (limits.isCpu || isQuick)
    return 0;
  const std::size_t most =
      std::min(limits.globalBytes / 8, limits.largestAllocation / 2);
  return std::min(most, 4096 * Mebi) / Mebi * Mebi;
}

void addBandwidthProbes(const ProbeSetup &setup, std::vector<Probe> &list) {
  BandwidthProbes probes(setup, list);
  probes.addSets();
  probes.addShapes();
  probes.addDriver();
  probes.addLocal();
  probes.addOverlap();
}

} // namespace kfuse
