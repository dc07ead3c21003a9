//===- MachineCode.cpp - The code of kernels in a cubin -------------------===//

#include "driver/nvcc/MachineCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA1.h"

#include <algorithm>

namespace kfuse {
namespace {

/// The prefixes of a function's name in the sections that its instructions are
/// in or refer to.
constexpr const char *Kinds[] = {".text.", ".rel.text.", ".rela.text.",
                                 ".nv.constant"};

/// Returns the function whose code or constants the section holds; empty for
/// any other section. The constants of bank 0 are the function's parameters, so
/// they don't count.
llvm::StringRef functionOf(llvm::StringRef section) {
  for (const char *kind : Kinds) {
    llvm::StringRef name = section;
    if (!name.consume_front(kind))
      continue;
    if (llvm::StringRef(kind).ends_with("."))
      return name;
    const auto [bank, function] = name.split('.');
    return bank == "0" ? llvm::StringRef() : function;
  }
  return {};
}

/// Since Volta.
constexpr std::size_t InstructionSize = 16;

/// Returns the number of the architecture that the code is for; 0 if unknown.
unsigned architecture(const llvm::object::ObjectFile &code) {
  const auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(&code);
  if (!elf)
    return 0;
  constexpr unsigned OfCuda13 = 8;
  const bool isNew = elf->getEIdentABIVersion() >= OfCuda13;
  return elf->getPlatformFlags() >> (isNew ? 8 : 0) & 0xff;
}

/// Returns whether instructions are encoded as Operation reads them. The
/// encoding was seen in code for 7.5, 9.0 and 10.0.
bool hasKnownCode(unsigned architecture) {
  return architecture >= 70 && architecture <= 121;
}

/// One instruction: nine bits for the operation and three for where its
/// operands are, the operands, and how and when to issue it.
class Operation {
public:
  explicit Operation(llvm::StringRef bytes)
      : Word(llvm::support::endian::read16le(bytes.data())), Bytes(bytes) {}

  /// Returns the kind of arithmetic; nullopt for an instruction that rounds no
  /// sum and no product. A multiply-add with a factor of one counts as the sum
  /// that it computes, one with a summand of zero as the product.
  std::optional<Arithmetic::Kind> kind() const {
    switch (code()) {
    case 0x021:
    case 0x029: // [FD]ADD
      return Arithmetic::Kind::Add;
    case 0x020:
    case 0x028: // [FD]MUL
      return Arithmetic::Kind::Multiply;
    case 0x023: // FFMA
      if (hasNumber() && number() == SingleOne)
        return Arithmetic::Kind::Add;
      [[fallthrough]];
    case 0x02b: // DFMA
      return summand() == Zero ? Arithmetic::Kind::Multiply
                               : Arithmetic::Kind::MultiplyAdd;
    default:
      return std::nullopt;
    }
  }
  /// Returns whether the instruction transfers control: CALL, BRA, BRX, JMP,
  /// JMX, EXIT, RET.
  bool endsBlock() const {
    constexpr unsigned Branches[] = {0x143, 0x144, 0x147, 0x149,
                                     0x14a, 0x14c, 0x14d, 0x150};
    return llvm::is_contained(Branches, code());
  }
  /// Checks whether it runs only if a predicate holds.
  bool isConditional() const { return Word >> 12 != Always; }
  /// Returns whether the instruction may give the register its value.
  bool mayWrite(unsigned reg) const {
    // Stores, comparisons and the like, and what is one for a whole warp.
    constexpr unsigned Others[] = {0x00b, 0x00c, 0x01c, 0x02a, 0x118,
                                   0x11a, 0x11d, 0x141, 0x145, 0x185,
                                   0x186, 0x187, 0x188, 0x192, 0x1ab};
    constexpr unsigned FirstUniform = 0x080, LastUniform = 0x0bf;
    if (llvm::is_contained(Others, code()) ||
        (code() >= FirstUniform && code() <= LastUniform))
      return false;
    return reg >= byte(2) && reg < byte(2) + (isLoad() ? words() : 1);
  }
  /// Returns whether the result is no product, no sum, and no copy of one: that
  /// of FSEL, SEL, FMNMX, conversions, MUFU, FFMA, DFMA and loads.
  bool isUnrelated() const {
    constexpr unsigned Others[] = {0x007, 0x008, 0x009, 0x030, 0x045,
                                   0x104, 0x106, 0x108, 0x110, 0x112};
    return isLoad() || llvm::is_contained(Others, code()) ||
           kind() == Arithmetic::Kind::MultiplyAdd;
  }
  /// Returns the register that a MultiplyAdd adds; nullopt for a number or a
  /// parameter.
  std::optional<unsigned> summand() const {
    constexpr unsigned OfNumber = 2, OfConstant = 3, OfUniform = 7;
    if (form() == OfNumber || form() == OfConstant || form() == OfUniform)
      return std::nullopt;
    return byte(8);
  }

private:
  static constexpr unsigned Zero = 0xff; ///< the register that is zero
  static constexpr unsigned Always = 7;  ///< the predicate that is true
  static constexpr std::uint32_t SingleOne = 0x3f800000;

