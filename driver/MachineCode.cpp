//===- driver/MachineCode.cpp - The code of kernels in a cubin ------------===//

#include "driver/MachineCode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Of the sections of a function that its instructions are in or refer to, what
/// stands in front of its name.
constexpr const char *Kinds[] = {".text.", ".rel.text.", ".rela.text.",
                                 ".nv.constant"};

/// The function that the section belongs to; empty when it isn't its code. The
/// constants of bank 0 are its parameters.
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

/// Since Volta instructions have 16 bytes, the last three of which say when to
/// issue them.
constexpr std::size_t InstructionSize = 16, MeaningSize = 13;

/// The number of the architecture that the code is for; 0 where unknown.
unsigned architecture(const llvm::object::ObjectFile &code) {
  const auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(&code);
  if (!elf)
    return 0;
  constexpr unsigned OfCuda13 = 8;
  const bool isNew = elf->getEIdentABIVersion() >= OfCuda13;
  return elf->getPlatformFlags() >> (isNew ? 8 : 0) & 0xff;
}

/// Whether instructions are as Instruction reads them: seen in code
/// for 7.5, 9.0 and 10.0.
bool hasKnownCode(unsigned architecture) {
  return architecture >= 70 && architecture <= 121;
}

/// One instruction: nine bits for the operation and three for where its
/// operands are, the operands, and how and when to issue it.
class Instruction {
public:
  explicit Instruction(char *bytes) : Bytes(bytes) {}

  /// Gives it one of the forms in which it computes the same: whichever factor
  /// of a product comes first or has the sign, and whatever is kept to be read
  /// by the next instruction.
  void settle() {
    for (const unsigned bit : {122, 123, 124, 125})
      set(bit, false);
    const unsigned word = llvm::support::endian::read16le(Bytes);
    const unsigned operation = word & 0x1ff, operands = word >> 9 & 7;
    const bool isSum = operation == 0x023 || operation == 0x02b;     // [FD]FMA
    const bool isProduct = operation == 0x020 || operation == 0x028; // [FD]MUL
    // What is no register stands where the second does; here it is the third.
    const bool isTurned = operands == 2 || operands == 3 || operands == 7;
    if (!isSum && (!isProduct || isTurned))
      return;
    const unsigned first = 72, second = isTurned ? 75 : 63;
    set(second, has(first) != has(second));
    set(first, false);
    const bool takesAbsolute = has(73) || has(62);
    constexpr unsigned Registers = 1;
    char &one = Bytes[3], &other = Bytes[4];
    if (operands == Registers && !takesAbsolute &&
        static_cast<unsigned char>(other) < static_cast<unsigned char>(one))
      std::swap(one, other);
  }

private:
  bool has(unsigned bit) const { return (Bytes[bit / 8] >> bit % 8 & 1) != 0; }
  void set(unsigned bit, bool value) {
    const unsigned mask = 1U << bit % 8;
    const auto byte = static_cast<unsigned char>(Bytes[bit / 8]);
    Bytes[bit / 8] = static_cast<char>(value ? byte | mask : byte & ~mask);
  }

  char *Bytes;
};

std::string settled(llvm::StringRef code) {
  std::string all = code.str();
  for (std::size_t at = 0; at + InstructionSize <= all.size();
       at += InstructionSize)
    Instruction(&all[at]).settle();
  return all;
}

std::vector<std::uint32_t> instructionsOf(llvm::StringRef code) {
  std::vector<std::uint32_t> all;
  for (; !code.empty();
       code = code.drop_front(std::min(InstructionSize, code.size())))
    all.push_back(static_cast<std::uint32_t>(
        llvm::xxh3_64bits(code.take_front(MeaningSize))));
  return all;
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
  for (const llvm::object::SectionRef &section :
       file->getBinary()->sections()) {
    auto name = section.getName();
    auto content = section.getContents();
    if (!name || !content) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(content.takeError());
      return {};
    }
    if (const llvm::StringRef function = functionOf(*name); !function.empty())
      sections[function.str()][name->str()] =
          isKnown && name->starts_with(".text.") ? settled(*content)
                                                 : content->str();
  }
  for (const auto &[function, parts] : sections) {
    llvm::SHA1 hash;
    for (const auto &[name, content] : parts) {
      hash.update(name + " " + llvm::utostr(content.size()) + " ");
      hash.update(content);
    }
    found[function].hash = llvm::toHex(hash.final(), /*LowerCase=*/true);
    if (const auto text = parts.find(".text." + function); text != parts.end())
      found[function].instructions = instructionsOf(text->second);
  }
  return found;
}

} // namespace kfuse
