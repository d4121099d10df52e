//===- test/generator/Tree.cpp - Programs as text that can be read back ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One description of the format serves both ways: `go` writes a field or reads it.
//
//===----------------------------------------------------------------------===//

#include "test/generator/Tree.h"
#include <cstdio>
#include <sstream>

namespace busfare::generator {
namespace {

class Archive {
public:
  explicit Archive(bool writing, const std::string &text = "") : writing(writing), in(text) {}
  const bool writing;
  std::string out;
  bool broken = false;

  void word(std::string &text) {
    if (writing) {
      out += (text.empty() ? "-" : text) + " ";
    } else {
      broken |= !(in >> text);
      if (text == "-") text.clear();
    }
  }
  template <class T> void number(T &value) {
    std::string text = writing ? std::to_string(int64_t(value)) : "";
    word(text);
    if (!writing) value = T(broken || text.empty() ? 0 : strtoll(text.c_str(), nullptr, 10));
  }
  void real(double &value) {
    char buffer[40];
    snprintf(buffer, sizeof buffer, "%.17g", value);
    std::string text = writing ? buffer : "";
    word(text);
    if (!writing) value = strtod(text.c_str(), nullptr);
  }
  void line() {
    if (writing) out += "\n";
  }
  template <class T, class Go> void list(std::vector<T> &items, Go go) {
    size_t length = items.size();
    number(length);
    if (!writing) {
      if (length > 100000) broken = true;
      items.resize(broken ? 0 : length);
    }
    for (T &item : items)
      if (!broken) go(item);
  }

  void go(Ex &e) {
    bool isThere = e != nullptr;
    number(isThere);
    if (!isThere || broken) return;
    Expression copy = e ? *e : Expression();
    number(copy.kind), number(copy.type), number(copy.number), real(copy.real), number(copy.variable), number(copy.op),
        word(copy.name);
    list(copy.operands, [&](Ex &o) { go(o); });
    if (!writing) e = std::make_shared<const Expression>(std::move(copy));
  }

  void go(PointerValue &p) {
    number(p.base);
    list(p.subscripts, [&](Ex &e) { go(e); });
    go(p.offset);
    number(p.length);
    go(p.lengthText);
  }

  void go(Statement &s) {
    line();
    number(s.kind), number(s.variable);
    go(s.target), go(s.value), go(s.condition);
    number(s.op), number(s.step), number(s.declaredBefore);
    go(s.pointer);
    number(s.callee);
    list(s.arguments, [&](Argument &a) {
      go(a.value);
      go(a.pointer);
    });
    word(s.label);
    number(s.length);
    list(s.body, [&](Statement &inner) { go(inner); });
    list(s.otherwise, [&](Statement &inner) { go(inner); });
    if (hasForms) number(s.form), number(s.joinsNext);
  }

  void go(Program &p) {
    std::string version = formsVersion;
    word(version);
    hasForms = version == formsVersion;
    if (hasForms) word(p.name), number(p.isCxx);
    else p.name = version; // trees of before begin with it
    list(p.variables, [&](Variable &v) {
      line();
      number(v.kind), word(v.name), number(v.type);
      list(v.extents, [&](int64_t &e) { number(e); });
      list(v.extentTexts, [&](Ex &e) { go(e); });
      number(v.initial), number(v.isConst), number(v.isRestrict);
      if (hasForms) number(v.declared);
    });
    list(p.functions, [&](Function &f) {
      line();
      word(f.name);
      list(f.parameters, [&](int &v) { number(v); });
      list(f.body, [&](Statement &s) { go(s); });
    });
    line();
  }

private:
  static constexpr const char *formsVersion = "v2"; ///< With forms, declared extents and C++.
  bool hasForms = true;
  std::istringstream in;
};

} // namespace

std::string treeOf(const Program &program) {
  Archive archive(true);
  Program copy = program;
  archive.go(copy);
  return std::move(archive.out);
}

std::optional<Program> readTree(const std::string &text) {
  Archive archive(false, text);
  Program program;
  archive.go(program);
  if (archive.broken || program.functions.empty()) return std::nullopt;
  return program;
}

} // namespace busfare::generator
