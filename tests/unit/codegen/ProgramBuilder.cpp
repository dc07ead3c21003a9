//===- ProgramBuilder.cpp - Programs for the code generator's tests -------===//
#include "ProgramBuilder.h"

#include <algorithm>
#include <set>

namespace kfuse::testing {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string trim(const std::string &text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Returns the bracket that closes the one at `open`.
std::size_t closing(const std::string &text, std::size_t open) {
  const char opener = text[open];
  const char closer = opener == '(' ? ')' : opener == '[' ? ']' : '}';
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == opener ? 1 : 0;
    if (text[i] == closer && --depth == 0)
      return i;
  }
  return text.size();
}

struct Piece {
  std::size_t begin, end;
};

/// Returns the parts of [begin, end) between top-level commas, trimmed.
std::vector<Piece> pieces(const std::string &text, std::size_t begin,
                          std::size_t end) {
  std::vector<Piece> result;
  int depth = 0;
  std::size_t start = begin;
  for (std::size_t i = begin; i <= end; ++i) {
    if (i < end && std::string("([{").find(text[i]) != std::string::npos)
      ++depth;
    if (i < end && std::string(")]}").find(text[i]) != std::string::npos)
      --depth;
    if (i != end && (text[i] != ',' || depth != 0))
      continue;
    Piece piece{start, i};
    while (piece.begin < piece.end && std::isspace(text[piece.begin]))
      ++piece.begin;
    while (piece.end > piece.begin && std::isspace(text[piece.end - 1]))
      --piece.end;
    if (piece.begin < piece.end)
      result.push_back(piece);
    start = i + 1;
  }
  return result;
}

std::string replaced(std::string text, const std::string &from,
                     const std::string &to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

const Polynomial Global(Symbol{SymbolKind::GlobalIdx, 0});

} // namespace

ProgramBuilder::ProgramBuilder(std::string text) : source(std::move(text)) {
  program.files.push_back({"input.cu"});
  readKernels();
  readFunctions();
}

SourceRange ProgramBuilder::range(std::size_t begin, std::size_t end) const {
  SourceRange result;
  result.begin = static_cast<std::uint32_t>(begin);
  result.end = static_cast<std::uint32_t>(end);
  result.line = 1 + static_cast<std::uint32_t>(std::count(
                        source.begin(), source.begin() + begin, '\n'));
  return result;
}

ArrayId ProgramBuilder::array(const std::string &name) {
  const auto [known, isNew] =
      Arrays.try_emplace(name, static_cast<ArrayId>(program.arrays.size()));
  if (isNew) {
    Array array;
    array.name = name;
    array.origin = ArrayOrigin::Allocation;
    program.arrays.push_back(array);
  }
  return known->second;
}

VariableId ProgramBuilder::variable(const std::string &name) {
  const auto [known, isNew] = Variables.try_emplace(
      name, static_cast<VariableId>(program.variables.size()));
  if (isNew)
    program.variables.push_back({name});
  return known->second;
}

Polynomial ProgramBuilder::value(const std::string &text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0;
      }))
    return Polynomial(std::int64_t{std::stoi(text)});
  const auto [known, isNew] = Values.try_emplace(text);
  if (isNew) {
    const auto index = static_cast<std::uint32_t>(program.values.size());
    program.values.push_back({variable(text), text, false});
    known->second = Polynomial(Symbol{SymbolKind::HostValue, index});
  }
  return known->second;
}

void ProgramBuilder::readKernels() {
  for (std::size_t at = source.find("__global__"); at != std::string::npos;
       at = source.find("__global__", at + 1))
    if (source.find('{', at) < source.find(';', at))
      readKernel(at);
}

