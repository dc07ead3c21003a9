//===- CommandLine.cpp - The command line ---------------------------------===//

#include "driver/CommandLine.h"

#include "driver/OldSpellings.h"
#include "system/Output.h"
#include "system/Version.h"
#include "text/Lists.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace kfuse {
namespace {

namespace cl = llvm::cl;

/// The options as LLVM's library wants them. They are made after the parser
/// was reset, so that those of LLVM itself neither clash nor show.
struct CommandLine {
  cl::OptionCategory output{"Output"};
  cl::OptionCategory input{"Reading the input"};
  cl::OptionCategory choice{"What is fused"};
  cl::OptionCategory explain{"Explanation"};
  cl::SubCommand verify{
      "verify", "Fuse, run original and fused on the CPU in several thread "
                "orders, and compare what they leave behind"};

  cl::SubCommand tune{"tune", "Fuse as measurements of several plans say, on "
                              "this machine's device"};

  cl::SubCommand searchProblem{
      "search", "Search the best fusion of an abstract problem, a JSON file"};

  cl::sub all{cl::SubCommand::getAll()};

  cl::opt<std::string> inputFile{cl::Positional, cl::desc("<input>"),
                                 cl::value_desc("file"), cl::Optional, all};
  cl::opt<std::string> outputFile{
      "o",
      cl::desc("Write the fused program to this file; - is standard output"),
      cl::value_desc("file"), cl::cat(output), all};
  cl::opt<EmitKind> emit{
      "emit",
      cl::desc("Write this to standard output instead of the fused program:"),
      cl::values(
          clEnumValN(EmitKind::Program, "program", "kernels, accesses, steps"),
          clEnumValN(EmitKind::Graphs, "graphs", "both dependence graphs"),
          clEnumValN(EmitKind::Plan, "plan", "how each group is fused"),
          clEnumValN(EmitKind::Summary, "summary", "launches and traffic"),
          clEnumValN(EmitKind::Json, "json", "all of it, for programs"),
          clEnumValN(EmitKind::Problem, "problem",
                     "what 'kfuse search' needs to know of it"),
          clEnumValN(EmitKind::Source, "source", "the fused program")),
      cl::init(EmitKind::None),
      cl::cat(output),
      all};
  cl::opt<std::string> dot{
      "dot", cl::desc("Write the three graphs as DOT files into this folder"),
      cl::value_desc("folder"), cl::cat(output), all};
  cl::opt<std::string> savePlan{"save-plan", cl::desc("Write the plan as JSON"),
                                cl::value_desc("file"), cl::cat(output), all};

  cl::opt<bool> force{"force", cl::desc("Overwrite files that are read-only"),
                      cl::cat(output), all};

  cl::list<std::string> includes{"I",
                                 cl::Prefix,
                                 cl::value_desc("folder"),
                                 cl::desc("Search this folder for headers"),
                                 cl::cat(input),
                                 all};
  cl::list<std::string> defines{"D",
                                cl::Prefix,
                                cl::value_desc("name[=value]"),
                                cl::desc("Define a macro"),
                                cl::cat(input),
                                all};
  cl::opt<std::string> standard{"std", cl::value_desc("standard"),
                                cl::desc("Language standard"), cl::cat(input),
                                all};
  cl::opt<std::string> language{
      "x", cl::value_desc("cuda|cl"),
      cl::desc("Language; else from the extension or the content"),
      cl::cat(input), all};
  cl::opt<std::string> cudaPath{
      "cuda-path", cl::value_desc("folder"),
      cl::desc("Parse with this CUDA toolkit's headers; none is needed"),
      cl::cat(input), all};
  cl::opt<std::string> buildPath{
      "p", cl::value_desc("folder"),
      cl::desc("Read flags from this folder's compile_commands.json"),
      cl::cat(input), all};

