//===- StageWriter.cpp - A kernel's body as a device function -------------===//
#include "codegen/stage/StageWriter.h"

#include "codegen/stage/ExplicitSums.h"
#include "codegen/stage/ForwardRounding.h"
#include "codegen/stage/LocalVariables.h"
#include "codegen/stage/LoopHoister.h"
#include "codegen/text/IdleVariables.h"
#include "codegen/text/OpenClText.h"
#include "codegen/text/ParameterText.h"
#include "codegen/text/PlainLoads.h"
#include "codegen/text/TemplateNames.h"
#include "text/Lists.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

using Kind = StageArgument::Kind;

/// An array whose elements the stage computes where it reads them.
struct CalledArray {
  std::size_t parameter = 0; ///< that would have pointed to it
  std::size_t forward = 0;
  std::string type; ///< of what computes it
};

class StageWriter {
public:
  StageWriter(const Sources &sources, const Program &program,
              const Names &names, Helpers &helpers, const StageRequest &request)
      : Launched(program[request.launch]), Function(program[Launched.kernel]),
        Source(sources[Function.text.declaration.file]), Unique(names),
        Tools(helpers), Request(request), Code(program) {}

  /// Writes the stage. Returns why there is none, or an empty string.
  std::string write() {
    for (const Parameter &parameter : Function.parameters)
      Taken.insert(parameter.name);
    for (const LocalVariable &local : Function.locals)
      Taken.insert(local.name);
    if (!isOpenCl() && !Request.keepsThreads && !Request.hoistsLoop)
      Cut = cutCoordinates(Source, Function, Unique);
    if (Cut)
      for (const StageCoordinate &each : Cut->coordinates)
        Taken.insert(each.name);
    if (const std::string why = checkText(); !why.empty())
      return why;
    if (const std::string why = findUses(); !why.empty())
      return why;
    if (const std::string why = writeBody(); !why.empty())
      return why;
    if (const std::string why = writeHeader(); !why.empty())
      return why;
    return writeParameters();
  }

  std::string body;
  std::string header; ///< of a template, or empty
  std::vector<std::string> parameters;
  std::vector<StageArgument> arguments;

  std::vector<StageCoordinate> coordinates() const {
    return Cut ? Cut->coordinates : std::vector<StageCoordinate>();
  }

  /// Returns a comment for the stage, `kfuse: the body of 'scale', which leaves
  /// B in a register.`
  std::string comment() const {
    std::vector<std::string> parts;
    if (!Function.part.of.empty())
      parts.push_back("is a part of '" + Function.part.of + "'");
    for (const bool isTile : {false, true}) {
      std::vector<std::string> taken, left;
      for (const ForwardUse &use : Uses) {
        if (forwardOf(use).isTile != isTile)
          continue;
        const std::string name = pointerName(use);
        if (use.role.consumes)
          taken.push_back(name);
        if (use.role.produces)
          left.push_back(name);
      }
      const std::string place = isTile ? "a tile" : "a register";
      if (!taken.empty())
        parts.push_back("takes " + joined(taken) + " from " + place +
                        (isTile ? rowsText() : ""));
      if (!left.empty())
        parts.push_back("leaves " + joined(left) + " in " + place);
    }
    std::vector<std::string> called;
    for (const CalledArray &array : Called)
      called.push_back(Function.parameters[array.parameter].name);
    if (!called.empty())
      parts.push_back("computes " + joined(called) + " where it reads " +
                      (called.size() == 1 ? "it" : "them"));
    if (Request.movesThreads && !Cut)
      parts.emplace_back("runs for any thread");
    return "kfuse: the body of '" + Function.name + "'" +
           (parts.empty() ? "" : ", which " + joined(parts)) + ".";
  }

private:
  std::string checkText() const {
    const KernelText &text = Function.text;
    if (!text.copyable || !Source.holds(text.declaration) ||
        !Source.holds(text.body) || text.body.begin >= text.body.end)
      return "the text of '" + Function.name + "' can't be copied" +
             (text.obstacle.empty() ? "" : ": " + text.obstacle);
    std::string header = text.templateHeader;
    header.erase(std::remove_if(header.begin(), header.end(),
                                [](unsigned char c) { return c <= ' '; }),
                 header.end());
    if (header == "template<>")
      return "'" + Function.name + "' is a specialization";
    if (std::string why = localObstacle(Source, Function, Unique); !why.empty())
      return why;
    if (!Cut && (Request.movesBlocks || Request.movesThreads) &&
        declaresCoordinate(Source, Function))
      return "'" + Function.name + "' has a coordinate's name of its own";
    if (Launched.arguments.size() != Function.parameters.size())
      return "a launch of '" + Function.name + "' uses default arguments";
    return {};
  }

