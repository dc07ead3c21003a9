//===- ChildTests.cpp - Programs that are started -------------------------===//

#include "system/Child.h"
#include "system/Scratch.h"

#include <gtest/gtest.h>

#include <sys/types.h>

using namespace kfuse;

namespace {

class Children : public testing::Test {
protected:
  ChildProgram shell(const std::string &command) const {
    ChildProgram program;
    program.words = {"/bin/sh", "-c", command};
    program.output = Folder.file("out");
    program.errors = Folder.file("err");
    return program;
  }

  ScratchFolder Folder{"kfuse-children"};
};

TEST_F(Children, ExitCodes) {
  EXPECT_EQ(runChild(shell("exit 7")).status, 7);
  EXPECT_EQ(runChild(shell("exit 127")).status, 127);
}

TEST_F(Children, Streams) {
  ChildProgram program = shell("cat; echo one; echo two >&2");
  EXPECT_EQ(runChild(program).status, 0);
  EXPECT_EQ(contentOf(program.output), "one\n");
  EXPECT_EQ(contentOf(program.errors), "two\n");
  program.errors = program.output;
  EXPECT_EQ(runChild(program).status, 0);
  EXPECT_EQ(contentOf(program.output), "one\ntwo\n");
}

TEST_F(Children, Places) {
  ChildProgram program = shell("pwd; echo $PLACE");
  program.folder = "/";
  program.environment = environmentWith("PLACE", "here");
  EXPECT_EQ(runChild(program).status, 0);
  EXPECT_EQ(contentOf(program.output), "/\nhere\n");
}

TEST_F(Children, EndedBySignals) {
  const ChildResult result = runChild(shell("kill -SEGV $$"));
  EXPECT_EQ(result.status, -2);
  EXPECT_NE(result.message.find("Segmentation fault"), std::string::npos);
}

TEST_F(Children, NotThere) {
  ChildProgram program = shell("");
  program.words.front() = Folder.file("absent");
  const ChildResult result = runChild(program);
  EXPECT_EQ(result.status, -1);
  EXPECT_NE(result.message, "");
}

TEST_F(Children, OverTheirTime) {
  ChildProgram program = shell("sleep 1000 & wait");
  program.seconds = 1;
  EXPECT_EQ(runChild(program).status, -2);
}

TEST_F(Children, NothingStaysBehind) {
  // The background program has another parent, so it is observed until it is
  // gone.
  ChildProgram program = shell("sleep 1000 & echo $!");
  EXPECT_EQ(runChild(program).status, 0);
  const pid_t left = std::stoi(contentOf(program.output));
  ChildProgram look = shell("while [ -e /proc/" + std::to_string(left) +
                            " ] && ! grep -q '^State:.Z' /proc/" +
                            std::to_string(left) + "/status; do :; done");
  look.seconds = 60;
  EXPECT_EQ(runChild(look).status, 0);
}

} // namespace