  cl::opt<std::string> device{
      "device",
      cl::value_desc("name|file"),
      cl::init("h200"),
      cl::desc("Device to fuse for: h200 (default), another that is shipped, "
               "or a device file"),
      cl::cat(choice),
      all};
  cl::opt<SearchKind> search{
      "search",
      cl::desc("How partitions are searched:"),
      cl::values(clEnumValN(SearchKind::Genetic, "genetic",
                            "grouping genetic algorithm (default)"),
                 clEnumValN(SearchKind::Greedy, "greedy", "best gain first"),
                 clEnumValN(SearchKind::Exact, "exact",
                            "the optimum, for few kernels"),
                 clEnumValN(SearchKind::Annealing, "annealing",
                            "simulated annealing, to compare with"),
                 clEnumValN(SearchKind::PlainGenetic, "sc14-ga",
                            "a genetic algorithm of 2014, to compare with"),
                 clEnumValN(SearchKind::MinCut, "min-cut",
                            "recursive minimum cuts, to compare with"),
                 clEnumValN(SearchKind::Random, "random",
                            "legal groups that needn't pay, to measure")),
      cl::init(SearchKind::Genetic),
      cl::cat(choice),
      all};
  cl::opt<std::uint64_t> seed{"seed",
                              cl::init(1),
                              cl::value_desc("number"),
                              cl::desc("Of the genetic algorithm"),
                              cl::cat(choice),
                              all};
  cl::opt<std::uint64_t> effort{
      "search-budget",
      cl::init(10),
      cl::value_desc("number"),
      cl::desc("Thousands of group evaluations for each launch (10)"),
      cl::cat(choice),
      all};
  cl::opt<std::string> plan{
      "plan", cl::value_desc("file"),
      cl::desc("Fuse as this plan says instead of searching"), cl::cat(choice),
      all};
  cl::list<std::string> profiles{
      "profile", cl::value_desc("file"),
      cl::desc("Use the times and sizes of this profile; may be repeated"),
      cl::cat(choice), all};
  cl::opt<std::string> nvcc{
      "nvcc", cl::value_desc("command"),
      cl::desc("Ask this compiler how it contracts sums, and for registers; "
               "auto (the program's own, for sums alone) or none; by default "
               "what KFUSE_NVCC says, or auto"),
      cl::cat(choice), all};
  cl::list<CostTerm> costWithout{
      "cost-without",
      cl::desc("Leave terms out of the cost model, to see what they do:"),
      cl::values(clEnumValN(CostTerm::Launch, "launch", "launches"),
                 clEnumValN(CostTerm::Starts, "starts", "starts of blocks"),
                 clEnumValN(CostTerm::Memory, "memory", "traffic of the DRAM"),
                 clEnumValN(CostTerm::L2, "L2", "traffic of the L2"),
                 clEnumValN(CostTerm::L1, "L1", "loads"),
                 clEnumValN(CostTerm::Flops, "flops", "arithmetic"),
                 clEnumValN(CostTerm::Issue, "issue", "other instructions")),
      cl::CommaSeparated,
      cl::cat(choice),
      all};
  cl::list<std::string> dead{
      "assume-dead", cl::value_desc("array"),
      cl::desc("Promise that nothing reads this array after the launches"),
      cl::cat(choice), all};
  cl::opt<bool> keepKernels{
      "keep-kernels", cl::desc("Keep kernels that nothing launches any more"),
      cl::cat(output), all};
  cl::opt<bool> noConditions{
      "no-runtime-checks",
      cl::desc("Fuse only what needs no check at run time"), cl::cat(choice),
      all};
  cl::list<ConditionKind> promised{
      "assume",
      cl::desc("Promise what would be tested at run time:"),
      cl::values(clEnumValN(ConditionKind::NoOverlap, "no-overlap",
                            "pointers of different names don't overlap"),
                 clEnumValN(ConditionKind::EqualGrid, "equal-grids",
                            "grids that may be equal are"),
                 clEnumValN(ConditionKind::EqualBlock, "equal-blocks",
                            "blocks that may be equal are"),
                 clEnumValN(ConditionKind::EqualScalar, "equal-scalars",
                            "arguments that may be equal are"),
                 clEnumValN(ConditionKind::AtLeast, "grid-covers-data",
                            "launches have a thread for every element"),
                 clEnumValN(ConditionKind::LongRows, "pitch-covers-row",
                            "rows are as long as what threads reach in them"),
                 clEnumValN(ConditionKind::NoWrap, "no-wrap",
                            "indices fit into their types")),
      cl::CommaSeparated,
      cl::cat(choice),
      all};
  cl::opt<bool> noHorizontal{"no-horizontal",
                             cl::desc("Don't join unrelated kernels"),
                             cl::cat(choice), all};
  cl::opt<bool> relaxedRounding{
      "relaxed-rounding",
      cl::desc("Fuse although the compiler may then contract a sum otherwise"),
      cl::cat(choice), all};
  cl::list<std::string> clocks{
      "clock",
      cl::desc("Promise that this function looks only at a clock: it is timing "
               "code (--ignore-timing)"),
      cl::value_desc("function"),
      cl::CommaSeparated,
      cl::cat(choice),
      all};
  cl::opt<bool> ignoreTiming{
      "ignore-timing",
      cl::desc("Fuse across timing code, which then times something else"),
      cl::cat(choice), all};
  cl::opt<bool> deferChecks{
      "sink-fatal-checks",
      cl::desc("Move fatal error checks after the launches that follow them"),
      cl::cat(choice), all};
  cl::opt<std::uint32_t> elements{
      "elements-per-thread",
      cl::init(4),
      cl::value_desc("number"),
      cl::desc("Let a thread work on up to this many elements (1, 2, 4, 8)"),
      cl::cat(choice),
      all};
  cl::opt<std::uint32_t> statements{
      "max-statements",
      cl::init(FusionOptions().maxStatements),
      cl::value_desc("number"),
      cl::desc("Let more than two kernels together have so many statements"),
      cl::cat(choice),
      all};
  cl::opt<std::uint64_t> threads{
      "assume-threads",
      cl::init(std::uint64_t{16} << 20),
      cl::value_desc("number"),
      cl::desc("Threads of a launch whose grid the text doesn't tell (16M)"),
      cl::cat(choice),
      all};

