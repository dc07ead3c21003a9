//===- CostMemo.cpp - Each group is costed once ---------------------------===//

#include "ga/groups/CostMemo.h"

namespace kfuse {

CostMemo::Entry &CostMemo::Shard::place(SetKey key) {
  const std::size_t mask = entries.size() - 1;
  std::size_t index = key.low & mask;
  while (entries[index].key != SetKey() && entries[index].key != key)
    index = (index + 1) & mask;
  return entries[index];
}

void CostMemo::Shard::grow() {
  std::vector<Entry> old = std::move(entries);
  entries = std::vector<Entry>(2 * old.size());
  for (const Entry &entry : old)
    if (entry.key != SetKey())
      place(entry.key) = entry;
}

std::optional<double> CostMemo::find(SetKey key) {
  Shard &shard = shardOf(key);
  const std::lock_guard lock(shard.mutex);
  const Entry &entry = shard.place(key);
  if (entry.key == key)
    return entry.cost;
  return std::nullopt;
}

double CostMemo::ask(SetKey key, const ItemSet &set) {
  const bool isAsked = mayBeGroup(All, set);
  if (isAsked)
    Work.fetch_add(set.size() * set.size(), std::memory_order_relaxed);
  const double cost =
      isAsked ? All.problem.cost(set).value_or(Illegal) : Illegal;
  Shard &shard = shardOf(key);
  const std::lock_guard lock(shard.mutex);
  Entry &entry = shard.place(key);
  // Another thread may have been faster.
  if (entry.key == key)
    return entry.cost;
  entry = {key, cost};
  shard.evaluations += isAsked;
  if (++shard.used * 2 > shard.entries.size())
    shard.grow();
  return cost;
}

std::uint64_t CostMemo::evaluations() {
  std::uint64_t sum = 0;
  for (Shard &shard : Shards)
    sum += shard.evaluations;
  return sum;
}

} // namespace kfuse
