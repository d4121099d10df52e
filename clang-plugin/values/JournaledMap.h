//===- clang-plugin/values/JournaledMap.h - A map that goes back ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function's symbols are tens of thousands, and an iteration on trial adds a few hundred that go again at its end.
// A map that writes down what it changes goes back without having been copied:
//
//   size_t mark = map.open();
//   map["a"] = 1;
//   map.backTo(mark);           // as it was
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VALUES_JOURNALED_MAP_H
#define BUSFARE_CLANG_PLUGIN_VALUES_JOURNALED_MAP_H

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace busfare::frontend {

template <typename Key, typename Value> class JournaledMap {
public:
  using const_iterator = typename std::map<Key, Value>::const_iterator;

  const_iterator begin() const { return entries.begin(); }
  const_iterator end() const { return entries.end(); }
  const_iterator find(const Key &key) const { return entries.find(key); }
  size_t count(const Key &key) const { return entries.count(key); }
  const Value &at(const Key &key) const { return entries.at(key); }

  /// Whoever asks may change the value until the map is used again.
  Value &operator[](const Key &key) {
    auto [known, isNew] = entries.try_emplace(key);
    if (opened > 0) changes.emplace_back(key, isNew ? std::nullopt : std::optional(known->second));
    return known->second;
  }

  /// Changes from here on can be undone. Marks end in the reverse of their order.
  size_t open() {
    ++opened;
    return changes.size();
  }
  /// Ends the mark: all is as it was then.
  void backTo(size_t mark) {
    for (; changes.size() > mark; changes.pop_back()) {
      auto &[key, before] = changes.back();
      if (before) entries[key] = std::move(*before);
      else entries.erase(key);
    }
    --opened;
  }

private:
  std::map<Key, Value> entries;
  std::vector<std::pair<Key, std::optional<Value>>> changes;
  unsigned opened = 0;
};

} // namespace busfare::frontend

#endif
