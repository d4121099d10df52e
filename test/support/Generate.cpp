//===- test/support/Generate.cpp - Random skeletons -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every open loop's index lies in 0 .. n - 1; of an interior loop also its two
// neighbours do. Subscripts are built from that alone.
//
//===----------------------------------------------------------------------===//
#include "Generate.h"
#include <random>
#include <vector>

namespace {

struct Index {
  std::string name;
  int slack = 0; ///< name - slack and name + slack are in range too.
};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string text() {
    std::string storage = pick(2) ? "parameter" : "local", text = "skeleton 1\n";
    text += "global array g : f64[64]\n";
    text += storage == "parameter" ? "function f(param n, param steps, array u, array v, array x) {\n"
                                   : "function f(param n, param steps, array x) {\n";
    for (const char *name : {"u", "v"}) text += "  array " + std::string(name) + " : f64[n][n] " + storage + "\n";
    text += "  array x : f64[n]\n  array w : f64[n*n] local\n  array h : f32[n] heap\n"
            "  array s : f64\n  array t : f64 local\n";
    text += "  alloc h[n]\n";
    for (size_t k = 1 + pick(4); k > 0; --k) text += pick(3) == 0 ? timeLoop() : pick(4) == 0 ? host("  ") : loop("  ");
    return text + "  free h\n}\n";
  }

private:
  std::mt19937 random;
  std::vector<Index> indices;
  unsigned loops = 0, defines = 0;

  size_t pick(size_t count) { return random() % count; }

  /// Something in 0 .. n - 1.
  std::string position() {
    if (indices.empty() || pick(8) == 0) return pick(2) ? "0" : "n - 1";
    const Index &index = indices[pick(indices.size())];
    switch (pick(8)) {
    case 0: return "n - 1 - " + index.name;
    case 1: return "floor(" + index.name + " / 2)";
    case 2:
    case 3:
    case 4:
      if (index.slack > 0) return index.name + (pick(2) ? " + 1" : " - 1");
      [[fallthrough]];
    default: return index.name;
    }
  }

  std::string subscript() {
    size_t kind = pick(16);
    return "[" + (kind == 0 ? "?" : kind == 1 ? "? in 0 .. " + position() : position()) + "]";
  }

  std::string place() {
    switch (pick(9)) {
    case 0: return "s";
    case 1: return "t";
    case 2: return "x" + subscript();
    case 3: return "h" + subscript();
    case 4: return "w[(" + position() + ")*n + " + position() + "]";
    case 5: return "g[" + std::to_string(pick(64)) + "]";
    default: return (pick(2) ? "u" : "v") + subscript() + subscript();
    }
  }

  std::string access(const std::string &indent) {
    std::string text = indent + (pick(12) == 0 ? "may " : "");
    switch (pick(5)) {
    case 0:
    case 1: return text + "write " + place() + "\n";
    case 2: return text + "update " + place() + (pick(3) ? " +\n" : " max\n");
    default: return text + "read " + place() + "\n";
    }
  }

  std::string host(const std::string &indent) {
    return indent + "host io \"printf\" {\n" + indent + "  read " + place() + "\n" + indent + "}\n";
  }

  std::string condition() {
    if (indices.empty() || pick(4) == 0) return pick(2) ? "?" : "n >= 4";
    std::string index = indices[pick(indices.size())].name;
    switch (pick(5)) {
    case 0: return index + " >= 1";
    case 1: return "1 <= " + index + " <= n - 2";
    case 2: return index + " != 2";
    case 3: return index + " >= 1 and ?";
    default: return index + " == " + position() + " or n >= 5";
    }
  }

  std::string statement(const std::string &indent) {
    switch (pick(10)) {
    case 0: {
      std::string text = indent + "if " + condition() + " {\n" + body(indent + "  ", 2) + indent + "}";
      return text + (pick(2) ? " else {\n" + body(indent + "  ", 1) + indent + "}\n" : "\n");
    }
    case 1:
    case 2:
    case 3: return indices.size() < 4 ? loop(indent) : access(indent);
    case 4: {
      std::string name = "k." + std::to_string(++defines);
      return indent + "define " + name + " because \"memory\" in 0 .. n - 1\n" + indent + (pick(2) ? "read" : "write") +
             " x[" + name + "]\n";
    }
    case 5: return indent + "ops fp64.add 1 int 2\n";
    default: return access(indent);
    }
  }

  std::string body(const std::string &indent, size_t most) {
    std::string text;
    for (size_t k = 1 + pick(most); k > 0; --k) text += statement(indent);
    return text;
  }

  std::string loop(const std::string &indent) {
    Index index{"i." + std::to_string(++loops)};
    std::string outer = indices.empty() ? "1" : indices[pick(indices.size())].name, range;
    switch (pick(8)) {
    case 0: range = "n - 1 .. 0 step -1"; break;
    case 1: range = outer + " .. n - 1" + (pick(2) ? " step 2" : ""); break;
    case 2: range = "0 .. " + outer; break;
    case 3: range = "max(" + outer + " - 1, 0) .. min(" + outer + " + 1, n - 1)"; break;
    case 4: range = "0 .. n - 1 step 3"; break;
    case 5:
    case 6:
      range = "1 .. n - 2";
      index.slack = 1;
      break;
    default: range = "0 .. n - 1";
    }
    if (pick(12) == 0) range += " early-exit";
    indices.push_back(index);
    std::string text = indent + "for " + index.name + " = " + range + " {\n" + body(indent + "  ", 4) + indent + "}\n";
    indices.pop_back();
    return text;
  }

  /// The index of a time loop is in no subscript.
  std::string timeLoop() {
    std::string index = "step." + std::to_string(++loops);
    std::string text = "  for " + index + " = 0 .. steps - 1 time {\n";
    for (size_t k = 1 + pick(2); k > 0; --k) text += loop("    ");
    if (pick(3) == 0) text += host("    ");
    if (pick(4)) text += "    rotate u <- v, v <- u\n";
    return text + "  }\n";
  }
};

} // namespace

std::string busfare::test::randomSkeleton(unsigned seed) { return Generator(seed).text(); }
