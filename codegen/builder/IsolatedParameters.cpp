//===- IsolatedParameters.cpp - Scalars that keep products apart ----------===//
#include "codegen/builder/IsolatedParameters.h"

#include "codegen/text/ParameterText.h"

#include <algorithm>
#include <string>

namespace kfuse {
namespace {

/// Returns the parameters, as ingredients, through which the member takes
/// values that earlier members computed for it alone. Returns nullopt if
/// another member takes some of them too.
std::optional<std::set<std::string>>
takenAlone(const Program &program, const FusedKernel &kernel,
           const std::vector<ForwardedArray> &forwards, std::size_t member) {
  const Launch &launch = program[kernel.launches[member]];
  const Kernel &code = program[launch.kernel];
  std::set<std::string> taken;
  for (const ForwardedArray &forward : forwards) {
    if (!forward.roles[member].consumes)
      continue;
    const auto takers =
        std::count_if(forward.roles.begin(), forward.roles.end(),
                      [](const ForwardRole &role) { return role.consumes; });
    if (takers != 1)
      return std::nullopt;
    for (std::size_t p = 0; p < code.pointers.size(); ++p)
      if (!code.pointers[p].global && launch.pointers[p].array == forward.array)
        taken.insert("#" + std::to_string(code.pointers[p].parameter));
  }
  return taken;
}

/// Returns a parameter among the ingredients that is a floating-point number.
std::optional<std::size_t> scalarOf(const Kernel &kernel,
                                    const Ingredients &ingredients) {
  for (const std::string &name : ingredients.names) {
    if (name.front() != '#')
      continue;
    const std::size_t parameter = std::stoul(name.substr(1));
    const std::string type = withoutConst(kernel.parameters[parameter].type);
    if (type == "float" || type == "double")
      return parameter;
  }
  return std::nullopt;
}

/// Returns the scalar parameters of one member that must be isolated; nullopt
/// if that isn't enough.
std::optional<std::set<std::size_t>>
isolatedParameters(const Program &program, const FusedKernel &kernel,
                   const std::vector<ForwardedArray> &forwards,
                   std::size_t member) {
  const Kernel &code = program.kernelOf(kernel.launches[member]);
  const auto taken = takenAlone(program, kernel, forwards, member);
  if (!code.multiplyAdds || !taken)
    return std::nullopt;
  std::set<std::size_t> scalars;
  for (const RoundedProduct &product : code.multiplyAdds->products) {
    if (product.of.isOpaque || product.of.names.empty())
      return std::nullopt;
    if (std::includes(taken->begin(), taken->end(), product.of.names.begin(),
                      product.of.names.end()))
      continue;
    // On one of several paths the product may be of something else.
    const auto scalar = code.multiplyAdds->hasBranches
                            ? std::nullopt
                            : scalarOf(code, product.of);
    if (!scalar)
      return std::nullopt;
    scalars.insert(*scalar);
  }
  return scalars;
}

} // namespace

std::optional<std::vector<std::set<std::size_t>>>
isolatedParameters(const Program &program, const FusedKernel &kernel,
                   const std::vector<ForwardedArray> &forwards,
                   const std::vector<bool> &hasCommonProducts) {
  std::vector<std::set<std::size_t>> found(kernel.launches.size());
  for (std::size_t m = 0; m < kernel.launches.size(); ++m) {
    if (!hasCommonProducts[m])
      continue;
    auto own = isolatedParameters(program, kernel, forwards, m);
    if (!own)
      return std::nullopt;
    found[m] = std::move(*own);
  }
  return found;
}

} // namespace kfuse
