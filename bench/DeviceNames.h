//===- DeviceNames.h - Names as drivers tell them, made comparable --------===//
//
// The layer of OpenCL's loader compares what kfuse-bench listed with what it
// finds, so it includes this, too: nothing but the standard library is needed.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_DEVICENAMES_H
#define KFUSE_BENCH_DEVICENAMES_H

#include <array>
#include <cstddef>
#include <string>

namespace kfuse {

/// Returns a driver's text without blanks around it. Drivers count the zero at
/// the end, too.
inline std::string trimmedName(std::string text) {
  text.resize(text.find_last_not_of(std::string(" \n\0", 3)) + 1);
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

using UuidBytes = std::array<unsigned char, 16>;

/// Returns a UUID as it is usually written: 32 digits with four hyphens.
inline std::string uuidText(const UuidBytes &bytes) {
  constexpr char Digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10)
      text += '-';
    text += Digits[bytes[i] >> 4];
    text += Digits[bytes[i] & 15];
  }
  return text;
}

} // namespace kfuse

#endif
