//===- DeviceChoiceTest.cpp - Devices by name, type or number -------------===//

#include "bench/DeviceChoice.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

ComputeDevice device(Interface interface, std::uint32_t platform,
                     std::uint32_t number, const std::string &name,
                     DeviceType type) {
  ComputeDevice made;
  made.interface = interface;
  made.platformNumber = platform;
  made.number = number;
  made.platform = platform == 0   ? "Portable Computing Language"
                  : platform == 1 ? "NVIDIA CUDA"
                                  : "NVIDIA CUDA driver";
  made.name = name;
  made.type = type;
  return made;
}

const std::vector<ComputeDevice> &machine() {
  static const std::vector<ComputeDevice> All = {
      device(Interface::OpenCl, 0, 0, "cpu-EPYC 7J13", DeviceType::Cpu),
      device(Interface::OpenCl, 1, 0, "NVIDIA H100 PCIe", DeviceType::Gpu),
      device(Interface::OpenCl, 1, 1, "NVIDIA A2", DeviceType::Gpu),
      device(Interface::Cuda, 2, 0, "NVIDIA H100 PCIe", DeviceType::Gpu),
      device(Interface::Cuda, 2, 1, "NVIDIA A2", DeviceType::Gpu)};
  return All;
}

/// Returns the numbers of what is chosen, "1.0 2.0", or the message.
std::string chosen(const DeviceChoice &choice) {
  const auto found = chosenDevices(machine(), choice);
  if (const auto *why = std::get_if<std::string>(&found))
    return *why;
  std::string text;
  for (const ComputeDevice &each : std::get<0>(found))
    text += (text.empty() ? "" : " ") + std::to_string(each.platformNumber) +
            "." + std::to_string(each.number);
  return text;
}

TEST(DeviceChoice, NamesTypesAndNumbers) {
  struct {
    DeviceChoice choice;
    const char *expected;
  } const cases[] = {
      {{}, "0.0 1.0 1.1 2.0 2.1"},
      {{"1", {}, {}}, "1.0 1.1"},
      {{"nvidia", {}, {}}, "1.0 1.1 2.0 2.1"},
      {{"nvidia cuda", {}, {}}, "1.0 1.1 2.0 2.1"},
      {{"CUDA", {}, {}}, "2.0 2.1"},
      {{"opencl", {}, {}}, "0.0 1.0 1.1"},
      {{"2", "1", {}}, "2.1"},
      {{{}, "h100", {}}, "1.0 2.0"},
      {{{}, {}, DeviceType::Cpu}, "0.0"},
      {{"portable", {}, DeviceType::Cpu}, "0.0"},
      // A number isn't looked for in names: the first is an EPYC 7J13.
      {{{}, "7", {}},
       "no device is called '7'; there is 'NVIDIA A2', 'NVIDIA H100 PCIe', "
       "'cpu-EPYC 7J13'"},
      {{"intel", {}, {}},
       "no platform is called 'intel'; there is 'NVIDIA CUDA', 'NVIDIA CUDA "
       "driver', 'Portable Computing Language'"},
      {{"portable", {}, DeviceType::Gpu},
       "no device is of the type 'gpu'; there is 'cpu'"},
      {{"portable", "h100", {}},
       "no device is called 'h100'; there is 'cpu-EPYC 7J13'"}};
  for (const auto &each : cases)
    EXPECT_EQ(chosen(each.choice), each.expected);
}

TEST(DeviceChoice, NothingToChooseFrom) {
  const auto found = chosenDevices({}, {"1", {}, {}});
  ASSERT_TRUE(std::holds_alternative<std::string>(found));
  EXPECT_EQ(std::get<std::string>(found), "there is no device");
}

/// Returns what a program sees, "1.0 2.0" with OpenCL's first, or the message.
std::string visible(const DeviceChoice &choice,
                    const std::set<Interface> &interfaces,
                    const std::vector<ComputeDevice> &all = machine()) {
  const auto found = visibleDevices(all, choice, interfaces);
  if (const auto *why = std::get_if<std::string>(&found))
    return *why;
  std::string text;
  for (const auto *each :
       {&std::get<0>(found).openCl, &std::get<0>(found).cuda})
    text += (text.empty() ? "" : " ") +
            (*each ? std::to_string((*each)->platformNumber) + "." +
                         std::to_string((*each)->number)
                   : "none");
  return text;
}

TEST(DeviceChoice, ProgramsSeeOneDeviceOfEachInterface) {
  constexpr Interface OpenCl = Interface::OpenCl, Cuda = Interface::Cuda;
  struct {
    DeviceChoice choice;
    std::set<Interface> interfaces;
    const char *expected;
  } const cases[] = {
      {{{}, "h100", {}}, {OpenCl, Cuda}, "1.0 2.0"},
      {{{}, "h100", {}}, {Cuda}, "none 2.0"},
      {{{}, "h100", {}}, {OpenCl}, "1.0 none"},
      {{"cuda", "1", {}}, {OpenCl, Cuda}, "none 2.1"},
      {{{}, {}, DeviceType::Cpu}, {OpenCl, Cuda}, "0.0 none"},
      {{{}, {}, DeviceType::Cpu},
       {Cuda},
       "no device is of the type 'cpu'; there is 'gpu'"},
      {{{}, {}, DeviceType::Gpu},
       {OpenCl, Cuda},
       "several devices are meant; choose one with -p, -t or -d:\n"
       "  -p 1 -d 0: NVIDIA H100 PCIe (OpenCL)\n"
       "  -p 1 -d 1: NVIDIA A2 (OpenCL)"}};
  for (const auto &each : cases)
    EXPECT_EQ(visible(each.choice, each.interfaces), each.expected);
}

TEST(DeviceChoice, AGpuOfOpenClIsVisibleInCudaToo) {
  std::vector<ComputeDevice> all = machine();
  all[2].uuid = all[4].uuid = "the A2";
  all[3].uuid = "the H100";
  EXPECT_EQ(visible({"opencl", "a2", {}}, {Interface::OpenCl}, all), "1.1 2.1");
  EXPECT_EQ(visible({"opencl", "h100", {}}, {Interface::OpenCl}, all),
            "1.0 none");
  EXPECT_EQ(visible({"portable", {}, {}}, {Interface::OpenCl}, all),
            "0.0 none");
}

TEST(DeviceChoice, TypesByName) {
  EXPECT_EQ(deviceTypeOf("gpu"), DeviceType::Gpu);
  EXPECT_EQ(deviceTypeOf("accelerator"), DeviceType::Accelerator);
  EXPECT_EQ(deviceTypeOf("GPU"), std::nullopt);
  EXPECT_EQ(deviceTypeOf(""), std::nullopt);
}

} // namespace
} // namespace kfuse
