//===- PictureTest.cpp - Pictures of roofs and kernels --------------------===//

#include "bench/Numbers.h"
#include "bench/draw/Labels.h"
#include "bench/draw/LogAxis.h"
#include "bench/draw/RooflinePlot.h"
#include "bench/draw/Svg.h"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace kfuse {
namespace {

using Tree = boost::property_tree::ptree;

Tree parsedXml(const std::string &text) {
  std::istringstream stream(text);
  Tree tree;
  boost::property_tree::read_xml(stream, tree);
  return tree;
}

/// Returns the elements of a name whose class has all the words.
std::vector<const Tree *> elements(const Tree &tree, const std::string &name,
                                   const std::vector<std::string> &words) {
  std::vector<const Tree *> found;
  for (const auto &[tag, child] : tree) {
    const std::string classes =
        " " + child.get("<xmlattr>.class", std::string()) + " ";
    if (tag == name &&
        std::all_of(words.begin(), words.end(), [&](const std::string &word) {
          return classes.find(" " + word + " ") != classes.npos;
        }))
      found.push_back(&child);
    const auto below = elements(child, name, words);
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

DeviceRoof roof(RoofKind kind, const char *name, const char *place,
                double value, bool isMeasured = true) {
  DeviceRoof each;
  each.kind = kind;
  each.name = name;
  each.place = place;
  each.value = value;
  each.isMeasured = isMeasured;
  return each;
}

RooflinePlot plotOf(std::vector<DeviceRoof> roofs) {
  RooflinePlot plot;
  plot.device.name = "x";
  plot.device.description = "<A> & \"B\"";
  plot.device.roofs = std::move(roofs);
  return plot;
}

RooflinePlot usualPlot() {
  return plotOf({roof(RoofKind::Memory, "DRAM copy", "DRAM", 4e12),
                 roof(RoofKind::Memory, "DRAM pins", "DRAM", 4.8e12, false),
                 roof(RoofKind::Memory, "L2 read", "L2", 1e13),
                 roof(RoofKind::Compute, "fp32 FMA", "fp32", 6e13),
                 roof(RoofKind::Compute, "no FMA", "fp32", 3e13),
                 roof(RoofKind::Latency, "DRAM", "DRAM", 7e-7)});
}

RoofKernel kernel(const std::string &name, double seconds, double operations,
                  double bytes) {
  RoofKernel each;
  each.name = name;
  each.seconds = seconds;
  each.operations = operations;
  each.bytes = bytes;
  return each;
}

TEST(Picture, APathForEachRoof) {
  const Tree tree = parsedXml(rooflineSvg(usualPlot()));
  EXPECT_EQ(tree.get("svg.<xmlattr>.role", ""), "img");
  EXPECT_EQ(tree.get("svg.title", ""), "Roofline of <A> & \"B\"");
  EXPECT_NE(tree.get("svg.desc", "").find("DRAM    4 TB/s"), std::string::npos);
  const auto ceilings = elements(tree, "g", {"ceiling"});
  ASSERT_EQ(ceilings.size(), 5u); // a latency is none
  std::size_t dashed = 0;
  for (const Tree *ceiling : ceilings) {
    EXPECT_EQ(elements(*ceiling, "path", {"roof"}).size(), 1u);
    const bool isDashed = !elements(*ceiling, "path", {"theoretical"}).empty();
    EXPECT_EQ(isDashed,
              ceiling->get("title", "") == "DRAM pins: 4.8 TB/s, theoretical");
    dashed += isDashed ? 1 : 0;
  }
  EXPECT_EQ(dashed, 1u);
  // Each level meets each ceiling.
  EXPECT_EQ(elements(tree, "circle", {"ridge"}).size(), 4u);
  EXPECT_TRUE(elements(tree, "g", {"kernel"}).empty());
}

TEST(Picture, KernelsByColourAndShape) {
  RooflinePlot plot = usualPlot();
  plot.kernels = {
      kernel("one", 1e-3, 1e9, 3.9e9),  kernel("two", 1e-3, 2e9, 3.9e9),
      kernel("both", 1.1e-3, 3e9, 4e9), kernel("busy", 1e-3, 5e10, 1e7),
      kernel("idle", 1e-3, 1e6, 1e6),   kernel("too fast", 1e-3, 1e9, 8e9),
      kernel("copy", 1e-3, 0, 3.9e9),   kernel("registers", 1e-3, 5e10, 0),
      kernel("nothing", 1e-3, 0, 0)};
  plot.kernels[0].fusedInto = plot.kernels[1].fusedInto = 2;
  plot.kernels[2].isFused = true;
  plot.kernels[4].isProjected = true;
  const std::string svg = rooflineSvg(plot);
  const Tree tree = parsedXml(svg);
  EXPECT_EQ(elements(tree, "g", {"kernel"}).size(), 8u);
  EXPECT_EQ(elements(tree, "g", {"kernel", "dram"}).size(), 5u);
  EXPECT_EQ(elements(tree, "g", {"kernel", "unit"}).size(), 2u);
  const auto idle = elements(tree, "g", {"kernel", "unbound"});
  ASSERT_EQ(idle.size(), 1u);
  EXPECT_EQ(elements(*idle.front(), "circle", {"hollow"}).size(), 1u);
  // The marks of kernels and those of the legend.
  EXPECT_EQ(elements(tree, "circle", {"above"}).size(), 2u);
  EXPECT_NE(svg.find("Above the roof: too fast."), std::string::npos);
  EXPECT_NE(svg.find("At the left edge: kernels without operations."),
            std::string::npos);
  EXPECT_NE(svg.find("aren't known: nothing."), std::string::npos);
  EXPECT_NE(svg.find("one: 1 ms, 1 Top/s, 3.9 TB/s of DRAM, 0.256 op/B; 98 % "
                     "of DRAM copy, bound by DRAM"),
            std::string::npos);
}

TEST(Picture, KernelsAtOnePlaceShareAMark) {
  RooflinePlot plot = usualPlot();
  for (const char *name : {"scale", "shift", "a<b>(int &)"})
    plot.kernels.push_back(kernel(name, 1e-3, 1e9, 3.9e9));
  const std::string svg = rooflineSvg(plot);
  EXPECT_EQ(elements(parsedXml(svg), "g", {"kernel"}).size(), 1u);
  EXPECT_NE(svg.find(">scale, shift, a&lt;b&gt;(int &amp;)<"),
            std::string::npos);
}

TEST(Picture, RoofsThatAreNearShareALine) {
  RooflinePlot plot = usualPlot();
  plot.device.roofs.push_back(
      roof(RoofKind::Memory, "DRAM write", "DRAM", 3.5e12));
  std::string svg = rooflineSvg(plot);
  EXPECT_EQ(elements(parsedXml(svg), "g", {"ceiling"}).size(), 5u);
  EXPECT_NE(svg.find("Not drawn: 1 roof that is less"), std::string::npos);
  EXPECT_NE(svg.find("DRAM copy: 4 TB/s, measured\nDRAM write: 3.5 TB/s"),
            std::string::npos);
  plot.hasAllRoofs = true;
  svg = rooflineSvg(plot);
  EXPECT_EQ(elements(parsedXml(svg), "g", {"ceiling"}).size(), 6u);
  EXPECT_EQ(svg.find("Not drawn"), std::string::npos);
}

TEST(Picture, UnitsThatKernelsUseOrTheBestOfEach) {
  RooflinePlot plot = usualPlot();
  plot.device.roofs.push_back(
      roof(RoofKind::Compute, "fp64 FMA", "fp64", 3e13));
  plot.device.roofs.push_back(
      roof(RoofKind::Compute, "fp64 add", "fp64", 1e13));
  plot.device.roofs.push_back(
      roof(RoofKind::Compute, "fp64 clock", "fp64", 3.2e13, false));
  const auto names = [&] {
    std::string text;
    const Tree tree = parsedXml(rooflineSvg(plot));
    for (const Tree *each : elements(tree, "g", {"ceiling", "unit"}))
      text += each->get("title", "").substr(0, 8) + "; ";
    return text;
  };
  EXPECT_EQ(names(), "fp32 FMA; fp64 FMA; fp64 clo; ");
  EXPECT_NE(rooflineSvg(plot).find("Not drawn: 2 roofs of fp32, fp64."),
            std::string::npos);
  plot.kernels = {kernel("copies", 1e-3, 0, 1e9)};
  EXPECT_EQ(names(), "fp32 FMA; fp64 FMA; fp64 clo; ");
  plot.kernels.push_back(kernel("adds", 1e-3, 1e9, 1e9));
  EXPECT_EQ(names(), "fp32 FMA; no FMA: ; ");
  EXPECT_NE(rooflineSvg(plot).find("Not drawn: 3 roofs of fp64."),
            std::string::npos);
  plot.kernels.back().unit = "fp64";
  EXPECT_EQ(names(), "fp64 FMA; fp64 add; fp64 clo; ");
  plot.hasChosenUnits = true;
  EXPECT_EQ(names(), "fp32 FMA; no FMA: ; fp64 FMA; fp64 add; fp64 clo; ");
}

TEST(Picture, EveryNumberCanBeDrawn) {
  const double sizes[] = {1e-30, 1e-6, 1, 1e6, 1e16, 1e30};
  for (const double bandwidth : sizes)
    for (const double peak : sizes) {
      RooflinePlot plot =
          plotOf({roof(RoofKind::Memory, "m", "DRAM", bandwidth),
                  roof(RoofKind::Memory, "n", "L1", 1e3),
                  roof(RoofKind::Compute, "c", "fp32", peak)});
      for (const double amount : sizes) {
        plot.kernels.push_back(kernel("k", 1, amount, 1 / amount));
        plot.kernels.push_back(kernel("k", amount, amount, 0));
        plot.kernels.push_back(kernel("k", amount, 0, amount));
      }
      const std::string svg = rooflineSvg(plot);
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_EQ(svg.find("inf"), std::string::npos);
      EXPECT_EQ(elements(parsedXml(svg), "g", {"ceiling"}).size(), 3u);
    }
}

TEST(Picture, TwelveLinesAtMost) {
  std::vector<DeviceRoof> roofs;
  for (int i = 0; i < 9; ++i) {
    const std::string name = "l" + std::to_string(i);
    roofs.push_back(
        roof(RoofKind::Memory, name.c_str(), name.c_str(), 1e12 + i));
    roofs.push_back(
        roof(RoofKind::Compute, name.c_str(), name.c_str(), 1e13 + i));
  }
  RooflinePlot plot = plotOf(roofs);
  plot.kernels = {kernel("k", 1, 1, 1)};
  const std::string text = rooflineText(plot);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 12);
  EXPECT_NE(text.find("(and 4 more)"), std::string::npos);
  EXPECT_NE(text.find("  1 kernel: 1 far from any roof\n"), std::string::npos);
}

TEST(Picture, Curves) {
  DeviceRoofs device;
  device.description = "x & y";
  device.curves = {
      {CurveKind::Bandwidth, "read", {{4096, 4e12}, {8192, 4e12}}, {}},
      {CurveKind::Bandwidth, "copy", {{4096, 3e12}}, {}},
      {CurveKind::Latency, "<loads>", {{4096, 3e-8}, {1e9, 6e-7}}, {}},
      {CurveKind::InFlight, "none", {}, {}}};
  device.curves[0].plateaus = {{"L1", 4096, 8192, 4e12}, {"far", 1, 2, 1e20}};
  const Tree tree = parsedXml(curvesSvg(device));
  EXPECT_EQ(elements(tree, "g", {"curve"}).size(), 3u);
  EXPECT_EQ(elements(tree, "rect", {"frame"}).size(), 2u);
  ASSERT_EQ(elements(tree, "path", {"plateau"}).size(), 1u);
  EXPECT_EQ(elements(tree, "path", {"plateau"}).front()->get("title", ""),
            "L1: 4 TB/s from 4 KiB to 8 KiB");
}

TEST(Picture, TheLawOfTheBytesInFlight) {
  DeviceRoofs device;
  device.curves = {{CurveKind::InFlight,
                    "in-flight",
                    {{1e4, 2e10}, {1e6, 1.5e12}, {1e8, 4e12}},
                    {}}};
  EXPECT_TRUE(elements(parsedXml(curvesSvg(device)), "g", {"flight"}).empty());
  device.flight = {4e12, 5e-7, 2};
  EXPECT_DOUBLE_EQ(device.flight->needed(), 2e6);
  EXPECT_DOUBLE_EQ(device.flight->bandwidthAt(2e6), 4e12 / std::sqrt(2.0));
  EXPECT_NEAR(device.flight->bandwidthAt(2e3), 4e9, 1e4);
  const std::string svg = curvesSvg(device);
  const Tree tree = parsedXml(svg);
  const auto flights = elements(tree, "g", {"flight"});
  ASSERT_EQ(flights.size(), 1u);
  EXPECT_EQ(flights.front()->get("title", ""),
            "fitted: 4 TB/s, 500 ns, knee 2");
  EXPECT_EQ(elements(*flights.front(), "path", {"roof"}).size(), 1u);
  EXPECT_EQ(elements(*flights.front(), "path", {"drop"}).size(), 1u);
  EXPECT_NE(svg.find(">4 TB/s · 500 ns = 2 MB<"), std::string::npos);
  // The most that a device file may have.
  device.flight->knee = 100;
  EXPECT_DOUBLE_EQ(device.flight->bandwidthAt(1e12), 4e12);
  // A law far from all points has no ridge there.
  device.flight = {4e24, 5e-7, 2};
  EXPECT_TRUE(elements(parsedXml(curvesSvg(device)), "path", {"drop"}).empty());
}

TEST(Picture, Numbers) {
  EXPECT_EQ(siText(4.269e12, "B/s"), "4.27 TB/s");
  EXPECT_EQ(siText(1000, "op/s"), "1 kop/s");
  EXPECT_EQ(siText(999.6, "op/s"), "1 kop/s");
  EXPECT_EQ(siText(1, "s"), "1 s");
  EXPECT_EQ(siText(0, "s"), "0 s");
  EXPECT_EQ(siText(42.5e6, "B"), "42.5 MB");
  EXPECT_EQ(siText(999.96e9, "B/s"), "1 TB/s");
  EXPECT_EQ(siText(680e-9, "s"), "680 ns");
  EXPECT_EQ(siText(3.4e-6, "s"), "3.4 µs");
  EXPECT_EQ(siText(1e30, "s"), "1e+30 s");
  EXPECT_EQ(bytesText(4096), "4 KiB");
  EXPECT_EQ(bytesText(1023), "0.999 KiB");
  EXPECT_EQ(bytesText(1.5 * 1048576), "1.5 MiB");
  EXPECT_EQ(numberText(14.05), "14.1");
  EXPECT_EQ(numberText(2346), "2350"); // three digits
  EXPECT_EQ(numberText(1.0 / 24), "0.0417");
  EXPECT_EQ(powerText(0.001), "0.001");
  EXPECT_EQ(powerText(20), "20");
  EXPECT_EQ(powerText(1e6), "10⁶");
  EXPECT_EQ(powerText(5e-12), "5·10⁻¹²");
  EXPECT_EQ(percentText(0.934), "93 %");
  EXPECT_EQ(percentText(0.0042), "0.42 %");
  EXPECT_EQ(percentText(2.5), "250 %");
}

TEST(Picture, Axes) {
  const LogAxis axis{1, 1000, 100, 400};
  EXPECT_DOUBLE_EQ(axis.at(10), 200);
  EXPECT_DOUBLE_EQ(axis.pixelsOf(10), 100);
  EXPECT_EQ(axis.powers(10, 50), (std::vector<double>{1, 10, 100, 1000}));
  EXPECT_EQ(axis.powers(10, 150), (std::vector<double>{1, 100}));
  const LogAxis upwards{3, 60, 400, 100};
  EXPECT_EQ(upwards.at(3), 400);
  EXPECT_EQ(upwards.decimals(20), (std::vector<double>{5, 10, 20, 50}));
  EXPECT_EQ((LogAxis{0.01, 100, 0, 100}.decimals(20)),
            (std::vector<double>{0.01, 0.1, 1, 10, 100}));
}

TEST(Picture, Texts) {
  EXPECT_EQ(escapedXml("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(cleanText("a\nb\x1b[0m\x7f"), "a b\uFFFD[0m\uFFFD");
  EXPECT_EQ(cleanText("\xEF\xBF\xBF \xC2\x85 ü€"), "\uFFFD \uFFFD ü€");
  EXPECT_EQ(shortened("kernel", 6), "kernel");
  EXPECT_EQ(shortened("kernels", 6), "kerne…");
  EXPECT_EQ(shortened("üüüü", 3), "üü…");
}

TEST(Picture, Boxes) {
  const LabelBox box{0, 0, 10, 5, 0};
  const double eighth = std::atan(1);
  struct {
    LabelBox other;
    bool isOverlap;
  } const cases[] = {
      {{15, 0, 4, 5, 0}, false},      {{15, 0, 6, 5, 0}, true},
      {{0, 11, 10, 5, 0}, false},     {{0, 0, 1, 1, 0}, true},
      {{12, 7, 4, 4, eighth}, true}, // a corner reaches in
      {{14, 9, 4, 4, eighth}, false}, {{0, 0, 100, 1, eighth}, true},
  };
  for (const auto &each : cases) {
    EXPECT_EQ(overlap(box, each.other), each.isOverlap);
    EXPECT_EQ(overlap(each.other, box), each.isOverlap);
  }
}

TEST(Picture, PlacesOfLabels) {
  LabelPlacer placer({50, 50, 50, 50, 0});
  placer.occupy({20, 20, 10, 10, 0});
  placer.refuseLine(0, 60, 100, 60, "L2");
  placer.avoidLine(70, 0, 70, 100);
  const LabelBox taken{20, 25, 10, 5, 0}, outside{95, 20, 10, 5, 0},
      along{30, 60, 10, 5, 0}, across{72, 30, 10, 5, 0}, free{50, 40, 10, 5, 0};
  using Index = std::optional<std::size_t>;
  EXPECT_EQ(placer.place({taken, outside, along}, LabelKind::Name), Index());
  EXPECT_EQ(placer.place({along}, LabelKind::Name, "DRAM"), Index());
  EXPECT_EQ(placer.place({taken, across, free}, LabelKind::Name), Index(2));
  EXPECT_EQ(placer.place({free, across}, LabelKind::Name), Index(1));
  EXPECT_EQ(placer.place({along}, LabelKind::Name, "L2"), Index(0));
  EXPECT_EQ(placer.place({along}, LabelKind::Number), Index());
  // A name lies across what is avoided, but not across a roof.
  const LabelBox upright{50, 60, 5, 10, 0};
  EXPECT_EQ(placer.place({upright}, LabelKind::Name, "DRAM"), Index());
  EXPECT_EQ(placer.place({upright}, LabelKind::Number), Index(0));
}

} // namespace
} // namespace kfuse
