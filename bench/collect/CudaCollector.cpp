//===- CudaCollector.cpp - The library that records CUDA's launches -------===//

#include "bench/collect/CudaCollector.h"

#include "bench/collect/CollectorTexts.h"
#include "system/Child.h"
#include "system/Scratch.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace kfuse {
namespace {

namespace fs = std::filesystem;

constexpr unsigned BuildSeconds = 120;

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// Returns the path of a program in the PATH; empty if there is none.
std::string programInPath(const std::string &name) {
  if (name.find('/') != std::string::npos)
    return name;
  const std::string path = variable("PATH");
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const std::string file = path.substr(at, end - at) + "/" + name;
    if (access(file.c_str(), X_OK) == 0)
      return file;
    at = end + 1;
  }
  return {};
}

std::vector<fs::path> toolkitFolders() {
  std::vector<fs::path> folders;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string folder = variable(name); !folder.empty())
      folders.emplace_back(folder);
  std::error_code error;
  if (const fs::path nvcc = programInPath("nvcc"); !nvcc.empty())
    if (const fs::path real = fs::canonical(nvcc, error); !error)
      folders.push_back(real.parent_path().parent_path());
  folders.insert(folders.end(), {"/usr/local/cuda", "/opt/cuda", "/usr"});
  return folders;
}

/// Returns the first of the folders under `root` that has the file; empty if
/// none has.
std::string folderWith(const fs::path &root, const char *file,
                       std::initializer_list<const char *> folders) {
  std::error_code error;
  for (const char *folder : folders)
    if (fs::exists(root / folder / file, error))
      return (root / folder).string();
  return {};
}

/// Folds the text into a hash, by FNV-1a.
void fold(std::uint64_t &hash, const std::string &text) {
  for (const char each : text)
    hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3ULL;
}

std::string compilerToUse() {
  for (const std::string &name : {variable("CXX"), std::string("c++"),
                                  std::string("g++"), std::string("clang++")})
    if (!name.empty())
      if (std::string path = programInPath(name); !path.empty())
        return path;
  return {};
}

/// Returns the folder for what is kept from run to run; empty if there is none.
std::string cacheFolder() {
  std::string root = variable("XDG_CACHE_HOME");
  if (root.empty() && !variable("HOME").empty())
    root = variable("HOME") + "/.cache";
  if (root.empty())
    return {};
  root += "/kfuse";
  return makeFolders(root) && access(root.c_str(), W_OK) == 0 ? root : "";
}

/// Compiles the library; returns what is wrong, or an empty text.
std::string build(const CuptiFiles &files, const std::string &compiler,
                  const std::string &target) {
  const ScratchFolder work("kfuse-collector");
  const std::string source =
      work.good() ? writeCollector(cuptiCollectorText(), work.path()) : "";
  if (source.empty())
    return "there is no room for temporary files";
  ChildProgram child;
  child.words = {
      compiler, "-std=c++17", "-O1", "-fPIC", "-shared", "-fvisibility=hidden",
      "-w",     source,       "-o",  target,  "-ldl",    "-pthread"};
  for (const std::string &folder : files.headers)
    child.words.insert(child.words.end(), {"-isystem", folder});
  child.words.insert(child.words.end(), {"-L" + files.libraries, "-lcupti",
                                         "-Wl,-rpath," + files.libraries});
  child.output = child.errors = work.file("messages");
  child.seconds = BuildSeconds;
  const ChildResult result = runChild(child);
  if (result.status == 0)
    return {};
  std::string why = result.message;
  if (result.status > 0)
    why = contentOf(child.output);
  if (why.empty())
    why = "it ended with code " + std::to_string(result.status);
  return compiler +
         " can't compile the collector: " + why.substr(0, why.find('\n'));
}

} // namespace

std::optional<CuptiFiles> cuptiFiles() {
  for (const fs::path &root : toolkitFolders()) {
    constexpr const char *Target = "targets/x86_64-linux/include";
    const std::string cuda = folderWith(root, "cuda.h", {"include", Target});
    const std::string cupti = folderWith(
        root, "cupti.h", {"include", Target, "extras/CUPTI/include"});
    const std::string library =
        folderWith(root, "libcupti.so",
                   {"lib64", "lib", "extras/CUPTI/lib64",
                    "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu"});
    if (!cuda.empty() && !cupti.empty() && !library.empty())
      return CuptiFiles{{cuda, cupti}, library};
  }
  return std::nullopt;
}

BuiltLibrary cudaCollector(const std::string &scratch) {
  const auto files = cuptiFiles();
  if (!files)
    return {{},
            "no CUDA toolkit with CUPTI was found (cuda.h, cupti.h and "
            "libcupti.so, in CUDA_HOME or beside nvcc)"};
  const std::string compiler = compilerToUse();
  if (compiler.empty())
    return {{}, "no C++ compiler was found (CXX, c++, g++ or clang++)"};
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const CollectorText &header : collectorHeaders())
    fold(hash, header.text);
  for (const std::string &text :
       {std::string(cuptiCollectorText().text), compiler, files->headers.back(),
        files->libraries})
    fold(hash, text);
  std::error_code error;
  const auto changed =
      fs::last_write_time(files->libraries + "/libcupti.so", error);
  fold(hash, std::to_string(changed.time_since_epoch().count()));
  const std::string cache = cacheFolder();
  const std::string folder = cache.empty() ? scratch : cache;
  const std::string path =
      folder + "/cuda-collector-" + std::to_string(hash) + ".so";
  if (fs::exists(path, error))
    return {path, {}};
  // Another kfuse-bench may build the same.
  const std::string part = path + "." + std::to_string(getpid());
  if (std::string why = build(*files, compiler, part); !why.empty()) {
    fs::remove(part, error);
    return {{}, why};
  }
  fs::rename(part, path, error);
  if (error)
    return {{}, "cannot write '" + path + "': " + error.message()};
  return {path, {}};
}

} // namespace kfuse
