//===- InsertDefinitions.cpp - Helpers, stages and fused kernels ----------===//
#include "codegen/InsertDefinitions.h"

#include "codegen/host/OpenClLaunchers.h"
#include "codegen/text/OpenClText.h"
#include "codegen/text/ParameterText.h"
#include "text/Layout.h"

#include <algorithm>
#include <optional>

namespace kfuse {
namespace {

class DefinitionInserter {
public:
  DefinitionInserter(const NewDefinitions &definitions, Names &names,
                     const Helpers &helpers, Edits &edits)
      : New(definitions), Source(definitions.sources.input()),
        Code(definitions.program), Unique(names), Tools(helpers), All(edits) {}

  void run() {
    if (Code.kernelString)
      return insertOpenCl();
    for (const auto &[place, text] : New.stages)
      Behind[place] += text;
    insertHelpers();
    insertKernelsAtPlaces();
    for (const auto &[place, text] : Behind)
      All.insert(place, text + blankLineAfter(place));
    for (const auto &[place, text] : Before)
      insert(place, text);
  }

private:
  /// Inserts the fused kernels, those of one place and namespace together.
  void insertKernelsAtPlaces() {
    const std::optional<std::size_t> contracted = firstContracted();
    std::map<std::uint32_t, std::map<std::vector<std::string>, std::string>>
        behindMembers;
    for (const auto &[index, place] : New.places) {
      const FusedCode &code = *New.groups[index].code;
      const std::string head = code.text.head(code.name);
      const std::string comment =
          index == contracted ? commentLines("kfuse: sums are contracted as " +
                                                 New.contracted.compiler +
                                                 " did it in the original.",
                                             "")
                              : "";
      const std::string definition =
          indented(comment + code.text.comment + head + " " + code.text.body,
                   place.indent);
      if (place.declaration)
        Before[*place.declaration] += head + ";\n\n";
      if (place.isBehind)
        behindMembers[place.definition][place.namespaces] +=
            "\n\n" + definition;
      else
        Before[place.definition] += definition + "\n\n";
    }
    for (const auto &[place, scopes] : behindMembers)
      for (const auto &[namespaces, definitions] : scopes)
        Behind[place] += withLineEnds(
            Source, "\n\n" + inNamespaces(namespaces, definitions.substr(2)));
  }

  /// Returns the group whose kernel is the first one with contracted sums.
  std::optional<std::size_t> firstContracted() const {
    const auto isContracted = [this](LaunchId launch) {
      return New.contracted.names.count(originalName(Code.kernelOf(launch))) !=
             0;
    };
    std::optional<std::size_t> first;
    for (const auto &[index, place] : New.places) {
      const std::vector<LaunchId> &launches = New.groups[index].launches;
      if (std::any_of(launches.begin(), launches.end(), isContracted) &&
          (!first || place.definition < New.places.at(*first).definition))
        first = index;
    }
    return first;
  }

  void insertOpenCl() {
    std::string text;
    for (const auto &[count, name] : Tools.allZeros())
      text += zerosInOpenCl(name, count);
    for (const auto &[place, stage] : New.stages)
      text += stage.substr(1) + "\n";
    for (const auto &[index, place] : New.places) {
      const FusedCode &code = *New.groups[index].code;
      text += "\n" + code.text.comment + code.text.head(code.name) + " " +
              code.text.body + "\n";
    }
    insertKernels(text);
    for (const auto &[index, place] : New.places)
      insert(place.first(),
             launcherText(Code, New.groups[index], Unique) + "\n");
  }

  void insertKernels(const std::string &text) {
    const KernelString &kernels = *Code.kernelString;
    if (!kernels.load)
      return addToKernels(Source, kernels, text, All);
    const LoadedNames names{Unique.fresh("kfuseKernels"),
                            Unique.fresh("withFusedKernels")};
    const std::uint32_t top = placeAtTop(Source, *kernels.load);
    insert(top, (followsBlank(top) ? "" : "\n") +
                    loadedText(Code.files[kernels.file], text, names) + "\n");
    All.insert(*kernels.load, names.function + "(");
    All.insert(kernels.end, ")");
  }

  void insertHelpers() {
    const std::string helpers = Tools.text();
    if (helpers.empty())
      return;
    std::uint32_t first = New.firstSwap;
    for (const auto &[index, place] : New.places)
      first = std::min(first, place.first());
    for (const auto &[place, text] : Behind)
      if (Tools.isCalledIn(text))
        first = std::min(first, place);
    const std::uint32_t top = placeAtTop(Source, first);
    const auto stages = Behind.find(top);
    const bool isBehind = stages != Behind.end() ||
                          std::any_of(New.places.begin(), New.places.end(),
                                      [&](const auto &each) {
                                        return each.second.isBehind &&
                                               each.second.definition == top;
                                      });
    if (!isBehind)
      return insert(top, (followsBlank(top) ? "" : "\n") + helpers);
    // A stage that calls none stays next to its kernel.
    const std::string text = withLineEnds(
        Source, "\n\n" + helpers.substr(0, helpers.find_last_not_of('\n') + 1));
    const bool areFirst =
        stages != Behind.end() && Tools.isCalledIn(stages->second);
    Behind[top].insert(areFirst ? 0 : Behind[top].size(), text);
  }

  /// Returns the newline that separates a definition ending at `place` from the
  /// line below, or an empty string if they are separated already.
  std::string blankLineAfter(std::uint32_t place) const {
    const std::string newline = Source.crlf ? "\r\n" : "\n";
    const std::string_view rest = Source.text.substr(place);
    const std::size_t code = rest.find_first_not_of(" \t\r\n");
    const std::string_view gap = rest.substr(0, code);
    const bool isFree = code == std::string_view::npos ||
                        std::count(gap.begin(), gap.end(), '\n') != 1;
    return isFree ? "" : newline;
  }

  /// Checks whether `place` is the begin of the text or below a blank line.
  bool followsBlank(std::uint32_t place) const {
    const std::string_view before = Source.text.substr(0, place);
    const std::size_t code = before.find_last_not_of(" \t\r\n");
    const std::string_view gap =
        before.substr(code == std::string_view::npos ? 0 : code + 1);
    return code == std::string_view::npos ||
           std::count(gap.begin(), gap.end(), '\n') > 1;
  }

  void insert(std::uint32_t at, const std::string &text) {
    All.insert(at, withLineEnds(Source, text));
  }

  const NewDefinitions &New;
  const SourceText &Source; ///< the input
  const Program &Code;
  Names &Unique;
  const Helpers &Tools;
  /// Texts that follow a definition of the user's, by the place.
  std::map<std::uint32_t, std::string> Behind;
  /// Texts that precede one.
  std::map<std::uint32_t, std::string> Before;
  Edits &All;
};

} // namespace

void insertDefinitions(const NewDefinitions &definitions, Names &names,
                       const Helpers &helpers, Edits &edits) {
  DefinitionInserter(definitions, names, helpers, edits).run();
}

} // namespace kfuse
