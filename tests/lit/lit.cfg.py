# Tests that run the tools: input, command lines and expectations in one file.
#
#   %kfuse %kfuse-cpu %kfuse-bench   the tools of this build
#   %clang                Clang 19's C++ driver
#   %examples             the folder of examples
#   %code FILE            a fused program without the comments of its test,
#                         where each expectation would find itself
#   %recorders            the folder of what records launches
#   %device               a device file that kfuse ships
#   %layer                the layer of OpenCL's loader that kfuse-bench uses
#   %python               Python 3
#   %scripts              the folder of scripts
#   FileCheck, not, split-file, count: LLVM's, on the PATH

import os
import shutil
import sys

import lit.formats

config.name = "kfuse"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.kfuse_exec_root
# Whatever compiler there is: tests that ask one name it.
config.environment["KFUSE_NVCC"] = "none"

config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, config.environment["PATH"]]
)
# The sanitizers of kfuse itself: Clang keeps its allocations until the end.
config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

# The longer names first: lit replaces in this order.
for name, value in [
    ("%kfuse-bench", os.path.join(config.kfuse_bin, "kfuse-bench")),
    ("%kfuse-cpu", os.path.join(config.kfuse_bin, "kfuse-cpu")),
    ("%kfuse", os.path.join(config.kfuse_bin, "kfuse")),
    ("%clang", os.path.join(config.llvm_tools, "clang++")),
    ("%layer", os.path.join(config.kfuse_bin, "libkfuse-opencl-layer.so")),
    ("%recorders", os.path.join(config.kfuse_source, "bench", "collect")),
    ("%examples", os.path.join(config.kfuse_source, "examples")),
    ("%code", "grep -vE '^ *// [A-Z-]+:'"),
    ("%python", sys.executable),
    ("%scripts", os.path.join(config.kfuse_source, "scripts")),
    ("%device", os.path.join(config.kfuse_source, "fusion/device/devices/h200.json")),
]:
    config.substitutions.append((name, value))

if config.kfuse_sanitize:
    config.available_features.add("sanitize")
if os.geteuid() != 0:
    config.available_features.add("unprivileged")
if shutil.which("nvcc"):
    config.available_features.add("nvcc")
if shutil.which("nvcc") and os.path.exists("/dev/nvidiactl"):
    config.available_features.add("gpu")
if shutil.which("dot", path=config.environment["PATH"]):
    config.available_features.add("graphviz")
