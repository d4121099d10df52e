//===- clang-plugin/port/Copies.cpp - Planned copies as statements -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Copies.h"
#include "clang-plugin/port/Refuse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;
using brs::Section;

/// Elements between two neighbours of each dimension; nothing if an inner extent is not known.
static std::optional<std::vector<Expr>> pitchesOf(const brs::ArrayTransfers &array) {
  std::vector<Expr> pitches(array.extents.size(), Expr(1));
  for (size_t d = array.extents.size(); d-- > 1;) {
    if (!array.extents[d]) return std::nullopt;
    pitches[d - 1] = pitches[d] * *array.extents[d];
    if (pitches[d - 1].isPoisoned()) return std::nullopt;
  }
  return pitches;
}

static Pieces::Range linear(const Section &box, const std::vector<Expr> &pitches) {
  Expr first = 0, last = 0;
  std::vector<Expr> notLess;
  for (size_t d = 0; d < box.ranges.size(); ++d) {
    const brs::Range &range = box.ranges[d];
    first = first + range.lower * pitches[d];
    // With a step the last one may lie before the upper bound.
    last = last + (range.lower + floorDiv(range.upper - range.lower, range.step) * range.step) * pitches[d];
    notLess.push_back(range.upper - range.lower);
  }
  return {first, last, notLess};
}

static llvm::Expected<Pieces> wholePieces(const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                                          const projection::CopyMethod &method, const brs::Context &context,
                                          const std::optional<Expr> &all) {
  using Boxes = projection::CopyMethod::Boxes;
  std::optional<std::vector<Expr>> pitches = pitchesOf(array);
  if (!pitches) return refuse("the extents of " + array.name + " are not known");
  Pieces pieces;
  if (crossing.section.boxes.empty()) {
    Expr elements = 1;
    for (const std::optional<Expr> &extent : array.extents) elements = extent ? elements * *extent : Expr::poisoned();
    if (all) elements = *all; // which the recovered rows need not fill
    if (elements.isPoisoned()) return refuse("how large " + array.name + " is, is not known");
    pieces.ranges.push_back({0, elements - 1, {}});
    return pieces;
  }
  if (method.boxes == Boxes::Hull) {
    std::optional<Section> around = brs::hull(crossing.section, context);
    if (!around) return refuse("what is copied of " + array.name + " has no bounds");
    pieces.ranges.push_back(linear(*around, *pitches));
    return pieces;
  }
  std::vector<Section> boxes = crossing.section.boxes;
  if ((method.boxes == Boxes::Packed || method.boxes == Boxes::Apart) && boxes.size() > 1) {
    std::optional<std::vector<Section>> parts = brs::apart(crossing.section, context);
    if (!parts) return refuse("the boxes of " + array.name + " overlap in a way that cannot be cut apart");
    pieces.boxes = std::move(*parts);
    return pieces;
  }
  for (size_t k = 0; k < boxes.size(); ++k)
    if (k < method.takesHull.size() && method.takesHull[k]) pieces.ranges.push_back(linear(boxes[k], *pitches));
    else pieces.boxes.push_back(boxes[k]);
  return pieces;
}

llvm::Expected<Pieces> piecesOf(const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                                const projection::CopyMethod &method, const brs::Context &context,
                                std::optional<Expr> elements) {
  llvm::Expected<Pieces> pieces = wholePieces(array, crossing, method, context, elements);
  // What is touched lies inside; a bound of it need not.
  if (!pieces || !elements || crossing.section.exact) return pieces;
  auto mayPass = [&](const Expr &last) {
    return brs::isNonNegative(*elements - 1 - last, context) != brs::Answer::Yes;
  };
  for (Pieces::Range &range : pieces->ranges)
    if (mayPass(range.last)) {
      range.last = min(range.last, *elements - 1);
      pieces->isCut = true;
    }
  std::vector<Expr> pitches = pitchesOf(array).value_or(std::vector<Expr>());
  for (const Section &box : pieces->boxes)
    if (mayPass(linear(box, pitches).last))
      return refuse("a bound of what is copied of " + array.name + " may lie behind its end");
  return pieces;
}

std::optional<WholeRows> wholeRows(const Pieces &pieces, const brs::ArrayTransfers &array) {
  const std::optional<std::vector<Expr>> pitches = pitchesOf(array);
  if (!pitches || pitches->empty() || pieces.ranges.size() + pieces.boxes.size() != 1) return std::nullopt;
  if (!pieces.ranges.empty()) return WholeRows{pieces.ranges.front(), pitches->front()};
  const Section &box = pieces.boxes.front();
  for (size_t d = 0; d < box.ranges.size(); ++d) {
    const brs::Range &range = box.ranges[d];
    const bool isWhole = d == 0 || (range.lower.isZero() && range.upper == *array.extents[d] - 1);
    if (range.step != 1 || !isWhole) return std::nullopt;
  }
  return WholeRows{linear(box, *pitches), pitches->front()};
}

