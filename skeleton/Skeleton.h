//===- skeleton/Skeleton.h - The code skeleton ----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What busfare keeps of a program (GROPHECY++, section III): loops, accesses,
// operation counts, branches, calls, allocations, messages and library calls
// (Message.h). Nothing else. Its text form is
// a small language, read by Parse and written by Print:
//
//   skeleton 1
//   unit "jacobi.c"
//   function jacobi(param n, param steps, array u, array v) at 3:6 {
//     array u : f64[n][n] parameter
//     array v : f64[n][n] parameter
//     for t = 0 .. steps - 1 at 5:3 {
//       for i = 1 .. n - 2 at 6:5 omp(parallel for) {
//         for j = 1 .. n - 2 at 7:7 {
//           read u[i - 1][j] at 8:20
//           read u[i + 1][j] at 8:34
//           ops fp64.add 1 fp64.mul 1
//           write v[i][j] at 8:9
//         }
//       }
//       rotate u <- v, v <- u at 10:5
//     }
//   }
//
// Scalars are arrays of rank 0. Symbols (sizes, loop indices) are not memory:
// they are names of values that do not change once defined. A statement that
// takes part of the value of an unknown gets a fresh symbol by `define`.
//
// All effects are in execution order: the reads of a statement come before its
// write. Control flow is structured: `continue`, `break`, `return` under a
// condition appear as Branch around what follows, plus Loop::mayExitEarly.
//
// To add a node kind, touch: Skeleton.h, Parse.cpp, Print.cpp, Json.cpp,
// Verify.cpp, Inline.cpp, test/support/Oracle.cpp, brs/Effects.cpp and
// brs/Dependence.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_SKELETON_H
#define BUSFARE_SKELETON_SKELETON_H

#include "skeleton/Expr.h"
#include "skeleton/Finding.h"
#include "skeleton/Location.h"
#include "skeleton/Message.h"
#include "skeleton/Rare.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace busfare::skeleton {

/// What one element is. Text: f32 f64 f80 i8 i16 i32 i64 u8 u16 u32 u64 bool c64 c128 (complex of two
/// floats, two doubles), ptr, or struct<BYTES>.
struct ElementType {
  enum class Kind { Float, Signed, Unsigned, Bool, Complex, Pointer, Struct };
  Kind kind = Kind::Float;
  uint64_t bytes = 8;
  bool operator==(const ElementType &) const = default;
};
std::string toString(const ElementType &type);
/// May a value of the one type lie in an array of the other, in programs whose types do not mix (C 6.5, C++
/// [basic.lval])? Bytes may be part of anything, and so may structs; an integer is as good as any of its size.
bool mayBeOfType(const ElementType &value, const ElementType &element);

/// Where an array's memory comes from and who can see it.
enum class Storage {
  Parameter, ///< Passed in by the caller: live-in and live-out of a root.
  Global,    ///< Static storage: live-in and live-out of a root (not of main: the program ends).
  Local,     ///< Automatic: dead when its function returns.
  Heap,      ///< From malloc, calloc, new: lives from Allocate to Free.
  Given,     ///< What unseen code returned or set a pointer to: others know of it as well, before and after.
  Alias,     ///< A second name for a part of other objects that cannot be told: may be any of `mayBe` (or anything if
             ///< empty).
};

/// Ends the name of an array that stands for a pointer variable itself, not for what it points to: `p (pointer)`.
inline constexpr const char *pointerSuffix = " (pointer)";

/// What a table of pointers points to, flattened: `a[]`, of which `a[i][j]` is an element. Its rows are pieces of
/// memory of their own, of any length each, so inner extents are no strides.
enum class Rows {
  None,     ///< The array is one piece of memory.
  Assumed,  ///< That no two rows overlap, and that they stay where they are, is assumed.
  Distinct, ///< They were seen to be allocated one by one, or belong to containers.
};

/// How large what a pointer leads to is behind the places where it may have got new memory.
struct Remade {
  Expr then;  ///< So many elements, either way,
  Expr entry; ///< if it had so many when the function began.
  bool operator==(const Remade &) const = default;
};

