//===- projection/report/MeasureWriters.cpp - A profile, for people ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/MeasureWriters.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::projection {

static std::string place(const ProfiledFunction &function, uint64_t line) {
  return function.file + ":" + std::to_string(line);
}

static void writeTimes(const Profile &profile, Page &page) {
  Table table({{"region or nest"}, {"times", Align::Right}, {"each", Align::Right}, {"in all", Align::Right}});
  auto add = [&](const std::string &name, uint64_t times, double seconds) {
    table.row({name, formatSize(times), times ? formatTime(seconds / double(times)) : "-", formatTime(seconds)});
  };
  for (const ProfiledRegion &region : profile.regions) add(region.id, region.entries, region.seconds);
  for (const ProfiledFunction &function : profile.functions)
    for (const ProfiledNest &nest : function.nests)
      add("  " + place(function, nest.line) + " in " + function.name, nest.executions, nest.seconds);
  if (table.empty()) return;
  page.heading("Times on this host");
  page.table(table);
  page.line();
}

static void writeCounts(const Profile &profile, Page &page) {
  Table loops(
      {{"loop"}, {"in"}, {"executions", Align::Right}, {"iterations", Align::Right}, {"on average", Align::Right}});
  Table branches({{"branch"}, {"in"}, {"executions", Align::Right}, {"taken", Align::Right}, {"share", Align::Right}});
  for (const ProfiledFunction &function : profile.functions) {
    for (const ProfiledLoop &loop : function.loops)
      loops.row({place(function, loop.line), function.name, formatExact(loop.executions), formatExact(loop.iterations),
                 loop.executions ? formatSize((loop.iterations + loop.executions / 2) / loop.executions) : "-"});
    for (const ProfiledBranch &branch : function.branches)
      branches.row({place(function, branch.line), function.name, formatExact(branch.executions),
                    formatExact(branch.taken),
                    branch.executions ? formatPercent(double(branch.taken) / double(branch.executions)) : "-"});
  }
  for (auto [table, heading] :
       {std::pair(&loops, "Trips that no size tells"), {&branches, "Branches that nothing decides"}}) {
    if (table->empty()) continue;
    page.heading(heading);
    page.table(*table);
    page.line();
  }
}

static void writeSizes(const Profile &profile, Page &page) {
  Table table({{"size"}, {"value", Align::Right}, {""}});
  for (const ProfiledFunction &function : profile.functions)
    for (const ProfiledSize &size : function.sizes)
      table.row({function.name + "::" + size.name, std::to_string(size.value),
                 size.least == size.most
                     ? ""
                     : std::to_string(size.least) + " to " + std::to_string(size.most) + ", the mean is taken"});
  if (table.empty()) return;
  page.heading("Sizes that the source leaves open");
  page.table(table);
  page.line();
}

void writeProfileText(const Profile &profile, llvm::raw_ostream &os) {
  Page page(os, 80, false);
  std::string command = llvm::join(profile.sources, " ");
  page.title("One run of " + command +
             (profile.arguments.empty() ? "" : " with " + llvm::join(profile.arguments, " ")));
  double overhead = profile.originalSeconds > 0 ? profile.seconds / profile.originalSeconds - 1 : 0;
  page.paragraph("It took " + formatTime(profile.originalSeconds) + ", with timers and counters " +
                 formatTime(profile.seconds) + ": an overhead of " +
                 (overhead > 0 ? formatPercent(overhead) : "nothing") + "." +
                 (profile.exitCode ? " Its exit code was " + std::to_string(profile.exitCode) + "." : ""));
  page.line();
  writeTimes(profile, page);
  writeCounts(profile, page);
  writeSizes(profile, page);
  if (!profile.notes.empty()) {
    page.heading("Not measured");
    for (const std::string &note : profile.notes) page.paragraph("- " + note, 2, 4);
    page.line();
  }
  page.heading("Next");
  os << "  busfare measure " << command << " --format json -o profile.json\n  busfare analyze " << command
     << " --profile profile.json\n";
}

std::vector<std::string> profileNotes(llvm::StringRef file, const std::map<std::string, int> &rows) {
  std::vector<std::string> notes;
  for (const auto &[name, match] : rows)
    if (match == int(ProfileMatch::Changed))
      notes.push_back((file + ": " + name + " has changed since it was measured; its rows are skipped").str());
    else if (match == int(ProfileMatch::Absent))
      notes.push_back((file + ": " + name + " is not in the program as it was measured; its rows are skipped").str());
  return notes;
}

} // namespace busfare::projection
