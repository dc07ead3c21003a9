//===- Flags.cpp - Compiler flags for Clang -------------------------------===//

#include "frontend/parse/Flags.h"

#include "frontend/parse/SourceUnit.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <array>
#include <optional>

namespace kfuse {
namespace {

/// Flags that parsing needs, followed by their value in the next argument
/// unless it is attached.
constexpr std::array<llvm::StringRef, 9> Kept = {
    "-I",       "-D",         "-U", "-isystem", "-iquote",
    "-include", "-idirafter", "-x", "-std"};

/// Returns the flags of nvcc and of host compilers that take the next argument
/// as their value and say nothing about parsing.
const llvm::StringSet<> &droppedWithValue() {
  static const llvm::StringSet<> flags = {"-gencode",
                                          "--generate-code",
                                          "-arch",
                                          "--gpu-architecture",
                                          "-code",
                                          "--gpu-code",
                                          "-ccbin",
                                          "--compiler-bindir",
                                          "-Xcompiler",
                                          "--compiler-options",
                                          "-Xptxas",
                                          "--ptxas-options",
                                          "-Xlinker",
                                          "--linker-options",
                                          "-Xnvlink",
                                          "-Xcudafe",
                                          "-Xfatbin",
                                          "-Xarchive",
                                          "-maxrregcount",
                                          "--maxrregcount",
                                          "-rdc",
                                          "--relocatable-device-code",
                                          "-cudart",
                                          "--cudart",
                                          "-diag-suppress",
                                          "--diag-suppress",
                                          "-diag-error",
                                          "--diag-error",
                                          "-diag-warn",
                                          "--diag-warn",
                                          "-Werror",
                                          "-t",
                                          "--threads",
                                          "-odir",
                                          "-target-dir",
                                          "-o",
                                          "-MF",
                                          "-MT",
                                          "-MQ",
                                          "-L",
                                          "-l"};
  return flags;
}

constexpr const char *ContractNothing = "-ffp-contract=off";
constexpr const char *ContractAll = "-ffp-contract=fast";
/// Quotients and roots of single precision are made of products.
constexpr const char *Approximate = "-freciprocal-math";

/// Returns the short spelling of a flag that parsing needs, if `flag` is nvcc's
/// long one; otherwise `flag`.
llvm::StringRef shortSpelling(llvm::StringRef flag) {
  if (flag == "--include-path")
    return "-I";
  if (flag == "--define-macro")
    return "-D";
  if (flag == "--undefine-macro")
    return "-U";
  if (flag == "--system-include")
    return "-isystem";
  if (flag == "--pre-include")
    return "-include";
  if (flag == "--std")
    return "-std";
  return flag;
}

/// Checks whether `flag` takes `flags[next]` as its value. `-Werror` has no
/// value for Clang and takes one for nvcc, as do `-t` and others. A following
/// word that is a flag itself is never their value.
bool takesNext(llvm::StringRef flag, const std::vector<std::string> &flags,
               std::size_t next) {
  return droppedWithValue().contains(flag) && next < flags.size() &&
         !llvm::StringRef(flags[next]).starts_with("-");
}

} // namespace

std::vector<std::string> clangFlags(const std::vector<std::string> &flags) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    llvm::StringRef flag = flags[i];
    auto [head, tail] = flag.split('=');
    const bool attached = flag.contains('=');
    head = shortSpelling(head);
    if (!flag.starts_with("-"))
      continue;
    if (const auto *kept = std::find(Kept.begin(), Kept.end(), head);
        kept != Kept.end()) {
      std::string value = tail.str();
      if (!attached) {
        if (i + 1 == flags.size())
          continue;
        value = flags[++i];
      }
      if (head == "-std") {
        result.push_back("-std=" + value);
      } else if (head == "-x") {
        continue; // detectLanguage() has read it.
      } else {
        result.push_back(head.str());
        result.push_back(std::move(value));
      }
      continue;
    }
    if (head == "-fmad" || head == "--fmad") {
      if (!attached && i + 1 < flags.size())
        tail = flags[++i];
      result.push_back(tail == "false" ? ContractNothing : ContractAll);
      continue;
    }
    if (head == "-use_fast_math" || head == "--use_fast_math") {
      result.push_back(ContractAll);
      result.push_back(Approximate);
      continue;
    }
    if (head.ends_with("-prec-div") || head.ends_with("-prec-sqrt")) {
      if (!attached && i + 1 < flags.size())
        tail = flags[++i];
      if (tail == "false")
        result.push_back(Approximate);
      continue;
    }
    const bool isAttachedValue =
        !flag.starts_with("-include") && !flag.starts_with("-isystem") &&
        !flag.starts_with("-iquote") && !flag.starts_with("-idirafter") &&
        (flag.starts_with("-I") || flag.starts_with("-D") ||
         flag.starts_with("-U"));
    if (isAttachedValue || flag.starts_with("-isystem") ||
        flag.starts_with("-iquote") || flag.starts_with("-cl-") ||
        flag == "-nostdinc" || flag == "-nostdinc++" || flag == "-fopenmp" ||
        flag == "-pthread" || flag.starts_with("--sysroot") ||
        flag.starts_with("--gcc-toolchain") ||
        flag.starts_with("--gcc-install-dir") || flag.starts_with("-stdlib") ||
        flag.starts_with("-ffp-contract=") || flag == Approximate ||
        flag.starts_with("-ferror-limit") || flag.starts_with("-fms-")) {
      result.push_back(flag.str());
      continue;
    }
    if (takesNext(flag, flags, i + 1))
      ++i;
  }
  return result;
}

