//===- block_store.cuh - Everything is in cub.cuh ----------------------===//
#pragma once
#include "cub/cub.cuh"
