//===- Emit.cpp - The stages of a compilation as text ---------------------===//

#include "driver/Emit.h"

#include "driver/Report.h"
#include "driver/Verify.h"
#include "fusion/report/PlanText.h"
#include "ga/problem/AbstractJson.h"
#include "ga/problem/AbstractProgram.h"
#include "graphs/program/PrintProgram.h"

#include "fusion/dependence/Names.h"
#include "ga/problem/Adapter.h"

#include "llvm/Support/Path.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace kfuse {
namespace {

const char *reasonName(OrderReason reason) {
  switch (reason) {
  case OrderReason::ReadAfterWrite:
    return "RAW";
  case OrderReason::WriteAfterRead:
    return "WAR";
  case OrderReason::WriteAfterWrite:
    return "WAW";
  case OrderReason::FixedStep:
    return "fixed";
  }
  return "";
}

/// Returns the name and the line of a step: `scale:12` for a launch,
/// `cudaMemcpy(...):30` for a host step that stays in place.
std::string label(const Program &program, StepId id) {
  const HostStep &step = program[id];
  const std::string name = step.kind == StepKind::Launch
                               ? program.kernelOf(step.launch).name
                               : step.text;
  return name + ":" + std::to_string(step.range.line);
}

std::string graphs(const Compilation &compilation) {
  const Program &program = compilation.program;
  std::string text = "data dependency graph\n";
  for (const ArrayVersion &version : compilation.deps.versions) {
    text += "  " + program[version.array].name + "." +
            std::to_string(version.version) + ":";
    if (version.writer != noneOf<StepId>())
      text += " written by " + label(program, version.writer);
    if (!version.readers.empty()) {
      text += version.writer != noneOf<StepId>() ? ", read by" : " read by";
      for (StepId reader : version.readers)
        text += " " + label(program, reader);
    }
    text += "\n";
  }
  text += "order of execution graph\n";
  for (const OrderEdge &edge : compilation.order.edges) {
    text += "  " + label(program, compilation.order.nodes[edge.from]) + " -> " +
            label(program, compilation.order.nodes[edge.to]) + " " +
            reasonName(edge.reason);
    if (edge.array != noneOf<ArrayId>())
      text += " " + program[edge.array].name;
    if (edge.mayAlias)
      text += " (may alias)";
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json toJson(const Projection &projection,
                              const Device &device) {
  const ArithmeticUnit unit = busiestUnit(device, projection.operations);
  nlohmann::ordered_json json = {
      {"bytesRead", projection.distinctRead()},
      {"bytesWritten", projection.bytesWritten},
      {"flops", projection.operations[unit]},
      {"unit", ArithmeticUnitNames[static_cast<std::size_t>(unit)]},
      {"threads", projection.threads},
      {"threadsPerBlock", projection.threadsPerBlock},
      {"elementsPerThread", projection.elementsPerThread},
      {"memoryBytes", projection.memoryBytes},
      {"l2Bytes", projection.l2Bytes},
      {"loadedBytes", projection.loadedBytes},
      {"waits", projection.waits},
      {"instructions", projection.instructions},
      {"registers", projection.registers},
      {"spilledBytes", projection.spilledBytes},
      {"sharedBytes", projection.sharedBytes},
      {"occupancy", projection.occupancy},
      {"seconds", projection.seconds},
      {"modelled", projection.modelled},
      {"bound", projection.bound}};
  if (const auto &time = projection.measured)
    json["measured"] = {
        {"median", time->median}, {"min", time->min}, {"max", time->max}};
  return json;
}

nlohmann::ordered_json toJson(const Compilation &compilation) {
  const Program &program = compilation.program;
  nlohmann::ordered_json json;
  json["version"] = FusionPlan::Version;
  json["input"] = program.files.front().path;
  json["device"] = compilation.plan.device;
  const Device &device = compilation.problem->device;
  json["gapSeconds"] = device.launchSeconds - device.emptySeconds;
  for (const Launch &launch : program.launches) {
    const Kernel &kernel = program[launch.kernel];
    nlohmann::ordered_json entry{{"kernel", kernel.name},
                                 {"line", launch.range.line},
                                 {"function", program[launch.region].function}};
    if (!kernel.part.of.empty()) {
      entry["partOf"] = kernel.part.of;
      entry["outputs"] = kernel.part.outputs;
    }
    json["launches"].push_back(std::move(entry));
  }
  for (const Array &array : program.arrays)
    json["arrays"].push_back(
        {{"name", array.name}, {"element", array.element.spelling}});
  for (const FusedKernel &kernel : compilation.plan.kernels) {
    nlohmann::ordered_json group;
    for (LaunchId launch : kernel.launches)
      group["launches"].push_back(indexOf(launch));
    group["name"] = kernel.name;
    group["schedule"] = scheduleName(kernel.schedule);
    group["elementsPerThread"] = kernel.elementsPerThread;
    group["conditions"] = kernel.conditions.size();
    std::size_t renumbered = 0;
    for (std::size_t i = 0; i < kernel.fits.size(); ++i) {
      if (kernel.fits[i].chunk)
        group["sharedOut"].push_back(indexOf(kernel.launches[i]));
      if (isComputed(kernel, i))
        group["computed"].push_back(indexOf(kernel.launches[i]));
      else
        renumbered += kernel.fits[i].isRenumbered() ? 1 : 0;
    }
    group["renumbered"] = renumbered;
    group["projection"] = toJson(kernel.projection, device);
    for (const Projection &member : kernel.members)
      group["members"].push_back(toJson(member, device));
    json["groups"].push_back(std::move(group));
  }
  auto arrayNames = [&](const std::vector<ArrayId> &ids) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (ArrayId id : ids)
      list.push_back(program[id].name);
    return list;
  };
  json["dead"] = arrayNames(compilation.plan.dead);
  json["deadLabels"] = nlohmann::ordered_json::array();
  for (ArrayId id : compilation.plan.dead)
    json["deadLabels"].push_back(traceLabel(program, id));
  json["swappedLabels"] = swappedLabels(compilation);
  json["lostLabels"] = lostLabels(compilation);
  json["removed"] = arrayNames(compilation.plan.removed);
  for (const Remark &remark : compilation.remarks) {
    nlohmann::ordered_json entry{{"name", remark.name},
                                 {"fused", remark.fused},
                                 {"line", remark.range.line},
                                 {"text", remark.text},
                                 {"remedy", remark.remedy}};
    for (LaunchId launch : remark.launches)
      entry["launches"].push_back(indexOf(launch));
    json["remarks"].push_back(std::move(entry));
  }
  const SearchResult &found = compilation.search;
  json["search"] = {{"cost", found.cost},
                    {"singles", found.singles},
                    {"evaluations", found.evaluations},
                    {"generations", found.generations},
                    {"provenOptimal", found.provenOptimal}};
  return json;
}

} // namespace

std::string emit(const Compilation &compilation, EmitKind kind) {
  switch (kind) {
  case EmitKind::Program:
    return print(compilation.program);
  case EmitKind::Graphs:
    return graphs(compilation);
  case EmitKind::Plan:
    return print(compilation.program, compilation.plan);
  case EmitKind::Summary: {
    std::string text;
    llvm::raw_string_ostream stream(text);
    printSummary(compilation, stream);
    return text;
  }
  case EmitKind::Json:
    // Names come from the user's text, which need not be UTF-8.
    return toJson(compilation)
               .dump(2, ' ', false,
                     nlohmann::ordered_json::error_handler_t::replace) +
           "\n";
  case EmitKind::Problem:
    return saveProblem(abstractProblem(
        *compilation.problem,
        llvm::sys::path::filename(compilation.program.files.front().path)
            .str()));
  case EmitKind::None:
  case EmitKind::Source:
    return compilation.text;
  }
  return {};
}

} // namespace kfuse
