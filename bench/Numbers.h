//===- Numbers.h - Numbers as people read them ----------------------------===//
#ifndef KFUSE_BENCH_NUMBERS_H
#define KFUSE_BENCH_NUMBERS_H

#include <string>

namespace kfuse {

/// Returns a number, not below zero, in three digits with an SI prefix: "4.27
/// TB/s", "680 ns".
std::string siText(double value, const std::string &unit);
/// Returns a size of at least one byte with a binary prefix: "1.5 MiB".
std::string bytesText(double bytes);
/// Returns a number in three digits, without an exponent if it's of usual size:
/// "0.125", "14.1", "2.5e+06".
std::string numberText(double value);
/// Returns a power of ten, or some digits times one, as an axis has it: "0.02",
/// "1000", "10⁶", "5·10⁶".
std::string powerText(double value);
/// Returns a share in percent: "93 %", "0.4 %".
std::string percentText(double share);

} // namespace kfuse

#endif