std::vector<std::string> codeFlags(const std::vector<std::string> &flags) {
  static const llvm::StringSet<> names = {
      "gencode",       "generate-code", "arch",         "gpu-architecture",
      "code",          "gpu-code",      "fmad",         "prec-div",
      "prec-sqrt",     "ftz",           "maxrregcount", "Xptxas",
      "ptxas-options", "use_fast_math"};
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const llvm::StringRef flag = flags[i];
    if (!names.contains(flag.ltrim('-').split('=').first))
      continue;
    result.push_back(flag.str());
    if (!flag.contains('=') && flag.ltrim('-') != "use_fast_math" &&
        i + 1 < flags.size())
      result.push_back(flags[++i]);
  }
  return result;
}

namespace {

/// Returns the command of `input` in the database of the folder; `error` says
/// why there is none.
std::optional<clang::tooling::CompileCommand>
databaseCommand(const std::string &buildPath, const std::string &input,
                std::string &error) {
  llvm::SmallString<256> file(buildPath);
  if (llvm::sys::fs::is_directory(file))
    llvm::sys::path::append(file, "compile_commands.json");
  auto database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      file, error, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!database) {
    if (error.empty())
      error = "cannot read '" + file.str().str() + "'";
    return std::nullopt;
  }
  llvm::SmallString<256> absolute(input);
  if (std::error_code failure = llvm::sys::fs::make_absolute(absolute)) {
    error = "cannot find '" + input + "': " + failure.message();
    return std::nullopt;
  }
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  std::vector<clang::tooling::CompileCommand> commands =
      database->getCompileCommands(absolute);
  if (commands.empty()) {
    error = "'" + file.str().str() + "' has no command for '" + input + "'";
    return std::nullopt;
  }
  return commands.front();
}

} // namespace

std::vector<std::string> databaseCompiler(const std::string &buildPath,
                                          const std::string &input) {
  std::string ignored;
  const auto command = databaseCommand(buildPath, input, ignored);
  if (!command || command->CommandLine.empty() ||
      !llvm::sys::path::filename(command->CommandLine.front())
           .starts_with("nvcc"))
    return {};
  std::vector<std::string> words = codeFlags(command->CommandLine);
  words.insert(words.begin(), command->CommandLine.front());
  return words;
}

std::vector<std::string> databaseFlags(const std::string &buildPath,
                                       const std::string &input,
                                       std::string &error) {
  const auto found = databaseCommand(buildPath, input, error);
  if (!found)
    return {};
  const clang::tooling::CompileCommand &command = *found;
  std::vector<std::string> flags = command.CommandLine;
  if (!flags.empty())
    flags.erase(flags.begin());
  flags = clangFlags(flags);
  // Relative folders are relative to where the command ran.
  for (std::size_t i = 0; i < flags.size(); ++i) {
    auto anchor = [&](llvm::StringRef path) {
      llvm::SmallString<256> full(path);
      llvm::sys::fs::make_absolute(command.Directory, full);
      return full.str().str();
    };
    llvm::StringRef flag = flags[i];
    if ((flag == "-I" || flag == "-isystem" || flag == "-iquote" ||
         flag == "-idirafter") &&
        i + 1 < flags.size()) {
      flags[i + 1] = anchor(flags[i + 1]);
      ++i;
    } else if (flag == "-D" || flag == "-U" || flag == "-include") {
      ++i;
    } else if (flag.starts_with("-I")) {
      flags[i] = "-I" + anchor(flag.drop_front(2));
    } else if (flag.starts_with("-isystem")) {
      flags[i] = "-isystem" + anchor(flag.drop_front(8));
    }
  }
  return flags;
}

