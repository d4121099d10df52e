//===- clang-plugin/port/RegionChunks.cpp - A kernel that runs in chunks --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Streams in OpenMP: a loop over chunks makes tasks, and dependences say which wait for
// which. Between two cuts (brs/Chunks.h) lies one copy:
//
//   for (i = 1; i < n - 1; i++) b[i] = f(a[i - 1], a[i], a[i + 1]);
//   =>  enum { busfare_chunks = 4 };
//       for (busfare_chunk = 1 .. ) {
//         #pragma omp target update to(a[..]) depend(in: busfare_in[busfare_chunk - 1])
//             depend(out: busfare_in[busfare_chunk]) nowait
//         #pragma omp target teams .. depend(in: busfare_in[busfare_chunk])
//             depend(out: busfare_done[busfare_chunk]) nowait
//         for (i = busfare_first; i <= busfare_last; i++) b[i] = f(a[i - 1], a[i], a[i + 1]);
//         #pragma omp target update from(b[..]) depend(in: busfare_done[busfare_chunk]) nowait
//       }
//       #pragma omp taskwait
//
// A copy in waits for the one before it only where a chunk needs what an earlier one has
// brought, as here (a[i - 1]); a kernel waits for the one before it only where that writes
// of the levels which this one completes. A piece may be empty, and then copies nothing: its
// task is there all the same, for others wait for what it waits for.
//
// Watched, the same loop is gone through as often as runtime-bench/watch/Tasks.c says.
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Directive.h"
#include "clang-plugin/port/LoopForm.h"
#include "clang-plugin/port/RegionWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

static const char *const copyToken = "busfare_in", *const kernelToken = "busfare_done";

static std::string tokenOf(llvm::StringRef tokens, bool isBefore = false) {
  return (tokens + "[busfare_chunk" + (isBefore ? " - 1]" : "]")).str();
}

/// What its text is made of.
struct RegionWriter::ChunkLoop {
  std::vector<std::string> opens; ///< Declarations of pointers that clauses name.
  std::string from, trips;        ///< C: the lowest index, how many there are.
  std::string base;               ///< C: the same index as the skeleton counts it; empty: it is the same one.
  int64_t step = 1, skeletonStep = 1;
  brs::Context between; ///< What holds of a chunk that is not the last.
  std::vector<std::string> before, inside;
  bool doCopiesWait = false, doKernelsWait = false;
  bool areCopiesNeeded = false; ///< Surely, by some chunk behind theirs.
};

/// Can the region's kernel run in chunks at all, as far as can be seen before it is written?
bool RegionWriter::setUpChunks() {
  const brs::ChunkedKernel &chunked = *q.chunked;
  if (!chunked.loop || (!chunked.whyNot.empty() && !chunked.isUneven)) return fail(chunked.whyNot, q.region.location);
  if (q.region.kernels.size() != 1 || chunked.loops.size() != 1)
    return fail("it has several kernels, and only one can be written in chunks", q.region.location);
  if (q.guard) return fail("a guard decides where it runs", q.region.location);
  const auto *loop = std::get_if<Loop>(&(*q.region.block)[q.region.first].kind);
  if (q.region.first != q.region.last || loop != chunked.loop || runOf(*loop))
    return fail("its kernel does not stand by itself", q.region.location);
  chunkNames.first = "busfare_first";
  chunkNames.last = "busfare_last";
  return true;
}

