//===- ProjectedPlan.cpp - The plan that a program was fused by -----------===//

#include "bench/compare/ProjectedPlan.h"

#include "bench/collect/Record.h"
#include "system/Child.h"
#include "system/Output.h"
#include "system/Programs.h"
#include "system/Scratch.h"

#include <boost/algorithm/string/trim.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kfuse {
namespace {

ProjectedPlan planOf(const nlohmann::json &json) {
  ProjectedPlan plan;
  plan.device = json.at("device").get<std::string>();
  const auto gap = json.at("gapSeconds").get<double>();
  const auto secondsOf = [gap](const nlohmann::json &projection) {
    return projection.at("modelled").get<double>() - gap;
  };
  std::vector<std::string> kernels;
  for (const nlohmann::json &launch : json.at("launches"))
    kernels.push_back(baseName(launch.at("kernel").get<std::string>()));
  for (const nlohmann::json &entry : json.at("groups")) {
    ProjectedGroup group;
    const nlohmann::json &members = entry.at("members");
    for (std::size_t i = 0; i < entry.at("launches").size(); ++i)
      group.members.push_back(
          {kernels.at(entry["launches"][i].get<std::size_t>()),
           secondsOf(members.at(i))});
    group.fused = {baseName(entry.at("name").get<std::string>()),
                   secondsOf(entry.at("projection"))};
    if (group.members.size() == 1)
      group.fused = group.members.front();
    plan.groups.push_back(std::move(group));
  }
  for (const char *key : {"deadLabels", "lostLabels"})
    for (const nlohmann::json &label : json.at(key))
      plan.rules.ignored.push_back(label.get<std::string>());
  plan.rules.swapped =
      json.at("swappedLabels").get<std::vector<std::vector<std::string>>>();
  return plan;
}

/// Runs kfuse with these words before those of the job; returns the plan that
/// it prints, or its messages.
std::variant<ProjectedPlan, std::string>
planBy(const KfuseJob &job, std::vector<std::string> words) {
  ChildProgram kfuse;
  kfuse.words = {besideProgram("kfuse"), job.source, "--quiet", "--emit=json"};
  if (!job.device.empty() && !namesOption(job.options, "device"))
    words.push_back("--device=" + job.device);
  for (const auto &more : {std::move(words), job.options})
    kfuse.words.insert(kfuse.words.end(), more.begin(), more.end());
  if (!job.flags.empty()) {
    kfuse.words.emplace_back("--");
    kfuse.words.insert(kfuse.words.end(), job.flags.begin(), job.flags.end());
  }
  kfuse.output = job.folder + "/plan.json";
  kfuse.errors = job.folder + "/kfuse.log";
  const ChildResult ended = runChild(kfuse);
  if (ended.status < 0)
    return "'" + kfuse.words.front() + "': " + ended.message;
  if (ended.status != 0)
    return "kfuse can't fuse '" + job.source + "':\n" +
           boost::trim_right_copy(contentOf(kfuse.errors));
  return parsePlan(contentOf(kfuse.output));
}

/// Checks whether the user's options name files of plans.
bool namesPlans(const KfuseJob &job) {
  return namesOption(job.options, "plan") ||
         namesOption(job.options, "save-plan");
}

std::string planFile(const KfuseJob &job) { return job.folder + "/kept.plan"; }

} // namespace

std::variant<ProjectedPlan, std::string> parsePlan(std::string_view json) {
  try {
    return planOf(nlohmann::json::parse(json));
  } catch (const nlohmann::json::exception &error) {
    return std::string(error.what());
  } catch (const std::out_of_range &) {
    return std::string("a group has a launch that isn't there");
  }
}

bool namesOption(const std::vector<std::string> &options,
                 std::string_view name) {
  return std::any_of(
      options.begin(), options.end(), [&](std::string_view option) {
        option.remove_prefix(
            std::min(option.find_first_not_of('-'), option.size()));
        return option.starts_with(name);
      });
}

std::variant<ProjectedPlan, std::string> fuseSource(const KfuseJob &job,
                                                    const std::string &output) {
  std::vector<std::string> words = {"-o", output};
  if (!namesPlans(job))
    words.push_back("--save-plan=" + planFile(job));
  return planBy(job, std::move(words));
}

std::optional<ProjectedPlan> projectAsMeasured(const KfuseJob &job,
                                               const ProfileFile &profile) {
  const std::string measured = job.folder + "/measured.json";
  if (namesPlans(job) || !writeOutput(measured, profileJson(profile)).empty())
    return std::nullopt;
  auto plan = planBy(job, {"--plan=" + planFile(job), "--profile=" + measured});
  auto *projected = std::get_if<ProjectedPlan>(&plan);
  return projected ? std::optional(std::move(*projected)) : std::nullopt;
}

} // namespace kfuse
