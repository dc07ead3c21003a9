//===- Parse.cpp - From a file to an AST ----------------------------------===//
//
// Runs Clang's front end on one input. Headers that can't be found don't end
// the run: a program's launches and kernels often parse without them. Clang's
// messages are collected, formatted in its own manner.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Parse.h"

#include "frontend/parse/EmbeddedHeaders.h"
#include "frontend/parse/Flags.h"
#include "frontend/parse/LaunchBrackets.h"
#include "frontend/parse/NamedBarriers.h"
#include "frontend/parse/OpenClSource.h"
#include "frontend/parse/Toolkit.h"
#include "frontend/syntax/CompilerConditionals.h"
#include "frontend/syntax/KnownFunctions.h"
#include "frontend/syntax/RecoveryLosses.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/UnreadFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace kfuse {
namespace {

constexpr const char *HeaderFolder = "/kfuse-builtin-headers";
constexpr const char *OpenClFolder = "/kfuse-builtin-headers/opencl";

/// Formats diagnostics into strings and notes what matters: a header that
/// isn't there is reported as a warning, once for each name.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override {
    Printer.BeginSourceFile(language, preprocessor);
    Softener.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override {
    Printer.EndSourceFile();
    Softener.EndSourceFile();
  }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    if (diagnostic.getID() == clang::diag::err_pp_file_not_found) {
      MissingHeaders.push_back(diagnostic.getArgStdStr(0));
      level = clang::DiagnosticsEngine::Warning;
    } else if (level >= clang::DiagnosticsEngine::Error) {
      const clang::SourceLocation place = diagnostic.getLocation();
      Errors.push_back(place);
      HasSystemErrors |= place.isValid() &&
                         diagnostic.getSourceManager().isInSystemHeader(place);
    }
    Printer.HandleDiagnostic(level, diagnostic);
    Softener.HandleDiagnostic(
        std::min(level, clang::DiagnosticsEngine::Warning), diagnostic);
  }

  const std::string &messages() const { return Messages; }
  /// Returns the messages of a run that goes on: its errors are warnings.
  const std::string &warnings() const { return Warnings; }
  const std::vector<std::string> &missingHeaders() const {
    return MissingHeaders;
  }
  const std::vector<clang::SourceLocation> &errors() const { return Errors; }
  /// Checks whether there are errors in headers of the system.
  bool hasSystemErrors() const { return HasSystemErrors; }

private:
  std::string Messages, Warnings;
  llvm::raw_string_ostream Stream{Messages}, SoftStream{Warnings};
  clang::TextDiagnosticPrinter Printer{Stream, new clang::DiagnosticOptions};
  clang::TextDiagnosticPrinter Softener{SoftStream,
                                        new clang::DiagnosticOptions};
  std::vector<std::string> MissingHeaders;
  std::vector<clang::SourceLocation> Errors;
  bool HasSystemErrors = false;
};

/// Builds the AST of the one job that the driver makes of the command line.
class BuildAst : public clang::tooling::ToolAction {
public:
  BuildAst(std::string path, const std::string &text,
           const std::map<std::string, std::string> &headers)
      : Path(std::move(path)), Text(text), Headers(headers) {}

  std::unique_ptr<clang::ASTUnit> ast;

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer *consumer) override {
    auto engine = clang::CompilerInstance::createDiagnostics(
        &invocation->getDiagnosticOpts(), consumer, /*ShouldOwnClient=*/false);
    // A missing header would else silence everything after it.
    engine->setFatalsAsError(true);
    const auto remap = [&](const std::string &path, const std::string &text) {
      invocation->getPreprocessorOpts().addRemappedFile(
          path, llvm::MemoryBuffer::getMemBufferCopy(text, path).release());
    };
    remap(Path, Text);
    for (const auto &[path, header] : Headers)
      remap(path, header);
    ast = clang::ASTUnit::LoadFromCompilerInvocation(
        invocation, std::move(containers), engine, files);
    return ast != nullptr;
  }

private:
  std::string Path;
  const std::string &Text;
  const std::map<std::string, std::string> &Headers;
};

/// Finds whether the unit has a launch, so that there is work to do.
class GpuCodeFinder : public SourceVisitor {
public:
  bool found = false;

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *) override {
    found = true;
    return false;
  }
};

bool hasLaunch(clang::ASTUnit &unit) {
  GpuCodeFinder finder;
  for (auto it = unit.top_level_begin(); it != unit.top_level_end(); ++it) {
    finder.TraverseDecl(*it);
    if (finder.found)
      return true;
  }
  return false;
}