/// Nothing: the copy is made whole, as others are.
std::optional<RegionWriter::ChunkedCopy> RegionWriter::chunkedCopy(const brs::ArrayTransfers &array,
                                                                   const brs::Crossing &crossing, bool toDevice,
                                                                   const PlannedCopy &planned, const Pieces &pieces,
                                                                   const ArrayName &name, const Place &place) {
  auto whole = [&](const std::string &why) {
    whyWhole.push_back(array.name + ": " + why);
    return std::nullopt;
  };
  auto chunked = llvm::find_if(q.chunked->arrays, [&](const brs::ChunkedArray &one) { return one.array == &array; });
  if (chunked == q.chunked->arrays.end()) return std::nullopt;
  const std::optional<brs::ChunkedArray::Frontier> &cut = toDevice ? chunked->neededTo : chunked->completeTo;
  if (!(toDevice ? chunked->isSplitIn : chunked->isSplitOut)) return whole(chunked->whyWhole);
  if (!cut) return whole("where a chunk's part of it ends is not known");
  if ((toDevice ? array.h2d : array.d2h).size() != 1 || !crossing.loops.empty() || planned.isConditional)
    return whole("it crosses in several copies, or not always");
  if (place.path != chunkPlace.path || place.spot != chunkPlace.spot) return whole("it crosses elsewhere");
  const std::optional<WholeRows> rows = wholeRows(pieces, array);
  if (!rows) return whole("parts of its rows cross, or rows that do not follow each other");
  // A box that is empty within its rows may have a last element behind its first all the same.
  const std::vector<Expr> &lengths = rows->range.notLess;
  if (lengths.size() > 1 && llvm::any_of(llvm::ArrayRef(lengths).drop_front(), [&](const Expr &less) {
        return brs::isNonNegative(less, inside) != brs::Answer::Yes;
      }))
    return whole("whether any of it crosses is not known");
  auto [pointer, open] = inUpdate(name);
  return ChunkedCopy{&array,           toDevice, planned.exact, planned.id, name, rows->range.first,
                     rows->range.last, *cut,     pointer,       open,       "",   ""};
}

/// A kernel then needs to wait for the copies of its own chunk alone, since these wait for the ones before them. What
/// comes back may be more than what the kernels of its chunk touch, up to what is in by then.
bool RegionWriter::copiesWait(const brs::Context &between) const {
  return llvm::any_of(chunkedCopies, [&](const ChunkedCopy &copy) {
    if (copy.toDevice) return copy.cut.crossesBack;
    auto in =
        llvm::find_if(chunkedCopies, [&](const ChunkedCopy &one) { return one.toDevice && one.array == copy.array; });
    return in != chunkedCopies.end() && brs::isNonNegative(copy.cut.level - in->cut.level, between) != brs::Answer::Yes;
  });
}

bool RegionWriter::kernelsWait() const {
  return llvm::any_of(chunkedCopies, [](const ChunkedCopy &copy) { return !copy.toDevice && copy.cut.crossesBack; });
}

/// A clause of the task that comes next; the watch library is told instead.
std::string RegionWriter::waits(ChunkLoop &loop, const std::string &what, const std::string &token,
                                bool surelyMatters) {
  if (!isWatched()) return "depend(in: " + token + ")";
  const unsigned id = unsigned(unit.dependences.size());
  unit.dependences.push_back({id, q.root.name, what, q.region.location, surelyMatters});
  loop.inside.push_back("busfare_depends(" + std::to_string(id) + ", &" + token + ", 0);");
  return "";
}

/// Variables of the chunks' own, and pointers that the copies name.
bool RegionWriter::nameInChunks(ChunkLoop &loop) {
  llvm::Expected<Instance *> instance = instances.at(q.root, chunkPlace.path);
  if (!instance) return fail(llvm::toString(instance.takeError()), q.region.location);
  std::set<std::string> opened;
  for (ChunkedCopy &copy : chunkedCopies) {
    if (copy.open.empty()) continue;
    if (!opened.insert(copy.pointer).second) {
      if (!llvm::is_contained(loop.opens, copy.open)) return fail("two arrays would have one name", q.region.location);
      continue;
    }
    loop.opens.push_back(copy.open);
  }
  for (ChunkedCopy &copy : chunkedCopies)
    for (auto [word, variable] : {std::pair("next", &copy.next), std::pair("end", &copy.end)}) {
      const std::string base =
          std::string("busfare_") + word + (copy.toDevice ? "_in_" : "_out_") + identifier(copy.array->name);
      *variable = base;
      for (unsigned k = 2; opened.count(*variable) || !(*instance)->kernelNames.insert(*variable).second; ++k)
        *variable = base + "_" + std::to_string(k);
    }
  return true;
}

