//===- projection/report/Pairing.h - Which of the old is which of the new -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pairs two lists by one question after the other, the surest first: what has the same
// key on both sides and no partner yet is paired in order.
//
//   old {a 1, a 2, b 3}, new {a 2, a 9}
//   by letter and number: a 2 with a 2; then by letter: a 1 with a 9; b 3 stays alone
//
// With the sides exchanged the same pairs come out.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_PAIRING_H
#define BUSFARE_PROJECTION_REPORT_PAIRING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace busfare::projection {

template <class Entry> class Pairing {
public:
  Pairing(llvm::ArrayRef<Entry> before, llvm::ArrayRef<Entry> after)
      : before(before), after(after), ofOld(before.size()), ofNew(after.size()) {}

  /// key(entry, isOld): nothing leaves the entry out of this question.
  template <class Key> void by(Key key) {
    std::map<std::string, std::vector<size_t>> waiting;
    for (size_t i = 0; i < before.size(); ++i)
      if (std::optional<std::string> text = ofOld[i] ? std::nullopt : key(before[i], true)) waiting[*text].push_back(i);
    std::map<std::string, size_t> taken;
    for (size_t j = 0; j < after.size(); ++j) {
      std::optional<std::string> text = ofNew[j] ? std::nullopt : key(after[j], false);
      auto found = text ? waiting.find(*text) : waiting.end();
      if (found != waiting.end() && taken[*text] < found->second.size()) pair(found->second[taken[*text]++], j);
    }
  }

  void pair(size_t i, size_t j) {
    ofOld[i] = j;
    ofNew[j] = i;
  }

  std::optional<size_t> newOf(size_t i) const { return ofOld[i]; }
  std::optional<size_t> oldOf(size_t j) const { return ofNew[j]; }

private:
  llvm::ArrayRef<Entry> before, after;
  std::vector<std::optional<size_t>> ofOld, ofNew;
};

/// One text of several, of which no other parts make the same.
inline std::string keyOf(std::initializer_list<llvm::StringRef> parts) {
  std::string key;
  for (llvm::StringRef part : parts) key += std::to_string(part.size()) + ":" + part.str();
  return key;
}

} // namespace busfare::projection

#endif
