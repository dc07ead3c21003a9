//===- Arguments.h - What a moved launch evaluates ------------------------===//
#ifndef KFUSE_CODEGEN_HOST_ARGUMENTS_H
#define KFUSE_CODEGEN_HOST_ARGUMENTS_H

#include "codegen/host/LaunchPlacement.h"
#include "codegen/text/Names.h"
#include "graphs/program/Program.h"
#include "text/Edits.h"
#include "text/Layout.h"

#include <map>
#include <string>
#include <vector>

namespace kfuse {

/// The expressions of one group's launches, evaluated at another place of the
/// region than the user's. An expression that would have another value there is
/// kept in a temporary where the launch stood.
class HostArguments {
public:
  /// Sets the place at which the texts are evaluated. `repeats` says that they
  /// may be evaluated more than once.
  HostArguments(const SourceText &source, const Program &program, Names &names,
                StepPlace place, bool repeats)
      : Source(source), Code(program), Unique(names), At(place),
        Repeats(repeats) {}

  /// Returns the text that has the expression's value at the group's place.
  std::string text(LaunchId launch, const HostExpr &expression);

  /// Returns the launch statement with these texts in it, under its condition
  /// if the kernel has a flag.
  std::string statement(LaunchId launch);

  /// Keeps every expression whose evaluation has an effect and whose text
  /// wasn't asked for. The effect happens even if the fused launch doesn't pass
  /// the value.
  void keepEffects(LaunchId launch);

  /// Returns the declarations that have to stand where the launch stood.
  std::vector<std::string> declarations(LaunchId launch) const;

  /// Returns why a text isn't right, or an empty string.
  const std::string &problem() const { return Problem; }

private:
  bool changes(LaunchId launch, const HostExpr &expression) const;
  bool namesMacro(LaunchId launch, const HostExpr &expression) const;
  bool sharesText(LaunchId launch, const HostExpr &expression) const;
  /// Checks whether a name in the text means something else at the group's
  /// place than where the launch stands.
  bool isHidden(LaunchId launch, std::string_view text) const;
  std::string nameFor(LaunchId launch, const HostExpr &expression) const;
  /// Returns the declaration of a temporary for the expression,
  /// `const int name`. An object that is converted to the parameter's type,
  /// such as an element of a vector<bool>, is converted where the launch stood.
  /// A copy of it may see what the host does to it later, or not be possible.
  std::string declaration(LaunchId launch, const HostExpr &expression,
                          const std::string &name);

  /// Makes it a launch of the user's kernel, which has no flag.
  void dropFlag(const Launch &launch, Edits &edits);

  struct Temporary {
    LaunchId launch{};
    std::string name, declaration;
  };
  const SourceText &Source;
  const Program &Code;
  Names &Unique;
  StepPlace At;
  bool Repeats;
  std::map<const HostExpr *, Temporary> Temporaries;
  std::vector<const HostExpr *> Order; ///< of the temporaries
  std::vector<const HostExpr *> Asked;
  std::string Problem;
};

/// Returns the expressions of a launch: arguments, grid, block, shared bytes,
/// stream.
std::vector<const HostExpr *> expressionsOf(const Launch &launch);

} // namespace kfuse

#endif