/// Returns the real file system with kfuse's headers laid over it, and the text
/// to be parsed, which need not be a file.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
fileSystemWith(const std::string &path, const std::string &text) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto real = llvm::vfs::getRealFileSystem();
  if (const auto folder = real->getCurrentWorkingDirectory())
    static_cast<void>(memory->setCurrentWorkingDirectory(*folder));
  memory->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(text, path));
  for (const EmbeddedHeader &header : embeddedHeaders())
    memory->addFile(llvm::Twine(HeaderFolder) + "/" + header.name, 0,
                    llvm::MemoryBuffer::getMemBuffer(header.text, header.name));
  auto overlay =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(real));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

/// Leaves the system's headers out when Clang notes the parents of statements,
/// which takes as long as a fifth of the parsing.
void leaveOutSystemHeaders(clang::ASTContext &ast) {
  const clang::SourceManager &sources = ast.getSourceManager();
  std::vector<clang::Decl *> own;
  for (clang::Decl *declaration : ast.getTranslationUnitDecl()->decls())
    if (!sources.isInSystemHeader(declaration->getLocation()))
      own.push_back(declaration);
  ast.setTraversalScope(own);
}

/// One text to parse: the input, or the kernels that it has in a string.
struct Job {
  std::string path;
  const std::string &text;
  const std::map<std::string, std::string> &headers;
  std::vector<std::string> arguments; ///< of Clang's driver
};

std::unique_ptr<clang::ASTUnit> runJob(const Job &job,
                                       DiagnosticCollector &collector) {
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(
      clang::FileSystemOptions{}, fileSystemWith(job.path, job.text));
  BuildAst action(job.path, job.text, job.headers);
  clang::tooling::ToolInvocation invocation(
      job.arguments, &action, files.get(),
      std::make_shared<clang::PCHContainerOperations>());
  invocation.setDiagnosticConsumer(&collector);
  invocation.run();
  if (action.ast) {
    leaveOutSystemHeaders(action.ast->getASTContext());
    // The collector ends before the AST.
    action.ast->getDiagnostics().setClient(new clang::IgnoringDiagConsumer,
                                           /*ShouldOwnClient=*/true);
  }
  return std::move(action.ast);
}

/// One way to read the input.
struct Attempt {
  ReadingMode mode;
  DiagnosticCollector collector;
  std::unique_ptr<clang::ASTUnit> ast;

  bool isGood() const { return ast && collector.errors().empty(); }
  /// Checks whether it misses less than `other`, and else has fewer errors.
  bool isBetterThan(const Attempt &other) const {
    const auto lacks = [](const Attempt &attempt) {
      return std::tuple(!attempt.ast, attempt.collector.missingHeaders().size(),
                        attempt.collector.errors().size());
    };
    return lacks(*this) < lacks(other);
  }
};

/// Returns the toolkit on the machine if `tried` needs it: a header that it
/// includes is there, or doesn't go with kfuse's own.
std::string toolkitFor(const Attempt &tried) {
  const auto &missing = tried.collector.missingHeaders();
  if (missing.empty() && !tried.collector.hasSystemErrors())
    return {};
  const std::string toolkit = findToolkit();
  const bool isFound =
      !toolkit.empty() &&
      (missing.empty() || llvm::any_of(missing, [&](const std::string &name) {
         return hasHeader(toolkit, name);
       }));
  return isFound ? toolkit : std::string();
}

/// Says which header of a toolkit `tried` lacks, and how to name its folder.
std::string adviseToolkit(const Attempt &tried) {
  for (const std::string &name : tried.collector.missingHeaders())
    if (isOfToolkit(name))
      return "note: '" + name +
             "' is a header of the CUDA toolkit; --cuda-path names the "
             "toolkit's folder\n";
  return {};
}

/// Checks whether OpenCL's build option lets the compiler replace `a * b + c`
/// by a rougher `mad`.
bool mayContractAnyway(const std::string &option) {
  return option == "-cl-mad-enable" || option == "-cl-fast-relaxed-math" ||
         option == "-cl-unsafe-math-optimizations";
}