  std::string pointerName(const ForwardUse &use) const {
    const PointerParameter &pointer =
        Function.pointers[use.accesses.front()->pointer];
    if (pointer.global)
      return Code[*pointer.global].name;
    if (!pointer.path.empty())
      return pointer.path.substr(pointer.path.find_last_of(".>") + 1);
    return Function.parameters[pointer.parameter].name;
  }

  /// Returns what the distances in the text mean:
  /// ` (rows of 34, planes of 340)`.
  std::string rowsText() const {
    std::string text;
    for (const ForwardUse &use : Uses) {
      const Extents &tile = forwardOf(use).tile;
      const std::uint32_t rank = rankOf(tile);
      if (!looksAround(use) || rank == 1)
        continue;
      std::string own = "rows of " + std::to_string(tile[0]);
      if (rank == 3)
        own +=
            ", planes of " + std::to_string(std::uint64_t{tile[0]} * tile[1]);
      if (text.find(own) == std::string::npos)
        text += (text.empty() ? " (" : "; ") + own;
    }
    return text.empty() ? "" : text + ")";
  }

  const ForwardedArray &forwardOf(const ForwardUse &use) const {
    return (*Request.forwards)[use.forward];
  }

  /// Checks whether the stage only reads a tile, around its thread's element.
  bool looksAround(const ForwardUse &use) const {
    return forwardOf(use).isTile && !use.role.produces;
  }

  void findSources(ForwardUse &use) {
    const ForwardedArray &forward = forwardOf(use);
    for (const ForwardedRead &read : forward.reads) {
      if (read.member != Request.member)
        continue;
      ForwardUse::Source source;
      if (looksAround(use))
        source.element = aroundText(read.window, Function, forward.tile);
      source.isPartial = read.isPartial;
      if (read.isPartial && read.isAmongContractions && forward.isTile)
        source.either = Tools.either();
      use.sources[&Function.accesses[read.access]] = source;
    }
  }

  /// Adds an array that the stage computes where the text reads it. Returns why
  /// that isn't possible, or an empty string.
  std::string addCalled(std::size_t forward) {
    const ArrayId array = (*Request.forwards)[forward].array;
    std::set<std::uint32_t> loads;
    std::set<std::size_t> parameters;
    for (const Access *access : accessesTo(Code, Launched, array)) {
      const PointerParameter &pointer = Function.pointers[access->pointer];
      loads.insert(access->range.begin);
      parameters.insert(pointer.parameter);
      if (pointer.global || !pointer.path.empty())
        return "'" + Function.name + "' reads what no parameter is";
    }
    for (const std::size_t parameter : parameters) {
      const std::string &name = Function.parameters[parameter].name;
      if (Unique.inMacro(name) ||
          !mentionsAreElements(Source, Function.text.body, name, loads))
        return "'" + Function.name + "' does more with '" + name +
               "' than to read its elements";
      if (dependsOnTypes(Source, Function.text.body))
        return "'" + Function.name + "' has types that depend on others";
      Called.push_back(
          {parameter, forward, Unique.local(suffixed(name, "_array"), Taken)});
    }
    return {};
  }