/// An array, or a scalar in memory if it has no extents.
struct Array {
  std::string name;  ///< As spelled in its function; unique in it (a shadowing one gets `.2`).
  ElementType type;
  /// Elements per dimension, outermost first. Nothing = unknown (only the first of a
  /// pointer, usually). A pointer that is subscripted flat has one dimension; brs/Shape
  /// recovers the rest.
  std::vector<std::optional<Expr>> extents;
  Storage storage = Storage::Local;
  bool isConst = false;    ///< Nothing in this function writes it (const-qualified pointee or object).
  /// Of a parameter: declared restrict (or __restrict), or a copy; overlaps no other parameter. Of a local: only ever
  /// named, so that no pointer leads to it, not even one of which nothing is known.
  bool isRestrict = false;
  /// Lives in the innermost loop body that declares it: a fresh one each iteration,
  /// its value neither comes in nor goes out. Set for variables declared inside a loop.
  bool perIteration = false;
  bool isStatic = false; ///< Of a global: only its unit sees it, so another unit's of the same name is another.
  /// Of a global: what a global pointer of that name, or one behind it, points to on entry. Unless the program begins
  /// there (in main), that may be part of another global.
  bool isPointee = false;
  /// It is named by a pointer that unseen code could have set to other memory; that it does not is assumed.
  bool isSteady = false;
  /// Of what a global pointer or a record's leads to: whatever memory the program puts there is of a size that it
  /// states, where it does or in other fields of the record.
  bool isSized = false;
  /// Of an Alias: its pointer is set once, so equal subscripts are one element.
  bool isFixed = false;
  Rows rows = Rows::None;
  std::vector<std::string> mayBe; ///< Of an Alias.
  /// Of an Alias of anything: objects that the function itself may have given it, which no assumption keeps apart.
  std::vector<std::string> likely;
  Rare<Remade> remade = {}; ///< Of a parameter of one dimension that the function allocates on some ways.
  /// Of what a call's pointer leads to behind such places: the caller's array, whose memory it is if it is not new.
  std::string insteadOf = {};
  Location location;

  bool isScalar() const { return extents.empty(); }
  bool operator==(const Array &) const = default;
};
/// Does no pointer lead to it, not even one of which nothing is known?
inline bool isOnlyNamed(const Array &array) { return array.storage == Storage::Local && array.isRestrict; }

/// Where a value that is not known was loaded from: scale * (an element of the integer array) + offset.
struct Loaded {
  std::string array;
  int64_t scale = 1; ///< Never 0.
  Expr offset;
  /// Of a Define: which element; empty where nobody asks. (Who may overlap with what begins at another element's
  /// value?)
  std::vector<Expr> element = {};
  bool operator==(const Loaded &) const = default;
};

/// One index of an access.
struct Subscript {
  std::optional<Expr> value; ///< Nothing: not known (read from memory, not affine, ...).
  /// Of an unknown value: what is known of its range (inclusive); from guards or a hint.
  std::optional<Expr> atLeast, atMost;
  Rare<Loaded> from = {}; ///< Of an unknown value.
  bool operator==(const Subscript &) const = default;
};

enum class AccessKind {
  Read,
  Write,
  Update, ///< x = x op e, where e does not use x and op is associative and commutative: reads, then writes.
};

/// The operators a reduction may have. Text: + * min max & | ^ && ||. A subtraction counts as Add.
enum class ReductionOp { None, Add, Multiply, Min, Max, BitAnd, BitOr, BitXor, And, Or };

/// Bytes of an element that is a struct.
struct Part {
  uint32_t offset = 0, bytes = 0; ///< No bytes: perhaps all of the element.
  bool isExact = true; ///< Else some of them: an element of an array in the struct.
  bool operator==(const Part &) const = default;
};
/// Have the two no byte in common, for sure?
inline bool areApart(const Part &a, const Part &b) {
  return a.bytes && b.bytes && (a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset);
}

/// One access to one element (or, with unknown subscripts, to some element).
struct Access {
  AccessKind kind = AccessKind::Read;
  std::string array;
  std::vector<Subscript> subscripts; ///< One for each extent of the array.
  Part part = {}; ///< Of an element that is a struct: it touches nothing else of it. See overwrites().
  ReductionOp op = ReductionOp::None; ///< Of an Update.
  /// Whether it happens at all is not known, beyond the branches around it (what an opaque call does).
  bool may = false;
  /// Of a scalar: the access only computes the next value of an induction variable whose closed form replaced
  /// every use, so it carries no dependence.
  bool induction = false;
  /// It may be of values that are not of the array's element type: parts of them, several, bytes that are copied.
  bool bytewise = false;
  /// Of a write of an integer: what is written, if it is known and somebody asks (a hint on the array's values).
  Rare<Expr> value = {};
  /// Of an array with rows, where no subscripts say it (brs/Shape.h): the element, counted from the array's first.
  Rare<Expr> flat = {};
  Location location;
  bool operator==(const Access &) const = default;
};

