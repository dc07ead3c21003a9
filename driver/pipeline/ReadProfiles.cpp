//===- ReadProfiles.cpp - Profiles, and whether they are the program's ----===//

#include "driver/pipeline/ReadProfiles.h"

#include "driver/pipeline/ReadFile.h"
#include "profile/ProfileFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <optional>
#include <set>

namespace kfuse {
namespace {

constexpr std::size_t MostNames = 4; ///< in a message

std::string quotedNames(const std::set<std::string> &names) {
  std::string text;
  std::size_t count = 0;
  for (const std::string &name : names)
    if (++count <= MostNames)
      text += (text.empty() ? "'" : ", '") + name + "'";
  return names.size() > MostNames
             ? text + " and " + std::to_string(names.size() - MostNames) +
                   " more"
             : text;
}

/// Checks whether the word stands in the text by itself.
bool hasWord(llvm::StringRef text, llvm::StringRef word) {
  const auto isPart = [](char each) {
    return llvm::isAlnum(each) || each == '_';
  };
  for (std::size_t at = text.find(word); at != llvm::StringRef::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !isPart(text[at - 1])) &&
        (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

/// Returns the name that `wrong` was probably meant to be, or nullopt.
std::optional<std::string> likely(const std::set<std::string> &names,
                                  llvm::StringRef wrong) {
  const auto limit =
      static_cast<unsigned>(std::max<std::size_t>(1, wrong.size() / 4));
  std::optional<std::string> best;
  unsigned least = limit + 1;
  for (const std::string &name : names)
    if (const unsigned distance =
            wrong.edit_distance(name, /*AllowReplacements=*/true, limit + 1);
        distance < least) {
      least = distance;
      best = name;
    }
  return best;
}

} // namespace

bool readProfiles(const std::vector<std::string> &paths,
                  Measurements &measurements, std::string &error) {
  std::vector<ProfileFile> files;
  for (const std::string &path : paths) {
    auto file = readFile("profile", path, readProfile, error);
    if (!file)
      return false;
    files.push_back(*std::move(file));
  }
  if (files.empty())
    return true;
  auto merged = mergedProfiles(files);
  if (const auto *why = std::get_if<std::string>(&merged)) {
    error += errorLine("the profiles can't be joined: " + *why);
    return false;
  }
  const ProfileFile &file = std::get<ProfileFile>(merged);
  measurements.measured = byKernel(file);
  measurements.measuredOn = file.device;
  measurements.measuredFile = file.deviceFile;
  return true;
}

std::string otherDevice(const Measurements &measurements,
                        const Device &device) {
  const std::string &ran = measurements.measuredOn,
                    &file = measurements.measuredFile;
  // Only of shipped files the name and the description tell the device.
  if (ran.empty() || file == device.name ||
      !llvm::is_contained(shippedDevices(), device.name) ||
      llvm::StringRef(device.description).contains(ran))
    return {};
  return "it was measured on '" + ran + "', and times are projected for '" +
         device.name + "'" +
         (file.empty() ? "; --device takes another"
                       : "; --device=" + file + " fits the profile");
}

ProfileNames compareNames(const Profile &profile, const Program &program) {
  std::set<std::string> known;
  for (const Launch &launch : program.launches) {
    const Kernel &kernel = program[launch.kernel];
    known.insert(kernel.part.of.empty() ? kernel.name : kernel.part.of);
  }
  ProfileNames names;
  std::set<std::string> unknown, missing = known;
  bool isOne = known.empty();
  for (const auto &[name, entries] : profile) {
    missing.erase(name);
    // A fused program's own kernels, or a launch that can't be followed.
    const bool isOwn =
        known.contains(name) || llvm::StringRef(name).starts_with("kfuse_") ||
        llvm::any_of(program.files, [&name = name](const SourceFile &file) {
          return hasWord(file.text, name);
        });
    isOne |= isOwn;
    if (!isOwn)
      unknown.insert(name);
  }
  for (const std::string &name : unknown)
    if (const auto meant = likely(missing, name)) {
      names.error = "the program has no kernel '" + name + "'; did you mean '" +
                    *meant + "'?";
      return names;
    }
  if (!isOne && !unknown.empty())
    names.error = "none of its kernels is the program's: it has " +
                  quotedNames(unknown) + ", the program " + quotedNames(known);
  names.foreign.assign(unknown.begin(), unknown.end());
  return names;
}

} // namespace kfuse
