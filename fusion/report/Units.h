//===- Units.h - Quantities with their units ------------------------------===//
#ifndef KFUSE_FUSION_REPORT_UNITS_H
#define KFUSE_FUSION_REPORT_UNITS_H

#include <string>

namespace kfuse {

/// Returns a time with one digit after the point: "12.5 us".
std::string microseconds(double seconds);

/// Returns a size with one digit after the point, 10^6 bytes each: "67.1 MB".
std::string megabytes(double bytes);

} // namespace kfuse

#endif