/// Its indices as C, as the source has them and as the skeleton counts them.
bool RegionWriter::describeLoop(ChunkLoop &loop) {
  const FunctionSource &source = *chunkPlace.source;
  const auto *stmt = llvm::dyn_cast<clang::ForStmt>(withoutDirective(chunkPlace.spot->stmt));
  const std::optional<CanonicalLoop> form = stmt ? canonicalForm(stmt, source.context) : std::nullopt;
  const Loop &counted = *q.chunked->loop;
  if (!form || (form->step > 0) != (counted.step > 0) || counted.mayExitEarly)
    return fail("its loop is not counted as it is written", q.region.location);
  const bool isUp = form->step > 0;
  loop.step = std::abs(form->step);
  loop.skeletonStep = std::abs(counted.step);
  const std::string from = source.textOf(form->from->getSourceRange()), to = source.textOf(form->to->getSourceRange());
  const bool isInclusive = form->order == clang::BO_LE || form->order == clang::BO_GE;
  auto lessThan = [&](const std::string &a, const std::string &b) { return "(long)(" + a + ") - (long)(" + b + ")"; };
  std::string distance = isUp ? lessThan(to, from) : lessThan(from, to);
  if (isInclusive) distance += " + " + std::to_string(loop.step);
  else if (loop.step > 1) distance += " + " + std::to_string(loop.step - 1);
  loop.trips = loop.step > 1 ? "(" + distance + ") / " + std::to_string(loop.step) : distance;
  // The lowest of the indices.
  auto lowest = [&](const std::string &begin, int64_t step) {
    if (isUp) return begin;
    return begin + " - " + (step > 1 ? std::to_string(step) + " * " : "") + "(busfare_trips - 1)";
  };
  loop.from = lowest("(long)(" + from + ")", loop.step);
  if (!haveSizes(counted.lower, chunkPlace))
    return fail("where its loop begins has no name" + names.lacking(counted.lower, chunkPlace), q.region.location);
  const std::string counts = text(counted.lower, chunkPlace);
  if (counts != from || loop.step != loop.skeletonStep) loop.base = lowest("(long)(" + counts + ")", loop.skeletonStep);
  loop.between = inside;
  const Expr last = Expr::symbol(q.chunked->last);
  const Expr low = counted.step > 0 ? counted.lower : counted.upper,
             high = counted.step > 0 ? counted.upper : counted.lower;
  loop.between.assume(last - low);
  loop.between.assume(high - last - loop.skeletonStep);
  return true;
}