void ProgramBuilder::readKernel(std::size_t begin) {
  Kernel kernel;
  const std::size_t open = source.find('(', source.find("void", begin));
  std::size_t nameBegin = open;
  while (isWord(source[nameBegin - 1]))
    --nameBegin;
  kernel.name = kernel.qualifiedName =
      source.substr(nameBegin, open - nameBegin);
  const std::size_t close = closing(source, open);
  const std::size_t bodyBegin = source.find('{', close);
  const std::size_t bodyEnd = closing(source, bodyBegin) + 1;
  const std::size_t header = source.rfind("template", begin);
  if (header != std::string::npos && source.find('\n', header) + 1 == begin) {
    kernel.text.templateHeader = trim(source.substr(header, begin - header));
    kernel.text.templateArguments = "<float>";
    begin = header;
  }
  kernel.text.declaration = range(begin, bodyEnd);
  kernel.text.name = range(nameBegin, open);
  kernel.text.parameters = range(open + 1, close);
  kernel.text.body = range(bodyBegin, bodyEnd);
  kernel.text.copyable = true;
  kernel.analysed = true;
  // Nothing is known of its sums.
  kernel.ambiguousSums = true;
  for (const char *type : {"int", "unsigned", "long long", "size_t"}) {
    const std::string words = std::string(type) + " ";
    for (std::size_t at = source.find(words, bodyBegin); at < bodyEnd;
         at = source.find(words, at + 1))
      for (std::size_t name = at; source[name] != ';' && name < bodyEnd; ++name)
        if (source.compare(name, 3, " = ") == 0) {
          std::size_t first = name;
          while (isWord(source[first - 1]))
            --first;
          kernel.declaredIntegers.emplace(first, type);
        }
  }

  for (const Piece &piece : pieces(source, open + 1, close)) {
    const std::string text =
        source.substr(piece.begin, piece.end - piece.begin);
    Parameter parameter;
    std::size_t name = text.size();
    while (name > 0 && isWord(text[name - 1]))
      --name;
    parameter.name = text.substr(name);
    std::string type = trim(text.substr(0, name));
    if (!kernel.text.templateHeader.empty())
      type = replaced(" " + type, " T ", " float ").substr(1);
    parameter.type = type;
    parameter.canonical = trim(replaced(type, " __restrict__", ""));
    parameter.range = range(piece.begin, piece.end);
    const std::size_t star = type.find('*');
    parameter.isPointer = star != std::string::npos;
    const auto index = static_cast<std::uint32_t>(kernel.parameters.size());
    if (parameter.isPointer) {
      PointerParameter pointer;
      pointer.parameter = index;
      pointer.pointsToConst = type.find("const ") == 0;
      pointer.isRestrict = type.find("__restrict__") != std::string::npos;
      pointer.element.canonical = pointer.element.spelling =
          trim(replaced(type.substr(0, star), "const ", ""));
      const bool isFloat = pointer.element.spelling != "int";
      pointer.element.bytes = pointer.element.spelling == "double" ? 8 : 4;
      pointer.element.hasFloatingPoint = isFloat;
      kernel.pointers.push_back(pointer);
    } else {
      kernel.scalars.push_back({index, ""});
    }
    kernel.parameters.push_back(parameter);
  }
  readAccesses(kernel);
  readGridStride(kernel);
  program.kernels.push_back(std::move(kernel));
}

void ProgramBuilder::readAccesses(Kernel &kernel) {
  const SourceRange body = kernel.text.body;
  for (std::uint32_t p = 0; p < kernel.pointers.size(); ++p) {
    const std::string start =
        kernel.parameters[kernel.pointers[p].parameter].name + "[";
    for (std::size_t at = source.find(start, body.begin);
         at != std::string::npos && at < body.end;
         at = source.find(start, at + 1)) {
      if (isWord(source[at - 1]))
        continue;
      const std::size_t end = closing(source, source.find('[', at)) + 1;
      Access access;
      access.pointer = p;
      access.index = Global;
      access.elementBytes = access.width = kernel.pointers[p].element.bytes;
      access.range = range(at, end);
      access.editable = true;
      const std::size_t semicolon = source.find(';', end);
      const std::string after = trim(source.substr(end, semicolon - end));
      const std::string before = source.substr(at - 2, 2);
      const bool isStep = after.substr(0, 2) == "++" || before == "++";
      const bool isUpdate = after.substr(0, 2) == "+=" || isStep;
      const bool isStore = after[0] == '=' && after[1] != '=';
      access.form = isUpdate  ? AccessForm::Update
                    : isStore ? AccessForm::Store
                              : AccessForm::Load;
      if (isStep) {
        const bool isPrefix = before == "++";
        access.whole = range(isPrefix ? at - 2 : at, isPrefix ? end : end + 2);
      } else if (isUpdate || isStore) {
        access.whole = range(at, semicolon);
        std::size_t value = source.find('=', end) + 1;
        while (source[value] == ' ')
          ++value;
        access.value = range(value, semicolon);
      }
      if (isUpdate) {
        Access load = access;
        load.form = AccessForm::UpdateLoad;
        kernel.accesses.push_back(load);
      }
      if (access.form != AccessForm::Load)
        access.kind = AccessKind::Write;
      kernel.accesses.push_back(access);
    }
  }
}

