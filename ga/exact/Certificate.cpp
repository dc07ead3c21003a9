//===- Certificate.cpp - A lower bound of every partition -----------------===//

#include "ga/exact/Certificate.h"

namespace kfuse {

const char *boundName(BoundKind kind) {
  switch (kind) {
  case BoundKind::None:
    return "none";
  case BoundKind::DualAscent:
    return "dual ascent";
  case BoundKind::LinearProgram:
    return "linear program";
  case BoundKind::Proof:
    return "proof";
  }
  return "";
}

} // namespace kfuse