/// Parses an OpenCL host's kernels, as the runtime's compiler would.
KernelUnit parseKernels(const ParseOptions &options, clang::ASTUnit &host,
                        const std::string &resources,
                        std::string &diagnostics) {
  OpenClSource source =
      findOpenClSource(host, llvm::sys::path::parent_path(options.input).str());
  KernelUnit unit;
  unit.obstacle = std::move(source.obstacle);
  if (unit.obstacle.empty() && asksOpenClCompiler(source.text))
    unit.obstacle = "the text of the kernels asks which compiler reads it";
  if (unit.obstacle.empty() && changesItsMeaning(source.text))
    unit.obstacle = "a pragma changes what the text of the kernels means";
  if (unit.obstacle.empty() && contractsNothing(source.text) &&
      llvm::any_of(source.options, mayContractAnyway))
    unit.obstacle = "an option contracts sums where a pragma says otherwise";
  if (!unit.obstacle.empty())
    return unit;
  unit.path =
      source.path.empty() ? options.input + ":" + source.name : source.path;
  unit.string = source.place;
  ParseOptions own = options;
  own.input = unit.path;
  DiagnosticCollector collector;
  unit.ast = runJob(
      {unit.path,
       source.text,
       {},
       driverArguments(own, source.options, "cl", resources, HeaderFolder)},
      collector);
  diagnostics += collector.warnings();
  if (!unit.ast || !collector.errors().empty() ||
      !collector.missingHeaders().empty()) {
    unit.ast = nullptr;
    unit.obstacle = "the text of the kernels doesn't parse";
  }
  return unit;
}

/// Returns the first error with kfuse's OpenCL classes, as a warning.
std::string notFollowed(const std::string &messages) {
  const std::string error = ": error: ";
  const std::size_t at = messages.find(error);
  if (at == std::string::npos)
    return {};
  const std::size_t line = messages.rfind('\n', at);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  return messages.substr(begin, at - begin) +
         ": warning: launches by OpenCL's classes aren't followed here: " +
         messages.substr(at + error.size(),
                         messages.find('\n', at) + 1 - at - error.size());
}

std::unique_ptr<SourceUnit> fail(std::string &diagnostics,
                                 const std::string &message) {
  diagnostics += "error: " + message + "\n";
  return nullptr;
}

} // namespace

std::vector<std::string> filesRead(const SourceUnit &unit) {
  std::vector<std::string> paths;
  const auto add = [&paths](const clang::ASTUnit &ast) {
    const clang::FileManager &manager = ast.getFileManager();
    llvm::SmallVector<clang::OptionalFileEntryRef> files;
    manager.GetUniqueIDMapping(files);
    for (const clang::OptionalFileEntryRef &file : files)
      if (file) {
        llvm::SmallString<256> path(file->getName());
        manager.makeAbsolutePath(path);
        paths.push_back(path.str().str());
      }
  };
  add(unit.ast());
  if (const KernelUnit *kernels = unit.kernels()) {
    paths.push_back(kernels->path);
    if (kernels->ast)
      add(*kernels->ast);
  }
  return paths;
}

std::unique_ptr<SourceUnit> parse(const ParseOptions &options,
                                  std::string &diagnostics) {
  auto buffer = llvm::MemoryBuffer::getFile(options.input, /*IsText=*/true);
  if (!buffer)
    return fail(diagnostics, "cannot read '" + options.input +
                                 "': " + buffer.getError().message());
  return parse(options, (*buffer)->getBuffer().str(), {}, diagnostics);
}

