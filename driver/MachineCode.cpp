//===- driver/MachineCode.cpp - The code of kernels in a cubin ------------===//

#include "driver/MachineCode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
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
std::vector<std::uint32_t> instructionsOf(llvm::StringRef code) {
  constexpr std::size_t Size = 16, Meaning = 13;
  std::vector<std::uint32_t> all;
  for (; !code.empty(); code = code.drop_front(std::min(Size, code.size())))
    all.push_back(static_cast<std::uint32_t>(
        llvm::xxh3_64bits(code.take_front(Meaning))));
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
      sections[function.str()][name->str()] = content->str();
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