/// All that says which elements the access is of.
template <class F> void forEachSubscriptExpr(const Access &access, F f) {
  for (const Subscript &subscript : access.subscripts)
    for (const auto *expr : {&subscript.value, &subscript.atLeast, &subscript.atMost})
      if (*expr) f(**expr);
  if (access.flat) f(*access.flat);
}

/// Is it a load of one value of the array's element type? (What stands in a host statement may be more.)
inline bool readsValue(const Access &access) {
  return access.kind == AccessKind::Read && !access.may && !access.bytewise;
}
/// Does it surely give the whole element a new value?
inline bool overwrites(const Access &access) {
  return access.kind != AccessKind::Read && !access.may && !access.part.bytes;
}

/// Does it perhaps touch any element there is, and surely none?
inline bool isOfAnyElement(const Access &access) {
  return access.may && !access.flat &&
         std::all_of(access.subscripts.begin(), access.subscripts.end(),
                     [](const Subscript &subscript) { return subscript == Subscript(); });
}

/// What an instruction costs. Text: fp64.fma and so on.
enum class Operation {
  Fp32Add,
  Fp32Multiply,
  Fp32Fma,
  Fp32Divide,
  Fp32Special, ///< Special: sqrt, exp, log, sin, pow, ... one each.
  Fp64Add,
  Fp64Multiply,
  Fp64Fma,
  Fp64Divide,
  Fp64Special,
  Integer, ///< Integer arithmetic that is no subscript computation.
  Compare, ///< Comparisons and selects of any type.
  Conversion, ///< Between integer and floating point, or float and double.
};
std::string toString(Operation operation);

/// Operations done once each time control passes here. Each kind at most once.
struct Operations {
  std::vector<std::pair<Operation, double>> counts;
  bool operator==(const Operations &) const = default;
};

struct Node;
using Block = std::vector<Node>;

/// What an OpenMP directive on a loop claims. A fact to check, not to believe.
struct Directive {
  std::string text; ///< As written after `#pragma omp`, blanks normalised.
  std::vector<std::string> privates, firstprivates, lastprivates;
  std::vector<std::pair<ReductionOp, std::string>> reductions;
  unsigned collapse = 1;
  bool takesTurns = false; ///< Iterations do some of their work in order, or one at a time: ordered, atomic, critical.
  bool isParallel = false; ///< Iterations are said to be independent (for, distribute, taskloop, simd without safelen).
  bool operator==(const Directive &) const = default;
};

/// What the user says of a loop or a function (`// busfare: ...`). It is taken as true unless the analysis refutes it.
struct Hints {
  bool independent = false; ///< The iterations are independent.
  std::vector<std::string> temporaries; ///< Arrays whose contents are dead outside.
  std::vector<std::vector<std::string>> noalias; ///< Groups of arrays that do not overlap.
  std::vector<std::pair<std::string, int64_t>> sizes; ///< size(n=4096).
  std::vector<std::tuple<std::string, Expr, Expr>> ranges; ///< range(col: 0, m-1): values held by an integer array.
  std::vector<std::string> ignoredRules; ///< ignore(BF012).
  Location location; ///< Where the first of them is written.
  unsigned lastLine = 0; ///< The last line of the loop or function; 0: that of the last thing its skeleton keeps.
  bool operator==(const Hints &) const = default;
  bool empty() const {
    return !independent && temporaries.empty() && noalias.empty() && sizes.empty() && ranges.empty() &&
           ignoredRules.empty();
  }
};
/// What `more` says besides; places stay.
void add(Hints &hints, const Hints &more);

/// An integer in memory whose value is taken to be fixed.
struct SteadyElement {
  std::string array;
  std::vector<std::optional<Expr>> subscripts; ///< One for each extent of the array; nothing: any.
  bool operator==(const SteadyElement &) const = default;
};

enum class LoopForm { For, While, Do, RangeFor, Algorithm };

