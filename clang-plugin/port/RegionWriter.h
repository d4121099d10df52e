//===- clang-plugin/port/RegionWriter.h - What the parts of a region share -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A region is ported in this order; each part is a file of its own:
//
//   its ends (Region.cpp)             where it begins and ends, in every function on the way to it
//   places (RegionPlaces.cpp)         whether a statement is the place of one node of the plan
//   conditions (RegionConditions.cpp) what the plan takes for granted, tested where it begins
//   kernels (Region.cpp)              each as a target region (Kernel.h)
//   memory (RegionMemory.cpp)         of each array, from where to where
//   copies (RegionCopies.cpp)         the planned ones (Copies.h)
//   chunks (RegionChunks.cpp)         of a kernel that runs piece by piece, with the copies that do
//
// All of them ask for names of sizes and arrays at places (RegionNames.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_REGIONWRITER_H
#define BUSFARE_CLANG_PLUGIN_PORT_REGIONWRITER_H

#include "clang-plugin/port/Copies.h"
#include "clang-plugin/port/Kernel.h"
#include "clang-plugin/port/MapItem.h"
#include "clang-plugin/port/Region.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace busfare::frontend::port {

/// A member that answers false has said in `refusal` why.
class RegionWriter {
public:
  RegionWriter(const RegionQuestion &question, Instances &instances, PortedProgram &unit)
      : q(question), instances(instances), unit(unit), names(q.program, q.root) {}

  std::optional<Refusal> write();

private:
  using Node = skeleton::Node;
  using Expr = skeleton::Expr;
  using Location = skeleton::Location;
  using Kernels = std::vector<const skeleton::Loop *>;
  struct Position {
    const skeleton::Block *block = nullptr;
    size_t index = 0;
  };
  /// Of an array's device memory.
  struct Life {
    Place from, to;
    bool toBlockEnd = false;
  };

  const RegionQuestion &q;
  Instances &instances;
  PortedProgram &unit;
  Names names;
  std::optional<Refusal> refusal;
  std::map<const skeleton::Loop *, unsigned> pathOfLoop;
  std::map<const Node *, Position> positions;
  std::map<const skeleton::Block *, const Node *> owners; ///< The loop or branch that a block belongs to.
  /// By call path: the nodes of its function's text by their offset there.
  std::map<unsigned, std::multimap<unsigned, const Node *>> nodesAt;
  std::set<const Node *> conditional; ///< Below a branch.
  /// Before the region's first statement and behind its last: in the function itself, and at the calls that lead to it,
  /// the root's first.
  std::vector<Place> entries, exits;
  Place entry; ///< Where the condition is computed.
  size_t firstEntry =
      0; ///< Of the entries, the first at which the condition is known: device memory begins no earlier.
  std::vector<Expr> tested; ///< The region's conditions.
  brs::Context inside; ///< What holds where the region runs on the device.
  std::string runs; ///< C condition under which the region runs on the device; empty: always.
  std::set<std::string> staticNames;
  std::map<std::string, Life> lives;

  bool isWatched() const { return q.options.variant == Variant::Watched; }
  std::string entriesName() const { return "region " + std::to_string(q.number); }
  bool fail(const llvm::Twine &reason, const Location &at, Kernels kernels = {}) {
    if (!refusal) refusal = Refusal{reason.str(), at, std::move(kernels), {}, false, false, {}};
    return false;
  }

  // Places, and the region's ends.
  const StatementRun *runOf(const skeleton::Loop &loop) const;
  Kernels kernelsThatTouch(const std::string &array) const;
  void index(const skeleton::Block &block);
  bool runsWith(const Node &node, const Place &place);
  bool isOneWay(const Node &node, const Place &place, llvm::function_ref<bool(const Node &other)> isLike = nullptr);
  bool isBeside(const Node &node, const Node &other) const;
  void noteConditional();
  bool staysTogether(const Node &node, bool after, const Place &place, const std::string &copied = "");
  bool moveBeforeCondition(const Node &node, Place &place);
  bool leaveThreadsOfCallers(unsigned path, const Location &at, Kernels kernels = {});
  bool leaveThreads(Place &place);
  bool placeAt(const Node &node, bool after, Place &place, const Location &blame, const Kernels &kernels,
               const std::string &copied = "");
  SpotText *textAt(const Place &place, const Kernels &kernels = {});
  bool canStand();
  bool findEnds(const Node &first, const Node &last);

  // Names.
  bool holdsBehind(llvm::ArrayRef<Place> way, const Place &place, KeptSize &size);
  bool setAt(const Place &source, const std::string &symbol, const std::string &value, KeptSize size);
  bool setWhereKnown(const Place &source, const std::string &symbol, const KeptSize &size);
  const Node *loadOf(const std::string &symbol) const;
  bool keepLoaded(const std::string &symbol, const Place &place, KeptSize size);
  bool keep(const std::string &symbol, const Place &place);
  bool haveSizes(const Expr &expr, const Place &place);
  std::string text(const Expr &expr, const Place &place) { return toC(expr, *names.sizes(expr, place)); }
  std::optional<ArrayName> arrayAt(const std::string &array, const Place &place);
  std::optional<ArrayName> keepPointer(const std::string &array);
  /// What a clause calls an array, and the statements in front of the directive that make that a name.
  struct ClauseName {
    std::string text, open;
  };
  static ClauseName inClause(const ArrayName &name, bool flat, unsigned number = 1);
  ClauseName inUpdate(const ArrayName &name) const;
  static std::string inBlock(llvm::StringRef statements);

