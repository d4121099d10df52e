//===- skeleton/Rare.h - What few objects have ----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A std::optional in the room of a pointer, for large parts that most objects do
// not have: skeletons of libraries have a hundred thousand nodes, and every node
// takes the room of the largest. Copies are deep.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_RARE_H
#define BUSFARE_SKELETON_RARE_H

#include <memory>
#include <utility>

namespace busfare::skeleton {

template <class T> class Rare {
public:
  Rare() = default; ///< Nothing.
  Rare(T value) : held(std::make_unique<T>(std::move(value))) {}
  Rare(const Rare &other) : held(other.held ? std::make_unique<T>(*other.held) : nullptr) {}
  Rare(Rare &&) noexcept = default;
  Rare &operator=(Rare other) noexcept {
    held = std::move(other.held);
    return *this;
  }

  explicit operator bool() const { return held != nullptr; }
  /// Only if there is something.
  const T &operator*() const { return *held; }
  T &operator*() { return *held; }
  const T *operator->() const { return held.get(); }
  T *operator->() { return held.get(); }

  friend bool operator==(const Rare &a, const Rare &b) { return a.held && b.held ? *a == *b : a.held == b.held; }

private:
  std::unique_ptr<T> held;
};

} // namespace busfare::skeleton

#endif
