// Types of the runtime API.
#pragma once
#pragma GCC system_header
#include "runtime_records.h"

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
};
