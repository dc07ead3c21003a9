//===- Mirror.cpp - Rewritten copies of a program's files -----------------===//

#include "runtime/Mirror.h"

#include "runtime/Rewriter.h"
#include "system/Output.h"
#include "system/Scratch.h"
#include "system/Target.h"

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

std::optional<std::string> textOf(const fs::path &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? std::optional(text.str()) : std::nullopt;
}

class Collector {
public:
  explicit Collector(const std::vector<std::string> &includeFolders) {
    for (const std::string &include : includeFolders)
      IncludeFolders.push_back(normalised(include));
  }

  /// Adds a file and all that it includes. `shown` is the name for diagnostics.
  void add(const fs::path &path, const std::string &text,
           const std::string &shown) {
    Done.insert(path.string());
    Files.push_back({path.string(), text, shown});
    for (const std::string &name : includedNames(text))
      addIncluded(path.parent_path(), name, fs::path(shown).parent_path());
  }

  std::vector<ProgramFile> take() { return std::move(Files); }

private:
  /// Adds every file that the name could mean. Preprocessor conditions or the
  /// order of the folders decide later.
  void addIncluded(const fs::path &includer, const std::string &name,
                   const fs::path &shownFolder) {
    addFile(normalised(includer / name), (shownFolder / name).string());
    for (const fs::path &folder : IncludeFolders)
      addFile(normalised(folder / name), (folder / name).string());
  }

  void addFile(const fs::path &path, const std::string &shown) {
    if (Done.count(path.string()) != 0)
      return;
    if (const std::optional<std::string> text = textOf(path))
      add(path, *text, shown);
  }

  std::vector<fs::path> IncludeFolders;
  std::vector<ProgramFile> Files;
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

std::vector<ProgramFile>
programFiles(const std::string &input, const std::optional<std::string> &text,
             const std::vector<std::string> &includeFolders) {
  Collector collector(includeFolders);
  const fs::path path = normalised(input);
  if (const std::optional<std::string> content = text ? text : textOf(path))
    collector.add(path, *content, input);
  return collector.take();
}

std::string copyIn(const std::string &folder, const std::string &original) {
  return (fs::path(folder) / normalised(original).relative_path()).string();
}

Mirror mirrorProgram(const std::vector<ProgramFile> &files,
                     const std::vector<std::string> &includeFolders,
                     const std::string &folder, bool force) {
  Mirror mirror;
  WriteOptions options;
  options.force = force;
  for (const ProgramFile &file : files) {
    const std::string copy = copyIn(folder, file.path);
    if (!makeFolders(parentOf(copy)))
      mirror.error = "cannot make the folder for '" + copy + "'";
    else
      mirror.error =
          writeOutput(copy, rewriteForCpu(file.text, file.shown), options);
    if (!mirror.error.empty())
      return mirror;
  }
  for (const std::string &include : includeFolders)
    mirror.includeFlags.push_back("-I" + copyIn(folder, include));
  mirror.input = copyIn(folder, files.front().path);
  return mirror;
}

} // namespace kfuse
