//===- WholeElements.cpp - Pitches that are whole numbers of elements -----===//
//
//   row = (short *)((char *)p + y * pitch);   row[x] is p[y * (pitch / 2) + x]
//
// A row that is reached begins at an element, or the access would be invalid.
// But the rows between, such as odd ones, need not be reached: the host tests
// the pitch.
//
//===----------------------------------------------------------------------===//

#include "graphs/program/WholeElements.h"

#include "graphs/program/LaunchRanges.h"

#include <algorithm>
#include <optional>

namespace kfuse {

void needWholeElements(Program &program, Launch &launch) {
  const Kernel &kernel = program[launch.kernel];
  LaunchRanges bound(program, launch);
  const auto addRoom = [&](const Polynomial &more, const Polynomial &less) {
    const auto space = subtract(more, less);
    const auto value = space ? bound.bind(*space) : std::nullopt;
    if (value && bound.of(*value).least >= 0)
      return;
    const Room room{more, less, /*isOfGrid=*/false};
    if (std::find(launch.rooms.begin(), launch.rooms.end(), room) ==
        launch.rooms.end())
      launch.rooms.push_back(room);
  };
  for (const Access &access : kernel.accesses) {
    const auto *index = std::get_if<Polynomial>(&access.index);
    if (!index)
      continue;
    for (const Symbol symbol : symbolsDeep(*index, program.terms)) {
      if (symbol.kind != SymbolKind::Opaque)
        continue;
      Term term = program.terms[symbol];
      if (term.kind != TermKind::Divide || term.detail != WholeQuotient)
        continue;
      const Polynomial pitch = term.operands[0];
      if (const auto scalar = pitch.asSymbol();
          scalar && !kernel.scalars[scalar->index].type.isUnsigned)
        addRoom(pitch, Polynomial{});
      addRoom(Polynomial{},
              makeTerm(program.terms, {TermKind::Remainder, 0, term.operands}));
    }
  }
}

} // namespace kfuse