  /// Returns what follows a pointer's name to mean its element: OpenCL, which
  /// has no references, passes pointers.
  const char *element() const { return isOpenCl() ? "[0]" : ""; }
  bool isOpenCl() const { return Code.language == Language::OpenCL; }

  std::string findUses() {
    for (std::size_t i = 0; i < Request.forwards->size(); ++i) {
      const ForwardedArray &forward = (*Request.forwards)[i];
      const ForwardRole role = forward.roles[Request.member];
      if (forward.computed && role.consumes) {
        if (const std::string why = addCalled(i); !why.empty())
          return why;
        continue;
      }
      ForwardUse use;
      use.forward = i;
      use.role = role;
      use.stored = forward.stored;
      use.accesses = accessesTo(Code, Launched, forward.array);
      if (!role.takesPart() || use.accesses.empty())
        continue;
      use.parameter = Unique.local(
          suffixed(pointerName(use), looksAround(use) ? "_tile" : "_value"),
          Taken);
      use.variable = use.parameter + element();
      if (forward.isPartial) {
        use.flag = Unique.local(suffixed(pointerName(use), "_written"), Taken);
        use.written = use.flag + element();
      }
      findSources(use);
      Uses.push_back(std::move(use));
    }
    return {};
  }

  std::string writeBody() {
    const SourceRange &range = Function.text.body;
    roundProducts();
    auto rewritten = rewriteBody(Source, range, Uses);
    if (const Refusal *refusal = refusalOf(rewritten))
      return "'" + Function.name + "': " + refusal->reason;
    Edits edits = localEdits(Source, Function);
    edits.append(std::get<Edits>(std::move(rewritten)));
    std::vector<ArrayId> added; // by explicit sums
    for (const ForwardUse &use : Uses)
      if (Request.addsExplicitly[use.forward])
        added.push_back(forwardOf(use).array);
    writeExplicitSums(Code, Launched, added, edits);
    for (const Access *store : Request.roundedStores)
      roundProduct(Code, Function, *store, "", edits);
    if (Cut)
      for (const TextRange &each : Cut->declarations)
        edits.replace(each.begin, each.end, "");
    TextRange extent{range.begin, range.end};
    if (Request.hoistsLoop) {
      auto hoisted = hoistLoop(Source, Function);
      if (const Refusal *refusal = refusalOf(hoisted))
        return refusal->reason;
      edits.append(std::get<HoistedBody>(hoisted).edits);
      extent = std::get<HoistedBody>(hoisted).extent;
    }
    removeIdleVariables(Source, Code, range, edits);
    auto edited = edits.apply(Source.text, extent.begin, extent.end);
    const std::string text = edited.value_or("");
    body = Request.loadsPlainly ? withPlainLoads(text, Tools) : text;
    return edited ? "" : "'" + Function.name + "' has accesses within accesses";
  }

  void roundProducts() {
    for (ForwardUse &use : Uses)
      if (use.forward < Request.roundsProducts.size() &&
          Request.roundsProducts[use.forward])
        for (const Access *store : use.accesses)
          roundProduct(Code, Function, *store,
                       use.role.consumes ? use.variable : "",
                       use.rounding[store]);
  }

  /// Returns the use that the pointer parameter serves, or nullptr.
  const ForwardUse *useOf(std::size_t parameter) const {
    for (const ForwardUse &use : Uses)
      for (const Access *access : use.accesses) {
        const PointerParameter &pointer = Function.pointers[access->pointer];
        if (!pointer.global && pointer.path.empty() &&
            pointer.parameter == parameter)
          return &use;
      }
    return nullptr;
  }

  /// Returns why a type can't stand among the parameters, one of which may hide
  /// it; or an empty string.
  std::string hiddenName(std::string_view type) const {
    std::set<std::string> words;
    addIdentifiers(type, words);
    for (const Parameter &parameter : Function.parameters)
      if (words.count(parameter.name) != 0)
        return "a parameter of '" + Function.name + "' hides the type '" +
               parameter.name + "'";
    return {};
  }

