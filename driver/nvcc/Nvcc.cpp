//===- Nvcc.cpp - What the compiler gives kernels -------------------------===//

#include "driver/nvcc/Nvcc.h"

#include "driver/nvcc/MachineCode.h"
#include "frontend/parse/Flags.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/syntax/Signature.h"
#include "system/Child.h"
#include "system/Output.h"
#include "system/Scratch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SHA1.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace kfuse {
namespace {

/// Longer than a compiler takes that is still alive.
constexpr unsigned CompileSeconds = 600;

/// Returns the number before `what` in a line, or nullopt.
std::optional<std::uint32_t> numberBefore(llvm::StringRef line,
                                          llvm::StringRef what) {
  const std::size_t place = line.find(what);
  std::uint32_t number = 0;
  if (place == llvm::StringRef::npos ||
      line.take_front(place).rtrim().rsplit(' ').second.getAsInteger(10,
                                                                     number))
    return std::nullopt;
  return number;
}

/// Returns the flags that say what is compiled, not how.
std::vector<std::string> inputFlags(const std::vector<std::string> &flags) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const llvm::StringRef flag = flags[i];
    const bool takesNext = flag == "-I" || flag == "-D" || flag == "-U" ||
                           flag == "-include" || flag == "-isystem" ||
                           flag == "-iquote" || flag == "-idirafter";
    if (takesNext && i + 1 < flags.size()) {
      kept.push_back(flags[i]);
      kept.push_back(flags[++i]);
    } else if (flag.starts_with("-I") || flag.starts_with("-D") ||
               flag.starts_with("-U") || flag.starts_with("-std=")) {
      kept.push_back(flags[i]);
    }
  }
  return kept;
}

/// Counts up when codeReport writes something else for the same code.
constexpr llvm::StringLiteral ReportVersion = "6";

/// Returns the file in which the report on the job is kept; empty if there is
/// no place for it.
std::string keptReport(const NvccJob &job, const std::string &program,
                       const std::vector<std::string> &words) {
  llvm::SmallString<128> path;
  llvm::sys::fs::file_status status;
  if (!llvm::sys::path::cache_directory(path) ||
      llvm::sys::fs::status(program, status))
    return {};
  llvm::SHA1 hash;
  const auto add = [&](llvm::StringRef text) {
    hash.update(llvm::utostr(text.size()) + " ");
    hash.update(text);
  };
  add(ReportVersion);
  add(program);
  add(llvm::utostr(status.getSize()));
  add(llvm::utostr(static_cast<std::uint64_t>(
      status.getLastModificationTime().time_since_epoch().count())));
  add(wholeCommand(job.command));
  for (const std::string &word : words)
    add(word);
  for (const SourceFile &file : job.included)
    add(file.text);
  for (const auto &[path, text] : job.headers) {
    add(path);
    add(text);
  }
  add(job.text);
  llvm::sys::path::append(path, "kfuse", llvm::toHex(hash.final()) + ".txt");
  return path.str().str();
}

constexpr llvm::StringLiteral EntryWords = "Compiling entry function '";
constexpr llvm::StringLiteral CodeWords = "machine code of '";
constexpr llvm::StringLiteral ArithmeticWords = "arithmetic of '";

/// Returns the path relative to `folder`; nullopt for a file elsewhere.
std::optional<std::string> placeWithin(llvm::StringRef path,
                                       llvm::StringRef folder) {
  llvm::SmallString<128> whole(path);
  if (llvm::sys::fs::make_absolute(whole))
    return std::nullopt;
  llvm::sys::path::remove_dots(whole, /*remove_dot_dot=*/true);
  llvm::StringRef within = whole;
  if (!within.consume_front(folder) || !within.consume_front("/"))
    return std::nullopt;
  return within.str();
}

std::string folderOf(const std::string &input) {
  llvm::SmallString<128> place(input);
  if (llvm::sys::fs::make_absolute(place))
    return {};
  llvm::sys::path::remove_dots(place, /*remove_dot_dot=*/true);
  return llvm::sys::path::parent_path(place).str();
}

/// Writes the program's files to the folder. If headers are to be read
/// otherwise, these are all files beside and below the input, so that they
/// include the headers.
std::string writeProgram(const NvccJob &job, const std::string &inputFolder,
                         const ScratchFolder &folder,
                         const std::string &source) {
  for (const SourceFile &file : job.included) {
    const auto within = placeWithin(file.path, inputFolder);
    if (job.headers.empty() || file.text.empty() || !within)
      continue;
    const std::string copy = folder.file(*within);
    const auto changed = job.headers.find(file.path);
    if (!makeFolders(llvm::sys::path::parent_path(copy).str()))
      return "cannot make a folder for '" + copy + "'";
    if (std::string error = writeOutput(
            copy, changed == job.headers.end() ? file.text : changed->second);
        !error.empty())
      return error;
  }
  return writeOutput(source, job.text);
}

