//===- OutputTests.cpp - Output files -------------------------------------===//

#include "system/Output.h"
#include "system/Scratch.h"
#include "system/Target.h"

#include <gtest/gtest.h>

#include <fstream>

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace kfuse;

namespace {

class Outputs : public testing::Test {
protected:
  std::string file(const std::string &name, const std::string &text = "old") {
    const std::string path = Folder.file(name);
    std::ofstream(path) << text;
    return path;
  }

  static struct stat statusOf(const std::string &path) {
    struct stat status = {};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return status;
  }

  ScratchFolder Folder{"kfuse-outputs"};
};

TEST_F(Outputs, ReplaceWhatIsPlain) {
  const std::string path = file("plain");
  const ino_t before = statusOf(path).st_ino;
  const std::string other = file("holds-the-number");
  EXPECT_EQ(writeOutput(path, "new"), "");
  EXPECT_EQ(contentOf(path), "new");
  EXPECT_NE(statusOf(path).st_ino, before);
}

TEST_F(Outputs, KeepAttributes) {
  const std::string path = file("labelled", "old and longer");
  if (setxattr(path.c_str(), "user.origin", "here", 4, 0) != 0)
    GTEST_SKIP() << "no attributes here";
  EXPECT_EQ(writeOutput(path, "new"), "");
  EXPECT_EQ(contentOf(path), "new");
  EXPECT_EQ(getxattr(path.c_str(), "user.origin", nullptr, 0), 4);
}

TEST_F(Outputs, KeepOwnersAndModes) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only the superuser gives files away";
  const std::string path = file("owned");
  ASSERT_EQ(chown(path.c_str(), 1234, 4321), 0);
  ASSERT_EQ(chmod(path.c_str(), 0620), 0);
  EXPECT_EQ(writeOutput(path, "new"), "");
  const struct stat after = statusOf(path);
  EXPECT_EQ(after.st_uid, 1234U);
  EXPECT_EQ(after.st_gid, 4321U);
  EXPECT_EQ(after.st_mode & 07777, 0620U);
}

TEST_F(Outputs, ProgramsCanBeRun) {
  const std::string made = Folder.file("made"), there = file("there");
  ASSERT_EQ(chmod(there.c_str(), 0640), 0);
  EXPECT_EQ(writeOutput(made, "new", {.isExecutable = true}), "");
  EXPECT_EQ(writeOutput(there, "new", {.isExecutable = true}), "");
  EXPECT_NE(statusOf(made).st_mode & S_IXUSR, 0U);
  EXPECT_EQ(statusOf(there).st_mode & 07777, 0750U);
}

TEST_F(Outputs, EmptyTextsInPlace) {
  const std::string path = file("one-name"), other = Folder.file("other-name");
  ASSERT_EQ(link(path.c_str(), other.c_str()), 0);
  EXPECT_EQ(writeOutput(path, ""), "");
  EXPECT_EQ(contentOf(other), "");
}

TEST_F(Outputs, NewOnesByOtherNames) {
  ASSERT_EQ(symlink("not-there", Folder.file("link").c_str()), 0);
  const std::string path = Folder.file("not-there"), link = Folder.file("link");
  EXPECT_TRUE(isSameFile(targetOf(path), targetOf(link)));
  EXPECT_TRUE(isSameFile(targetOf(path), targetOf(Folder.file("./not-there"))));
  EXPECT_FALSE(isSameFile(targetOf(path), targetOf(Folder.file("other"))));
  EXPECT_NE(refusedOutput({{path, "-o"}, {link, "--save-plan"}}, {}, {}), "");
  EXPECT_EQ(
      refusedOutput({{path, "-o"}}, {{Folder.file("other"), "input"}}, {}), "");
}

TEST_F(Outputs, InFoldersThatAreThere) {
  const std::string path = Folder.file("absent") + "/new";
  EXPECT_NE(refusedOutput({{path, "-o"}}, {}, {}), "");
  WriteOptions options;
  options.makesFolders = true;
  EXPECT_EQ(refusedOutput({{path, "-o"}}, {}, options), "");
}

TEST_F(Outputs, DevicesMayBeShared) {
  EXPECT_EQ(refusedOutput({{"/dev/null", "-o"}, {"/dev/null", "--save-plan"}},
                          {{"/dev/null", "the input"}}, {}),
            "");
}

} // namespace