/// A loop but for its body. index takes lower, lower + step, ... as long as it is <= upper (step > 0) or >= upper (step
/// < 0). An unknown trip count is a symbol defined just before: `define trips.1; for it.1 = 0 .. trips.1 - 1`.
struct LoopHead {
  std::string index; ///< Unique in its function (`i`, then `i.2`, ...).
  Expr lower, upper; ///< Both inclusive; evaluated once, on entry.
  int64_t step = 1; ///< Never 0.
  LoopForm form = LoopForm::For;
  bool mayExitEarly = false; ///< May stop before upper: iterations that run are a prefix of those given.
  bool endsInside = false; ///< Of those: only jumps from inside an iteration end it, so the first one given does run.
  bool isLoosened = false; ///< Of those: its bounds may change while it runs. Only after Inline.
  bool isTimeLoop = false; ///< The author of a skeleton says so, although the index is used inside.
  bool isTrusted =
      false; ///< What a directive says of its iterations is taken for true where nothing refutes it: trustDirectives().
  Rare<Directive> directive;
  Rare<Hints> hints;
  /// Integers whose values are used in the loop as they were before it: nothing may write them through another name.
  Rare<std::vector<SteadyElement>> steady;
  /// Functions of a shared library that run in it as they are defined here, unless a program puts its own in their
  /// place.
  Rare<std::vector<std::string>> believing;
  /// The calls through which it was reached, outermost first: "step (jacobi.c:40)". Only after Inline.
  std::vector<std::string> context;
  Location location; ///< Of the keyword, expansion location.
  bool operator==(const LoopHead &) const = default;
};
/// How far the last index that may be lies behind the first, in the direction of the step: negative means no iteration.
Expr spanOf(const LoopHead &loop);

struct Loop : LoopHead {
  Block body;
  bool operator==(const Loop &) const;
};

/// When the `then` part runs.
struct Condition {
  /// Any of these conjunctions holds; each Expr means Expr >= 0. Empty = nothing is known.
  std::vector<std::vector<Expr>> anyOf;
  /// anyOf is the whole truth: then runs exactly when it holds, else exactly when not.
  /// Otherwise anyOf is only necessary for `then`, and nothing is known of `otherwise`.
  bool exact = false;
  double probability = 0.5; ///< Of `then`, used when anyOf does not decide.
  bool isMeasured = false; ///< A run has shown the probability; else it is a guess.
  bool operator==(const Condition &) const = default;
};

struct Branch {
  Condition condition;
  Block then, otherwise;
  /// then is what follows a statement that may have jumped past it (continue, break, return): nothing can be put right
  /// before or behind it that runs whether or not it does.
  bool isRest = false;
  Location location;
  bool operator==(const Branch &) const;
};

/// A quotient rounded down, where the divisor is at least 1.
struct Quotient {
  Expr dividend, divisor;
  bool operator==(const Quotient &) const = default;
};

/// Names a value that is not computed by the skeleton: `define n.2 because "atoi(argv[1])"`.
struct Define {
  std::string symbol;
  std::optional<Expr> atLeast, atMost; ///< What is known of it; inclusive.
  std::optional<Expr> value; ///< Rarely: known after all (after substitution of an argument).
  std::string reason;
  Location location;
  Rare<Loaded> from = {}; ///< Of a value that is not known.
  /// What it is as the code stands, unless input or arguments decide otherwise: 30 after `n = 30; if (argc > 1) n =
  /// atoi(argv[1])`. Says what a size is likely to be; nothing may be proved with it.
  std::optional<Expr> usually = std::nullopt;
  /// It is this quotient, or atLeast where that is more: no Expr divides by one. For a divisor below 1 nothing is said.
  Rare<Quotient> quotient = {};
  bool operator==(const Define &) const = default;
};

/// A pointer argument: formal element k is actual element offset + k.
struct ArrayArgument {
  std::string array; ///< Empty: not known.
  std::optional<Expr> offset = Expr(0); ///< In elements of the actual, or of its row; row-major; nothing = unknown.
  std::vector<Expr> row =
      {}; ///< Of what a table of pointers points to: the row that is given, by all subscripts but the last.
  std::vector<Expr> counts = {}; ///< Each is how many elements the array has here, if it has memory.
  bool operator==(const ArrayArgument &) const = default;
};
/// A value argument for a `param`.
struct ValueArgument {
  std::optional<Expr> value; ///< Nothing = unknown.
  bool operator==(const ValueArgument &) const = default;
};

/// A call of a function whose skeleton exists (in this unit or another).
/// An array that code which is not seen may have kept a pointer to.
struct Exposure {
  std::string array;
  bool isConst = false; ///< It was given away for reading only.
  bool operator==(const Exposure &) const = default;
};
struct Call {
  std::string callee;
  std::vector<std::variant<ArrayArgument, ValueArgument>> arguments; ///< By position.
  std::vector<Exposure> exposed; ///< Arrays of the caller that unseen code called from there may touch, given or not.
  Location location;
  bool operator==(const Call &) const = default;
};