  // Conditions.
  bool areKnown(llvm::ArrayRef<Expr> sizes, const Place &place) const;
  std::vector<Expr> guardSizes() const;
  std::optional<std::string> guardCondition();
  std::string conditionFor(llvm::StringRef construct, const Location &at);
  std::string ifClause(llvm::StringRef construct, const Location &at);
  std::optional<std::string> noOverlap(llvm::StringRef assumption);
  bool chooseFacts();
  bool doubt(std::vector<Expr> facts);
  bool setUpCondition();

  // Kernels.
  bool reordersSums(const brs::Kernel &kernel) const;
  std::set<const clang::ValueDecl *> keepScalars(unsigned path, Instance &instance);
  bool writeKernels();

  // Memory.
  std::optional<Place> reaching(llvm::ArrayRef<Place> places, const std::string &array);
  bool isMadeBehind(const Place &place, const std::string &array) const;
  std::optional<Place>
  entryFor(const std::string &array); ///< The first place on the way to the region where the array's memory can begin.
  bool isDeclaredBefore(const Place &declaration) const;
  bool isBelow(unsigned path, unsigned caller) const;
  const Node *branchThatAllocates(const std::string &array) const;
  bool placeAllocation(const Node &allocated, const brs::ArrayTransfers &array, Place &from);
  struct Beginning {
    unsigned path;
    Location location;
    bool isBranch;
  };
  std::optional<Beginning> beginningOf(const std::string &array) const;
  bool isNamedTooEarly(const std::string &array);
  bool areApart(const brs::ArrayTransfers &array);
  bool hasMemory(const brs::ArrayTransfers &array); // MadeMemory.cpp
  bool lifeInside(const brs::ArrayTransfers &array, const std::optional<Place> &from, Life &life);
  /// What the region allocates and gives back of an array: the last of each, and how many.
  struct MemoryInside {
    const Node *allocated = nullptr, *freed = nullptr;
    unsigned allocations = 0, frees = 0;
  };
  llvm::ArrayRef<Node> statements() const;
  MemoryInside memoryOf(const std::string &array) const;
  const Node *moveOf(const std::string &array) const;
  Kernels kernelsBehind(const Node &move, const std::string &array) const;
  void endWhereFreed(const std::string &array, Life &life);
  void declareGlobal(const std::string &array);
  bool setUpLives();
  void giveOwnPages(const ArrayName &name, const Place &place);
  bool writeLives();
  std::vector<Place> placesOfValues() const;
  void writeValues();

  // Copies.
  brs::Context factsAt(const brs::Crossing &crossing) const;
  bool areCounted(llvm::ArrayRef<const skeleton::Loop *> loops) const;
  std::optional<ArrayName> nameForCopy(const brs::ArrayTransfers &array, const brs::Crossing &crossing, Place &place);
  std::vector<std::string> valuesOf(const brs::Crossing &crossing, const Place &place);
  bool writeCopy(const brs::ArrayTransfers &array, const brs::Crossing &crossing, bool toDevice);
  bool writeCopies();

  // Chunks.
  /// A copy that goes in pieces: of the elements first to last, row-major, all between included.
  struct ChunkedCopy {
    const brs::ArrayTransfers *array = nullptr;
    bool toDevice = false, exact = false;
    unsigned id = 0; ///< PlannedCopy::id
    ArrayName name;
    Expr first, last;
    brs::ChunkedArray::Frontier cut;
    std::string pointer, open; ///< ClauseName
    std::string next, end; ///< Variables: the first element that has not gone yet, and where a piece ends.
  };
  struct ChunkLoop;
  std::vector<ChunkedCopy> chunkedCopies;
  std::optional<KernelText> chunkKernel;
  Place chunkPlace; ///< Of the kernel's loop.
  ChunkNames chunkNames;
  std::vector<std::string> whyWhole; ///< Of arrays that do not go in pieces.
  std::optional<ChunkedCopy> chunkedCopy(const brs::ArrayTransfers &array, const brs::Crossing &crossing, bool toDevice,
                                         const PlannedCopy &planned, const Pieces &pieces, const ArrayName &name,
                                         const Place &place);
  bool setUpChunks();
  bool copiesWait(const brs::Context &facts) const;
  bool kernelsWait() const;
  std::string waits(ChunkLoop &loop, const std::string &what, const std::string &token, bool surelyMatters);
  bool nameInChunks(ChunkLoop &loop);
  bool describeLoop(ChunkLoop &loop);
  bool writeChunkedCopy(ChunkLoop &loop, ChunkedCopy &copy);
  void writeChunkedKernel(ChunkLoop &loop);
  bool writeChunks();
};

} // namespace busfare::frontend::port

#endif
