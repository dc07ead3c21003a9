//===- FlagsTest.cpp - Flags and include directives -----------------------===//

#include "runtime/Mirror.h"
#include "runtime/NvccFlags.h"

#include <gtest/gtest.h>

using namespace kfuse;

namespace {

using Words = std::vector<std::string>;

struct Case {
  Words nvcc, clang;
};

class Flags : public testing::TestWithParam<Case> {};

TEST_P(Flags, Translate) {
  EXPECT_EQ(translateNvccFlags(GetParam().nvcc), GetParam().clang);
}

INSTANTIATE_TEST_SUITE_P(
    All, Flags,
    testing::Values(
        Case{{}, {}},
        Case{{"-O3", "-DN=4", "-Iinc"}, {"-O3", "-DN=4", "-Iinc"}},
        Case{{"-arch=sm_90", "-gencode", "arch=compute_80,code=sm_80"}, {}},
        Case{{"-arch", "sm_90", "-O2"}, {"-O2"}},
        Case{{"--expt-relaxed-constexpr", "--extended-lambda", "-rdc=true"},
             {}},
        Case{{"-Xcompiler", "-fopenmp,-Wall", "-Xptxas", "-v"},
             {"-fopenmp", "-Wall"}},
        Case{{"-Xcompiler=-march=native"}, {"-march=native"}},
        Case{{"-std=c++14"}, {"-std=c++17"}},
        Case{{"--std", "c++11"}, {"-std=c++17"}},
        Case{{"-std=gnu++98"}, {"-std=gnu++17"}},
        Case{{"-std=c++20"}, {"-std=c++20"}}, Case{{"-dc"}, {"-c"}},
        Case{{"-use_fast_math", "-ffast-math", "-lcudart", "-lm"}, {"-lm"}},
        Case{{"-gencode"}, {}}, Case{{"-Xcompiler"}, {}}));

TEST(Mirror, FindsIncludeDirectives) {
  EXPECT_EQ(includedNames("#include \"a.h\"\n  #  include <b/c.cuh> // x\n"
                          "int y; #include \"no\"\n#include MACRO\n"
                          "#include \"open\n#include_next <no>\n"),
            (Words{"a.h", "b/c.cuh"}));
}

TEST(Mirror, FindsIncludeFolders) {
  EXPECT_EQ(includeFoldersOf({"-Ia", "-I", "b", "-O2", "-iquotec", "-I"}),
            (Words{"a", "b", "c"}));
}

} // namespace