  unsigned code() const { return Word & 0x1ff; }
  unsigned form() const { return Word >> 9 & 7; }
  unsigned byte(std::size_t at) const {
    return static_cast<unsigned char>(Bytes[at]);
  }
  /// Checks for LD, LDG, LDC, LDS; local memory, which keeps registers, is
  /// excluded.
  bool isLoad() const {
    constexpr unsigned Loads[] = {0x180, 0x181, 0x182, 0x184};
    return llvm::is_contained(Loads, code());
  }
  unsigned words() const {
    constexpr unsigned Two = 5, Four = 6;
    const unsigned size = byte(9) >> 1 & 7;
    return size == Four ? 4 : size == Two ? 2 : 1;
  }
  bool hasNumber() const { return form() == 4; }
  std::uint32_t number() const {
    return llvm::support::endian::read32le(Bytes.data() + 4);
  }

  unsigned Word;
  llvm::StringRef Bytes;
};

/// Holds where each run of instructions of one line begins, ascending.
using LineRuns = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

std::uint32_t lineOfPlace(const LineRuns &lines, std::uint64_t place) {
  const auto next = std::upper_bound(
      lines.begin(), lines.end(), place,
      [](std::uint64_t at, const auto &run) { return at < run.first; });
  return next == lines.begin() ? 0 : std::prev(next)->second;
}

/// Tells what the register holds that the MultiplyAdd adds, if an instruction
/// before it computes it: on one of the ways that lead there.
void findAdded(Arithmetic &found, unsigned reg,
               const std::vector<Operation> &code, std::size_t at,
               const LineRuns &lines) {
  const Operation &instruction = code[at];
  for (; at > 0 && !code[at - 1].endsBlock(); --at) {
    const Operation &before = code[at - 1];
    if (!before.mayWrite(reg))
      continue;
    found.addedAt = static_cast<std::uint32_t>(at - 1);
    if (before.isConditional() && instruction.isConditional())
      return;
    const std::uint32_t own = lineOfPlace(lines, (at - 1) * InstructionSize);
    if (const auto kind = before.kind();
        kind && kind != Arithmetic::Kind::Multiply && !before.isConditional())
      found.addedSum = own;
    if (before.isUnrelated()) {
      found.added = 0;
      return;
    }
    // Twice a number is its sum with itself.
    if (!before.kind())
      return;
    if (own != 0)
      found.added = own;
    return;
  }
}

std::vector<Arithmetic> arithmeticOf(llvm::StringRef text,
                                     const LineRuns &lines) {
  std::vector<Operation> code;
  for (std::size_t at = 0; at + InstructionSize <= text.size();
       at += InstructionSize)
    code.emplace_back(text.substr(at, InstructionSize));
  std::vector<Arithmetic> all;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const auto kind = code[at].kind();
    if (!kind)
      continue;
    Arithmetic &found = all.emplace_back();
    found.kind = *kind;
    found.line = lineOfPlace(lines, at * InstructionSize);
    if (*kind != Arithmetic::Kind::MultiplyAdd)
      continue;
    if (const auto summand = code[at].summand())
      findAdded(found, *summand, code, at, lines);
    else
      found.added = 0;
  }
  return all;
}

/// Returns the sections of code that the sequences of the line table describe,
/// in the table's order. Each sequence begins at an address that is relocated.
std::vector<std::string> lineSections(const llvm::object::ObjectFile &file) {
  std::map<std::uint64_t, std::string> byOffset;
  for (const llvm::object::SectionRef &section : file.sections()) {
    auto name = section.getName();
    if (!name || (*name != ".rela.debug_line" && *name != ".rel.debug_line")) {
      llvm::consumeError(name.takeError());
      continue;
    }
    for (const llvm::object::RelocationRef &each : section.relocations()) {
      const auto symbol = each.getSymbol();
      if (symbol == file.symbol_end())
        continue;
      auto in = symbol->getSection();
      auto text = in && *in != file.section_end()
                      ? (*in)->getName()
                      : llvm::Expected<llvm::StringRef>(llvm::StringRef());
      if (in && text)
        byOffset[each.getOffset()] = text->str();
      llvm::consumeError(in.takeError());
      llvm::consumeError(text.takeError());
    }
  }
  std::vector<std::string> sections;
  for (auto &[offset, section] : byOffset)
    sections.push_back(std::move(section));
  return sections;
}

/// Returns the lines of each section of code, by the section's name; none if
/// the table can't be read.
std::map<std::string, LineRuns> linesOf(const llvm::object::ObjectFile &file,
                                        llvm::StringRef table) {
  const std::vector<std::string> sections = lineSections(file);
  const auto ignore = [](llvm::Error error) {
    llvm::consumeError(std::move(error));
  };
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> parts;
  parts["debug_line"] = llvm::MemoryBuffer::getMemBufferCopy(table);
  constexpr std::uint8_t AddressSize = 8;
  const auto context =
      llvm::DWARFContext::create(parts, AddressSize, true, ignore, ignore);
  llvm::DWARFDataExtractor data(table, /*IsLittleEndian=*/true, AddressSize);
  std::map<std::string, LineRuns> found;
  std::size_t sequence = 0;
  for (std::uint64_t offset = 0; data.isValidOffset(offset);) {
    llvm::DWARFDebugLine::LineTable lines;
    if (auto error =
            lines.parse(data, &offset, *context, /*U=*/nullptr, ignore)) {
      llvm::consumeError(std::move(error));
      return {};
    }
    for (const llvm::DWARFDebugLine::Row &row : lines.Rows) {
      if (sequence >= sections.size())
        return {};
      if (row.EndSequence)
        ++sequence;
      else
        found[sections[sequence]].emplace_back(row.Address.Address, row.Line);
    }
  }
  return found;
}

} // namespace

