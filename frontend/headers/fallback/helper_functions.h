// This includes the helpers that all CUDA samples have.
#pragma once
#pragma GCC system_header
#include "helper_string.h"
#include "helper_timer.h"
#include <algorithm>
#include <fstream>
#include <iostream>
#include <math.h>
#include <string>
#include <vector>