  cl::opt<bool> passed{"Rkfuse", cl::desc("Remark on what was fused"),
                       cl::cat(explain), all};
  cl::opt<bool> missed{
      "Rkfuse-missed",
      cl::desc("Remark on pairs with shared arrays that were not, and why"),
      cl::cat(explain), all};
  cl::opt<bool> analysis{"Rkfuse-analysis",
                         cl::desc("Remark on what the analysis left alone"),
                         cl::cat(explain), all};
  cl::opt<std::string> explainCost{
      "explain-cost", cl::value_desc("group"),
      cl::desc("Print the cost model's terms for a fused kernel, or kernels "
               "with commas between, instead of the fused program"),
      cl::cat(explain), all};
  cl::opt<std::string> remarks{
      "save-remarks", cl::value_desc("file"),
      cl::desc("Write all remarks in LLVM's YAML format"), cl::cat(explain),
      all};
  cl::opt<bool> quiet{"quiet", cl::desc("No summary on standard error"),
                      cl::cat(explain), all};

  cl::opt<std::string> generate{
      "generate", cl::value_desc("family:size:seed"),
      cl::desc("Write a problem instead: weather, pipelines or sharing"),
      cl::sub(searchProblem)};
  cl::opt<bool> prove{"prove",
                      cl::desc("Go on until the bound is proven, if it can be"),
                      cl::sub(searchProblem)};
  cl::opt<std::uint32_t> islands{
      "islands", cl::init(1), cl::value_desc("number"),
      cl::desc("Populations that exchange their best; changes the result"),
      cl::sub(searchProblem)};
  cl::opt<std::uint32_t> searchThreads{
      "threads", cl::init(1), cl::value_desc("number"),
      cl::desc("Islands that are searched at once; the result is the same"),
      cl::sub(searchProblem)};

  cl::opt<std::uint32_t> tuneSeconds{
      "measure-seconds", cl::init(5), cl::value_desc("number"),
      cl::desc("How long each plan is measured"), cl::sub(tune)};
  cl::opt<std::string> tunePlatform{
      "measure-platform", cl::value_desc("name"),
      cl::desc("Measure on a device of this platform, as kfuse-bench -p"),
      cl::sub(tune)};
  cl::opt<std::string> tuneType{
      "measure-type", cl::value_desc("type"),
      cl::desc("Measure on a device of this type, as kfuse-bench -t"),
      cl::sub(tune)};
  cl::opt<std::string> tuneDevice{
      "measure-device", cl::value_desc("name"),
      cl::desc("Measure on this device, as kfuse-bench -d"), cl::sub(tune)};