/// From here on the array exists with fresh, undefined contents (zeroed for calloc: then a Write of the whole follows).
struct Allocate {
  std::string array;
  std::vector<std::optional<Expr>> extents;
  Location location;
  bool operator==(const Allocate &) const = default;
};
struct Free {
  std::string array;
  Location location;
  bool operator==(const Free &) const = default;
};

/// Why a statement cannot leave the host.
enum class HostReason {
  InputOutput,
  OpaqueCall,
  Recursion,
  Allocation,
  Timing,
  Unsupported,
  NoReturn,
  Message,
  Library,
  Threads, ///< Code that several threads of the host run, each for its part or all of it.
  Handler, ///< Of exceptions, with the program going on behind it: it is assumed that nothing is thrown there.
};

/// Accesses that many statements may have in common: calls that are not seen touch all that got out before them, at
/// each call the same hundreds of arrays. Copies share their contents until one of them is edited.
class SharedBlock {
public:
  SharedBlock() = default;
  SharedBlock(Block nodes);
  operator const Block &() const;
  operator llvm::ArrayRef<Node>() const;
  Block::const_iterator begin() const;
  Block::const_iterator end() const;
  size_t size() const;
  bool empty() const { return size() == 0; }
  /// Its contents, as its own from now on.
  Block &edit();
  /// Two with the same one have the same contents.
  const Block *identity() const { return held.get(); }
  bool isShared() const { return held.use_count() > 1; }
  bool operator==(const SharedBlock &) const;

private:
  std::shared_ptr<Block> held;
};

/// Something only the host can do, with the accesses it makes.
struct HostStatement {
  HostReason reason = HostReason::OpaqueCall;
  std::string what; ///< "printf", "goto", ...
  SharedBlock body; ///< Accesses only. One without a location stands where the statement does.
  Location location;
  Rare<Message> message = {}; ///< Of reason Message, if it moves data or waits for some.
  Rare<LibraryCall> library = {}; ///< Of reason Library.
  bool operator==(const HostStatement &) const;
};
/// Where the access stands, which may be in the body of a host statement.
inline const Location &locationOf(const Access &access, const HostStatement *in) {
  return in && !access.location.isKnown() ? in->location : access.location;
}
/// It may touch what code that is not seen has a pointer to: an opaque call, or a wait for a message begun elsewhere.
bool touchesExposed(const HostStatement &host);

/// The names change places: after it, `first` denotes what `second` denoted before. A permutation: the same
/// names stand on both sides. (`rotate u <- v, v <- u`.)
struct Rotate {
  std::vector<std::pair<std::string, std::string>> moves;
  Location location;
  bool operator==(const Rotate &) const = default;
};

/// The program ends where control comes here, and nobody reads its memory any more (`end "exit(1)"`). So it takes
/// nothing from what is surely written before code behind it runs, and it keeps no loop on the host: a device finishes
/// the loop and sets a flag, and the host ends the program behind it.
///
///   for i { if x[i] < 0 { end "exit(1)" }; y[i] = sqrt(x[i]) }      parallel: reduction(max: the flag)
///
/// Output that stands right before it is part of it: the host says it as well.
/// Not this but a HostStatement of reason NoReturn: where something that reads memory is registered for the end, or
/// where how it ends is computed.
struct End {
  std::string what; ///< Tells ends apart: "exit(1)", "abort()". Never empty.
  Location location;
  bool saysWhere =
      false; ///< What is said before is another thing in each iteration: the first one that ends it counts.
  bool operator==(const End &) const = default;
};

struct Node {
  std::variant<Loop, Branch, Access, Operations, Define, Call, Allocate, Free, HostStatement, Rotate, End> kind;
  unsigned path = 0; ///< Only after Inline: the call it came through, an index into Inlined::paths. 0 = the root's own.

  template <class T> Node(T value) : kind(std::move(value)) {}
  bool operator==(const Node &) const = default;
};

inline SharedBlock::operator const Block &() const {
  static const Block none;
  return held ? *held : none;
}
inline SharedBlock::operator llvm::ArrayRef<Node>() const { return static_cast<const Block &>(*this); }
inline Block::const_iterator SharedBlock::begin() const { return static_cast<const Block &>(*this).begin(); }
inline Block::const_iterator SharedBlock::end() const { return static_cast<const Block &>(*this).end(); }
inline size_t SharedBlock::size() const { return held ? held->size() : 0; }

