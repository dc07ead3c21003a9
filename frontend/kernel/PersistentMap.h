//===- PersistentMap.h - A map whose copies share what is alike -----------===//
//
// What is known of variables is copied at every branch and compared where its
// arms meet, but each arm changes few of them. A copy takes no time, a change
// that of a search, and a comparison that of what differs.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_PERSISTENTMAP_H
#define KFUSE_FRONTEND_KERNEL_PERSISTENTMAP_H

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace kfuse {

/// Maps pointers to values, as a search tree with higher priorities above lower
/// ones. Priorities are the keys' own, so that two maps of the same keys have
/// the same shape. Copies share the nodes that no change touches.
template <typename Key, typename Value> class PersistentMap {
public:
  bool contains(Key key) const { return find(key) != nullptr; }

  const Value *find(Key key) const {
    const Node *node = Root.get();
    while (node && node->key != key)
      node = isBefore(key, node->key) ? node->left.get() : node->right.get();
    return node ? &node->value : nullptr;
  }

  /// Returns the value of `key`, which is added if it is new. The reference is
  /// valid until the map is copied.
  Value &operator[](Key key) {
    const bool isNew = !contains(key);
    Link *link = &Root;
    while (*link && (isNew ? (*link)->priority > priorityOf(key)
                           : (*link)->key != key)) {
      Node &node = own(*link);
      link = isBefore(key, node.key) ? &node.left : &node.right;
    }
    if (!isNew)
      return own(*link).value;
    auto [left, right] = split(std::move(*link), key);
    *link = std::make_shared<Node>(
        Node{key, {}, priorityOf(key), std::move(left), std::move(right)});
    return (*link)->value;
  }

  void erase(Key key) {
    if (!contains(key))
      return;
    Link *link = &Root;
    while ((*link)->key != key) {
      Node &node = own(*link);
      link = isBefore(key, node.key) ? &node.left : &node.right;
    }
    Node &node = own(*link);
    *link = merged(std::move(node.left), std::move(node.right));
  }

  /// Calls `action(key, value)` for each entry, in the order of keys.
  template <typename Action> void forEach(Action action) const {
    visit(Root.get(), action);
  }

  /// Calls `action(key, mine, others)` for each entry that is not shared, with
  /// nullptr if a map has none. Takes copies, as `action` may change both maps.
  template <typename Action>
  static void compare(PersistentMap mine, PersistentMap others, Action action) {
    compare(std::move(mine.Root), std::move(others.Root), action);
  }

private:
  struct Node;
  using Link = std::shared_ptr<Node>;
  struct Node {
    Key key;
    Value value;
    std::uint64_t priority;
    Link left, right;
  };

  static bool isBefore(Key lhs, Key rhs) { return std::less<Key>()(lhs, rhs); }

  /// Returns the priority of `key`. The function is one to one, so that no two
  /// keys have the same.
  static std::uint64_t priorityOf(Key key) {
    auto bits =
        static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(key));
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
  }

  /// Returns the node of `link`, copied if other links lead to it as well. No
  /// other link may lead to the nodes above it.
  static Node &own(Link &link) {
    if (link.use_count() != 1)
      link = std::make_shared<Node>(*link);
    return *link;
  }

  /// Splits `tree`, which doesn't have `key`, into what is before and after it.
  static std::pair<Link, Link> split(Link tree, Key key) {
    if (!tree)
      return {};
    Node &node = own(tree);
    if (isBefore(node.key, key)) {
      auto [left, right] = split(std::move(node.right), key);
      node.right = std::move(left);
      return {std::move(tree), std::move(right)};
    }
    auto [left, right] = split(std::move(node.left), key);
    node.left = std::move(right);
    return {std::move(left), std::move(tree)};
  }

  static Link merged(Link left, Link right) {
    if (!left || !right)
      return left ? std::move(left) : std::move(right);
    if (left->priority > right->priority) {
      Node &node = own(left);
      node.right = merged(std::move(node.right), std::move(right));
      return left;
    }
    Node &node = own(right);
    node.left = merged(std::move(left), std::move(node.left));
    return right;
  }

  template <typename Action>
  static void visit(const Node *node, Action &action) {
    if (!node)
      return;
    visit(node->left.get(), action);
    action(node->key, node->value);
    visit(node->right.get(), action);
  }

  template <typename Action>
  static void compare(Link mine, Link others, Action &action) {
    if (mine == others)
      return;
    if (mine && others && mine->key == others->key) {
      compare(mine->left, others->left, action);
      action(mine->key, &mine->value, &others->value);
      compare(mine->right, others->right, action);
    } else if (!others || (mine && mine->priority > others->priority)) {
      auto [left, right] = split(std::move(others), mine->key);
      compare(mine->left, std::move(left), action);
      action(mine->key, &mine->value, static_cast<const Value *>(nullptr));
      compare(mine->right, std::move(right), action);
    } else {
      auto [left, right] = split(std::move(mine), others->key);
      compare(std::move(left), others->left, action);
      action(others->key, static_cast<const Value *>(nullptr), &others->value);
      compare(std::move(right), others->right, action);
    }
  }

  Link Root;
};

} // namespace kfuse

#endif