/// "const long busfare_end_in_a = ...": where this chunk's piece ends, and the piece itself.
bool RegionWriter::writeChunkedCopy(ChunkLoop &loop, ChunkedCopy &copy) {
  const std::string last = q.chunked->last;
  Expr level = copy.cut.level;
  if (!copy.toDevice) // and no more than is there by then
    for (const ChunkedCopy &in : chunkedCopies)
      if (in.toDevice && in.array == copy.array &&
          brs::isNonNegative(in.cut.level - level, loop.between) != brs::Answer::Yes)
        level = min(level, in.cut.level);
  Expr pitch = 1;
  for (size_t d = 1; d < copy.array->extents.size(); ++d) pitch = pitch * *copy.array->extents[d];
  Expr end = (level + 1) * pitch;
  const Expr limit = copy.last + 1;
  if (brs::isNonNegative(limit - end, loop.between) != brs::Answer::Yes) end = min(end, limit);
  Substitution toNext;
  toNext.emplace(last, Expr::symbol(last) + loop.skeletonStep);
  // The array's part may be empty, and its end lie in front of its beginning.
  const bool grows = brs::isNonNegative(limit - copy.first, inside) == brs::Answer::Yes &&
                     brs::isNonNegative(end - copy.first, loop.between) == brs::Answer::Yes &&
                     brs::isNonNegative((level.substitute(toNext) - level), loop.between) == brs::Answer::Yes;
  // Texts of the sizes in them.
  std::set<std::string> symbols;
  for (const Expr &each : {end, limit, copy.first, pitch, copy.name.offset}) symbols.merge(each.symbols());
  SymbolTexts texts;
  for (const std::string &symbol : symbols) {
    if (symbol == last) continue;
    const Expr size = Expr::symbol(symbol);
    if (!haveSizes(size, chunkPlace))
      return fail("a size of the copy of " + copy.array->name + " has no name where it is to stand" +
                      names.lacking(size, chunkPlace),
                  q.region.location);
    const SymbolTexts own = *names.sizes(size, chunkPlace);
    texts.insert(own.begin(), own.end());
    texts.further.insert(own.further.begin(), own.further.end());
  }
  texts[last] = "busfare_to";
  if (end.isPoisoned() || limit.isPoisoned() || copy.first.isPoisoned())
    return fail("how large " + copy.array->name + " is, is not known", q.region.location);
  const std::string begin = toC(copy.first, texts), all = toC(limit, texts);
  std::string here = toC(end, texts);
  if (isWatched())
    here = "busfare_cut(" + std::to_string(copy.id) + ", " + copy.next + ", " + here + ", " + all + ", " +
           (copy.toDevice ? "-" : "") + toOperand(pitch, texts) + ")";
  loop.before.push_back("long " + copy.next + " = " + begin + ";");
  std::vector<std::string> &lines = loop.inside;
  lines.push_back(std::string(grows ? "const " : "") + "long " + copy.end + " = busfare_chunk < busfare_count ? " +
                  here + " : " + all + ";");
  if (!grows) lines.push_back("if (" + copy.end + " < " + copy.next + ")\n  " + copy.end + " = " + copy.next + ";");
  const std::string offset = toOperand(copy.name.offset, texts);
  const std::string at = copy.next + (copy.name.offset.isZero() ? "" : " - " + offset);
  const std::string count = copy.end + " - " + copy.next;
  std::vector<std::string> clauses;
  auto wait = [&](const std::string &what, const std::string &token, bool matters) {
    if (std::string clause = waits(loop, what, token, matters); !clause.empty()) clauses.push_back(clause);
  };
  const std::string item = copy.pointer + "[" + at + ":";
  // The first of a chunk waits; the others write the same token behind it.
  if (copy.toDevice && loop.doCopiesWait)
    wait("the copies to the device wait for those of the chunk before", tokenOf(copyToken, true), loop.areCopiesNeeded);
  if (copy.toDevice) loop.doCopiesWait = false;
  if (!copy.toDevice) wait("a copy of " + copy.array->name + " waits for its kernel", tokenOf(kernelToken), copy.exact);
  if (isWatched()) {
    if (copy.toDevice) lines.push_back("busfare_depends(-1, &" + tokenOf(copyToken) + ", 1);");
    lines.push_back("if (busfare_task()" + (runs.empty() ? "" : " && (" + runs + ")") + ") {");
    lines.push_back("  const long busfare_granted = busfare_copy(" + std::to_string(copy.id) + ", " + count + ");");
    lines.push_back("  if (busfare_granted > 0) {");
    lines.push_back(std::string("#pragma omp target update ") + (copy.toDevice ? "to" : "from") + "(present: " + item +
                    "busfare_granted])");
    lines.push_back("  }\n}");
  } else {
    if (copy.toDevice) clauses.push_back("depend(out: " + tokenOf(copyToken) + ")");
    clauses.push_back("nowait");
    if (!runs.empty()) clauses.push_back("if(" + runs + ")");
    clauses.insert(clauses.begin(), (copy.toDevice ? "to(" : "from(") + item + count + "])");
    lines.push_back(directive("#pragma omp target update", clauses));
  }
  lines.push_back(copy.next + " = " + copy.end + ";");
  return true;
}