inline bool Loop::operator==(const Loop &o) const { return LoopHead::operator==(o) && body == o.body; }
/// Unknown of a node that has none.
inline Location locationOf(const Node &node) {
  return std::visit(
      [](const auto &kind) -> Location {
        if constexpr (requires { kind.location; }) return kind.location;
        else return {};
      },
      node.kind);
}

inline bool Branch::operator==(const Branch &o) const {
  return condition == o.condition && then == o.then && otherwise == o.otherwise && isRest == o.isRest &&
         location == o.location;
}
inline bool HostStatement::operator==(const HostStatement &o) const {
  return reason == o.reason && what == o.what && body == o.body && location == o.location && message == o.message &&
         library == o.library;
}

/// Does the program end in the block, unless one of its loops never does?
bool surelyEnds(const Block &block);

/// A formal parameter, in order.
struct Parameter {
  enum class Kind {
    Value, ///< An integer that may appear in Exprs, by its symbol.
    Array, ///< A pointer or array: `name` is one of Function::arrays.
    Other, ///< Anything else (a floating-point value is an Array of rank 0 with storage Parameter; a struct, a stream
           ///< is Other).
  };
  Kind kind = Kind::Value;
  std::string name;
  /// Of an Array: the name is the caller's own variable (a field reached through a pointer, a global's pointer, a
  /// reference to a pointer), so that its rotations and allocations hold after the call. Else it is the callee's.
  bool byReference = false;
  bool operator==(const Parameter &) const = default;
};

/// A symbol with a value the source states: `const int n = 4096`, an enumerator, a macro used as a size.
struct Constant {
  std::string symbol;
  int64_t value = 0;
  Location location;
  /// A build may set it to another (`#ifndef N`, `-DN=64`): nothing is proved with this value but that it is positive.
  bool isSetting = false;
  bool operator==(const Constant &) const = default;
};

/// Who sees a function from other units.
enum class Linkage {
  External, ///< All: it is defined once.
  Inline, ///< All, and each has a copy of its own (inline functions, template instances).
  Static, ///< None.
};

struct Function {
  std::string name; ///< As spelled, with its scope for C++ (`Grid::step`).
  Linkage linkage = Linkage::External;
  std::string symbol; ///< By which units know it; empty: by its name.
  std::vector<Parameter> parameters;
  std::vector<Array> arrays;
  Block body;
  Hints hints;
  /// Taken to be at least 0, because the function divides them and `/` rounds negative numbers up.
  std::vector<Expr> nonNegative;
  std::vector<SteadyElement> steady; ///< As LoopHead::steady, from the function's begin to its end.
  Location location;

  bool operator==(const Function &) const = default;
};

/// A function of another unit by the name that this unit's calls use.
struct Import {
  std::string name, symbol;
  bool operator==(const Import &) const = default;
};

/// One translation unit, or several linked (Link.h).
struct Program {
  std::vector<std::string> units; ///< Main source files.
  /// Memory may be read as values of one type and written as another: a unit says so of itself (-fno-strict-aliasing),
  /// or looks at some memory both ways. See mayBeOfType().
  bool typesMix = false;
  std::vector<Array> globals; ///< storage Global; a Function names them without declaring them again.
  std::vector<Constant> constants;
  std::vector<Function> functions; ///< Names are unique.
  std::vector<Import> imports; ///< Where the name is not the symbol.
  std::vector<Finding> findings; ///< Of the front end.

  bool operator==(const Program &) const = default;
};

const Function *findFunction(const Program &program, llvm::StringRef name);
/// By which other units know it.
inline const std::string &symbolOf(const Function &function) {
  return function.symbol.empty() ? function.name : function.symbol;
}
/// The array of this name as the function sees it: its own, else a global; null if there is none.
const Array *findArray(const Program &program, const Function &function, llvm::StringRef name);

/// findArray, for who asks often; the arrays must stay where they are.
class ArrayTable {
public:
  ArrayTable() = default; ///< Of no arrays.
  ArrayTable(const Program &program, const Function &function);
  const Array *find(llvm::StringRef name) const { return byName.lookup(name); }

private:
  llvm::DenseMap<llvm::StringRef, const Array *> byName;
};

} // namespace busfare::skeleton

#endif
