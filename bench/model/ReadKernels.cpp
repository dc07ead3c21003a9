//===- ReadKernels.cpp - Kernels from files -------------------------------===//

#include "bench/model/JsonFields.h"
#include "bench/model/Kernels.h"
#include "profile/ProfileFile.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

std::string indexed(const char *list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

/// Returns the objects of a list, or null if the file has no such list.
const nlohmann::json *listIn(const nlohmann::json &file, const char *key) {
  return file.is_object() && file.contains(key) && file[key].is_array()
             ? &file[key]
             : nullptr;
}

/// Reads `{"kernels": [...]}`.
std::string readKernels(const nlohmann::json &list,
                        std::vector<RoofKernel> &kernels) {
  std::vector<std::string> targets;
  std::map<std::string, std::size_t> indices;
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonFields fields(list[i], indexed("kernels", i));
    RoofKernel kernel;
    kernel.name = fields.text("name");
    kernel.seconds = fields.positive("seconds");
    kernel.operations = fields.amount("flops");
    kernel.bytes = fields.amount("bytes");
    if (fields.has("l2Bytes"))
      kernel.l2Bytes = fields.amount("l2Bytes");
    kernel.count = fields.amountOr("count", 1);
    kernel.threads = fields.amountOr("threads", 0);
    kernel.unit = fields.optionalText("unit");
    targets.push_back(fields.optionalText("fusedInto"));
    if (!fields.error().empty())
      return fields.error();
    indices.emplace(kernel.name, i);
    kernels.push_back(std::move(kernel));
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (targets[i].empty())
      continue;
    const auto found = indices.find(targets[i]);
    if (found == indices.end() || found->second == i)
      return indexed("kernels", i) + ": 'fusedInto' names no other kernel, '" +
             targets[i] + "'";
    kernels[i].fusedInto = found->second;
    kernels[found->second].isFused = true;
  }
  return {};
}

/// Reads one projection of `kfuse --emit=json`.
RoofKernel projected(JsonFields &fields, std::string name) {
  RoofKernel kernel;
  kernel.name = std::move(name);
  kernel.isProjected = true;
  kernel.seconds = fields.amount("seconds");
  kernel.operations = fields.amount("flops");
  kernel.unit = fields.optionalText("unit");
  kernel.bytes = fields.amount("memoryBytes");
  // The model's number is what the L2 serves by itself.
  kernel.l2Bytes = kernel.bytes + fields.amount("l2Bytes");
  kernel.threads = fields.amount("threads") /
                   std::max(1.0, fields.amountOr("elementsPerThread", 1));
  return kernel;
}

/// Reads the groups of `kfuse --emit=json`: a group of one launch is a kernel
/// of the program, one of several a fused kernel after its members.
class GroupReader {
public:
  GroupReader(const nlohmann::json &launches, std::vector<RoofKernel> &kernels)
      : Launches(launches), Kernels(kernels) {}

  std::string read(const nlohmann::json &group, const std::string &place) {
    const nlohmann::json *launches = listIn(group, "launches");
    if (!launches || launches->empty() || !group.contains("projection"))
      return place + ": there are no 'launches', or there is no 'projection'";
    const std::size_t count = launches->size();
    if (count == 1)
      return add(group["projection"], place, nameOf((*launches)[0]));
    const nlohmann::json *members = listIn(group, "members");
    if (!members || members->size() != count)
      return place + ": there isn't one of the 'members' for each launch";
    const std::size_t first = Kernels.size();
    std::string why;
    for (std::size_t i = 0; i < count && why.empty(); ++i)
      why = add((*members)[i], place, nameOf((*launches)[i]));
    JsonFields fields(group, place);
    const std::string name = fields.text("name");
    if (why.empty())
      why = fields.error();
    const std::size_t fused = Kernels.size();
    if (why.empty())
      why = add(group["projection"], place, name);
    if (!why.empty() || Kernels.size() == fused)
      return why;
    Kernels[fused].isFused = true;
    for (std::size_t i = first; i < fused; ++i)
      Kernels[i].fusedInto = fused;
    return {};
  }

private:
  std::string nameOf(const nlohmann::json &launch) const {
    if (launch.is_number_unsigned() &&
        launch.get<std::size_t>() < Launches.size()) {
      JsonFields fields(Launches[launch.get<std::size_t>()], "launches");
      if (std::string name = fields.text("kernel"); !name.empty())
        return name;
    }
    return "(no name)";
  }

  /// Adds a kernel; one that takes no time is a copy that became a swap.
  std::string add(const nlohmann::json &projection, const std::string &place,
                  std::string name) {
    JsonFields fields(projection, place);
    RoofKernel kernel = projected(fields, std::move(name));
    if (fields.error().empty() && kernel.seconds > 0)
      Kernels.push_back(std::move(kernel));
    return fields.error();
  }

  const nlohmann::json &Launches;
  std::vector<RoofKernel> &Kernels;
};

} // namespace

std::variant<std::vector<RoofKernel>, std::string>
parseKernels(std::string_view json) {
  const auto parsed = parseJson(json);
  if (const auto *why = std::get_if<std::string>(&parsed))
    return *why;
  const auto &file = std::get<nlohmann::json>(parsed);
  std::vector<RoofKernel> kernels;
  std::string why;
  if (const nlohmann::json *list = listIn(file, "kernels")) {
    why = readKernels(*list, kernels);
  } else if (const nlohmann::json *groups = listIn(file, "groups")) {
    const nlohmann::json *launches = listIn(file, "launches");
    const nlohmann::json none = nlohmann::json::array();
    GroupReader reader(launches ? *launches : none, kernels);
    for (std::size_t i = 0; i < groups->size() && why.empty(); ++i)
      why = reader.read((*groups)[i], indexed("groups", i));
  } else {
    why = "there is neither a list of 'kernels' nor one of 'groups'";
  }
  if (!why.empty())
    return why;
  return kernels;
}

std::string applyProfile(std::string_view json,
                         std::vector<RoofKernel> &kernels) {
  const auto read = readProfile(json);
  if (const auto *why = std::get_if<std::string>(&read))
    return *why;
  std::map<std::string, std::vector<MeasuredLaunch>> launches;
  for (const MeasuredLaunch &launch : std::get<ProfileFile>(read).launches)
    launches[launch.name].push_back(launch);
  for (RoofKernel &kernel : kernels) {
    const auto found = launches.find(kernel.name);
    if (found == launches.end())
      continue;
    // If a kernel ran in several sizes, only the same size counts.
    const auto match = std::find_if(found->second.begin(), found->second.end(),
                                    [&](const MeasuredLaunch &launch) {
                                      return found->second.size() == 1 ||
                                             launch.threads == kernel.threads;
                                    });
    if (match == found->second.end())
      continue;
    kernel.seconds = match->seconds.median;
    kernel.isProjected = false;
  }
  return {};
}

} // namespace kfuse