  /// Checks whether the parameter points to arrays of its elements.
  bool pointsToRows(const ForwardUse &use) const {
    return std::any_of(
        use.accesses.begin(), use.accesses.end(), [this](const Access *access) {
          return Function.pointers[access->pointer].dimensions > 0;
        });
  }

  std::string addForward(const ForwardUse &use, std::string_view declaration) {
    const ForwardedArray &forward = (*Request.forwards)[use.forward];
    std::string type = pointeeText(declaration).value_or("");
    if (type.empty() || pointsToRows(use) || isOpenCl()) {
      type = forward.element.spelling;
      if (!Function.text.templateHeader.empty() && !isBuiltinType(type))
        return "the element type of '" + Function.name + "' isn't spelled out";
      if (const std::string why = hiddenName(type); !why.empty())
        return why;
    }
    const bool isConst =
        !use.role.produces &&
        std::all_of(use.accesses.begin(), use.accesses.end(),
                    [this](const Access *access) {
                      return Function.pointers[access->pointer].pointsToConst;
                    });
    const std::string isBy = looksAround(use) || isOpenCl() ? " *" : " &";
    parameters.push_back((isConst ? "const " : "") + type + isBy +
                         use.parameter);
    arguments.push_back({Kind::Forward, use.forward});
    if (!use.written.empty()) {
      parameters.push_back((use.role.produces ? "bool" : "const bool") + isBy +
                           use.flag);
      arguments.push_back({Kind::Written, use.forward});
    }
    Added.insert(use.forward);
    return {};
  }

  /// Writes the template's header. The type of whatever computes an array is a
  /// parameter of the stage.
  std::string writeHeader() {
    header = Function.text.templateHeader;
    std::string types;
    for (const CalledArray &array : Called)
      types += (types.empty() ? "typename " : ", typename ") + array.type;
    if (types.empty())
      return {};
    if (header.empty()) {
      header = "template <" + types + ">";
      return {};
    }
    if (!header.ends_with('>') || header.find("...") != std::string::npos)
      return "the template of '" + Function.name + "' can't be added to";
    header.insert(header.size() - 1, ", " + types);
    return {};
  }

  /// Returns the array that is computed in the place of the parameter, or
  /// nullptr.
  const CalledArray *calledFor(std::size_t parameter) const {
    for (const CalledArray &array : Called)
      if (array.parameter == parameter)
        return &array;
    return nullptr;
  }

  std::string writeParameters() {
    if (Cut) {
      for (std::size_t i = 0; i < Cut->coordinates.size(); ++i) {
        parameters.push_back(Cut->coordinates[i].type + " " +
                             Cut->coordinates[i].name);
        arguments.push_back({Kind::Coordinate, i});
      }
    } else if (Request.movesBlocks) {
      parameters = {"const uint3 blockIdx", "const dim3 gridDim"};
      arguments = {{Kind::Block, 0}, {Kind::Grid, 0}};
    }
    if (!Cut && Request.movesThreads) {
      parameters = {"const uint3 blockIdx", "const uint3 threadIdx"};
      arguments = {{Kind::Block, 0}, {Kind::Thread, 0}};
    }
    for (std::size_t i = 0; i < Function.parameters.size(); ++i) {
      const Parameter &parameter = Function.parameters[i];
      std::string text = withoutDefault(Source.at(parameter.range));
      if (text.empty() || parameter.range.inMacro)
        return "a parameter of '" + Function.name + "' isn't plain text";
      if (const CalledArray *array = calledFor(i)) {
        parameters.push_back("const " + array->type + " &" + parameter.name);
        arguments.push_back({Kind::Forward, array->forward});
        continue;
      }
      const ForwardUse *use = useOf(i);
      if (Request.sharedWithWriter[i])
        text = withoutRestrict(text);
      if (!use || mentions(body, parameter.name) ||
          Unique.inMacro(parameter.name)) {
        parameters.push_back(text);
        arguments.push_back({Kind::Parameter, i});
      }
      if (use && Added.count(use->forward) == 0)
        if (const std::string why = addForward(*use, text); !why.empty())
          return why;
    }
    for (const ForwardUse &use : Uses)
      if (Added.count(use.forward) == 0)
        if (const std::string why = addForward(use, ""); !why.empty())
          return why;
    for (std::size_t i = 0; i < Function.locals.size(); ++i) {
      parameters.push_back(localParameter(Function.locals[i]));
      arguments.push_back({Kind::Local, i});
    }
    if (Request.hoistsLoop) {
      const GridStrideLoop &loop = *Function.gridStride;
      if (const std::string why = hiddenName(loop.type); !why.empty())
        return why;
      parameters.push_back(loop.type + " " + loop.variable);
      arguments.push_back({Kind::LoopVariable, 0});
    }
    return {};
  }

