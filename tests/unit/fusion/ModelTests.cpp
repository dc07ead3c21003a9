//===- ModelTests.cpp - The time that a kernel takes ----------------------===//

#include "fusion/device/CostModel.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

const Device &h200() {
  static const Device device = loadDevice("h200").device;
  return device;
}

/// Returns the work of a copy of 2^24 floats, one per thread.
KernelWork copy() {
  KernelWork work;
  work.threads = 1 << 24;
  work.threadsPerBlock = 512;
  work.registers = 16;
  work.bytesRead = work.bytesWritten = 4 * work.threads;
  work.memoryBytes = work.bytesRead + work.bytesWritten;
  return work;
}

double secondsWith(void (*change)(KernelWork &)) {
  KernelWork work = copy();
  change(work);
  return costOf(h200(), work).seconds;
}

TEST(CostModel, TakesLongerForMoreOfAnything) {
  const double plain = costOf(h200(), copy()).seconds;
  void (*const changes[])(KernelWork &) = {
      [](KernelWork &work) { work.memoryBytes *= 1.1; },
      [](KernelWork &work) { work.l2Bytes += 1e8; },
      [](KernelWork &work) { work.operations[ArithmeticUnit::Fp32] += 1e9; },
      [](KernelWork &work) { work.instructions += 1e9; },
      [](KernelWork &work) { work.waits = 3; },
      [](KernelWork &work) { work.registers = 200; },
      [](KernelWork &work) { work.sharedBytes = 100 << 10; },
  };
  for (const auto &change : changes)
    EXPECT_GT(secondsWith(change), plain) << &change - changes;
}

TEST(CostModel, MoreElementsAThreadFillTheMemory) {
  EXPECT_LT(secondsWith([](KernelWork &work) { work.elementsPerThread = 4; }),
            costOf(h200(), copy()).seconds);
}

TEST(CostModel, NamesWhatBounds) {
  struct Case {
    const char *bound;
    void (*change)(KernelWork &);
  };
  const Case cases[] = {
      {"bandwidth", [](KernelWork &) {}},
      {"L2", [](KernelWork &work) { work.l2Bytes = 1e9; }},
      {"flops",
       [](KernelWork &work) { work.operations[ArithmeticUnit::Fp32] = 1e12; }},
      {"latency", [](KernelWork &work) { work.waits = 6; }},
      {"launch",
       [](KernelWork &work) {
         work.threads = work.threadsPerBlock;
         work.memoryBytes = work.bytesRead = 1e3;
       }},
  };
  for (const Case &test : cases) {
    KernelWork work = copy();
    test.change(work);
    EXPECT_EQ(costOf(h200(), work).bound, test.bound);
  }
}

TEST(CostModel, EachUnitHasItsRate) {
  const Device device = h200();
  EXPECT_EQ(rateOf(device, ArithmeticUnit::Fp32), device.flopRate);
  // The fastest form of doubles, and the fastest function.
  EXPECT_EQ(rateOf(device, ArithmeticUnit::Fp64), 30.711e12);
  EXPECT_EQ(rateOf(device, ArithmeticUnit::Special), 4.1648e12);
  // A file without roofs tells one rate.
  const Device plain = loadDevice("cpu").device;
  EXPECT_EQ(rateOf(plain, ArithmeticUnit::Fp64), plain.flopRate);

  Operations operations;
  operations[ArithmeticUnit::Fp32] = 65.183e12;
  operations[ArithmeticUnit::Fp64] = 30.711e12;
  EXPECT_EQ(busiestUnit(device, operations), ArithmeticUnit::Fp32);
  EXPECT_NEAR(arithmeticSeconds(device, operations), 1, 1e-9);
  operations[ArithmeticUnit::Fp64] *= 2;
  EXPECT_EQ(busiestUnit(device, operations), ArithmeticUnit::Fp64);
  EXPECT_NEAR(arithmeticSeconds(device, operations), 2, 1e-9);
}

TEST(CostModel, TermsCanBeLeftOut) {
  KernelWork work = copy();
  work.l2Bytes = work.loadedBytes = 1e8;
  work.operations[ArithmeticUnit::Fp32] = 1e9;
  work.instructions = 1e9;
  const KernelCost all = costOf(h200(), work);
  for (const CostTerm term :
       {CostTerm::Launch, CostTerm::Starts, CostTerm::Memory, CostTerm::L2,
        CostTerm::L1, CostTerm::Flops, CostTerm::Issue}) {
    const KernelCost less = costOf(h200(), work, {term});
    EXPECT_GT(all.of(term), 0) << costTermName(term);
    EXPECT_EQ(less.of(term), 0) << costTermName(term);
    EXPECT_LT(less.seconds, all.seconds) << costTermName(term);
  }
}

TEST(CostModel, NothingTakesALaunchAndItsBlocks) {
  KernelWork work;
  work.threads = work.threadsPerBlock = 128;
  const Device device = h200();
  EXPECT_DOUBLE_EQ(costOf(device, work).seconds,
                   device.launchSeconds + device.blockSeconds);
  // A multiprocessor starts all of its blocks, also those behind others.
  for (const double blocks : {16.0, 160.0}) {
    work.threads = 128 * blocks * device.multiprocessors;
    EXPECT_DOUBLE_EQ(costOf(device, work).of(CostTerm::Starts),
                     blocks * device.blockSeconds);
  }
}

/// Checks a measurement: 5 million threads that each load the same 39,063
/// floats took 23.7 ms, bound by the L1.
TEST(CostModel, LoadsAreBoundByTheL1) {
  KernelWork work;
  work.threads = 5e6;
  work.threadsPerBlock = 128;
  work.bytesRead = work.memoryBytes = 4 * (5e6 + 39063);
  work.loadedBytes = 4 * 5e6 * 39063;
  const KernelCost cost = costOf(h200(), work);
  EXPECT_NEAR(cost.seconds, 23.7e-3, 1e-3);
  EXPECT_EQ(cost.bound, "L1");
}

/// Checks a measurement: a copy of 1 GiB moves 4,300 GB/s.
TEST(CostModel, ALargeCopyIsAsMeasured) {
  KernelWork work = copy();
  for (double *each :
       {&work.threads, &work.bytesRead, &work.bytesWritten, &work.memoryBytes})
    *each *= 16;
  work.elementsPerThread = 4;
  const double rate = work.memoryBytes / costOf(h200(), work).seconds;
  EXPECT_NEAR(rate, 4.2e12, 0.35e12);
}

} // namespace
} // namespace kfuse
