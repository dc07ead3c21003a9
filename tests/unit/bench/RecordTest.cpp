//===- RecordTest.cpp - What a program's launches were --------------------===//

#include "bench/collect/Record.h"
#include "bench/collect/RecordWriter.h"

#include <gtest/gtest.h>

#include <cstring>

namespace kfuse {
namespace {

std::vector<LaunchRecord> parsed(const std::string &text) {
  auto records = parseRecords(text);
  if (const auto *why = std::get_if<std::string>(&records)) {
    ADD_FAILURE() << *why;
    return {};
  }
  return std::get<0>(std::move(records));
}

RecordLine kernelLine(std::uint64_t process, std::uint64_t ordinal) {
  RecordLine line;
  line.text("kind", "kernel")
      .text("interface", "opencl")
      .number("process", process)
      .number("ordinal", ordinal)
      .number("device", 0)
      .number("stream", 1)
      .text("name", "scale")
      .json("global", "[100,2,1]")
      .json("offset", "[0,1,0]");
  return line;
}

TEST(Record, OfOpenCl) {
  const float by = 0.5F;
  const std::string argument = RecordLine()
                                   .number("index", 1)
                                   .text("name", "by")
                                   .text("type", "float")
                                   .number("bytes", sizeof(by))
                                   .bytes("raw", &by, sizeof(by))
                                   .object();
  const auto records =
      parsed("{\"kind\":\"device\",\"interface\":\"opencl\",\"process\":7,"
             "\"device\":0,\"name\":\"a \\\"cpu\\\"\",\"driver\":\"3.1\"}\n" +
             kernelLine(7, 0)
                 .json("local", "[50,1,1]")
                 .number("shared", 16)
                 .json("arguments",
                       "[{\"index\":0,\"bytes\":8,\"array\":4096}," + argument +
                           ",{\"index\":2,\"bytes\":16,\"local\":16}]")
                 .number("begin", 1000)
                 .number("end", 3500)
                 .object() +
             "\n");
  ASSERT_EQ(records.size(), 1u);
  const LaunchRecord &record = records[0];
  EXPECT_EQ(record.kind, RecordKind::Kernel);
  EXPECT_EQ(record.interface, Interface::OpenCl);
  EXPECT_EQ(record.deviceName, "a \"cpu\"");
  EXPECT_EQ(record.name, "scale");
  EXPECT_EQ(record.stream, 1u);
  EXPECT_EQ(record.threads, (std::array<std::uint64_t, 3>{100, 2, 1}));
  EXPECT_EQ(record.offset, (std::array<std::uint64_t, 3>{0, 1, 0}));
  EXPECT_EQ(record.block, (std::array<std::uint64_t, 3>{50, 1, 1}));
  EXPECT_DOUBLE_EQ(record.seconds().value_or(0), 2.5e-6);
  ASSERT_EQ(record.arguments.size(), 3u);
  EXPECT_EQ(record.arguments[0].arrayBytes, 4096u);
  EXPECT_EQ(record.arguments[1].value, 0.5);
  EXPECT_EQ(record.arguments[1].raw.size(), 4u);
  EXPECT_EQ(record.arguments[2].localBytes, 16u);
}

TEST(Record, OfCuda) {
  const auto records =
      parsed(R"({"kind":"kernel","interface":"cuda","process":7,"ordinal":3,)"
             R"("device":0,"stream":7,"name":"_ZN5space5scaleIfEEvPT_S1_im",)"
             R"("grid":[8,2,1],"block":[128,1,1],"shared":0,"arguments":[)"
             R"({"index":0,"bytes":8,"array":64},{"index":1,"bytes":4,)"
             R"("raw":"00000040"},{"index":2,"bytes":4,"raw":"ffffffff"},)"
             R"({"index":3,"bytes":8,"raw":"0100000000000000"}]})"
             "\n"
             R"({"kind":"read","interface":"cuda","process":7,"ordinal":4,)"
             R"("device":0,"stream":7,"bytes":64,"begin":5,"end":4})"
             "\n");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].name, "scale");
  EXPECT_EQ(records[0].function,
            "void space::scale<float>(float*, float, int, unsigned long)");
  EXPECT_EQ(records[0].threads, (std::array<std::uint64_t, 3>{1024, 2, 1}));
  EXPECT_FALSE(records[0].seconds());
  // The types come from the name.
  EXPECT_EQ(records[0].arguments[0].type, "float*");
  EXPECT_EQ(records[0].arguments[1].value, 2);
  EXPECT_EQ(records[0].arguments[2].value, -1);
  EXPECT_EQ(records[0].arguments[3].value, 1);
  EXPECT_EQ(records[1].kind, RecordKind::Read);
  EXPECT_EQ(records[1].bytes, 64u);
  // A clock that goes back makes no negative time.
  EXPECT_EQ(records[1].seconds(), 0);
}

