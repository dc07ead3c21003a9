//===- runtime/Mirror.cpp - Rewritten copies of a program's files ---------===//

#include "runtime/Mirror.h"

#include "runtime/Rewriter.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace kfuse {
namespace {

namespace fs = std::filesystem;

fs::path normalised(const fs::path &path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return (error ? path : absolute).lexically_normal();
}

std::optional<std::string> contentOf(const fs::path &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? std::optional(text.str()) : std::nullopt;
}

bool write(const fs::path &path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

class Mirrorer {
public:
  Mirrorer(fs::path folder, const std::vector<std::string> &includeFolders)
      : Folder(std::move(folder)) {
    for (const std::string &include : includeFolders)
      IncludeFolders.push_back(normalised(include));
  }

  fs::path copyOf(const fs::path &original) const {
    return Folder / original.relative_path();
  }

  /// Writes the copy of a file and of all that it includes. `shown` is the
  /// name for diagnostics.
  bool add(const fs::path &path, const std::string &text,
           const std::string &shown) {
    Done.insert(path.string());
    if (!write(copyOf(path), rewriteForCpu(text, shown)))
      return false;
    for (const std::string &name : includedNames(text))
      if (!addIncluded(path.parent_path(), name, fs::path(shown).parent_path()))
        return false;
    return true;
  }

private:
  /// Every file that the name could mean: a condition of the preprocessor or
  /// the order of the folders decides later.
  bool addIncluded(const fs::path &includer, const std::string &name,
                   const fs::path &shownFolder) {
    if (!addFile(normalised(includer / name), (shownFolder / name).string()))
      return false;
    for (const fs::path &folder : IncludeFolders)
      if (!addFile(normalised(folder / name), (folder / name).string()))
        return false;
    return true;
  }

  bool addFile(const fs::path &path, const std::string &shown) {
    if (Done.count(path.string()))
      return true;
    const std::optional<std::string> text = contentOf(path);
    return !text || add(path, *text, shown);
  }

  fs::path Folder;
  std::vector<fs::path> IncludeFolders;
  std::set<std::string> Done;
};

} // namespace

std::vector<std::string> includedNames(std::string_view source) {
  constexpr std::string_view Blank = " \t";
  std::vector<std::string> names;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    const auto skip = [&line, Blank](std::string_view word) {
      line.remove_prefix(std::min(line.find_first_not_of(Blank), line.size()));
      if (line.substr(0, word.size()) != word)
        return false;
      line.remove_prefix(word.size());
      return true;
    };
    if (!skip("#") || !skip("include"))
      continue;
    const bool isQuoted = skip("\"");
    if (!isQuoted && !skip("<"))
      continue;
    const std::size_t close = line.find(isQuoted ? '"' : '>');
    if (close != std::string_view::npos)
      names.emplace_back(line.substr(0, close));
  }
  return names;
}

std::vector<std::string>
includeFoldersOf(const std::vector<std::string> &flags) {
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < flags.size(); ++i)
    for (const std::string_view option : {"-iquote", "-I"}) {
      if (flags[i] == option && i + 1 < flags.size())
        folders.push_back(flags[++i]);
      else if (flags[i].size() > option.size() &&
               std::string_view(flags[i]).substr(0, option.size()) == option)
        folders.push_back(flags[i].substr(option.size()));
      else
        continue;
      break;
    }
  return folders;
}

Mirror mirrorProgram(const std::string &input,
                     const std::optional<std::string> &text,
                     const std::vector<std::string> &includeFolders,
                     const std::string &folder) {
  Mirror mirror;
  const fs::path path = normalised(input);
  const std::optional<std::string> content = text ? text : contentOf(path);
  if (!content) {
    mirror.error = "cannot read '" + input + "'";
    return mirror;
  }
  Mirrorer mirrorer(folder, includeFolders);
  if (!mirrorer.add(path, *content, input)) {
    mirror.error = "cannot write to '" + folder + "'";
    return mirror;
  }
  for (const std::string &include : includeFolders)
    mirror.includeFlags.push_back(
        "-I" + mirrorer.copyOf(normalised(include)).string());
  mirror.input = mirrorer.copyOf(path).string();
  return mirror;
}

} // namespace kfuse
