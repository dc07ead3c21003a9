//===- Families.cpp - Problems of any size, from a seed -------------------===//

#include "ga/problem/Families.h"

#include "ga/problem/Random.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>

namespace kfuse {
namespace {

constexpr double MiB = 1024.0 * 1024.0;

/// Adds kernels and array versions one after the other.
class Maker {
public:
  Maker(Family family, std::uint32_t size, std::uint64_t seed,
        const Device &device)
      : Rng(seed), Size(size),
        Made(emptyProblem(std::string(familyName(family)) + ":" +
                              std::to_string(size) + ":" + std::to_string(seed),
                          device)) {}

  AbstractProblem weather();
  AbstractProblem pipelines();
  AbstractProblem sharing();

private:
  bool chance(std::uint32_t percent) { return Rng.below(100) < percent; }
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + Rng.below(most - least + 1);
  }

  std::uint32_t addArray(double bytes) {
    Made.arrays.push_back(
        {"a" + std::to_string(Made.arrays.size()), bytes, 8, false});
    return static_cast<std::uint32_t>(Made.arrays.size() - 1);
  }
  /// Adds a kernel without accesses, with some operations for each element of
  /// `bytes` bytes.
  AbstractKernel &addKernel(double bytes) {
    AbstractKernel &kernel = Made.kernels.emplace_back();
    kernel.name = "k" + std::to_string(Made.kernels.size() - 1);
    kernel.flops = bytes / 8 * between(4, 60);
    kernel.registers = between(32, 88);
    return kernel;
  }
  static void addRead(AbstractKernel &kernel, std::uint32_t array,
                      std::uint32_t halo) {
    for (AbstractRead &read : kernel.reads)
      if (read.array == array) {
        read.halo = std::max(read.halo, halo);
        return;
      }
    kernel.reads.push_back({array, halo});
  }
  std::uint32_t someHalo() {
    const std::uint32_t draw = Rng.below(100);
    return draw < 55 ? 0 : draw < 92 ? 1 : 2;
  }