  cl::list<std::string> linked{
      "link", cl::value_desc("file"),
      cl::desc("Compile this file with the program, or link it"),
      cl::sub(verify)};
  cl::opt<std::uint32_t> orders{"orders", cl::init(3), cl::value_desc("number"),
                                cl::desc("Thread orders to run in, at least 2"),
                                cl::sub(verify)};
};

constexpr std::uint64_t MostEffort = 1000000;
constexpr std::uint32_t MostIslands = 1024;

bool isPowerUpTo(std::uint32_t value, std::uint32_t limit) {
  return value != 0 && value <= limit && (value & (value - 1)) == 0;
}

/// Returns the compiler that `--nvcc` or, without it, the environment names;
/// empty for none.
std::string compilerToAsk(std::string given) {
  if (const char *usual = std::getenv("KFUSE_NVCC"); usual && given.empty())
    given = usual;
  if (given.empty())
    return "auto";
  return given == "none" ? "" : given;
}

ExitCode usage(const llvm::Twine &message) {
  llvm::errs() << "kfuse: error: " << message << "\n";
  return ExitCode::Usage;
}

/// Returns which values `option` takes if a word gives it others; else empty.
/// LLVM's own message says only that there is none of this name.
template <typename Option>
std::string unknownValue(Option &option, llvm::ArrayRef<const char *> words) {
  auto &values = option.getParser();
  std::vector<std::string> names;
  for (unsigned i = 0; i < values.getNumOptions(); ++i)
    names.push_back(values.getOption(i).str());
  for (std::size_t i = 1; i < words.size(); ++i) {
    auto [name, given] = llvm::StringRef(words[i]).split('=');
    if (!name.starts_with("-") || name.ltrim('-') != option.ArgStr)
      continue;
    if (llvm::StringRef(words[i]) == name && i + 1 < words.size())
      given = words[i + 1];
    llvm::SmallVector<llvm::StringRef> parts;
    given.split(parts, ',');
    for (llvm::StringRef part : parts)
      if (values.findOption(part) == values.getNumOptions())
        return "--" + name.ltrim('-').str() + " takes " + joined(names, "or") +
               ", not '" + part.str() + "'";
  }
  return {};
}

} // namespace

