//===- OpenClText.cpp - What is written otherwise in OpenCL ---------------===//

#include "codegen/text/OpenClText.h"

#include "text/Tokens.h"

#include <set>

namespace kfuse {
namespace {

/// Returns a type's spelling without qualifiers, its words one blank apart.
std::string plainType(std::string_view type) {
  static const std::set<std::string_view> qualifiers = {
      "const",  "restrict", "volatile", "__private",
      "global", "__global", "constant", "__constant"};
  std::string plain;
  for (const TextToken &token : tokensOf(type)) {
    const std::string_view word = spelling(type, token);
    if (qualifiers.count(word) == 0)
      plain += (plain.empty() ? "" : " ") + std::string(word);
  }
  return plain;
}

/// Returns the dimensions from number `first` on, `[4][8]`.
std::string dimensionsFrom(const LocalVariable &local, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < local.dimensions.size(); ++i)
    text += "[" + std::to_string(local.dimensions[i]) + "]";
  return text;
}

} // namespace

std::string localDeclaration(const LocalVariable &local,
                             const std::string &name) {
  return "__local " + local.element + " " + name + dimensionsFrom(local, 0) +
         ";";
}

std::string localParameter(const LocalVariable &local) {
  const bool hasRows = local.dimensions.size() > 1;
  return "__local " + local.element + (hasRows ? " (*" : " *") + local.name +
         (hasRows ? ")" + dimensionsFrom(local, 1) : "");
}

std::optional<std::string> isolateInOpenCl(std::string_view type,
                                           const std::string &value,
                                           const std::string &zero) {
  static const std::set<std::string> integers = {
      "char",          "signed char",    "unsigned char", "uchar",
      "short",         "unsigned short", "ushort",        "int",
      "unsigned int",  "unsigned",       "uint",          "long",
      "unsigned long", "ulong"};
  const std::string plain = plainType(type);
  if (plain.ends_with("*"))
    return value + " + " + zero;
  if (plain == "float")
    return "as_float(as_uint(" + value + ") ^ " + zero + ")";
  if (plain == "double")
    return "as_double(as_ulong(" + value + ") ^ " + zero + ")";
  if (integers.count(plain) != 0)
    return value + " ^ " + zero;
  return std::nullopt;
}

std::string zerosInOpenCl(const std::string &name, std::size_t count) {
  return "\n// kfuse: zeros that the compiler doesn't know to be zero. Stages "
         "get "
         "their values\n// with one each, as if these had just been stored and "
         "loaded again, so that the\n// compiler contracts nothing across "
         "them.\nstruct " +
         name + " {\n  uint at[" + std::to_string(count) + "];\n};\n";
}

std::string restrictInOpenCl(std::string declaration) {
  const std::string word = "__restrict__";
  if (const std::size_t at = declaration.find(word); at != std::string::npos)
    declaration.replace(at, word.size(), "restrict");
  return declaration;
}

} // namespace kfuse
