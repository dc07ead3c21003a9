//===- ProgramBuild.cpp - Programs from sources ---------------------------===//

#include "bench/compare/ProgramBuild.h"

#include "bench/collect/EventRecorder.h"
#include "system/Child.h"
#include "system/Programs.h"
#include "system/Scratch.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <utility>

namespace kfuse {
namespace {

bool isC(std::string_view source) {
  return std::filesystem::path(source).extension() == ".c";
}

/// Returns the environment variable that names the file of the trace.
const char *traceVariableOf(Builder builder) {
  switch (builder) {
  case Builder::Nvcc:
    return "KFUSE_TRACE";
  case Builder::Executor:
    return "KFUSE_CPU_TRACE";
  case Builder::Host:
    break;
  }
  return "KFUSE_OPENCL_TRACE";
}

/// Runs the compiler; returns what it says, or an empty text on success.
std::string runCompiler(const std::vector<std::string> &words,
                        const ScratchFolder &scratch, const std::string &log) {
  ChildProgram compiler;
  compiler.words = words;
  // Whatever an interrupted compiler leaves behind goes with the folder.
  compiler.environment = environmentWith("TMPDIR", scratch.path());
  compiler.output = compiler.errors = log;
  const ChildResult ended = runChild(compiler);
  if (ended.status == 0)
    return {};
  std::string said = contentOf(log);
  if (ended.status < 0)
    said += ended.message;
  return said.empty() ? "'" + words.front() + "' ends with " +
                            std::to_string(ended.status)
                      : said;
}

} // namespace

bool isSource(std::string_view path) {
  constexpr std::array Extensions = {".cu", ".c", ".cpp", ".cc", ".cxx"};
  const std::string extension = std::filesystem::path(path).extension();
  return std::find(Extensions.begin(), Extensions.end(), extension) !=
         Extensions.end();
}

Builder builderOf(std::string_view text, bool hasGpu) {
  if (text.find("<<<") == std::string_view::npos)
    return Builder::Host;
  return hasGpu ? Builder::Nvcc : Builder::Executor;
}

std::string defaultCompiler(Builder builder, std::string_view source) {
  if (builder == Builder::Executor)
    return besideProgram("kfuse-cpu");
  if (builder == Builder::Nvcc)
    return "nvcc";
  const char *const named = std::getenv(isC(source) ? "CC" : "CXX");
  if (named && *named)
    return named;
  return isC(source) ? "cc" : "c++";
}

std::vector<std::string> buildCommand(const BuildOptions &options,
                                      const std::string &source,
                                      const std::string &folder,
                                      const std::string &output, BuildKind kind,
                                      const std::string &recorder) {
  std::vector<std::string> words = {options.compiler};
  const auto add = [&words](std::initializer_list<const char *> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  switch (options.builder) {
  case Builder::Nvcc:
    add({"-O3", "-std=c++17", "-arch=native", "-x", "cu"});
    if (kind == BuildKind::Tracing)
      add({"-include", KFUSE_GPU_TRACE, "-Xlinker",
           "--wrap=__cudaLaunchKernel"});
    if (kind == BuildKind::Recording)
      for (std::string &word : eventRecorderOptions(recorder))
        words.push_back(std::move(word));
    break;
  case Builder::Executor:
    add({"-O2"});
    break;
  case Builder::Host:
    add({"-O2"});
    if (!isC(source))
      add({"-std=c++17"});
    break;
  }
  words.push_back("-I" + (folder.empty() ? "." : folder));
  if (options.builder != Builder::Executor)
    words.insert(words.end(), options.flags.begin(), options.flags.end());
  words.push_back(source);
  if (options.builder == Builder::Host) {
    if (kind == BuildKind::Tracing)
      add({"-x", "c", KFUSE_OPENCL_TRACE, "-x", "none"});
    add({"-lOpenCL", "-ldl", "-lm", "-pthread"});
  }
  add({"-o"});
  words.push_back(output);
  if (options.builder == Builder::Executor && !options.flags.empty()) {
    add({"--"});
    words.insert(words.end(), options.flags.begin(), options.flags.end());
  }
  return words;
}

BuiltProgram buildProgram(const BuildOptions &options,
                          const std::string &source, const std::string &folder,
                          const std::string &name,
                          const ScratchFolder &scratch) {
  BuildOptions found = options;
  found.compiler = findProgram(options.compiler);
  BuiltProgram built;
  if (found.compiler.empty()) {
    built.error = "there is no compiler '" + options.compiler + "'";
    return built;
  }
  built.path = built.tracing = scratch.file(name);
  built.traceVariable = traceVariableOf(options.builder);
  const auto compile = [&](const std::string &output, BuildKind kind) {
    return runCompiler(
        buildCommand(found, source, folder, output, kind, output + "-events.o"),
        scratch, output + ".log");
  };
  std::vector<std::future<std::string>> others;
  // The executor's programs trace whenever the variable is set.
  if (options.builder != Builder::Executor) {
    built.tracing += "-tracing";
    others.push_back(std::async(std::launch::async, compile, built.tracing,
                                BuildKind::Tracing));
  }
  if (options.builder == Builder::Nvcc &&
      options.timer == LaunchTimer::Events) {
    built.recording = built.path + "-recording";
    others.push_back(std::async(std::launch::async, [&] {
      const std::string object = built.recording + "-events.o";
      const ScratchFolder work("kfuse-events");
      const auto words = work.good() ? eventRecorderCommand(found.compiler,
                                                            work.path(), object)
                                     : std::vector<std::string>();
      if (words.empty())
        return std::string("there is no room for temporary files");
      const std::string said = runCompiler(words, scratch, object + ".log");
      return said.empty() ? compile(built.recording, BuildKind::Recording)
                          : said;
    }));
  }
  built.error = compile(built.path, BuildKind::Plain);
  for (std::future<std::string> &other : others)
    if (const std::string said = other.get(); built.error.empty())
      built.error = said;
  return built;
}

} // namespace kfuse
