//===- driver/kfuse.cpp - kfuse's main ------------------------------------===//

#include "driver/Compile.h"
#include "driver/ExplainCost.h"
#include "driver/Options.h"
#include "driver/Report.h"
#include "driver/SearchCommand.h"
#include "driver/Verify.h"
#include "fusion/Dot.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <cstdio>
#include <exception>

using namespace kfuse;

namespace {

/// The message of what went wrong, on standard error.
ExitCode fail(const std::string &message) {
  llvm::errs() << "kfuse: error: " << message << "\n";
  return ExitCode::Input;
}

/// Writing the result over the input would lose the user's program.
bool isInput(const std::string &path, const Options &options) {
  return path != "-" && llvm::sys::fs::equivalent(path, options.parse.input);
}

std::string writeGraphs(const Compilation &compilation,
                        const std::string &folder) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return "cannot make folder '" + folder + "': " + error.message();
  const Problem &problem = *compilation.problem;
  for (const auto &[name, text] :
       {std::pair<const char *, std::string>{
            "data-dependency.dot",
            dataDependencyDot(problem, compilation.plan)},
        {"order-of-execution.dot",
         orderOfExecutionDot(problem, compilation.plan)},
        {"fused-order.dot",
         fusedOrderDot(problem, compilation.plan, compilation.remarks)}}) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    if (std::string error = writeFile(path.str().str(), text); !error.empty())
      return error;
  }
  return {};
}

ExitCode run(const Options &options) {
  for (const std::string *path :
       {&options.output, &options.planToSave, &options.remarksFile})
    if (!path->empty() && isInput(*path, options))
      return fail("'" + *path + "' is the input; it would be overwritten");

  std::string error;
  const std::unique_ptr<Compilation> compilation = compile(options, error);
  llvm::errs() << error;
  if (!compilation)
    return ExitCode::Input;

  printRemarks(*compilation, options, llvm::errs());
  if (!options.quiet)
    printSummary(*compilation, llvm::errs());
  if (!options.planToSave.empty())
    if (std::string message =
            writeFile(options.planToSave,
                      savePlan(compilation->program, compilation->plan));
        !message.empty())
      return fail(message);
  if (!options.remarksFile.empty())
    if (std::string message = saveRemarks(*compilation, options.remarksFile);
        !message.empty())
      return fail(message);
  if (!options.dotFolder.empty())
    if (std::string message = writeGraphs(*compilation, options.dotFolder);
        !message.empty())
      return fail(message);
  if (!options.output.empty())
    if (std::string message = writeFile(options.output, compilation->text);
        !message.empty())
      return fail(message);
  if (!options.costToExplain.empty()) {
    const CostExplanation cost =
        explainCost(*compilation, options.costToExplain);
    if (!cost.error.empty())
      return fail(cost.error);
    llvm::outs() << cost.text;
  }
  // Without any other destination the fused program is what was asked for.
  if (options.emit != EmitKind::None ||
      (options.output.empty() && options.costToExplain.empty() &&
       !options.verify))
    llvm::outs() << emit(*compilation, options.emit);
  return options.verify ? verify(*compilation, options, llvm::errs())
                        : ExitCode::Done;
}

} // namespace

int main(int argc, const char **argv) {
  try {
    llvm::InitLLVM init(argc, argv);
    auto options = parseOptions(argc, argv);
    if (const auto *code = std::get_if<ExitCode>(&options))
      return static_cast<int>(*code);
    const Options &chosen = std::get<Options>(options);
    return static_cast<int>(chosen.searchProblem ? searchProblem(chosen)
                                                 : run(chosen));
  } catch (const std::exception &error) {
    // Out of memory, or of threads. Files are written whole or not at all.
    std::fputs("kfuse: error: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return static_cast<int>(ExitCode::Input);
  }
}