  Random Rng;
  std::uint32_t Size;
  AbstractProblem Made;
};

/// Generates a problem whose storage holds one version after the other: a
/// kernel that overwrites it waits for those that read or wrote what was there.
AbstractProblem Maker::weather() {
  struct Storage {
    std::uint32_t version = 0;
    double bytes = 0;
    bool isVolume = false;
    std::vector<std::uint32_t> users;
  };
  std::vector<Storage> storages(std::max(3U, Size * 45 / 100));
  for (Storage &storage : storages) {
    storage.isVolume = chance(70);
    storage.bytes = MiB * (storage.isVolume ? between(16, 64) : between(1, 4));
    storage.version = addArray(storage.bytes);
  }
  // A program works on a few of its fields at a time, and moves on.
  const std::size_t working = std::min<std::size_t>(storages.size(), 7);
  std::size_t first = 0;
  for (std::uint32_t number = 0; number < Size; ++number) {
    if (chance(35))
      first = (first + 1) % storages.size();
    auto near = [&] { return (first + Rng.below(working)) % storages.size(); };
    const std::size_t target = near();
    AbstractKernel &kernel = addKernel(storages[target].bytes);
    for (std::uint32_t i = between(1, 3); i > 0; --i) {
      const std::size_t source =
          chance(90) ? near() : Rng.below(storages.size());
      addRead(kernel, storages[source].version, someHalo());
      storages[source].users.push_back(number);
    }
    Storage &written = storages[target];
    for (std::uint32_t user : written.users)
      if (user != number)
        kernel.after.push_back(user);
    std::sort(kernel.after.begin(), kernel.after.end());
    kernel.after.erase(std::unique(kernel.after.begin(), kernel.after.end()),
                       kernel.after.end());
    written.version = addArray(written.bytes);
    kernel.writes = {written.version};
    written.users = {number};
  }
  for (const Storage &storage : storages)
    Made.arrays[storage.version].kept = true;
  return std::move(Made);
}

AbstractProblem Maker::pipelines() {
  for (std::uint32_t number = 0; number < Size;) {
    const std::uint32_t length = std::min(between(8, 24), Size - number);
    const double bytes = MiB * between(2, 48);
    std::vector<std::uint32_t> stages = {addArray(bytes)};
    for (std::uint32_t i = 0; i < length; ++i, ++number) {
      AbstractKernel &kernel = addKernel(bytes);
      auto recent = [&] {
        return stages[stages.size() - 1 -
                      Rng.below(std::min<std::size_t>(stages.size(), 4))];
      };
      addRead(kernel, chance(70) ? stages.back() : recent(), someHalo());
      if (chance(40))
        addRead(kernel, recent(), someHalo());
      stages.push_back(addArray(bytes));
      kernel.writes = {stages.back()};
    }
    Made.arrays[stages.back()].kept = true;
  }
  // Arrays that no kernel reads were made for use outside.
  std::vector<bool> isRead(Made.arrays.size());
  for (const AbstractKernel &kernel : Made.kernels)
    for (const AbstractRead &read : kernel.reads)
      isRead[read.array] = true;
  for (std::size_t array = 0; array < Made.arrays.size(); ++array)
    Made.arrays[array].kept = Made.arrays[array].kept || !isRead[array];
  return std::move(Made);
}

AbstractProblem Maker::sharing() {
  std::vector<std::uint32_t> inputs;
  for (std::uint32_t i = 0; i < std::max(2U, Size / 2); ++i)
    inputs.push_back(addArray(MiB * between(4, 48)));
  std::vector<std::uint32_t> results;
  for (std::uint32_t number = 0; number < Size; ++number) {
    // Kernels walk along the inputs, so that about four read each.
    const std::size_t place = number * inputs.size() / Size;
    const std::uint32_t output = addArray(Made.arrays[inputs[place]].bytes);
    AbstractKernel &kernel = addKernel(Made.arrays[output].bytes);
    for (std::uint32_t i = between(1, 3); i > 0; --i)
      addRead(kernel, inputs[std::min(place + Rng.below(3), inputs.size() - 1)],
              someHalo());
    if (!results.empty() && chance(25))
      addRead(kernel,
              results[results.size() - 1 -
                      Rng.below(std::min<std::size_t>(results.size(), 12))],
              someHalo());
    kernel.writes = {output};
    Made.arrays[output].kept = chance(80);
    results.push_back(output);
  }
  return std::move(Made);
}

} // namespace

const char *familyName(Family family) {
  switch (family) {
  case Family::Weather:
    return "weather";
  case Family::Pipelines:
    return "pipelines";
  case Family::Sharing:
    return "sharing";
  }
  return "";
}

AbstractProblem generateProblem(Family family, std::uint32_t size,
                                std::uint64_t seed, const Device &device) {
  Maker maker(family, size, seed, device);
  switch (family) {
  case Family::Weather:
    return maker.weather();
  case Family::Pipelines:
    return maker.pipelines();
  case Family::Sharing:
    return maker.sharing();
  }
  return {};
}

std::variant<AbstractProblem, std::string>
generateProblem(std::string_view text, const Device &device) {
  const std::size_t first = text.find(':');
  const std::size_t second =
      first == std::string_view::npos ? first : text.find(':', first + 1);
  std::uint32_t size = 0;
  std::uint64_t seed = 0;
  auto number = [](std::string_view digits, auto &value) {
    const char *const begin = std::to_address(digits.begin());
    const char *const end = begin + digits.size();
    auto [stop, code] = std::from_chars(begin, end, value);
    return code == std::errc() && stop == end && !digits.empty();
  };
  const auto *family = std::find_if(
      std::begin(Families), std::end(Families), [&](Family candidate) {
        return text.substr(0, first) == familyName(candidate);
      });
  if (second == std::string_view::npos || family == std::end(Families) ||
      !number(text.substr(first + 1, second - first - 1), size) ||
      !number(text.substr(second + 1), seed) || size == 0 ||
      size > AbstractProblem::MostKernels)
    return "'" + std::string(text) +
           "' is not weather, pipelines or sharing, a number of kernels from "
           "1 to " +
           std::to_string(AbstractProblem::MostKernels) +
           " and a seed, such as weather:142:1";
  return generateProblem(*family, size, seed, device);
}

} // namespace kfuse