std::variant<Options, ExitCode> parseOptions(int argc, const char **argv) {
  cl::ResetCommandLineParser();
  if (argc == 2 && llvm::StringRef(argv[1]) == "--version") {
    const std::string why =
        writeOutput("-", "kfuse " + std::string(versionText()) + "\n");
    return why.empty() ? ExitCode::Done : ExitCode::Input;
  }
  CommandLine line;

  // The words after `--` are not ours: compiler flags, or the program's
  // arguments.
  const char **const end = argv + argc;
  const char **const dashes = std::find_if(argv, end, [](const char *word) {
    return llvm::StringRef(word) == "--";
  });
  std::vector<std::string> rest(dashes == end ? end : dashes + 1, end);

  for (const char **word = argv + 1; word < dashes; ++word)
    if (const std::string now = newSpelling(*word); !now.empty())
      return usage("'" + std::string(*word) + "' is called '" + now + "' now");

  const llvm::ArrayRef<const char *> words(argv, dashes);
  for (const std::string &why :
       {unknownValue(line.emit, words), unknownValue(line.search, words),
        unknownValue(line.costWithout, words),
        unknownValue(line.promised, words)})
    if (!why.empty())
      return usage(why);

  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (!cl::ParseCommandLineOptions(
          static_cast<int>(dashes - argv), argv,
          "kfuse: fuses the kernels of a CUDA program\n\n"
          "  kfuse [options] input -o fused [-- clang flags]\n"
          "  kfuse verify [options] input [-- program arguments]\n"
          "  kfuse tune [options] input -o fused [-- program arguments]\n"
          "  kfuse search [options] problem.json\n",
          &stream)) {
    llvm::errs() << errors;
    return ExitCode::Usage;
  }

  Options options;
  options.verify = static_cast<bool>(line.verify);
  options.tune = static_cast<bool>(line.tune);
  options.parse.input = line.inputFile;
  for (const std::string &folder : line.includes)
    options.parse.flags.push_back("-I" + folder);
  for (const std::string &macro : line.defines)
    options.parse.flags.push_back("-D" + macro);
  if (!line.standard.empty())
    options.parse.flags.push_back("-std=" + line.standard);
  if (options.verify || options.tune)
    options.programArguments = std::move(rest);
  else
    llvm::append_range(options.parse.flags, rest);
  options.parse.language = line.language;
  options.parse.cudaPath = line.cudaPath;
  options.parse.buildPath = line.buildPath;
  options.parse.clocks.assign(line.clocks.begin(), line.clocks.end());
  options.keepKernels = line.keepKernels;
  options.fusion.conditions = !line.noConditions;
  options.fusion.promised.insert(line.promised.begin(), line.promised.end());
  options.fusion.horizontal = !line.noHorizontal;
  options.fusion.exactRounding = !line.relaxedRounding;
  options.fusion.ignoreTiming = line.ignoreTiming;
  options.fusion.deferChecks = line.deferChecks;
  options.fusion.dead.assign(line.dead.begin(), line.dead.end());
  options.fusion.maxElementsPerThread = line.elements;
  options.fusion.maxStatements = line.statements;
  options.fusion.assumedThreads = static_cast<double>(line.threads);
  options.fusion.withoutTerms.insert(line.costWithout.begin(),
                                     line.costWithout.end());
  options.costToExplain = line.explainCost;
  options.search.kind = line.search;
  options.search.proves = line.search == SearchKind::Genetic;
  options.search.seed = line.seed;
  options.search.lookUpsPerItem = 1000 * line.effort;
  options.search.islands = line.islands;
  options.search.threads = line.searchThreads;
  options.searchProblem = static_cast<bool>(line.searchProblem);
  options.generate = line.generate;
  options.prove = line.prove;
  options.output = line.outputFile;
  options.emit = line.emit;
  options.device = line.device;
  options.isDeviceChosen = line.device.getNumOccurrences() != 0;
  options.dotFolder = line.dot;
  options.planToSave = line.savePlan;
  options.planToLoad = line.plan;
  options.profiles = {line.profiles.begin(), line.profiles.end()};
  options.nvcc = compilerToAsk(line.nvcc);
  options.remarksFile = line.remarks;
  options.passedRemarks = line.passed;
  options.missedRemarks = line.missed;
  options.analysisRemarks = line.analysis;
  options.quiet = line.quiet;
  options.force = line.force;
  for (const char **word = argv + 1; word < dashes; ++word)
    if (**word == '@')
      options.responseFiles.emplace_back(*word + 1);
  options.orders = line.orders;
  options.tuneSeconds = line.tuneSeconds;
  for (const auto &[option, name] : {std::pair(&line.tunePlatform, "platform"),
                                     {&line.tuneType, "type"},
                                     {&line.tuneDevice, "device"}})
    if (option->getNumOccurrences() != 0)
      options.tuneDevice.push_back("--" + std::string(name) + "=" +
                                   option->getValue());
  options.linked.assign(line.linked.begin(), line.linked.end());

  if (options.parse.input.empty() == options.generate.empty())
    return usage(options.generate.empty()
                     ? "no input"
                     : "--generate takes no input; it makes a problem");
  for (const auto *file :
       {&line.outputFile, &line.savePlan, &line.remarks, &line.dot})
    if (file->getNumOccurrences() != 0 && file->empty())
      return usage((file->ArgStr.size() == 1 ? "-" : "--") + file->ArgStr +
                   " takes the name of a " + file->ValueStr);
  if (line.effort < 1 || line.effort > MostEffort)
    return usage("--search-budget takes a number from 1 to " +
                 llvm::Twine(MostEffort));
  if (line.islands < 1 || line.islands > MostIslands || line.searchThreads < 1)
    return usage("--islands takes a number from 1 to " +
                 llvm::Twine(MostIslands) + ", --threads from 1 on");
  if (!options.parse.language.empty() && options.parse.language != "cuda" &&
      options.parse.language != "cl")
    return usage("unknown language '" + options.parse.language +
                 "'; -x takes cuda or cl");
  if (options.fusion.assumedThreads < 1)
    return usage("--assume-threads takes a number from 1 on");
  if (!isPowerUpTo(options.fusion.maxElementsPerThread, 8))
    return usage("--elements-per-thread takes 1, 2, 4 or 8");
  if (options.tune && options.output.empty() && options.planToSave.empty())
    return usage("tune takes -o or --save-plan, to keep what it finds");
  if (options.tune && options.tuneSeconds < 1)
    return usage("--measure-seconds takes a number from 1 on");
  if (options.verify && options.orders < 2)
    return usage("--orders takes at least 2");
  return options;
}

} // namespace kfuse