/// Returns the quoted part of a line.
std::string quoted(llvm::StringRef line) {
  return line.split('\'').second.split('\'').first.str();
}

/// Returns an instruction as a word with its line: `+12`, `*13` or `f12`. If it
/// is known what a multiply-add adds, the word is `f12+13@7`, with the line and
/// the number of the instruction that computes the summand. If that is a sum,
/// `^14` with its line follows.
std::string wordOf(const Arithmetic &arithmetic) {
  constexpr const char *Kinds[] = {"+", "*", "f"};
  std::string word = Kinds[static_cast<std::size_t>(arithmetic.kind)] +
                     llvm::utostr(arithmetic.line);
  if (arithmetic.added)
    word += "+" + llvm::utostr(*arithmetic.added) + "@" +
            llvm::utostr(arithmetic.addedAt);
  if (arithmetic.addedSum != 0)
    word += "^" + llvm::utostr(arithmetic.addedSum);
  return word;
}

std::optional<Arithmetic> arithmeticOf(llvm::StringRef word) {
  Arithmetic found;
  switch (word.empty() ? ' ' : word.front()) {
  case '+':
    found.kind = Arithmetic::Kind::Add;
    break;
  case '*':
    found.kind = Arithmetic::Kind::Multiply;
    break;
  case 'f':
    found.kind = Arithmetic::Kind::MultiplyAdd;
    break;
  default:
    return std::nullopt;
  }
  const auto [product, sum] = word.drop_front().split('^');
  const auto [line, summand] = product.split('+');
  if (line.getAsInteger(10, found.line))
    return std::nullopt;
  const auto [added, place] = summand.split('@');
  std::uint32_t addedLine = 0;
  if (!added.getAsInteger(10, addedLine) &&
      !place.getAsInteger(10, found.addedAt))
    found.added = addedLine;
  if (!sum.empty() && sum.getAsInteger(10, found.addedSum))
    return std::nullopt;
  return found;
}

/// Returns lines like the compiler's own for each kernel: a hash of its code
/// and of all functions that it might call, and its arithmetic.
std::string codeReport(std::map<std::string, MachineCode> code,
                       llvm::StringRef report) {
  std::string lines, called;
  std::map<std::string, MachineCode> kernels;
  for (llvm::StringRef line : llvm::split(report, '\n'))
    if (line.contains(EntryWords))
      if (auto own = code.extract(quoted(line)))
        kernels.insert(std::move(own));
  for (const auto &[name, own] : code)
    called += " " + name + " " + own.hash;
  for (const auto &[name, own] : kernels) {
    lines += (CodeWords + name + "': " + own.hash + called + "\n").str();
    lines += (ArithmeticWords + name + "':").str();
    for (const Arithmetic &each : own.arithmetic)
      lines += " " + wordOf(each);
    lines += "\n";
  }
  return lines;
}

/// Returns whether the flag says which devices the code is for.
bool namesDevices(llvm::StringRef flag) {
  flag = flag.ltrim('-');
  return flag.starts_with("gencode") || flag.starts_with("generate-code") ||
         flag.starts_with("arch") || flag.starts_with("gpu-arch");
}

/// Returns the release of the compiler; empty if it doesn't tell.
std::string release(llvm::StringRef compiler) {
  const auto program = llvm::sys::findProgramByName(compiler);
  const ScratchFolder folder("kfuse-nvcc");
  if (!program || !folder.good())
    return {};
  ChildProgram asked;
  asked.words = {*program, "--version"};
  asked.output = asked.errors = folder.file("version");
  asked.seconds = CompileSeconds;
  runChild(asked);
  const std::string printed = contentOf(folder.file("version"));
  return llvm::StringRef(printed)
      .split("release ")
      .second.take_until([](char c) { return c == ',' || c == '\n'; })
      .str();
}

void keep(const std::string &path, const std::string &report) {
  // A report that can't be kept is asked for again.
  if (makeFolders(llvm::sys::path::parent_path(path).str()))
    static_cast<void>(writeOutput(path, report));
}

} // namespace

CompiledKernels readReport(std::string_view report) {
  CompiledKernels kernels;
  CompiledKernel *kernel = nullptr;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(report), '\n')) {
    if (line.starts_with(CodeWords)) {
      kernels[signatureOf(quoted(line))].code += line.split(": ").second;
      continue;
    }
    if (line.starts_with(ArithmeticWords)) {
      auto &all = kernels[signatureOf(quoted(line))].arithmetic;
      for (const llvm::StringRef word :
           llvm::split(line.split("': ").second, ' '))
        if (const auto found = arithmeticOf(word))
          all.push_back(*found);
      continue;
    }
    if (line.contains(EntryWords)) {
      kernel = &kernels[signatureOf(quoted(line))];
      kernel->device = quoted(line.split("' for").second);
    }
    if (!kernel)
      continue;
    if (const auto number = numberBefore(line, "bytes spill stores"))
      kernel->spilledBytes = std::max(kernel->spilledBytes, *number);
    if (const auto number = numberBefore(line, "registers"))
      kernel->registers = std::max(kernel->registers, *number);
  }
  return kernels;
}