namespace {

class CopyWriter {
public:
  explicit CopyWriter(const CopyQuestion &q) : q(q), pitches(pitchesOf(q.array).value_or(std::vector<Expr>())) {}

  void run(const Pieces::Range &range);
  void box(const Section &box);
  std::vector<std::string> lines;

private:
  const CopyQuestion &q;
  std::vector<Expr> pitches;

  std::string text(const Expr &expr) const { return q.text(expr); }
  /// "" if there surely is one element, else the test for it.
  std::string isSome(const Expr &count) const {
    return brs::isNonNegative(count - 1, q.context) == brs::Answer::Yes ? "" : text(count) + " > 0";
  }
  std::string update(const std::string &first, const std::string &length) const {
    return std::string("#pragma omp target update ") + (q.toDevice ? "to(" : "from(") +
           (q.watched >= 0 ? "present: " : "") + q.pointer + "[" + first + ":" + length + "])" +
           (q.runs.empty() ? "" : " if(" + q.runs + ")");
  }
  void loops(const Section &box, size_t runDimension, const Expr &run);
  void rectangle(const Section &box, size_t runDimension, const Expr &run, const Expr &inner);
};

void CopyWriter::run(const Pieces::Range &range) {
  Expr length = range.last - range.first + 1;
  std::string from = text(range.first - q.offset), count = text(length), test;
  // A box that is empty in one dimension may have a last element behind its first all the same.
  std::vector<Expr> counts{length};
  for (const Expr &fact : range.notLess)
    if (range.notLess.size() > 1) counts.push_back(fact + 1);
  for (const Expr &each : counts)
    if (std::string one = isSome(each); !one.empty()) test += (test.empty() ? "" : " && ") + one;
  if (q.watched >= 0 && !test.empty()) count = "(" + test + " ? " + count + " : 0)";
  if (q.watched < 0)
    return lines.push_back(test.empty() ? update(from, count) : "if (" + test + ") {\n" + update(from, count) + "\n}");
  lines.push_back("{\n  const long busfare_count = busfare_copy(" + std::to_string(q.watched) + ", " + count +
                  ");\n  if (busfare_count > 0) {\n" + update(from, "busfare_count") + "\n  }\n}");
}

/// One update for each run, in loops over the outer dimensions.
void CopyWriter::loops(const Section &box, size_t runDimension, const Expr &run) {
  std::string statement, close, offset = text(Expr(0) - q.offset), indent, last;
  for (size_t d = 0; d < runDimension; ++d) {
    std::string index = "busfare_i" + std::to_string(d);
    const brs::Range &range = box.ranges[d];
    statement += indent + "for (long " + index + " = " + text(range.lower) + "; " + index + " <= " + text(range.upper) +
                 "; " + index + (range.step == 1 ? "++" : " += " + std::to_string(range.step)) + ") {\n";
    close = indent + "}\n" + close;
    indent += "  ";
    offset += " + " + index + " * (" + text(pitches[d]) + ")";
    last += (last.empty() ? "" : " && ") + index + " + " + std::to_string(range.step) + " > " + "(" +
            text(range.upper) + ")";
  }
  for (size_t d = runDimension; d < box.ranges.size(); ++d)
    offset += " + (" + text(box.ranges[d].lower * pitches[d]) + ")";
  std::string count = text(run);
  if (q.watched >= 0) {
    statement = "if (busfare_last >= 0) {\n" + statement;
    close += "}\n";
    std::string shortened = "(" + last + " ? busfare_last : " + count + ")";
    statement += indent + "const long busfare_count = " + shortened + ";\n" + indent + "if (busfare_count > 0) {\n";
    close = indent + "}\n" + close;
    count = "busfare_count";
  } else if (std::string test = isSome(run); !test.empty()) {
    statement += indent + "if (" + test + ") {\n";
    close = indent + "}\n" + close;
  }
  lines.push_back(statement + update(offset, count) + "\n" + llvm::StringRef(close).rtrim("\n").str());
}

void CopyWriter::rectangle(const Section &box, size_t runDimension, const Expr &run, const Expr &inner) {
  std::string volume, start, extents;
  // C++ lets nothing but constants narrow inside braces.
  auto size = [&](const Expr &expr) { return expr.constant() ? text(expr) : "(size_t)(" + text(expr) + ")"; };
  size_t rank = runDimension + 1;
  for (size_t d = 0; d < rank; ++d) {
    const brs::Range &range = box.ranges[d];
    std::string comma = d ? ", " : "";
    volume += comma + size(d == runDimension ? run : range.upper - range.lower + 1);
    start += comma + size(d == runDimension ? range.lower * inner : range.lower);
    Expr extent = d == 0 ? range.upper + 1 : *q.array.extents[d];
    extents += comma + size(d == runDimension ? extent * inner : extent);
  }
  // The device's address of the first element gives that of the whole.
  std::string first = text(linear(box, pitches).first - q.offset), dimensions = "[" + std::to_string(rank) + "]";
  Expr atStart = linear(box, pitches).first;
  std::string shift = text(atStart), condition = q.runs;
  for (size_t d = 0; d < rank; ++d)
    if (std::string test = isSome(d == runDimension ? run : box.ranges[d].upper - box.ranges[d].lower + 1);
        !test.empty())
      condition += (condition.empty() ? "" : " && ") + test;
  if (q.watched >= 0) condition = condition.empty() ? "busfare_kept" : condition + " && busfare_kept";
  std::string call = q.toDevice ? "(void *)(device - busfare_first), host - busfare_first"
                                : "(void *)(host - busfare_first), device - busfare_first";
  std::string devices = q.toDevice ? "omp_get_default_device(), omp_get_initial_device()"
                                   : "omp_get_initial_device(), omp_get_default_device()";
  // No const: clang takes a constant's first value, the host's address, for what use_device_ptr makes of it.
  std::string statement = (condition.empty() ? "{" : "if (" + condition + ") {");
  statement += "\n  const long busfare_first = " + shift + ";\n  __typeof__(&" + q.pointer +
               "[0]) host = " + q.pointer + " + (" + first +
               "), device = host;\n#pragma omp target data use_device_ptr(device)\n  {\n    const size_t volume" +
               dimensions + " = {" + volume + "}, start" + dimensions + " = {" + start + "}, extents" + dimensions +
               " = {" + extents + "};\n    omp_target_memcpy_rect(" + call + ", " + q.elementBytes + ", " +
               std::to_string(rank) + ", volume, start, start, extents, extents,\n                           " +
               devices + ");\n  }\n}";
  lines.push_back(statement);
}

void CopyWriter::box(const Section &box) {
  // The run: inner dimensions that are taken whole, and the next one as far as it is taken.
  size_t d = box.ranges.size();
  Expr run = 1;
  auto isWhole = [&](size_t k) {
    const brs::Range &range = box.ranges[k];
    return k > 0 && range.step == 1 && range.lower.isZero() && range.upper == *q.array.extents[k] - 1;
  };
  while (d > 0 && isWhole(d - 1)) run = run * *q.array.extents[--d];
  Expr inner = run;
  if (d > 0 && box.ranges[d - 1].step == 1) {
    --d;
    run = run * (box.ranges[d].upper - box.ranges[d].lower + 1);
  }
  // Dimensions outside it of which one index is taken need no loop.
  bool isOne = true, isDense = d < box.ranges.size();
  for (size_t k = 0; k < d; ++k) {
    isOne &= box.ranges[k].lower == box.ranges[k].upper;
    isDense &= box.ranges[k].step == 1;
  }
  if (isOne)
    return this->run({linear(box, pitches).first, linear(box, pitches).first + run - 1, linear(box, pitches).notLess});
  if (q.watched >= 0) {
    lines.push_back("const long busfare_last = busfare_copy(" + std::to_string(q.watched) + ", " + text(run) + ");");
    lines.push_back("const int busfare_kept = busfare_last == " + text(run) + ";");
  }
  if (isDense) rectangle(box, d, run, inner);
  else loops(box, d, run);
  if (q.watched >= 0 && isDense) {
    // A mutant: short by one element, or nothing at all.
    size_t at = lines.size();
    loops(box, d, run);
    lines[at] = "if (!busfare_kept) {\n" + lines[at] + "\n}";
  }
}

} // namespace

std::vector<std::string> copyStatements(const Pieces &pieces, const CopyQuestion &question) {
  std::vector<std::string> all;
  auto finish = [&](CopyWriter &writer) {
    // Watched pieces declare: each stands in a block of its own.
    if (question.watched >= 0 && writer.lines.size() > 1) all.push_back("{\n" + llvm::join(writer.lines, "\n") + "\n}");
    else all.insert(all.end(), writer.lines.begin(), writer.lines.end());
  };
  for (const Pieces::Range &range : pieces.ranges) {
    CopyWriter writer(question);
    writer.run(range);
    finish(writer);
  }
  for (const Section &box : pieces.boxes) {
    CopyWriter writer(question);
    writer.box(box);
    finish(writer);
  }
  return all;
}

} // namespace busfare::frontend::port
