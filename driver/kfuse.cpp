//===- kfuse.cpp - kfuse's main -------------------------------------------===//

#include "driver/CommandLine.h"
#include "driver/DeepStack.h"
#include "driver/Emit.h"
#include "driver/ExplainCost.h"
#include "driver/Files.h"
#include "driver/Report.h"
#include "driver/SearchCommand.h"
#include "driver/Verify.h"
#include "driver/pipeline/Compile.h"
#include "driver/tune/Tune.h"
#include "fusion/report/Dot.h"
#include "fusion/report/PlanJson.h"
#include "system/Interrupts.h"
#include "system/Scratch.h"

#include "llvm/Support/InitLLVM.h"

#include <atomic>
#include <cstdio>
#include <exception>
#include <string_view>

using namespace kfuse;

namespace {

/// Prints what went wrong to standard error and returns the exit code for it.
ExitCode fail(const std::string &message) {
  llvm::errs() << "kfuse: error: " << message << "\n";
  return ExitCode::Input;
}

std::string writeGraphs(const Compilation &compilation,
                        const Options &options) {
  const std::string &folder = options.dotFolder;
  if (!makeFolders(folder))
    return "cannot make folder '" + folder + "'";
  const Problem &problem = *compilation.problem;
  for (const auto &[name, text] :
       {std::pair<const char *, std::string>{
            DataDependencyFile, dataDependencyDot(problem, compilation.plan)},
        {OrderOfExecutionFile, orderOfExecutionDot(problem, compilation.plan)},
        {FusedOrderFile,
         fusedOrderDot(problem, compilation.plan, compilation.remarks)}})
    if (std::string error =
            writeOutput(fileIn(folder, name), text, {options.force});
        !error.empty())
      return error;
  return {};
}

/// Writes the files that the options ask for; returns a message on failure.
std::string writeFiles(const Compilation &compilation, const Options &options) {
  const WriteOptions how{options.force};
  std::string error;
  if (!options.planToSave.empty())
    error = writeOutput(options.planToSave,
                        savePlan(compilation.program, compilation.plan), how);
  if (error.empty() && !options.remarksFile.empty())
    error = writeOutput(options.remarksFile, remarksAsYaml(compilation), how);
  if (error.empty() && !options.dotFolder.empty())
    error = writeGraphs(compilation, options);
  if (error.empty() && !options.output.empty())
    error = writeOutput(options.output, compilation.text, how);
  return error;
}

ExitCode run(const Options &options) {
  // Files that can't be written are known before the search, those read after
  // it.
  if (std::string message = refusedFiles(options); !message.empty())
    return fail(message);

  std::string error;
  const std::unique_ptr<Compilation> compilation = compile(options, error);
  llvm::errs() << error;
  if (!compilation)
    return ExitCode::Input;
  if (std::string message = refusedFiles(options, *compilation);
      !message.empty())
    return fail(message);

  for (const std::string &warning : compilation->warnings)
    llvm::errs() << warning;
  printRemarks(*compilation, options, llvm::errs());
  if (!options.quiet)
    printSummary(*compilation, llvm::errs());
  if (std::string message = writeFiles(*compilation, options); !message.empty())
    return fail(message);
  std::string printed;
  if (!options.costToExplain.empty()) {
    CostExplanation cost = explainCost(*compilation, options.costToExplain);
    if (!cost.error.empty())
      return fail(cost.error);
    printed = std::move(cost.text);
  }
  // Without any other destination the fused program is what was asked for.
  if (options.emit != EmitKind::None ||
      (options.output.empty() && options.costToExplain.empty() &&
       !options.verify))
    printed += emit(*compilation, options.emit);
  if (usesStandardOutput(options))
    if (std::string message = writeOutput("-", printed); !message.empty())
      return fail(message);
  return options.verify ? verify(*compilation, options, llvm::errs())
                        : ExitCode::Done;
}

/// Set by the first interrupt of `kfuse tune`, which then ends by itself.
std::atomic<bool> isTuneStopped{false};

ExitCode runTune(const Options &options) {
  if (std::string message = refusedFiles(options); !message.empty())
    return fail(message);
  return tune(options, isTuneStopped, llvm::errs());
}

ExitCode runCommand(int argc, const char **argv) {
  try {
    auto options = parseOptions(argc, argv);
    if (const auto *code = std::get_if<ExitCode>(&options))
      return *code;
    const Options &chosen = std::get<Options>(options);
    if (chosen.searchProblem)
      return searchProblem(chosen);
    return chosen.tune ? runTune(chosen) : run(chosen);
  } catch (const std::exception &error) {
    // Out of memory, or of threads. Files are written whole or not at all.
    std::fputs("kfuse: error: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return ExitCode::Input;
  }
}

} // namespace

int main(int argc, const char **argv) {
  const bool isTune = argc > 1 && std::string_view(argv[1]) == "tune";
  leaveNothingBehind(isTune ? &isTuneStopped : nullptr);
  const llvm::InitLLVM init(argc, argv);
  const int code =
      onDeepStack([&] { return static_cast<int>(runCommand(argc, argv)); },
                  static_cast<int>(ExitCode::Input));
  // Messages that nobody can read are no reason to end otherwise.
  llvm::errs().clear_error();
  return code;
}
