//===- kfuse_cpu/Sanitizers.h - The sanitizers' defaults ------------------===//
//
// A program that doesn't free its memory at exit isn't an error here. Reports
// have to name files and lines whatever the PATH is.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_SANITIZERS_H
#define KFUSE_CPU_SANITIZERS_H

#if __has_feature(address_sanitizer) && defined(KFUSE_CPU_SYMBOLIZER)
extern "C" __attribute__((weak, used)) const char *__asan_default_options() {
  return "detect_leaks=0:allocator_may_return_null=1:"
         "external_symbolizer_path=" KFUSE_CPU_SYMBOLIZER;
}
extern "C" __attribute__((weak, used)) const char *__ubsan_default_options() {
  return "print_stacktrace=1:external_symbolizer_path=" KFUSE_CPU_SYMBOLIZER;
}
#endif

#endif