bool RegionWriter::writeChunks() {
  if (!q.chunked) return true;
  if (chunkedCopies.empty())
    return fail("no array can go in pieces" +
                    (whyWhole.empty() ? std::string() : " (" + llvm::join(whyWhole, "; ") + ")"),
                q.region.location);
  ChunkLoop loop;
  if (!describeLoop(loop) || !nameInChunks(loop)) return false;
  loop.doKernelsWait = kernelsWait();
  // A kernel that waits for the one before it waits for the copies of that, too.
  loop.doCopiesWait = !loop.doKernelsWait && copiesWait(loop.between);
  const bool anyIn = llvm::any_of(chunkedCopies, [](const ChunkedCopy &copy) { return copy.toDevice; });
  auto isSure = [&](bool toDevice) {
    return llvm::any_of(chunkedCopies, [&](const ChunkedCopy &copy) {
      return copy.toDevice == toDevice && copy.cut.surelyCrossesBack && copy.exact;
    });
  };
  loop.areCopiesNeeded = isSure(true);
  for (ChunkedCopy &copy : chunkedCopies)
    if (copy.toDevice && !writeChunkedCopy(loop, copy)) return false;
  // The kernel's clauses were decided when it was written.
  if (isWatched()) {
    if (anyIn) waits(loop, "the kernel waits for the copies of its chunk", tokenOf(copyToken), true);
    if (loop.doKernelsWait)
      waits(loop, "the kernel waits for that of the chunk before", tokenOf(kernelToken, true), isSure(false));
    loop.inside.push_back("busfare_depends(-1, &" + tokenOf(kernelToken) + ", 1);");
    loop.inside.push_back("if (busfare_task())");
  }
  llvm::Expected<Instance *> instance = instances.at(q.root, chunkPlace.path);
  if (!instance) return fail(llvm::toString(instance.takeError()), q.region.location);
  SpotText &spot = (*instance)->spots[chunkPlace.spot];
  std::vector<std::string> &kernel = spot.kernel;
  std::string pragma = chunkKernel->before.back();
  kernel.assign(chunkKernel->before.begin(), chunkKernel->before.end() - 1);
  if (!isWatched()) {
    std::vector<std::string> clauses;
    if (anyIn) clauses.push_back("depend(in: " + tokenOf(copyToken) + ")");
    if (loop.doKernelsWait) clauses.push_back("depend(in: " + tokenOf(kernelToken, true) + ")");
    clauses.push_back("depend(out: " + tokenOf(kernelToken) + ")");
    clauses.push_back("nowait");
    pragma += " \\\n    " + llvm::join(clauses, " ");
  }
  // What stands behind a loop without braces must not look as if it were part of it: all is as far to the left as that.
  std::vector<std::string> copiesIn = std::move(loop.inside);
  loop.inside.clear();
  for (ChunkedCopy &copy : chunkedCopies)
    if (!copy.toDevice && !writeChunkedCopy(loop, copy)) return false;

  kernel.push_back("{");
  llvm::append_range(kernel, loop.opens);
  const std::string size = "[busfare_chunks + 1]";
  kernel.push_back("enum { busfare_chunks = " + std::to_string(q.chunks) + " };");
  kernel.push_back(std::string("char ") + (anyIn ? copyToken + size + ", " : "") + kernelToken + size + ";");
  kernel.push_back(std::string("(void)") + (anyIn ? std::string(copyToken) + ", (void)" : "") + kernelToken + ";");
  kernel.push_back("const long busfare_trips = " + loop.trips + ";");
  kernel.push_back("const long busfare_from = " + loop.from + ";");
  if (!loop.base.empty()) kernel.push_back("const long busfare_base = " + loop.base + ";");
  kernel.push_back("const long busfare_count = busfare_trips > busfare_chunks ? busfare_chunks : busfare_trips > 0 ? "
                   "busfare_trips : 1;");
  if (isWatched())
    kernel.push_back("while (busfare_tasks(" + std::to_string(q.number) + ", " + (runs.empty() ? "1" : runs) + ")) {");
  llvm::append_range(kernel, loop.before);
  kernel.push_back("for (long busfare_chunk = 1; busfare_chunk <= busfare_count; busfare_chunk++) {");
  auto index = [&](llvm::StringRef base, int64_t step, const char *chunk, const char *less) {
    const std::string position = std::string("busfare_trips * ") + chunk + " / busfare_count" + less;
    return base.str() + " + " + (step == 1 ? position : std::to_string(step) + " * (" + position + ")");
  };
  const clang::QualType type =
      canonicalForm(llvm::cast<clang::ForStmt>(withoutDirective(chunkPlace.spot->stmt)), chunkPlace.source->context)
          ->variable->getType()
          .getUnqualifiedType();
  const std::string typeName = type.getAsString(chunkPlace.source->context.getPrintingPolicy());
  kernel.push_back("const " + typeName + " " + chunkNames.first + " = " +
                   index("busfare_from", loop.step, "(busfare_chunk - 1)", "") + ",\n      " + chunkNames.last + " = " +
                   index("busfare_from", loop.step, "busfare_chunk", " - 1") + ";");
  auto asks = [](const std::vector<std::string> &lines) {
    return llvm::any_of(lines, [](llvm::StringRef line) { return line.contains("busfare_to"); });
  };
  if (asks(copiesIn) || asks(loop.inside))
    kernel.push_back("const long busfare_to = " +
                     (loop.base.empty() ? std::string(chunkNames.last)
                                        : index("busfare_base", loop.skeletonStep, "busfare_chunk", " - 1")) +
                     ";");
  llvm::append_range(kernel, copiesIn);
  kernel.push_back(pragma);
  spot.behindKernel = std::move(loop.inside);
  spot.behindKernel.push_back("}");
  if (isWatched()) spot.behindKernel.push_back("}");
  else spot.behindKernel.push_back("#pragma omp taskwait");
  spot.behindKernel.push_back("}");
  llvm::append_range(spot.behindKernel, chunkKernel->after);
  unit.streams.push_back({q.number, q.root.name, q.region.location, q.chunks});
  return true;
}

} // namespace busfare::frontend::port