void ProgramBuilder::readGridStride(Kernel &kernel) {
  const SourceRange body = kernel.text.body;
  const std::size_t loop = source.find("for (", body.begin);
  if (loop == std::string::npos || loop > body.end)
    return;
  const std::size_t close = closing(source, loop + 4);
  if (source.substr(loop, close - loop).find("gridDim") == std::string::npos)
    return;
  GridStrideLoop result;
  result.type = "int";
  result.variable = "i";
  result.prologue = range(body.begin + 1, loop);
  result.header = range(loop, close + 1);
  std::size_t begin = close + 1;
  while (std::isspace(source[begin]))
    ++begin;
  result.body = source[begin] == '{' ? range(begin, closing(source, begin) + 1)
                                     : range(begin, source.find(';', begin));
  const std::size_t less = source.find('<', loop);
  const std::string bound =
      trim(source.substr(less + 1, source.find(';', less) - less - 1));
  for (std::uint32_t i = 0; i < kernel.scalars.size(); ++i)
    if (kernel.parameters[kernel.scalars[i].parameter].name == bound)
      result.bound = Polynomial(Symbol{SymbolKind::Parameter, i});
  kernel.gridStride = result;
}

void ProgramBuilder::readFunctions() {
  for (std::size_t at = source.find("\nvoid "); at != std::string::npos;
       at = source.find("\nvoid ", at + 1)) {
    const std::size_t open = source.find('{', at);
    const std::size_t end = closing(source, open);
    const auto id = static_cast<RegionId>(program.regions.size());
    Region region;
    region.function =
        trim(source.substr(at + 6, source.find('(', at) - at - 6));
    region.range = range(open, end + 1);
    region.functionRange = range(at + 1, end + 1);
    program.regions.push_back(region);
    std::size_t begin = open + 1;
    for (std::size_t i = begin; i < end; ++i) {
      if (source.substr(i, 2) == "//")
        begin = i = source.find('\n', i);
      if (source[i] != ';')
        continue;
      while (std::isspace(source[begin]) || source[begin] == '#')
        begin = source[begin] == '#' ? source.find('\n', begin) : begin + 1;
      readStatement(id, begin, i + 1);
      begin = i + 1;
    }
  }
}

void ProgramBuilder::readStatement(RegionId region, std::size_t begin,
                                   std::size_t end) {
  HostStep step;
  step.region = region;
  step.range = range(begin, end);
  step.text = source.substr(begin, end - begin);
  step.editable = true;
  const auto id = static_cast<StepId>(program.steps.size());
  const std::string &text = step.text;
  if (text.find("<<<") != std::string::npos) {
    step.kind = StepKind::Launch;
    readLaunch(step, region);
  } else if (text.find("cudaMalloc(&") == 0 || text.find("cudaFree(") == 0) {
    const bool isFree = text[4] == 'F';
    step.kind = isFree ? StepKind::Free : StepKind::Allocate;
    const std::size_t name = isFree ? 9 : 12;
    const ArrayId id2 =
        array(text.substr(name, text.find_first_of(",)") - name));
    program.arrays[indexOf(id2)].lifetimeStatements.push_back(id);
    if (isFree)
      step.effects.push_back({id2, true, true});
  } else if (text.find("float *") == 0 &&
             text.find_first_of(",=") == text.npos) {
    const std::string name = text.substr(7, text.size() - 8);
    program.declarations.push_back({step.range,
                                    program[region].range,
                                    {{range(begin + 6, end - 1), name}}});
  } else if (const std::size_t sign = text.find(" = ");
             sign != std::string::npos) {
    std::size_t name = sign;
    while (name > 0 && (isWord(text[name - 1]) || text[name - 1] == '.'))
      --name;
    step.assigns.push_back(variable(text.substr(name, sign - name)));
  }
  program.steps.push_back(step);
  program.regions[indexOf(region)].steps.push_back(id);
}

