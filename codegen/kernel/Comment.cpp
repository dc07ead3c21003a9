//===- Comment.cpp - What stands above a fused kernel ---------------------===//
#include "codegen/kernel/Comment.h"

#include "codegen/text/ParameterText.h"
#include "text/Lists.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

class CommentWriter {
public:
  CommentWriter(const FusedKernelBuilder &builder, bool isMerged)
      : Builder(builder), IsMerged(isMerged) {}

  std::string text() const {
    std::vector<std::string> names, kept, dropped, tiles, computed;
    std::set<const Kernel *> named;
    for (std::size_t m = 0; m < Builder.members(); ++m) {
      const Kernel &kernel = Builder.kernelOf(m);
      names.push_back("'" + kernel.name + "'" +
                      (named.insert(&kernel).second &&
                               !(IsMerged && kernel.text.declaration.file == 0)
                           ? " (" + placeText(kernel) + ")"
                           : ""));
    }
    const std::vector<std::string> userNames =
        IsMerged ? Builder.values : Builder.forwardNames();
    for (std::size_t i = 0; i < Builder.forwards.size(); ++i) {
      const ForwardedArray &forward = Builder.forwards[i];
      const bool isNoted = forward.isTile && !forward.stored;
      (forward.isTile     ? tiles
       : forward.computed ? computed
       : forward.stored   ? kept
                          : dropped)
          .push_back(userNames[i] + (isNoted ? " (never stored)" : ""));
    }
    std::string text = "kfuse: " + joined(names) + " as one kernel.";
    if (IsMerged) {
      if (!dropped.empty())
        text += " " + joined(dropped) + (dropped.size() == 1 ? " is" : " are") +
                " never stored.";
      dropped.clear();
      kept.clear();
    }
    if (!kept.empty())
      text += " " + joined(kept) + (kept.size() == 1 ? " passes" : " pass") +
              " in a register and " + (kept.size() == 1 ? "is" : "are") +
              " stored too.";
    if (!dropped.empty())
      text += " " + joined(dropped) +
              (dropped.size() == 1 ? " passes" : " pass") +
              " in a register and " + (dropped.size() == 1 ? "is" : "are") +
              " never stored.";
    if (!tiles.empty())
      text += " " + joined(tiles) + (tiles.size() == 1 ? " passes" : " pass") +
              " in shared memory, where a block also computes what its "
              "neighbours' threads take from other blocks.";
    if (!computed.empty())
      text += " " + joined(computed) + (computed.size() == 1 ? " is" : " are") +
              " computed where elements are read, and never stored.";
    const std::string shape = Builder.kernelOf(Builder.group.leader).name;
    std::vector<std::string> shared;
    for (std::size_t m = 0; m < Builder.members(); ++m)
      if (Builder.fitOf(m).chunk)
        shared.push_back("'" + Builder.kernelOf(m).name + "'");
    if (!shared.empty())
      text += " A block runs " + joined(shared) +
              " for the elements that it has in common with '" + shape + "'.";
    if (std::any_of(
            Builder.group.fits.begin(), Builder.group.fits.end(),
            [](const ConfigMapping &fit) { return fit != ConfigMapping{}; }) ||
        !computed.empty())
      text += " Its grid and block are those of '" + shape + "'.";
    if (Builder.movesBlocks() && IsMerged)
      text += " A thread does the work of " + Builder.count() + " of theirs.";
    else if (Builder.movesBlocks())
      text += " A block does the work of " +
              std::to_string(Builder.group.elementsPerThread) +
              " original blocks.";
    return commentLines(text, "");
  }

private:
  /// Returns `line 12`, or `line 12 of kernels.h` for another file than the
  /// input.
  std::string placeText(const Kernel &kernel) const {
    const SourceRange &range = kernel.text.declaration;
    const std::string &path = Builder.program.files[range.file].path;
    return "line " + std::to_string(range.line) +
           (range.file == 0 ? ""
                            : " of " + path.substr(path.find_last_of('/') + 1));
  }

  const FusedKernelBuilder &Builder;
  const bool IsMerged;
};

} // namespace

std::string kernelComment(const FusedKernelBuilder &builder, bool isMerged) {
  return CommentWriter(builder, isMerged).text();
}

} // namespace kfuse
