//===- StageWriter.h - A kernel's body as a device function ---------------===//
//
// A stage is the user's kernel body, comments included, as a `__device__`
// function in the kernel's own scope, so that every name in it means what it
// meant. Forwarded elements are parameters by reference; a `return` leaves only
// the stage. It stands after the kernel, or after the `#include` of a header
// that has the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_STAGE_STAGEWRITER_H
#define KFUSE_CODEGEN_STAGE_STAGEWRITER_H

#include "codegen/stage/BodyRewriter.h"
#include "codegen/stage/Coordinates.h"
#include "codegen/stage/ForwardedArrays.h"
#include "codegen/text/Helpers.h"
#include "codegen/text/Names.h"
#include "codegen/text/Result.h"
#include "codegen/text/Sources.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

/// An argument of a stage; they follow the order of its parameters.
struct StageArgument {
  enum class Kind : std::uint8_t {
    Block,        ///< the original block's index
    Grid,         ///< the original grid
    Parameter,    ///< `index` into Kernel::parameters
    Forward,      ///< `index` into the group's forwards
    Written,      ///< whether that forward has a value
    Thread,       ///< the original thread's index
    LoopVariable, ///< of the grid-stride loop around the stages
    Coordinate,   ///< `index` into the call's coordinates
    Local,        ///< `index` into Kernel::locals
  };
  Kind kind{};
  std::size_t index = 0;
};

/// A member of a group, as a stage has to serve it.
struct StageRequest {
  LaunchId launch{};
  std::size_t member = 0;
  const std::vector<ForwardedArray> *forwards = nullptr;
  /// For each forward: its products are written as rounded ones.
  std::vector<bool> roundsProducts;
  /// For each forward: its sums that take a value of it are explicit.
  std::vector<bool> addsExplicitly;
  /// Stores to memory whose products are written so, too.
  std::vector<const Access *> roundedStores;
  /// The stage runs for other blocks than the hardware's.
  bool movesBlocks = false;
  /// The stage runs for other threads of other blocks.
  bool movesThreads = false;
  /// The stage gets blocks and threads, not coordinates.
  bool keepsThreads = false;
  /// It runs for threads around the block, and another one for the block's own.
  bool isAround = false;
  /// The grid-stride loop is around the stages, not in them.
  bool hoistsLoop = false;
  /// For each parameter: another member may write what it points to, so that a
  /// load must not go through the read-only path.
  std::vector<bool> sharedWithWriter;
  /// Another member may write to what the stage loads, also by other pointers.
  bool loadsPlainly = false;
};

struct StageCall {
  std::string call; ///< `app::scale_at<float>`
  std::vector<StageArgument> arguments;
  std::vector<StageCoordinate> coordinates;
  bool passes(std::size_t parameter) const;
};

/// The stages of a program, each written once however many groups use it.
class StageCache {
public:
  StageCache(const Sources &sources, const Program &program, Names &names,
             Helpers &helpers)
      : Texts(sources), Code(program), Unique(names), Tools(helpers) {}

  Result<StageCall> stage(const StageRequest &request);

  /// Returns the text of the kernel's body.
  std::string_view textOf(const Kernel &kernel) const {
    return Texts[kernel.text.body.file].at(kernel.text.body);
  }

  const SourceText &sourceOf(const Kernel &kernel) const {
    return Texts[kernel.text.body.file];
  }

  /// Returns the definitions, each with the offset in the input that it belongs
  /// at.
  const std::vector<std::pair<std::uint32_t, std::string>> &
  definitions() const {
    return Definitions;
  }

private:
  const Sources &Texts;
  const Program &Code;
  Names &Unique;
  Helpers &Tools;
  /// Place and text without the name, to the name.
  std::map<std::pair<std::uint32_t, std::string>, std::string> Known;
  std::vector<std::pair<std::uint32_t, std::string>> Definitions;
};

} // namespace kfuse

#endif