bool usesOpenClClasses(std::string_view text) {
  const llvm::StringRef content(text);
  return llvm::any_of(
      std::initializer_list<llvm::StringRef>{"cl.hpp", "cl2.hpp"},
      [&](llvm::StringRef name) {
        for (const char *end : {"\"", ">"})
          for (const char *begin : {"\"", "<", "/", "open"})
            if (content.contains((begin + name + end).str()))
              return true;
        return false;
      });
}

std::string detectLanguage(const ParseOptions &options, std::string_view text) {
  const llvm::StringRef content(text);
  const llvm::StringRef extension = llvm::sys::path::extension(options.input);
  const bool isHost = content.contains("clEnqueue") ||
                      content.contains("CL/cl.h") ||
                      content.contains("opencl.h>") || usesOpenClClasses(text);
  const std::string ofOpenCl = extension == ".cl" || !isHost ? "cl"
                               : extension == ".c"           ? "c"
                                                             : "c++";
  auto normal = [&](llvm::StringRef name) -> std::string {
    if (name == "cu" || name == "cuda")
      return "cuda";
    if (name == "cl" || name == "opencl")
      return ofOpenCl;
    return {};
  };
  if (!options.language.empty())
    return normal(options.language);
  for (std::size_t i = 0; i < options.flags.size(); ++i) {
    llvm::StringRef flag = options.flags[i];
    if (flag == "-x" && i + 1 < options.flags.size())
      flag = options.flags[i + 1];
    else if (!flag.consume_front("-x"))
      continue;
    if (std::string language = normal(flag); !language.empty())
      return language;
  }
  if (extension == ".cu" || extension == ".cuh")
    return "cuda";
  if (extension == ".cl")
    return "cl";
  if (content.contains("__global__") || content.contains("<<<") ||
      content.contains("cuda_runtime"))
    return "cuda";
  if (isHost || content.contains("__kernel") ||
      content.contains("get_global_id"))
    return ofOpenCl;
  return {};
}

std::vector<std::string> driverArguments(const ParseOptions &options,
                                         const std::vector<std::string> &flags,
                                         const std::string &language,
                                         const std::string &resourceDir,
                                         const std::string &headers) {
  std::vector<std::string> arguments = {
      "kfuse", "-fsyntax-only", "-w", "-ferror-limit=50",
      // nvcc has no such limit.
      "-fbracket-depth=10000", "-resource-dir=" + resourceDir};
  auto append = [&](std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
  };
  if (language == "cl") {
    append({"-x", "cl", "-target", "spir64"});
    if (std::none_of(flags.begin(), flags.end(), [](llvm::StringRef flag) {
          return flag.starts_with("-cl-std");
        }))
      append({"-cl-std=CL1.2"});
  } else if (language != "cuda") {
    append({"-x", language});
  } else {
    // Only the host's half: it has the kernels' bodies as well as their
    // launches. Without a toolkit's path Clang would look for one.
    // nvcc only warns of narrowed values, `register` and the like.
    append({"-x", "cuda", "--cuda-host-only", "-nocudalib", "-Wno-everything"});
    if (options.cudaPath.empty()) {
      append({"--cuda-path=/nonexistent", "-nocudainc"});
      // Before the user's folders: one of these may hold a toolkit's headers,
      // which only parse when the whole toolkit is used.
      append({"-I", headers + "/cuda", "-idirafter", headers + "/fallback",
              "-include", headers + "/cuda/kfuse_prelude.h"});
    } else {
      append({"--cuda-path=" + options.cudaPath, "-Wno-unknown-cuda-version",
              "-include", headers + "/toolkit/kfuse_toolkit.h"});
    }
  }
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  if (language == "cuda" && !options.cudaPath.empty())
    append({"-isystem", headers + "/toolkit", "-isystem",
            options.cudaPath + "/include/cccl"});
  append({"--", options.input});
  return arguments;
}

} // namespace kfuse