void ProgramBuilder::readLaunch(HostStep &step, RegionId region) {
  Launch launch;
  launch.step = static_cast<StepId>(program.steps.size());
  launch.region = region;
  const std::size_t begin = step.range.begin;
  const std::size_t open = source.find("<<<", begin);
  const std::size_t close = source.find(">>>", open);
  std::string name = source.substr(begin, open - begin);
  name = name.substr(0, name.find('<'));
  for (std::uint32_t k = 0; k < program.kernels.size(); ++k)
    if (program.kernels[k].name == name)
      launch.kernel = static_cast<KernelId>(k);
  const Kernel &kernel = program[launch.kernel];
  launch.range = range(begin, step.range.end - 1);

  const auto expression = [&](const Piece &piece) {
    HostExpr result;
    result.text = source.substr(piece.begin, piece.end - piece.begin);
    result.range = range(piece.begin, piece.end);
    result.value = value(result.text);
    result.isPure = result.text.find("()") == std::string::npos &&
                    result.text.find("++") == std::string::npos;
    std::string word;
    for (const char c : result.text + " ") {
      if (isWord(c) || c == '.') {
        word += c;
      } else if (!word.empty()) {
        result.uses.push_back(variable(word));
        word.clear();
      }
    }
    return result;
  };
  const auto configuration = pieces(source, open + 3, close);
  const auto shape = [&](const Piece &piece) {
    LaunchConfig result;
    result.expression = expression(piece);
    result.isScalar = result.expression.text.find("dim3") == std::string::npos;
    result.extent = {result.expression.value, Polynomial(1), Polynomial(1)};
    return result;
  };
  launch.grid = shape(configuration.at(0));
  launch.block = shape(configuration.at(1));
  if (configuration.size() > 2)
    launch.sharedBytes = expression(configuration[2]);
  if (configuration.size() > 3)
    launch.stream = expression(configuration[3]);

  const std::size_t paren = source.find('(', close);
  const auto arguments = pieces(source, paren + 1, closing(source, paren));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    launch.arguments.push_back({expression(arguments[i]),
                                kernel.parameters.at(i).isPointer,
                                false,
                                {}});
  for (const PointerParameter &pointer : kernel.pointers) {
    const std::string &text =
        launch.arguments.at(pointer.parameter).expression.text;
    const std::size_t plus = text.find(" + ");
    PointerValue bound{array(text.substr(0, plus)), Polynomial()};
    if (plus != std::string::npos)
      bound.offset = value(text.substr(plus + 3));
    launch.pointers.push_back(bound);
  }
  for (const ScalarParameter &scalar : kernel.scalars)
    launch.scalars.push_back(
        launch.arguments.at(scalar.parameter).expression.value);
  step.launch = static_cast<LaunchId>(program.launches.size());
  program.launches.push_back(launch);
}

FusedKernel &ProgramBuilder::group(const std::vector<unsigned> &launches) {
  FusedKernel kernel;
  kernel.name = "kfuse";
  kernel.leader = static_cast<std::uint32_t>(launches.size()) - 1;
  for (const unsigned launch : launches) {
    kernel.launches.push_back(static_cast<LaunchId>(launch));
    kernel.name += "_" + program.kernelOf(kernel.launches.back()).name;
  }
  kernel.schedule =
      launches.size() == 1 ? Schedule::Single : Schedule::Register;
  plan.kernels.push_back(kernel);
  return plan.kernels.back();
}

ProgramBuilder &ProgramBuilder::place(const std::string &name,
                                      PlacementKind kind,
                                      std::vector<std::uint32_t> producers,
                                      std::vector<std::uint32_t> consumers) {
  plan.kernels.back().placements.push_back(
      {array(name), kind, std::move(producers), std::move(consumers)});
  return *this;
}

void ProgramBuilder::finish() {
  for (Launch &launch : program.launches)
    launch.accesses =
        bindAccesses(program[launch.kernel], launch, program.terms);
  std::set<LaunchId> grouped;
  for (const FusedKernel &kernel : plan.kernels)
    grouped.insert(kernel.launches.begin(), kernel.launches.end());
  for (unsigned i = 0; i < program.launches.size(); ++i)
    if (grouped.count(static_cast<LaunchId>(i)) == 0)
      group({i});
}

GenerateResult ProgramBuilder::generate() {
  finish();
  const DependencyGraph deps = dependencies(program);
  program.files = {{"input.cu", source}};
  return kfuse::generate(program, executionOrder(program, deps), plan);
}

} // namespace kfuse::testing