std::string programCompiler(const ParseOptions &options) {
  std::vector<std::string> words;
  if (!options.buildPath.empty())
    words = databaseCompiler(options.buildPath, options.input);
  if (words.empty() && llvm::sys::findProgramByName("nvcc"))
    words = {"nvcc"};
  if (words.empty())
    return {};
  for (std::string &flag : codeFlags(options.flags))
    words.push_back(std::move(flag));
  // Code for one of several devices proves nothing for the others.
  if (llvm::count_if(words, namesDevices) > 1 ||
      llvm::any_of(words, [](llvm::StringRef word) {
        return word.contains("=all") || word.count("sm_") > 1;
      }))
    return {};
  return llvm::join(words, " ");
}

std::string compilerName(const std::string &command,
                         const std::string &device) {
  const std::string whole = wholeCommand(command);
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(whole, words);
  if (words.empty())
    return command;
  std::string name = llvm::sys::path::filename(words.front()).str();
  if (const std::string number = release(words.front()); !number.empty())
    name += " " + number;
  // Leaves out where things are on this machine.
  std::vector<std::string> flags;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (namesDevices(words[i]) || words[i] == "-ccbin")
      i += words[i].contains('=') ? 0 : 1; // The next word is its value.
    else if (!words[i].contains('/'))
      flags.push_back(words[i].str());
  std::vector<std::string> facts;
  if (!device.empty())
    facts.push_back(device);
  if (!flags.empty())
    facts.push_back(llvm::join(flags, " "));
  return facts.empty() ? name : name + " (" + llvm::join(facts, ", ") + ")";
}

std::string wholeCommand(const std::string &command) {
  std::string whole = command;
  for (const char *name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"})
    if (const char *flags = std::getenv(name))
      whole += std::string(" ") + flags;
  return whole;
}

bool canReadOtherwise(const std::string &header, const std::string &input) {
  const std::string folder = folderOf(input);
  return !folder.empty() && placeWithin(header, folder).has_value();
}

std::variant<CompiledKernels, std::string> compiledKernels(const NvccJob &job) {
  llvm::SmallVector<llvm::StringRef> command;
  llvm::SplitString(job.command, command);
  const auto program = command.empty()
                           ? std::make_error_code(std::errc::invalid_argument)
                           : llvm::sys::findProgramByName(command.front());
  if (!program)
    return "cannot find '" + job.command + "': " + program.getError().message();

  const ScratchFolder folder("kfuse-nvcc");
  if (!folder.good())
    return std::string("cannot make a folder for what the compiler writes");
  const std::string source = folder.file("program.cu");
  std::vector<std::string> words = {*program};
  for (const llvm::StringRef word : llvm::drop_begin(command))
    words.push_back(word.str());
  for (const char *word : {"-x", "cu", "-cubin", "-Xptxas", "-v"})
    words.emplace_back(word);
  if (job.hasLines)
    words.emplace_back("-lineinfo");
  const std::string inputFolder = folderOf(job.input);
  if (inputFolder.empty())
    return "cannot tell where '" + job.input + "' is";
  words.push_back("-I" + inputFolder);
  for (std::string &flag : inputFlags(job.flags))
    words.push_back(std::move(flag));

  const std::string kept = keptReport(job, *program, words);
  if (!kept.empty() && llvm::sys::fs::exists(kept))
    return readReport(contentOf(kept));
  if (std::string error = writeProgram(job, inputFolder, folder, source);
      !error.empty())
    return error;
  const std::string output = folder.file("program.cubin");
  const std::string printed = folder.file("report");
  words.insert(words.end(), {source, "-o", output});
  ChildProgram compiler;
  compiler.words = std::move(words);
  // The folder takes along what an interrupted compiler leaves in it.
  compiler.environment = environmentWith("TMPDIR", folder.path());
  compiler.output = compiler.errors = printed;
  compiler.seconds = CompileSeconds;
  const ChildResult ended = runChild(compiler);
  std::string report = contentOf(printed);
  if (ended.status != 0)
    return "'" + job.command + "' doesn't compile the program: " +
           (ended.message.empty() ? report : ended.message);
  report += codeReport(machineCode(output), report);
  if (!kept.empty())
    keep(kept, report);
  return readReport(report);
}

} // namespace kfuse
