//===- Files.cpp - What a run reads and writes ----------------------------===//

#include "driver/Files.h"

#include "driver/pipeline/Registers.h"
#include "frontend/parse/Parse.h"
#include "runtime/Mirror.h"
#include "text/Tokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace kfuse {
namespace {

std::vector<NamedFile> outputsOf(const Options &options) {
  std::vector<NamedFile> files;
  const auto add = [&files](const std::string &path, const char *option) {
    if (!path.empty())
      files.push_back({path, option});
  };
  add(options.planToSave, "--save-plan");
  add(options.remarksFile, "--save-remarks");
  if (!options.dotFolder.empty())
    for (const char *name :
         {DataDependencyFile, OrderOfExecutionFile, FusedOrderFile})
      add(fileIn(options.dotFolder, name), "--dot");
  add(options.output, "-o");
  if (usesStandardOutput(options))
    add("-", "what is printed");
  return files;
}

std::vector<NamedFile> namedInputs(const Options &options) {
  std::vector<NamedFile> files = {{options.parse.input, "the input"},
                                  {options.planToLoad, "the plan"}};
  for (const std::string &path : options.profiles)
    files.push_back({path, "the profile"});
  if (!llvm::is_contained(shippedDevices(), options.device))
    files.push_back({options.device, "the device"});
  for (const std::string &path : options.linked)
    files.push_back({path, "a file that is linked"});
  for (const std::string &path : options.responseFiles)
    files.push_back({path, "a file of options"});
  if (!options.parse.buildPath.empty())
    files.push_back({fileIn(options.parse.buildPath, "compile_commands.json"),
                     "the file of flags"});
  llvm::erase_if(files,
                 [](const NamedFile &file) { return file.path.empty(); });
  return files;
}

/// Returns the files that strings of `text` may name, relative to `folder` or
/// to where kfuse runs.
std::vector<NamedFile> namedIn(const std::string &text,
                               const std::string &folder) {
  std::vector<NamedFile> files;
  for (const TextToken &token : tokensOf(text)) {
    llvm::StringRef name = spelling(text, token);
    if (token.kind != TokenKind::Literal || !name.consume_front("\"") ||
        !name.consume_back("\"") || name.empty())
      continue;
    for (const std::string &path : {name.str(), fileIn(folder, name.str())})
      files.push_back({path, "a file that the program names"});
  }
  return files;
}

WriteOptions writingOf(const Options &options) {
  WriteOptions writing;
  writing.force = options.force;
  writing.makesFolders = !options.dotFolder.empty();
  return writing;
}

} // namespace

std::string fileIn(const std::string &folder, const std::string &name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

bool usesStandardOutput(const Options &options) {
  return options.emit != EmitKind::None || !options.costToExplain.empty() ||
         (options.output.empty() && !options.verify);
}

std::string refusedFiles(const Options &options) {
  return refusedOutput(outputsOf(options), namedInputs(options),
                       writingOf(options));
}

std::string refusedFiles(const Options &options,
                         const Compilation &compilation) {
  std::vector<NamedFile> inputs = namedInputs(options);
  const auto add = [&inputs](const std::string &path) {
    inputs.push_back({path, "a file that the program includes"});
  };
  for (const std::string &path : filesRead(*compilation.unit))
    add(path);
  // Also those of branches that aren't taken here, of device code say.
  for (const ProgramFile &file :
       programFiles(options.parse.input, std::nullopt,
                    includeFoldersOf(programFlags(options.parse))))
    add(file.path);
  // Hosts of OpenCL read their kernels in ways that aren't all followed.
  if (compilation.program.language == Language::OpenCL)
    llvm::append_range(
        inputs,
        namedIn(compilation.unit->origins().text(),
                llvm::sys::path::parent_path(options.parse.input).str()));
  return refusedOutput(outputsOf(options), inputs, writingOf(options));
}

} // namespace kfuse
