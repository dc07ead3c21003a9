//===- PersistentMapTests.cpp - Maps that share their contents ------------===//

#include "frontend/kernel/PersistentMap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

namespace kfuse {
namespace {

using Map = PersistentMap<const int *, int>;
using Plain = std::map<const int *, int>;

Plain contentsOf(const Map &map) {
  Plain contents;
  std::vector<const int *> keys;
  map.forEach([&](const int *key, int value) {
    contents[key] = value;
    keys.push_back(key);
  });
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  return contents;
}

TEST(PersistentMap, IsAsAPlainOne) {
  std::array<int, 40> keys{};
  std::mt19937 random(1);
  const auto upTo = [&](std::size_t count) { return random() % count; };
  // The maps are copies of copies; each is changed independently.
  std::vector<std::pair<Map, Plain>> maps(6);
  for (int step = 0; step < 4000; ++step) {
    auto &[map, plain] = maps[upTo(maps.size())];
    const int *key = &keys[upTo(keys.size())];
    switch (upTo(5)) {
    case 0:
      map.erase(key);
      plain.erase(key);
      break;
    case 1:
      maps[upTo(maps.size())] = std::pair(map, plain);
      break;
    default:
      map[key] = step;
      plain[key] = step;
    }
    const auto &[other, otherPlain] = maps[upTo(maps.size())];
    ASSERT_EQ(contentsOf(other), otherPlain) << "step " << step;
    for (const int &each : keys)
      ASSERT_EQ(other.contains(&each), otherPlain.contains(&each))
          << "step " << step << ", key " << &each - keys.data();
  }
}

TEST(PersistentMap, TellsWhatDiffers) {
  std::array<int, 40> keys{};
  std::mt19937 random(2);
  const auto upTo = [&](std::size_t count) { return random() % count; };
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    Map mine;
    for (std::size_t i = 0; i < upTo(30); ++i)
      mine[&keys[upTo(keys.size())]] = static_cast<int>(upTo(3));
    Map others = mine;
    for (std::size_t i = 0; i < upTo(5); ++i)
      mine[&keys[upTo(keys.size())]] = static_cast<int>(upTo(3));
    for (std::size_t i = 0; i < upTo(5); ++i)
      others.erase(&keys[upTo(keys.size())]);
    const Plain left = contentsOf(mine), right = contentsOf(others);
    Plain expected, differing;
    for (const int &key : keys)
      if (left.count(&key) != right.count(&key) ||
          (left.contains(&key) && left.at(&key) != right.at(&key)))
        expected[&key] = 1;
    const auto isSame = [](const Plain &plain, const int *key,
                           const int *value) {
      return plain.contains(key) ? value && *value == plain.at(key) : !value;
    };
    Map::compare(mine, others,
                 [&](const int *key, const int *value, const int *other) {
                   EXPECT_TRUE(isSame(left, key, value));
                   EXPECT_TRUE(isSame(right, key, other));
                   if (!value || !other || *value != *other)
                     differing[key] = 1;
                 });
    EXPECT_EQ(differing, expected);
  }
}

TEST(PersistentMap, LooksAtNothingThatIsShared) {
  std::vector<int> keys(1000);
  Map mine;
  for (const int &key : keys)
    mine[&key] = 1;
  Map others = mine;
  others[&keys[500]] = 2;
  std::size_t looked = 0;
  Map::compare(mine, others,
               [&](const int *, const int *, const int *) { ++looked; });
  EXPECT_GE(looked, 1u);
  EXPECT_LT(looked, 60u);
}

} // namespace
} // namespace kfuse
