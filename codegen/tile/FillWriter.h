//===- FillWriter.h - What memory holds, for cells of tiles ---------------===//
//
//   const auto kfuseInside = [&](long long column) {
//     return column >= 1 && n >= column + 2;
//   };
//   ...
//   if (!kfuseInside(column))
//     if (kfuseInside(column - 1) || kfuseInside(column + 1))
//       B_tile[threadIdx.x + 1] = B[column];
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_TILE_FILLWRITER_H
#define KFUSE_CODEGEN_TILE_FILLWRITER_H

#include "codegen/builder/FusedKernelBuilder.h"
#include "codegen/text/Result.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace kfuse {

class FillWriter {
public:
  explicit FillWriter(FusedKernelBuilder &builder);

  /// Writes the statements that give an element of the forward's tile its old
  /// content; they use the global coordinates of the cell by name.
  Result<std::string> fill(const ForwardedArray &forward,
                           const std::string &element,
                           const std::string &indent);
  const std::array<std::string, 3> &coordinates() const { return Names; }

  /// Returns the definitions of the functions that these statements call.
  std::string declarations() const { return Declarations; }

private:
  using Texts = std::vector<std::string>;

  std::optional<Texts> tests(std::size_t member, const Guard &guard) const;
  std::optional<Texts> tests(const CellAccess &access) const;
  std::string call(const Texts &tests, const Offset &offset);

  FusedKernelBuilder &Builder;
  std::array<std::string, 3> Names;
  std::map<Texts, std::string> Functions; ///< name, by what they test
  std::string Declarations;
};

} // namespace kfuse

#endif
