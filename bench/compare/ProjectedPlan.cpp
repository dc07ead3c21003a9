//===- ProjectedPlan.cpp - The plan that a program was fused by -----------===//

#include "bench/compare/ProjectedPlan.h"

#include "bench/collect/Record.h"
#include "system/Child.h"
#include "system/Programs.h"
#include "system/Scratch.h"

#include <boost/algorithm/string/trim.hpp>
#include <nlohmann/json.hpp>

namespace kfuse {
namespace {

ProjectedPlan planOf(const nlohmann::json &json) {
  ProjectedPlan plan;
  plan.device = json.at("device").get<std::string>();
  std::vector<std::string> kernels;
  for (const nlohmann::json &launch : json.at("launches"))
    kernels.push_back(baseName(launch.at("kernel").get<std::string>()));
  for (const nlohmann::json &entry : json.at("groups")) {
    ProjectedGroup group;
    const nlohmann::json &members = entry.at("members");
    for (std::size_t i = 0; i < entry.at("launches").size(); ++i)
      group.members.push_back(
          {kernels.at(entry["launches"][i].get<std::size_t>()),
           members.at(i).at("seconds").get<double>()});
    group.fused = {baseName(entry.at("name").get<std::string>()),
                   entry.at("projection").at("seconds").get<double>()};
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

std::variant<ProjectedPlan, std::string>
fuseSource(const std::string &source, const std::string &output,
           const std::vector<std::string> &options,
           const std::vector<std::string> &flags, const std::string &folder) {
  ChildProgram kfuse;
  kfuse.words = {besideProgram("kfuse"), source, "-o", output, "--quiet",
                 "--emit=json"};
  kfuse.words.insert(kfuse.words.end(), options.begin(), options.end());
  if (!flags.empty()) {
    kfuse.words.emplace_back("--");
    kfuse.words.insert(kfuse.words.end(), flags.begin(), flags.end());
  }
  kfuse.output = folder + "/plan.json";
  kfuse.errors = folder + "/kfuse.log";
  const ChildResult ended = runChild(kfuse);
  if (ended.status < 0)
    return "'" + kfuse.words.front() + "': " + ended.message;
  if (ended.status != 0)
    return "kfuse can't fuse '" + source + "':\n" +
           boost::trim_right_copy(contentOf(kfuse.errors));
  return parsePlan(contentOf(kfuse.output));
}

} // namespace kfuse