  const Launch &Launched;
  const Kernel &Function;
  const SourceText &Source; ///< the file of the kernel
  const Names &Unique;
  Helpers &Tools;
  const StageRequest &Request;
  const Program &Code;
  std::optional<CoordinateCut> Cut; ///< of a stage that gets coordinates
  std::vector<ForwardUse> Uses;
  std::vector<CalledArray> Called;
  std::set<std::string> Taken;
  std::set<std::size_t> Added; ///< forwards that are parameters already
};

} // namespace

bool StageCall::passes(std::size_t parameter) const {
  return std::any_of(
      arguments.begin(), arguments.end(), [&](const StageArgument &argument) {
        return argument.kind == Kind::Parameter && argument.index == parameter;
      });
}

Result<StageCall> StageCache::stage(const StageRequest &request) {
  const Kernel &kernel = Code.kernelOf(request.launch);
  const std::optional<std::uint32_t> place =
      Code.kernelString ? Code.kernelString->end
                        : insertionPoint(Texts, kernel.text);
  if (!place)
    return Refusal{kernel.text.include.line == 0
                       ? "'" + kernel.name + "' isn't defined in a namespace"
                       : "the header of '" + kernel.name +
                             "' is included in the middle of something"};
  StageWriter writer(Texts, Code, Unique, Tools, request);
  if (const std::string why = writer.write(); !why.empty())
    return Refusal{why};

  // The key is everything in the stage except its name.
  std::string key = scopeOf(kernel) + "\n" + kernel.name + "\n" +
                    writer.header + "\n" + writer.body;
  for (const std::string &parameter : writer.parameters)
    key += "\n" + parameter;
  auto [known, isNew] = Known.try_emplace({*place, key});
  if (isNew) {
    known->second =
        Unique.fresh(kernel.name + (request.isAround               ? "_around"
                                    : writer.coordinates().empty() ? "_stage"
                                                                   : "_at"));
    const std::string indent = indentation(Texts[kernel.text.declaration.file],
                                           kernel.text.declaration.begin);
    std::string text = commentLines(writer.comment(), indent);
    if (!writer.header.empty())
      text += indent + writer.header + "\n";
    const bool isOpenCl = Code.language == Language::OpenCL;
    text += listed(
        (isOpenCl ? "void " : "static __device__ __forceinline__ void ") +
            known->second + "(",
        writer.parameters, ") ", indent);
    text = "\n\n" + inNamespaces(kernel.text.namespaces, text + writer.body);
    // In a string the lines end as in the device's text.
    Definitions.emplace_back(
        *place, isOpenCl ? text : withLineEnds(Texts.input(), text));
  }
  StageCall stage;
  stage.call = scopeOf(kernel) + known->second + kernel.text.templateArguments;
  stage.arguments = std::move(writer.arguments);
  stage.coordinates = writer.coordinates();
  return stage;
}

} // namespace kfuse
