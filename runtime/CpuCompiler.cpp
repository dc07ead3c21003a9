//===- CpuCompiler.cpp - Builds a CUDA program for the CPU ----------------===//

#include "runtime/CpuCompiler.h"

#include "runtime/Mirror.h"
#include "runtime/NvccFlags.h"
#include "runtime/Paths.h"
#include "system/Child.h"
#include "system/Output.h"
#include "system/Scratch.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace kfuse {
namespace {

using Words = std::vector<std::string>;

const char *precompiledName(bool isSanitized, bool isRecorded) {
  return isSanitized  ? "sanitized.pch"
         : isRecorded ? "recorded.pch"
                      : "plain.pch";
}

bool startsWithAny(const Words &flags, llvm::StringRef prefix) {
  return std::any_of(flags.begin(), flags.end(), [&](const std::string &flag) {
    return llvm::StringRef(flag).starts_with(prefix);
  });
}

/// Returns a message about the compiler, header folder or library that existed
/// when kfuse was built and is missing now; empty if there is none.
std::string missingPart() {
  if (!llvm::sys::fs::can_execute(KFUSE_CPU_CLANG))
    return "the C++ compiler '" KFUSE_CPU_CLANG
           "', which kfuse was built to use, is missing: install clang-19";
  if (!llvm::sys::fs::exists(KFUSE_CPU_INCLUDE "/cuda_runtime.h"))
    return "the executor's headers are not in '" KFUSE_CPU_INCLUDE
           "', where they were when kfuse was built";
  if (!llvm::sys::fs::exists(KFUSE_CPU_CONTEXT))
    return "'" KFUSE_CPU_CONTEXT "' is missing: install Boost.Context";
  return {};
}

/// Returns the flags that decide what the executor's header means: a header
/// that was precompiled with others can't be used.
Words languageFlags(const CpuBuild &build, const Words &flags) {
  Words words;
  if (!startsWithAny(flags, "-std="))
    words.emplace_back("-std=c++17");
  if (!startsWithAny(flags, "-O"))
    words.push_back("-O" + std::to_string(build.optimisation));
  if (!startsWithAny(flags, "-W"))
    words.emplace_back("-w");
  // The flags follow nvcc. Contraction is off, and so are the type-based
  // assumptions that device code tends to break.
  words.insert(words.end(),
               {"-isystem", KFUSE_CPU_INCLUDE, "-D__CUDACC__", "-D__NVCC__",
                "-ffp-contract=off", "-fno-strict-aliasing", "-pthread"});
  // A shift by at least a type's width shifts out all bits on a GPU; x86-64
  // silently takes the shift count modulo the width. A left shift of a signed
  // number drops its upper bits on both, as C++20 requires.
  if (!build.record)
    words.emplace_back("-fsanitize=shift-exponent");
  if (build.sanitize) {
    words.insert(words.end(),
                 {"-fsanitize=address,undefined", "-fno-sanitize=shift-base",
                  "-fno-sanitize-recover=bounds", "-fno-omit-frame-pointer",
                  "-gline-tables-only"});
    words.push_back(std::string("-fsanitize-ignorelist=") + KFUSE_CPU_INCLUDE +
                    "/kfuse_cpu/undefined.ignore");
    words.push_back(std::string("-DKFUSE_CPU_SYMBOLIZER=\"") +
                    KFUSE_CPU_SYMBOLIZER + "\"");
  }
  if (build.record)
    words.insert(words.end(),
                 {"-DKFUSE_CPU_RECORD", "-Xclang", "-fsanitize=thread",
                  "-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
                  "-tsan-instrument-atomics=0", "-mllvm",
                  "-tsan-instrument-read-before-write=1"});
  return words;
}

/// Checks whether a macro on the command line leaves the meaning of headers
/// alone. They use the names that are reserved for them, and NDEBUG.
bool isOwnMacro(llvm::StringRef flag) {
  return flag.consume_front("-D") && !flag.empty() && !flag.starts_with("_") &&
         !flag.starts_with("KFUSE") && !flag.starts_with("NDEBUG");
}

/// Returns the executor's header as this build's flags precompile it; empty if
/// there is none.
std::string precompiledFor(const CpuBuild &build, const Words &flags) {
  // `__OPTIMIZE__` is in the header.
  const bool isOptimised = build.optimisation > 0;
  const bool isUsual =
      isOptimised != build.sanitize &&
      std::all_of(flags.begin(), flags.end(), [&](llvm::StringRef flag) {
        return !flag.starts_with("-") || flag == "-c" ||
               (isOptimised &&
                (flag == "-O1" || flag == "-O2" || flag == "-O3")) ||
               flag.starts_with("-I") || flag.starts_with("-l") ||
               flag.starts_with("-L") || isOwnMacro(flag);
      });
  const std::string path = std::string(KFUSE_CPU_PRECOMPILED "/") +
                           precompiledName(build.sanitize, build.record);
  return isUsual && llvm::sys::fs::exists(path) ? path : std::string();
}

/// Returns the path of the archive with the code of the header that is
/// precompiled into `header`.
std::string codeOf(llvm::StringRef header) {
  llvm::SmallString<128> path(header);
  llvm::sys::path::replace_extension(path, ".a");
  return path.str().str();
}

/// Returns the compiler's command; the header is included as text if
/// `precompiled` is empty.
Words commandLine(const CpuBuild &build, const Words &flags,
                  const Mirror &mirror, const std::string &output,
                  const std::string &precompiled) {
  Words words{KFUSE_CPU_CLANG, "-x", "c++", mirror.input, "-x", "none"};
  words.emplace_back("-Wno-register"); // an error since C++17, not for nvcc
  // The copies come first; a file that wasn't copied is found next to the
  // original. A relative name is relative to the input's folder.
  words.insert(words.end(), mirror.includeFlags.begin(),
               mirror.includeFlags.end());
  const llvm::StringRef folder = llvm::sys::path::parent_path(build.input);
  words.push_back("-iquote" + (folder.empty() ? "." : folder.str()));
  words.insert(words.end(), flags.begin(), flags.end());
  const Words language = languageFlags(build, flags);
  words.insert(words.end(), language.begin(), language.end());
  // nvcc includes the CUDA headers implicitly.
  if (precompiled.empty())
    words.insert(words.end(), {"-include", "cuda_runtime.h"});
  else
    words.insert(words.end(), {"-include-pch", precompiled});
  if (build.record)
    words.insert(words.end(), {"-include", "kfuse_cpu/Inside.h"});
  const bool isObject =
      std::find(flags.begin(), flags.end(), "-c") != flags.end();
  if (!isObject) {
    // Linked files may take it although this one doesn't.
    if (const std::string code =
            codeOf(KFUSE_CPU_PRECOMPILED "/" +
                   std::string(precompiledName(build.sanitize, build.record)));
        llvm::sys::fs::exists(code))
      words.push_back(code);
    words.emplace_back(KFUSE_CPU_CONTEXT);
    if (*KFUSE_CPU_LINKER)
      words.emplace_back(KFUSE_CPU_LINKER);
  }
  words.insert(words.end(), {"-o", output});
  return words;
}

CpuBuildResult failure(const std::string &message) {
  return {false, "kfuse-cpu: error: " + message + "\n"};
}

/// Returns true if the flag takes the next word as its value, so that this word
/// isn't a file.
bool takesWord(llvm::StringRef flag) {
  return flag == "-D" || flag == "-U" || flag == "-l" || flag == "-x" ||
         flag == "-MT" || flag == "-Xlinker" || flag == "-Xclang";
}

/// Returns why the output, or a copy that is kept, can't be written. An object
/// file among the flags is an input, too.
std::string refusal(const CpuBuild &build, const Words &flags,
                    const std::vector<ProgramFile> &files,
                    const std::string &kept) {
  std::vector<NamedFile> inputs;
  for (const ProgramFile &file : files)
    inputs.push_back({file.path, "a file of the program"});
  inputs.front().role = "the input";
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (i == 0 || !takesWord(flags[i - 1]))
      inputs.push_back({flags[i], "a file for the compiler"});
  std::vector<NamedFile> outputs = {{build.output, "-o"}};
  if (!kept.empty())
    for (const ProgramFile &file : files)
      outputs.push_back({copyIn(kept, file.path), "--keep"});
  WriteOptions writing;
  writing.force = build.force;
  writing.makesFolders = !kept.empty();
  return refusedOutput(outputs, inputs, writing);
}

/// Copies what the compiler wrote to the requested output; returns a message on
/// failure.
std::string deliver(const std::string &written, const CpuBuild &build) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(written, status))
    return {}; // no output, for example with -fsyntax-only
  const bool isExecutable =
      (status.permissions() & llvm::sys::fs::owner_exe) != 0;
  return writeOutput(build.output, contentOf(written),
                     {build.force, isExecutable});
}

