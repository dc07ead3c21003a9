//===- Stages.h - The members of a group as stages ------------------------===//
#ifndef KFUSE_FUSION_GROUP_STAGES_H
#define KFUSE_FUSION_GROUP_STAGES_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/group/Stages.h"
#include "fusion/plan/Problem.h"

#include <boost/iterator/indirect_iterator.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace kfuse {

/// A sequence of stages. Copies share each stage until one of them changes it:
/// a search plans thousands of groups of the same launches, and seldom has to
/// change any.
class Stages {
public:
  using Shared = std::shared_ptr<const Stage>;

  void add(Shared stage) { Members.push_back(std::move(stage)); }
  void add(Stage stage) {
    Members.push_back(std::make_shared<const Stage>(std::move(stage)));
  }
  /// Replaces a stage by another; references to the old one become invalid.
  void replace(std::size_t number, Stage stage) {
    Members[number] = std::make_shared<const Stage>(std::move(stage));
  }

  std::size_t size() const { return Members.size(); }
  const Stage &operator[](std::size_t number) const { return *Members[number]; }
  const Stage &front() const { return *Members.front(); }
  const Stage &back() const { return *Members.back(); }
  auto begin() const { return boost::make_indirect_iterator(Members.begin()); }
  auto end() const { return boost::make_indirect_iterator(Members.end()); }

private:
  std::vector<Shared> Members;
};

/// Returns the launch's stage, which makeStage() makes once.
const Stages::Shared &stageOf(const Problem &problem, LaunchId launch,
                              SymbolSpace space);

} // namespace kfuse

#endif