std::unique_ptr<SourceUnit>
parse(const ParseOptions &options, const std::string &input,
      const std::map<std::string, std::string> &headers,
      std::string &diagnostics) {
  const llvm::StringRef text = input;
  if (text.contains('\0'))
    return fail(diagnostics,
                "'" + options.input + "' is not a text file: it has NUL bytes");
  if (text.trim().empty())
    return fail(diagnostics, "'" + options.input + "' is empty");

  const std::string resources =
      options.resourceDir.empty() ? KFUSE_RESOURCE_DIR : options.resourceDir;
  if (!llvm::sys::fs::exists(resources + "/include/stddef.h"))
    return fail(diagnostics,
                "Clang's own headers are not in '" + resources +
                    "'; name their folder (`clang -print-resource-dir`) with "
                    "--resource-dir");
  if (!options.cudaPath.empty() &&
      !llvm::sys::fs::exists(options.cudaPath + "/include/cuda.h"))
    return fail(diagnostics, "no CUDA toolkit in '" + options.cudaPath + "'");

  const std::string language = detectLanguage(options, text);
  if (language.empty())
    return fail(diagnostics,
                "cannot tell the language of '" + options.input +
                    "': it has no kernel and no launch; name it with -x "
                    "cuda or -x cl");

  std::vector<std::string> flags;
  if (!options.buildPath.empty()) {
    std::string error;
    flags = databaseFlags(options.buildPath, options.input, error);
    if (!error.empty())
      return fail(diagnostics, error);
  }
  for (std::string &flag : clangFlags(options.flags))
    flags.push_back(std::move(flag));

  const std::string joined =
      language == "cuda" ? voidNamedBarriers(joinLaunchBrackets(input)) : input;
  const auto attempt = [&](std::vector<std::string> chosen,
                           const ReadingMode &mode) {
    ParseOptions own = options;
    if (mode.isForLibraries)
      chosen.insert(chosen.end(), {"-idirafter", mode.toolkit + "/include"});
    else if (own.cudaPath.empty())
      own.cudaPath = mode.toolkit;
    if (mode.hasAllNames)
      chosen.insert(chosen.begin(), {"-include", std::string(HeaderFolder) +
                                                     "/cuda/kfuse_names.h"});
    auto made = std::make_unique<Attempt>();
    made->mode = mode;
    made->ast = runJob(
        {options.input, joined, headers,
         driverArguments(own, chosen, language, resources, HeaderFolder)},
        made->collector);
    if (made->ast && language == "cuda")
      dropKnownBodies(*made->ast, HeaderFolder);
    return made;
  };
  std::unique_ptr<Attempt> done;
  if (language == "c++" && usesOpenClClasses(input)) {
    std::vector<std::string> more = {"-include",
                                     std::string(OpenClFolder) + "/kfuse_cl.h",
                                     "-idirafter", OpenClFolder};
    more.insert(more.end(), flags.begin(), flags.end());
    done = attempt(more, {});
    // If these classes lack something, the user's own are read instead.
    if (!done->isGood())
      if (auto other = attempt(flags, {}); other->isGood()) {
        diagnostics += notFollowed(done->collector.messages());
        done = std::move(other);
      }
  } else {
    done = attempt(flags, options.mode);
  }
  // A derived text is read as the one before it.
  if (language == "cuda" && options.cudaPath.empty() &&
      options.mode == ReadingMode()) {
    const auto retry = [&](const ReadingMode &mode) {
      if (auto other = attempt(flags, mode); other->isBetterThan(*done))
        done = std::move(other);
    };
    if (!done->isGood())
      retry({"", false, true});
    const auto isComplete = [&] {
      return done->isGood() && done->collector.missingHeaders().empty();
    };
    if (!isComplete())
      if (const std::string toolkit = toolkitFor(*done); !toolkit.empty()) {
        // Kernels are better known by kfuse's own headers.
        if (llvm::none_of(done->collector.missingHeaders(), needsWholeToolkit))
          retry({toolkit, true, done->mode.hasAllNames});
        if (!isComplete())
          retry({toolkit, false, false});
      }
  }
  std::unique_ptr<clang::ASTUnit> ast = std::move(done->ast);
  const DiagnosticCollector &collector = done->collector;
  if (!ast) {
    diagnostics += collector.messages();
    if (collector.errors().empty())
      return fail(diagnostics, "Clang could not parse '" + options.input + "'");
    return nullptr;
  }
  // Errors may be where nothing matters, and are expected after a missing
  // header. What does parse is used if it has a launch and no text is lost.
  const std::vector<clang::SourceLocation> errors =
      language == "cuda" ? dropUnreadFunctions(*ast, collector.errors())
                         : collector.errors();
  if (!errors.empty()) {
    const bool isUsable =
        !collector.missingHeaders().empty() && hasLaunch(*ast);
    const auto lost = isUsable ? lostText(*ast, errors) : std::nullopt;
    if (!isUsable || lost)
      diagnostics += collector.messages() + adviseToolkit(*done);
    if (!isUsable)
      return nullptr;
    if (lost)
      return fail(diagnostics,
                  lost->printToString(ast->getSourceManager()) +
                      ": what stands here can't be known without the missing "
                      "header (-I names a folder of headers)");
  }
  if (const std::string name = markClocks(ast->getASTContext(), options.clocks);
      !name.empty())
    return fail(diagnostics,
                "--clock=" + name + ": the input has no function of this name");
  diagnostics += collector.warnings();
  auto unit = std::make_unique<SourceUnit>(
      std::move(ast), options.input,
      static_cast<unsigned>(collector.errors().size()));
  unit->setMode(done->mode);
  if (language == "c" || language == "c++")
    unit->setKernels(
        parseKernels(options, unit->ast(), resources, diagnostics));
  return unit;
}

} // namespace kfuse