/// Writes an archive with one object file.
CpuBuildResult archive(const std::string &object, const std::string &output) {
  auto member = llvm::NewArchiveMember::getFile(object, /*Deterministic=*/true);
  if (!member)
    return failure(llvm::toString(member.takeError()));
  std::vector<llvm::NewArchiveMember> members;
  members.push_back(std::move(*member));
  if (llvm::Error error = llvm::writeArchive(
          output, members, llvm::SymtabWritingMode::NormalSymtab,
          llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false))
    return failure(llvm::toString(std::move(error)));
  return {true, {}};
}

} // namespace

CpuBuildResult compileForCpu(const CpuBuild &build) {
  if (const std::string missing = missingPart(); !missing.empty())
    return failure(missing);
  if (build.record && build.sanitize)
    return failure("a program is recorded or sanitized, not both");
  const Words flags = translateNvccFlags(build.flags);
  const Words includeFolders = includeFoldersOf(flags);
  const std::vector<ProgramFile> files =
      programFiles(build.input, build.text, includeFolders);
  if (files.empty())
    return failure("cannot read '" + build.input + "'");
  llvm::SmallString<128> kept(build.keep);
  if (!kept.empty() && llvm::sys::fs::make_absolute(kept))
    return failure("cannot tell where '" + build.keep + "' is");
  if (std::string why = refusal(build, flags, files, kept.str().str());
      !why.empty())
    return failure(why);
  const ScratchFolder scratch("kfuse-cpu");
  if (!scratch.good())
    return failure("cannot make a folder for temporary files");
  const Mirror mirror = mirrorProgram(
      files, includeFolders,
      kept.empty() ? scratch.file("sources") : kept.str().str(), build.force);
  if (!mirror.error.empty())
    return failure(mirror.error);

  const std::string written = scratch.file("program");
  ChildProgram compiler;
  // Whatever an interrupted compiler leaves behind is removed with the folder.
  compiler.environment = environmentWith("TMPDIR", scratch.path());
  compiler.output = compiler.errors = scratch.file("diagnostics");
  const auto compile = [&](const std::string &precompiled) {
    compiler.words = commandLine(build, flags, mirror, written, precompiled);
    return runChild(compiler);
  };
  const std::string precompiled = precompiledFor(build, flags);
  ChildResult ended = compile(precompiled);
  // The compiler refuses it if a system header, or the compiler, has changed.
  if (ended.status > 0 && !precompiled.empty())
    ended = compile({});
  CpuBuildResult result{ended.status == 0, contentOf(compiler.output)};
  std::string error;
  if (ended.status < 0)
    error = "the compiler failed: " + ended.message;
  else if (result.ok)
    error = deliver(written, build);
  if (!error.empty())
    result = {false, result.diagnostics + failure(error).diagnostics};
  return result;
}

