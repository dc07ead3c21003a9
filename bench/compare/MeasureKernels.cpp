//===- MeasureKernels.cpp - The kernels of both programs, timed -----------===//

#include "bench/compare/MeasureKernels.h"

#include "bench/CudaDevices.h"
#include "bench/collect/Collect.h"

namespace kfuse {

KernelTotals totalsOf(const std::vector<LaunchRecord> &records) {
  KernelTotals totals;
  for (const LaunchRecord &record : records) {
    const std::optional<double> seconds = record.seconds();
    if (record.kind != RecordKind::Kernel || !seconds)
      continue;
    KernelTotal &total = totals[record.name];
    total.seconds += *seconds;
    ++total.launches;
  }
  return totals;
}

void measureKernels(MeasuredKernels &measured, const ComparisonPlan &plan,
                    unsigned runs, const std::function<bool()> &isStopped) {
  // Without a device no program of CUDA's runs.
  std::set<Interface> interfaces = {Interface::OpenCl};
  if (!cudaDevices(0).devices.empty())
    interfaces.insert(Interface::Cuda);
  const auto run = [&](const BuiltProgram &program,
                       std::vector<KernelTotals> &into) {
    const bool recordsItself = !program.recording.empty();
    auto collected =
        collect({recordsItself ? program.recording : program.path,
                 plan.arguments, interfaces, plan.devices, recordsItself});
    if (isStopped())
      return; // the run was stopped
    if (const auto *why = std::get_if<std::string>(&collected)) {
      measured.problems = {*why};
      return;
    }
    CollectedRun &found = std::get<CollectedRun>(collected);
    measured.problems = std::move(found.problems);
    if (KernelTotals totals = totalsOf(found.records); !totals.empty()) {
      into.push_back(std::move(totals));
      measured.records.push_back(std::move(found.records));
    }
  };
  for (unsigned i = 0; i < runs && !isStopped(); ++i) {
    run(plan.original, measured.original);
    // A program without a kernel on a device has none the next time either.
    if (measured.original.empty() || isStopped())
      break;
    run(plan.fused, measured.fused);
  }
}

} // namespace kfuse