std::map<std::string, MachineCode> machineCode(const std::string &path) {
  std::map<std::string, MachineCode> found;
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return found;
  }
  const bool isKnown = hasKnownCode(architecture(*file->getBinary()));
  std::map<std::string, std::map<std::string, std::string>> sections;
  llvm::StringRef table;
  for (const llvm::object::SectionRef &section :
       file->getBinary()->sections()) {
    auto name = section.getName();
    auto content = section.getContents();
    if (!name || !content) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(content.takeError());
      return {};
    }
    if (*name == ".debug_line")
      table = *content;
    if (const llvm::StringRef function = functionOf(*name); !function.empty())
      sections[function.str()][name->str()] = content->str();
  }
  const std::map<std::string, LineRuns> lines =
      isKnown ? linesOf(*file->getBinary(), table)
              : std::map<std::string, LineRuns>();
  for (const auto &[function, parts] : sections) {
    llvm::SHA1 hash;
    for (const auto &[name, content] : parts) {
      // The name of a kernel in an unnamed namespace is that of the text, too.
      hash.update(llvm::StringRef(name).drop_back(function.size()));
      hash.update(" " + llvm::utostr(content.size()) + " ");
      hash.update(content);
    }
    found[function].hash = llvm::toHex(hash.final(), /*LowerCase=*/true);
    if (const auto own = lines.find(".text." + function); own != lines.end())
      found[function].arithmetic =
          arithmeticOf(parts.at(own->first), own->second);
  }
  return found;
}

} // namespace kfuse