CpuBuildResult precompileForCpu(const CpuBuild &build) {
  const ScratchFolder scratch("kfuse-cpu");
  if (!scratch.good())
    return failure("cannot make a folder for temporary files");
  ChildProgram compiler;
  compiler.output = compiler.errors = scratch.file("diagnostics");
  const Words language = languageFlags(build, {});
  const auto run = [&](Words words, const std::string &output) {
    words.insert(words.begin(), KFUSE_CPU_CLANG);
    words.insert(words.end(), language.begin(), language.end());
    words.insert(words.end(), {"-o", output});
    compiler.words = std::move(words);
    const ChildResult ended = runChild(compiler);
    return CpuBuildResult{ended.status == 0,
                          ended.message + contentOf(compiler.output)};
  };
  Words words = {"-x", "c++-header", KFUSE_CPU_INCLUDE "/cuda_runtime.h",
                 "-fpch-instantiate-templates"};
  if (!build.sanitize)
    return run(words, build.output);
  // Its functions are compiled here, once, instead of with each program.
  words.emplace_back("-fpch-codegen");
  const std::string object = scratch.file("header.o");
  if (CpuBuildResult header = run(words, build.output); !header.ok)
    return header;
  if (CpuBuildResult code = run({"-O2", "-c", build.output}, object); !code.ok)
    return code;
  return archive(object, codeOf(build.output));
}

} // namespace kfuse