TEST(Record, InTheOrderOfTheHost) {
  const auto records =
      parsed(kernelLine(9, 1).object() + "\n" + kernelLine(7, 0).object() +
             "\n" + kernelLine(9, 0).object() + "\n");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].process, 9);
  EXPECT_EQ(records[0].ordinal, 0u);
  EXPECT_EQ(records[1].ordinal, 1u);
  EXPECT_EQ(records[2].process, 7);
}

TEST(Record, Errors) {
  EXPECT_TRUE(parsed("").empty());
  // The process was stopped while it wrote the last line.
  const std::string line = kernelLine(7, 0).object();
  EXPECT_EQ(parsed(line + "\n" + line.substr(0, 30)).size(), 1u);
  const auto messageOf = [](const std::string &text) {
    const auto records = parseRecords(text);
    const auto *why = std::get_if<std::string>(&records);
    return why ? *why : "none";
  };
  EXPECT_EQ(messageOf(line + "\nno\n"), "line 2 is no record of a launch");
  EXPECT_EQ(messageOf("{}\n"), "line 1 is no record of a launch");
  EXPECT_EQ(messageOf("[]\n"), "line 1 is no record of a launch");
  EXPECT_EQ(messageOf("{\"kind\":\"dance\",\"interface\":\"cuda\","
                      "\"process\":1,\"device\":0}\n"),
            "line 1 is no record of a launch");
  EXPECT_EQ(messageOf("{\"kind\":\"problem\",\"text\":\"CUPTI\"}\n"), "none");
  const auto missing = readRecords("/nowhere/at/all");
  ASSERT_TRUE(std::holds_alternative<std::string>(missing));
  EXPECT_EQ(std::get<std::string>(missing), "cannot read '/nowhere/at/all'");
}

TEST(Record, Names) {
  const std::pair<const char *, const char *> table[] = {
      {"scale", "scale"},
      {"scale(float*, int)", "scale"},
      {"void space::scale<float>(float*)", "scale"},
      {"void (anonymous namespace)::scale<a::b<int> >(a::b<int>)", "scale"},
      {"(anonymous namespace)::scale(int)", "scale"},
      {"void outer<int>::inner<float>(float const*)", "inner"},
      {"void f<(lambda at x)>(int (*)(int), int)", "f"},
      {"", ""},
  };
  for (const auto &[function, name] : table)
    EXPECT_EQ(baseName(function), name) << function;
}

TEST(Record, ParameterTypes) {
  using Types = std::vector<std::string>;
  EXPECT_EQ(parameterTypes("scale"), Types());
  EXPECT_EQ(parameterTypes("f()"), Types());
  EXPECT_EQ(parameterTypes("void f<int, 2>(float const*, a<int, int>, int)"),
            (Types{"float const*", "a<int, int>", "int"}));
  EXPECT_EQ(parameterTypes("void f(int (*)(int, int), int)"),
            (Types{"int (*)(int, int)", "int"}));
}

TEST(Record, Scalars) {
  const auto value = [](const char *type, auto number) {
    std::string raw(sizeof(number), '\0');
    std::memcpy(raw.data(), &number, sizeof(number));
    return scalarValue(type, raw);
  };
  EXPECT_EQ(value("int", -3), -3);
  EXPECT_EQ(value("uint", 3000000000U), 3e9);
  EXPECT_EQ(value("unsigned int", 1U), 1);
  EXPECT_EQ(value("long", std::int64_t{-5}), -5);
  EXPECT_EQ(value("double", 0.25), 0.25);
  EXPECT_EQ(value("uchar", static_cast<unsigned char>(200)), 200);
  EXPECT_EQ(value("bool", true), 1);
  // A type that isn't known, or that has another size.
  EXPECT_EQ(value("float2", 0.25), std::nullopt);
  EXPECT_EQ(value("int", std::int64_t{1}), std::nullopt);
}

} // namespace
} // namespace kfuse
