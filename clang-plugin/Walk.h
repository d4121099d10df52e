//===- clang-plugin/Walk.h - The walk over one function -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A structured symbolic walk: statements in order, with an Environment that
// knows every integer variable as an Expr and every pointer variable as (object,
// element). What is not known becomes a fresh symbol with a Define, so there is
// always an Expr. Accesses, operation counts and loops go into the Block that
// `out` points to, in execution order.
//
//   int idx = i * n + j;      integers["idx"] = i*n + j,  write idx
//   double *row = a + i * n;  pointers["row"] = {a, [i*n]}
//   row[j] += 1.0;            update + a[i*n + j]
//
// Loops (Loops.cpp) are walked twice when a variable other than the index is
// carried: once on a copy of the state to see what an iteration does to it, then
// with its closed form. README.md says which file does what.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_H
#define BUSFARE_CLANG_PLUGIN_WALK_H

#include "AstQueries.h"
#include "Extract.h"
#include "Points.h"
#include "PrivateGlobals.h"
#include "Ranges.h"
#include "Types.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace busfare::frontend {

class HintTable;
struct MessageForm;
struct SourceHint;

using skeleton::Access;
using skeleton::AccessKind;
using skeleton::Array;
using skeleton::Block;
using skeleton::Condition;
using skeleton::HostReason;
using skeleton::Location;
using skeleton::Node;
using skeleton::Operation;
using skeleton::ReductionOp;
using skeleton::Rule;
using skeleton::Storage;
using skeleton::Subscript;
using Symbolic = skeleton::Expr; ///< clang::Expr is the other one.

/// An integer value.
struct Value {
  Symbolic expr;
  bool mayWrap = false; ///< Unsigned, and not proved to stay in range: fit for a subscript, not for `/` or a comparison.
  bool operator==(const Value &) const = default;
};

/// Where a pointer points.
struct Pointer {
  std::string object;                           ///< Name of an Object; empty = unknown or null.
  std::vector<std::optional<Symbolic>> index;   ///< Of the element pointed to, one per dimension of the object.
  bool inside = false; ///< Points to a part of the element (a field): steps stay in the element.
  bool flat = false;   ///< Came from `&` or a cast: steps may leave the row, so they are checked.
  bool null = false;
  std::string variable = {}; ///< The address of this pointer variable or container, which has no object of its own.
  bool operator==(const Pointer &) const = default;
};

/// Memory that has a name.
struct Object {
  Array array;
  clang::QualType element;        ///< Null: memory that no typed pointer has seen yet.
  std::string prefix;             ///< Of a single struct: what its fields' names begin with (`g->`, `s.`).
  std::optional<Symbolic> bytes;  ///< Of fresh heap memory: its size.
  bool isGlobal = false;          ///< Goes to Program::globals.
  bool isUsed = false;            ///< Something mentions it.
  bool isWritten = false;
  bool isFreed = false;
  bool isConstPointee = false;
  bool isLoaded = false;          ///< Its address was loaded from a field or a global.
  std::string rowsOf;             ///< Of flattened rows (Rows.cpp): the object whose elements point to them.
  int origin = -3;                ///< As ExtraFormal::position, if callers know it; -3: they do not.
  std::string originPath;         ///< As ExtraFormal::suffix.
};

/// Elements of one object, from lower to upper in each dimension, both included.
struct ElementBox {
  std::vector<Symbolic> lower, upper;
};

/// An lvalue.
struct Place {
  Pointer at = {};
  clang::QualType type = {};
  bool partial = false;      ///< A part of the element: writing it does not overwrite the element.
  std::string variable = {}; ///< Key in the Environment, if it is an integer or pointer variable.
  std::string path = {};     ///< Of a part that is a field of the element: `.v`; empty if that is not so plain.
};

/// What an expression of a handle's type (Types.h) stands for.
struct HandleValue {
  Pointer at;
  std::optional<Value> size = {}; ///< In elements, of handles that have one; nothing: not known.
};

/// What a function that is not followed can get at through one argument.
struct Reach {
  Pointer pointer;
  bool isConst = false;
  bool isCopy = false; ///< Only what the pointers in it point to: it was passed by value.
};

/// All that code which is not followed is given.
struct Handover {
  std::vector<Reach> reachable;
  std::vector<std::string> changed; ///< Variables that it may give other values.
};

/// The values of one subscript, both bounds included; nothing: not known.
using SubscriptRange = std::pair<std::optional<Symbolic>, std::optional<Symbolic>>;

/// A buffer that a nonblocking call receives into.
struct Pending {
  std::string object;
  std::vector<SubscriptRange> range; ///< Of its elements; empty: any of them.
  std::string requests;              ///< The variable or array that the request was stored in; empty: not known.
};

/// An object whose destructor does something, from its declaration to the end of its scope.
struct Living {
  Place place;
  const clang::Expr *made = nullptr; ///< What it was made from.
  const clang::VarDecl *cleanedUp = nullptr; ///< It has __attribute__((cleanup(f))).
};

/// What a parameter gets in a call that is walked in place.
struct Actual {
  std::optional<Place> place = {};        ///< A variable or element: bound if the parameter is a reference, else read.
  std::optional<Value> value = {};
  std::optional<HandleValue> handle = {}; ///< Of pointers and containers.
};

/// Something to call: a lambda, or an object with a call operator.
struct Callable {
  const clang::CXXMethodDecl *method = nullptr;
  std::optional<Pointer> self = {}; ///< The object.
};

/// An object of a lambda's class: what it holds.
struct Closure {
  std::map<const clang::ValueDecl *, Place> captured; ///< Of each variable its place, or that of the copy.
  std::optional<Pointer> self = {};                   ///< `this`, or the copy of what it points to.
  bool operator==(const Closure &) const = default;
};

/// What is known of the pointers in a table.
struct RowState {
  enum class Kind {
    Entry,   ///< As they were on entry: of the caller's, and never set since.
    Unset,   ///< None is set yet.
    Filling, ///< A loop is setting one after the other to memory of its own.
    Filled,  ///< It has.
    First,   ///< The pointer of one row is known, no other is set.
    Strided, ///< They lead into one object, a fixed distance from row to row.
    Lost,    ///< Anything.
  };
  Kind kind = Kind::Lost;
  bool isWhole = false;              ///< Of those that are set: the table had held nothing.
  const clang::Stmt *by = nullptr;   ///< Of those that are set: the assignment.
  std::optional<Symbolic> length = {}; ///< Of all rows, if it is one.
  Symbolic row = {};                   ///< Of First, and what is Strided from there: which one.
  std::optional<Pointer> first = {};   ///< Where it is.
  std::optional<Pointer> origin = {};  ///< Of Strided: where row 0 is, or would be; nothing on trial.
  std::vector<Symbolic> stride = {};   ///< Of Strided, by dimension of the object.
  bool operator==(const RowState &) const = default;
};

/// Tables of pointers (Rows.cpp).
struct Tables {
  std::map<std::string, RowState> rows; ///< By the name of the flattened rows.
  std::set<std::string> lost;           ///< Objects in which any pointer may have been changed.
  std::set<std::string> fresh;          ///< Objects that held no pointers at first.
  bool forgotten = false;               ///< Any pointer in any object that is not fresh may have been changed.
  bool operator==(const Tables &) const = default;
};

struct Environment {
  Tables tables;
  std::map<std::string, Value> integers;
  std::map<std::string, Pointer> pointers;
  /// Integer and pointer variables whose known value a loop left behind. To use it is to read what the last iteration wrote.
  std::set<std::string> leftByLoop;
  std::set<unsigned> inFlight; ///< Nonblocking receives that no wait is known to have ended: places in State::receives.
  bool opaque = false; ///< Opaque code ran: globals and fields that are not in the maps have unknown values.
  bool forgetsStatics = false; ///< It was this unit's own code, not followed: private globals have unknown values, too.
  bool operator==(const Environment &) const = default;
};

/// The values of one index: from lower to upper, both included; one value if they are the same.
struct IndexRange {
  Symbolic lower, upper;
};

/// A symbol that the walk made up.
struct SymbolFacts {
  std::string reason;
  bool memory = false;    ///< Its value comes from memory or depends on data.
  bool nonAffine = false; ///< It stands for a formula that Expr cannot hold.
  unsigned loop = 0;      ///< Identity of the innermost loop whose body defines it; 0 = none.
  unsigned serial = 0;    ///< Position among all symbols; those of an inner block have larger ones.
  std::optional<Symbolic> atLeast, atMost;
  std::string from = {}; ///< The array whose element it is, if it was loaded from one.
  bool isFresh = false;  ///< Nothing computes it: freshSymbol made it.
  /// As of skeleton::Define. Of a field of the caller's that some path leaves alone: `isLeftAlone` instead.
  std::optional<Symbolic> usually = {};
  bool isLeftAlone = false;
};

/// How control leaves a statement, a mask.
enum Jump : unsigned { NoJump = 0, Continues = 1, Breaks = 2, Returns = 4, Leaves = 8, Skips = 16 /* to a label ahead */ };
struct Flow {
  unsigned may = NoJump; ///< Ways in which it may leave other than at its end.
  bool always = false;   ///< It never reaches its end.
};

/// A loop (or switch) being walked.
struct Frame {
  unsigned id = 0;
  bool isSwitch = false;
  bool isOnce = false; ///< `do ... while (0)`: `continue` ends it, too.
  std::set<std::string> changed;   ///< Variables the body changes that live longer than an iteration.
  std::set<std::string> inductive; ///< Of those, the ones with a closed form.
  std::string indexVariable;       ///< Its steps are the loop's own: no access.
  std::string symbol;              ///< The loop's index; empty on trial.
  std::optional<Symbolic> lower;   ///< Where it begins, if it rises by 1.
  const clang::Stmt *stmt = nullptr; ///< Null: an iteration on trial.
  Block *around = nullptr;         ///< Where it will stand.
  unsigned mark = 0;               ///< Symbols with larger serials are made after it was entered.
  size_t objects = 0;              ///< So many were known then.
  std::set<std::string> rotated;   ///< Objects whose names change places in it, inner loops and calls included.
  std::set<std::string> following; ///< Pointer variables that change places with them.
  size_t scopes = 0;               ///< So many were open around it.
  std::vector<Environment> continues, breaks;
  bool exitsEarly = false;
  std::set<std::string> held; ///< Integers of callers whose value before the loop is used in it.
  bool sharesIndex = false; ///< What it calls reads the index variable itself.
};

/// A formal that the source passes implicitly: a field behind a pointer parameter, or a global integer.
struct ExtraFormal {
  skeleton::Parameter parameter;
  int position = -1;  ///< Of the struct pointer among the source's parameters; -1: `this`; -2: a global.
  std::string suffix; ///< Field path after the prefix, or the global's name.
  clang::QualType type;
};

/// What callers need to know of a function.
struct Summary {
  enum class State { Untouched, InProgress, Done } state = State::Untouched;
  std::string name;
  std::vector<ExtraFormal> extras;
  std::set<std::string> writtenGlobals; ///< Integer and pointer globals it (or a callee) may change.
  std::set<std::string> namedPointers; ///< Global pointers behind which it (or a callee) touches what their names stand for.
  std::set<std::pair<int, std::string>> writtenFields; ///< (position, suffix) of extras it may change.
  std::vector<bool> writesFormal;       ///< By source position: may write what it points to.
  bool isRecursive = false;
  bool doesOpaqueThings = false;        ///< Holds an opaque call: may change any global that unseen code can reach.
  bool forgetsStatics = false;          ///< Runs code of this unit that was not followed: may change any other.
  bool writesMemory = false;            ///< Writes anything that outlives it.
  bool readsMemory = false;
  bool waits = false;                   ///< Ends nonblocking messages, which it or others began.
  bool neverReturns = false;
  /// Every return gives the start of fresh heap memory of so many bytes (over the formals' names).
  std::optional<Symbolic> freshBytes;
  std::map<std::pair<int, std::string>, Symbolic> exitValues; ///< Of integer fields it writes: their final values.
  /// Of those whose final value is not known: what it usually is, as of skeleton::Define; nothing: what it was before.
  std::map<std::pair<int, std::string>, std::optional<Symbolic>> usualExits;
  std::set<std::pair<int, std::string>> rotated; ///< Objects (as ExtraFormal) whose names change places in it.
  /// Objects (as ExtraFormal; a formal itself has no suffix) that it gives to unseen code -> for reading only.
  std::map<std::pair<int, std::string>, bool> exposed;
  /// Of pointer fields it writes: the formal (by position) whose memory they name at its end, and so many elements on.
  std::map<std::pair<int, std::string>, std::pair<unsigned, Symbolic>> exitPointers;
  std::map<std::pair<int, std::string>, unsigned> boundFields; ///< Fields that are references to containers -> the formal they are bound to.
  std::set<std::pair<int, std::string>> lostPointers; ///< Pointer fields (or globals) that name something else at its end.
  std::map<std::string, std::vector<std::optional<Symbolic>>> freshExtents; ///< Of extras it allocates, by formal.
  std::set<std::pair<int, std::string>> lostTables;   ///< Objects (as ExtraFormal) in which it changes pointers.
  /// Rows (as ExtraFormal) that it allocates each by itself -> what is known of them (over the formals' names).
  std::map<std::pair<int, std::string>, RowState> filledRows;
  bool forgetsTables = false;                         ///< It may change any pointer anywhere.
  std::optional<RowState> freshRows = {};             ///< What freshBytes holds: rows of their own (over the formals' names).
  bool freshIsWritten = false; ///< The function has put something into that memory.
  skeleton::Function function;
};

/// A function that another unit defines, as that unit describes it (Interface.h).
struct Foreign {
  std::string symbol;
  Summary summary;
  std::vector<TypeClass> formals; ///< Of its parameters there.
  bool isNamed = false;           ///< The summary's name is the one that calls here use.
};

/// One translation unit.
struct Unit {
  clang::ASTContext &context;
  ExtractResult result;
  std::deque<const clang::FunctionDecl *> order;
  std::map<const clang::FunctionDecl *, Summary> summaries;
  std::set<const clang::ValueDecl *> writtenGlobals; ///< Assigned, stepped or address-taken anywhere in the unit.
  /// Fields that point to structs and are subscripted or stepped somewhere, by name and what they point to: those lead to arrays.
  std::set<std::pair<std::string, const clang::Type *>> arrayFields;
  std::map<std::string, unsigned> functionNames;
  std::map<const clang::VarDecl *, Object> globals;
  std::map<std::string, const clang::VarDecl *> globalNames;
  PrivateGlobals privateGlobals;
  bool runsBeforeMain = false; ///< A function has the attribute constructor.
  bool hasDeleters = false;   ///< A shared_ptr is made somewhere with a deleter that does more than give memory back.
  bool runsAfterMain = false; ///< Destructors of what lives as long as the program, or functions said to atexit, do something.
  bool typesTell = true; ///< Values of different types share no memory, as C and C++ have it (not with -fno-strict-aliasing).
  UnitPoints *points = nullptr; ///< Noted if somebody asks.
  HintTable *hints = nullptr;   ///< What the user says, if anything is listened to.
  std::string tag;              ///< Tells its statics from those of other units.
  std::map<std::string, Foreign> foreign; ///< Functions of other units, by symbol.
  std::map<const clang::FunctionDecl *, Foreign *> foreignOf; ///< Of those asked for; null if there is none.
  std::map<std::string, clang::QualType> foreignIntegers; ///< Globals that only other units declare: `count@solve`.
  std::set<std::string> pendingGlobals; ///< Those that a nonblocking call may receive into.
  std::map<std::string, int64_t> foreignInitials; ///< What other units initialise their globals to, if main finds that.
  /// Globals that other units define -> the paths (as of pathsSet) of their pointers that are set there.
  std::map<std::string, std::set<std::string>> foreignPointers;

  explicit Unit(clang::ASTContext &context) : context(context) {}
  /// The canonical definition's summary, extracted now if need be, or what another unit says of it; null if nobody has seen it.
  std::map<std::string, std::set<const clang::VarDecl *>> staticLocals; ///< By what they are called.
  std::set<std::string> localNames;                                       ///< Of other variables of functions.
  std::map<const clang::VarDecl *, std::string> staticNames;
  std::map<std::string, const clang::VarDecl *> staticsByName;
  std::string nameOfStaticLocal(const clang::VarDecl *variable);
  bool isOwnFunction(const clang::FunctionDecl *callee);
  Summary *summaryOf(const clang::FunctionDecl *function);
  Summary *foreignSummaryOf(const clang::FunctionDecl *function);
  /// Of a static pointer that is initialised to fresh memory of a known size, and never set again.
  std::optional<uint64_t> freshBytesOf(const std::string &global) const;
  bool mayPointElsewhere(const std::string &global) const;
  /// Paths, from the variable on, of its pointers that may name memory from the start which has another name, too; nothing
  /// if the variable holds no pointers. `.p` of `struct { double *p; int n; } v = {a + 1, 9}`; an array is one pointer.
  std::optional<std::set<std::string>> pathsSet(const clang::VarDecl *variable) const;
  bool isDefinedHere(const clang::VarDecl *variable) const;
  /// What main finds in a global integer. Nothing in C++, where constructors run before main.
  std::optional<int64_t> initialValueOf(const std::string &global) const;
  void extract(const clang::FunctionDecl *definition);
};

/// All that a walk changes, so that a trial walk can be undone.
struct State {
  Environment env;
  std::map<std::string, Object> objects;
  std::vector<std::string> objectOrder;
  std::set<std::string> namesTaken;
  std::map<const clang::ValueDecl *, std::string> names;
  std::map<std::string, SymbolFacts> symbols;
  std::map<std::string, std::string> symbolBases; ///< Of a numbered symbol: its name without the number.
  std::set<std::string> escaped;      ///< Objects whose address was stored where others may find it.
  std::set<std::string> lent;         ///< Likewise, but given away for reading only.
  std::set<std::string> addressTaken; ///< Variables that opaque code may change.
  std::vector<Pending> receives;      ///< Of nonblocking calls so far, in their order.
  std::map<unsigned, std::set<unsigned>> carriedPending; ///< Of outermost loops: what is in flight at an iteration's end.
  bool handedOut = false;             ///< Code that is not seen was given a pointer and may have kept it.
  std::map<std::string, Value> entryIntegers;    ///< Of parameters, globals and fields: the value on entry.
  std::map<std::string, Pointer> entryPointers;
  std::map<std::string, ExtraFormal> fieldOrigins; ///< What a field's or global's variable is, for callers.
  std::set<std::string> held; ///< Of those, integers whose value is used by name.
  std::vector<skeleton::Finding> findings;
  std::vector<ExtraFormal> extras;
  std::set<std::string> rotated; ///< As of a Frame, of the function so far.
  std::map<const clang::Expr *, Symbolic> vlaSizes;
  /// Integers in memory that a loop around does not write: (object, subscripts) -> their value, and that loop.
  std::map<std::pair<std::string, std::vector<Symbolic>>, std::pair<unsigned, Symbolic>> fixedElements;
  std::map<const clang::LabelDecl *, size_t> labels; ///< Those ahead, and how many frames are around them.
  std::set<const clang::LabelDecl *> passed;           ///< Those whose gotos have all been seen.
  std::map<const clang::LabelDecl *, std::vector<Environment>> gotos; ///< On their way there.
  std::map<const clang::ValueDecl *, Place> references; ///< What a C++ reference stands for.
  std::map<const clang::Expr *, std::string> texts;     ///< Objects of string literals.
  std::map<std::string, Closure> closures;              ///< Of objects that are lambdas.
  std::map<std::string, Place> boundFields;             ///< Fields that are references to containers -> what they are bound to.
  std::map<const clang::ValueDecl *, std::vector<IndexRange>> indexObjects; ///< What a `blocked_range` or an `id` stands for.
  std::map<Operation, double> pending; ///< Operations not yet put into the block.
  std::vector<Frame> frames;
  std::vector<std::vector<Living>> scopes; ///< Open blocks, innermost last, each in order of declaration.
  std::vector<Living> temporaries;         ///< Of the statement being walked.
  Ranges ranges;
  unsigned counter = 0;
  unsigned loops = 0;
};

class Walker {
public:
  Walker(Unit &unit, const clang::FunctionDecl *function, Summary &summary);
  void run();

private:
  // Statements.cpp
  Flow execute(const clang::Stmt *stmt);
  Flow executeAny(const clang::Stmt *stmt);
  Flow executeList(llvm::ArrayRef<const clang::Stmt *> stmts);
  Flow executeRest(llvm::ArrayRef<const clang::Stmt *> rest);
  Flow executeIf(const clang::IfStmt *stmt, llvm::ArrayRef<const clang::Stmt *> rest);
  Flow executeSwitch(const clang::SwitchStmt *stmt);
  Flow executeReturn(const clang::ReturnStmt *stmt);

  // Gotos.cpp
  size_t labelAhead(llvm::ArrayRef<const clang::Stmt *> stmts);
  std::pair<size_t, size_t> tangle(llvm::ArrayRef<const clang::Stmt *> stmts);
  void noteGotos(const clang::Stmt *body);
  std::optional<Flow> executeAroundLabels(llvm::ArrayRef<const clang::Stmt *> stmts);
  Flow executeTangled(llvm::ArrayRef<const clang::Stmt *> stmts);
  Flow executeGoto(const clang::Stmt *stmt);

  // FixedElements.cpp
  bool mayWriteInteger(const clang::Stmt *stmt, const std::string &object, uint64_t bytes,
                       std::set<const clang::FunctionDecl *> &seen);
  std::pair<Frame *, unsigned> outermostLeavingAlone(llvm::function_ref<bool(const Frame &)> leavesAlone);
  std::optional<Value> fixedElement(const Place &place, llvm::StringRef text, const std::optional<Symbolic> &least,
                                    const std::optional<Symbolic> &most, Location location);
  std::optional<Value> fixedGlobal(const std::string &variable, clang::QualType type, Location location);

  // SteadyIntegers.cpp
  void hold(const std::string &variable);
  bool isReachable(const Object &object) const;
  bool mayBeWrittenBehind(const std::string &array, const Object &held, bool isGiven) const;
  bool mayWriteBehind(const Block &block, const Object &held) const;
  void takeSteady(skeleton::Loop &loop, std::set<std::string> held, std::vector<skeleton::SteadyElement> bounds);
  void noteSteady();
  void unsupported(const clang::Stmt *stmt, llvm::StringRef what, Rule rule = Rule::UnsupportedCode,
                   HostReason reason = HostReason::Unsupported);
  Flow branch(const Condition &condition, Location location, llvm::function_ref<Flow()> then,
              llvm::function_ref<Flow()> otherwise, bool isRest = false);
  bool recognizeMinMax(const clang::IfStmt *stmt);

  // Conditions.cpp
  Condition condition(const clang::Expr *expr);
  Condition comparison(const Comparison &op);

  // Declarations.cpp
  void declare(const clang::DeclStmt *stmt);
  void declareVariable(const clang::VarDecl *variable);
  void initialize(Place place, const clang::Expr *init);

  // Loops.cpp
  /// Of a loop whose source says what it runs over: range-for, an algorithm, parallel_for.
  struct GivenRange {
    std::string index; ///< What the loop's index is called.
    Symbolic lower, upper;
    std::function<void(const Symbolic &index)> bind; ///< What an iteration starts with.
  };
  struct LoopParts {
    const clang::Stmt *stmt = nullptr, *init = nullptr, *body = nullptr;
    const clang::Expr *cond = nullptr, *inc = nullptr;
    skeleton::LoopForm form = skeleton::LoopForm::For;
    skeleton::Rare<skeleton::Directive> directive;
    std::optional<GivenRange> given;
    std::function<Flow()> run; ///< In place of walking the body, which then only tells what may change.
  };
  struct Steps {
    std::map<std::string, Symbolic> integers;                     ///< Per iteration.
    std::map<std::string, std::vector<Symbolic>> pointers;        ///< Per iteration and dimension.
    /// Of other integers: an iteration adds at least and at most so much. The first is not above 0, the second not below.
    std::map<std::string, std::pair<int64_t, int64_t>> ranges;
    std::set<std::string> movedByCondition;                       ///< Pointers that it steps: once more than the body runs.
    std::map<std::string, Symbolic> beforeBody;                   ///< Change made by the condition.
    /// Likewise of `do`, whose condition follows the body; nothing: it is not the same each time.
    std::map<std::string, std::optional<Symbolic>> afterBody;
    std::map<std::string, std::vector<std::optional<Symbolic>>> pointersAfterBody; ///< Per dimension.
    std::map<std::string, std::vector<std::string>> targets;      ///< Objects a carried pointer may name.
    std::vector<std::pair<std::string, std::string>> rotation;    ///< Pointer variables permuted by an iteration.
    std::set<std::string> rotated, following;                     ///< As of a Frame.
    bool exitsEarly = false;
    Tables tables;         ///< At the end of an iteration.
    bool isOpaque = false; ///< It may change what no assignment in sight names.
    bool forgetsStatics = false; ///< Private globals included.
    std::set<std::string> alsoChanged; ///< Variables that turned out to change.
    std::set<std::string> usuallyKept; ///< Integers that an iteration changes only if something unknown says so.
  };
  void readCarried(const std::set<std::string> &changed, Location location);
  void readFixed(const LoopParts &parts, const std::set<std::string> &changed, Location location);
  Flow executeLoop(const LoopParts &parts);
  Value stepped(const std::string &name, const Value &before, const Symbolic &change, const Symbolic &step, Location location);
  Flow walkBody(const LoopParts &parts, const Symbolic &index);
  Flow finishLoop(const LoopParts &parts, const std::set<std::string> &changed, Steps &steps, const std::string &index);
  bool isPointerVariable(const std::string &name) const;
  Place memoryOfPointer(const std::string &variable);
  std::map<std::string, std::vector<std::string>> changedOnTheWayOut(const Environment &head, llvm::ArrayRef<Environment> ways,
                                                                     const std::set<std::string> &changed) const;
  void noteCarriedPointers(const LoopParts &parts, const std::set<std::string> &changed, const Steps &steps, bool atEnd);
  void noteIndex(const LoopParts &parts, const std::string &index, Location location);

  // CarriedVariables.cpp
  void collectChanged(const clang::Stmt *stmt, std::set<std::string> &changed, std::set<const clang::Decl *> &local);
  std::set<std::string> changedBy(const LoopParts &parts);
  /// Adds to `changed` what turns out to change.
  Steps tryIteration(const LoopParts &parts, std::set<std::string> &changed);
  Steps tryOnce(const LoopParts &parts, const std::set<std::string> &changed, const std::set<std::string> &rotated,
                const std::set<std::string> &following);
  void noteConditionOfDo(const std::map<std::string, Symbolic> &integers, const std::map<std::string, Pointer> &pointers,
                         const Environment &body,
                         llvm::function_ref<std::optional<Symbolic>(const Symbolic &end, const Symbolic &start)> gained, Steps &steps);
  void noteGainRange(const std::string &name, const Symbolic &end, const Symbolic &start, unsigned entryMark, Steps &steps);
  void noteExchangedEquals(const std::map<std::string, Symbolic> &now, const State &before, Steps &steps);
  bool needsTrial(const LoopParts &parts, const std::set<std::string> &changed, const std::string &index);

  // FoundChanges.cpp
  bool changesUnnamed(const clang::Stmt *stmt);
  std::string fieldOfArgument(const clang::CallExpr *expr, int position, llvm::StringRef suffix, const std::set<const clang::Decl *> &local);
  bool outlivesIteration(const std::string &name, const State &entry, const clang::Stmt *loop) const;
  std::set<std::string> foundChanges(const State &entry, const std::set<std::string> &changed, const clang::Stmt *loop) const;

  // TripCount.cpp
  struct Bound {
    Symbolic last;             ///< Largest iteration number that may run (-1 or less: none).
    bool known = false;
    bool decisive = true;      ///< The whole condition; otherwise the loop may stop earlier.
    bool untilEqual = false;   ///< It runs on until both sides meet, by way of a wrap if need be.
    bool indexWraps = false;   ///< The index is compared as an unsigned number, which a negative one is not.
    bool limitWraps = false;   ///< So is the limit.
  };
  std::string indexVariable(const LoopParts &parts);
  Bound lastIteration(const clang::Expr *cond, const std::string &iteration);
  Bound lastIterationOf(const Comparison &compare, const std::string &iteration);

  // RangeFor.cpp
  Flow executeRangeFor(const clang::CXXForRangeStmt *stmt);
  void bindElement(const clang::VarDecl *item, const Place &element, const clang::Expr *text, Location location);

  // OpenMP.cpp
  Flow executeConstruct(const clang::OMPExecutableDirective *stmt);
  bool isQuietCall(const clang::CallExpr *call);
  const clang::Stmt *effectOfEveryThread(const clang::Stmt *stmt, std::set<const clang::Decl *> &own);
  Flow executeParallelRegion(const clang::OMPExecutableDirective *stmt, const clang::Stmt *body);
  Flow keepPrivates(const clang::OMPExecutableDirective *stmt, llvm::function_ref<Flow()> run);
  Flow executeDirective(const clang::OMPExecutableDirective *stmt);
  skeleton::Directive readDirective(const clang::OMPExecutableDirective *stmt);

  // Rotations.cpp
  void findRotation(Steps &steps, std::map<std::string, std::string> &ends, const std::map<std::string, Pointer> &entry);
  void rotate(Steps &steps, const std::map<std::string, Pointer> &entry, Location location);
  bool mayExchange(const clang::Stmt *stmt);
  void noteRotated(const std::set<std::string> &objects, const std::set<std::string> &following);
  void loseTrack(const std::set<std::string> &objects, const std::set<std::string> &following, Location location);

  // Subscripts.cpp
  Place lvalue(const clang::Expr *expr);
  Place placeOfVariable(const clang::ValueDecl *decl, clang::SourceLocation where);
  Place placeOfGlobalReference(const clang::VarDecl *variable);
  Place placeOfText(const clang::Expr *literal);
  Place member(const Place &base, const clang::FieldDecl *field);

  // SomeFields.cpp
  Place someField(const Place &base, clang::QualType type, llvm::StringRef text, Location location);
  Place somePart(const Place &base, clang::QualType type, llvm::StringRef text, Location location);
  Place memberThroughPointer(const clang::BinaryOperator *op);
  Place boundMember(const Place &base, const std::string &key, const clang::FieldDecl *field);
  void bindMember(const Place &object, const clang::FieldDecl *field, const Place &to);
  Place unknownPlace(const clang::Expr *expr);
  Place dereference(const Pointer &pointer, clang::QualType type, const clang::Expr *text);
  std::vector<Subscript> subscriptsOf(const Place &place, Location location);
  void read(const Place &place, Location location, bool may = false);
  void write(const Place &place, Location location, bool may = false, bool induction = false);
  void update(const Place &place, ReductionOp op, Location location, const clang::Expr *by);
  void dropValue(const clang::Expr *expr);
  void access(AccessKind kind, const Place &place, ReductionOp op, Location location, bool may, bool induction);
  std::vector<std::string> partsOfRecord(const std::string &record);
  void collectFields(const std::string &prefix, clang::QualType record, std::vector<Place> &fields);

  // Pointers.cpp
  void normalize(Pointer &pointer);
  std::vector<std::optional<Symbolic>> dimensionsOf(clang::QualType type);
  Symbolic extentOf(const clang::Expr *size);
  std::optional<Symbolic> elementsIn(clang::QualType type, uint64_t elementBytes);
  Pointer unknownPointer(llvm::StringRef text, clang::QualType pointee, Location location,
                         std::vector<std::string> mayBe = {});
  Pointer readPointer(const std::string &variable, clang::QualType type, Location location);
  Pointer decay(const Place &place);
  std::optional<Pointer> fixedPointer(const std::string &global);
  Pointer step(Pointer pointer, const Symbolic &count, clang::QualType pointee);
  Pointer castPointer(Pointer pointer, clang::QualType from, clang::QualType to);
  Pointer pointerCast(const clang::CastExpr *cast);
  Pointer pointerOperator(const clang::BinaryOperator *op);
  Pointer pointer(const clang::Expr *expr);

  // Rows.cpp, Tables.cpp
  bool holdsPointers(const std::string &name) const;
  std::string rowsName(const Place &place) const;
  std::string rootOf(const std::string &name) const;
  bool isReached(const std::string &name, const std::set<std::string> &from) const;
  RowState rowsState(const std::string &table, const std::string &rows) const;
  Object &declareRows(const Place &place, const RowState &state, Location location);
  std::optional<Pointer> rowAt(const Place &place, Location location);
  std::optional<Pointer> allocateRow(const Place &place, const clang::BinaryOperator *assign);
  std::optional<Pointer> stepRow(const Place &place, const clang::BinaryOperator *assign);
  bool placeRow(const Place &place, const clang::BinaryOperator *assign, const Pointer &value);
  std::optional<Pointer> stridedRow(const Pointer &at, const RowState &state) const;
  std::optional<std::pair<int, std::string>> tableKey(const std::string &name) const;
  void noteTableStore(const Place &place);
  void loseTable(const std::string &name);
  void loseTables(llvm::function_ref<bool(const std::string &name)> isLost);
  void loseRows(llvm::function_ref<bool(const RowState &state)> isLost);
  void loseRotated(const std::set<std::string> &objects);
  void forgetTables();
  void noteFreshTable(const std::string &name);
  Tables mergeTables(const Tables &a, const Tables &b, bool atStart) const;
  void endFilling();
  bool mayChangeTables(llvm::ArrayRef<const clang::Stmt *> stmts);
  void summarizeTables();
  /// Across calls: `nameOfExtra` says what the callee's names are here.
  using NameOfExtra = std::function<std::optional<Place>(int, const std::string &)>;
  Place tableOfExtra(int position, const std::string &suffix, llvm::ArrayRef<Pointer> arguments, const NameOfExtra &nameOfExtra,
                     Location location);
  std::optional<Place> rowsOfTable(const Place &table, llvm::StringRef path, Location location);
  bool fillTable(const Place &table, llvm::StringRef path, const RowState &filled);
  void takeOverTables(const Summary &known, const std::set<std::string> &filledBefore, llvm::function_ref<Place(int, const std::string &)> tableOf,
                      llvm::function_ref<std::optional<Symbolic>(const Symbolic &)> instantiate);
  void takeOverRows(const Pointer &table, const RowState &state, const skeleton::Substitution &actuals, clang::QualType pointee,
                    Location location);
  void reportRows();

  // Callables.cpp
  std::optional<Callable> callableOf(const clang::Expr *expr, size_t arguments);

  // Closures.cpp
  Closure close(const clang::LambdaExpr *lambda);
  Place keptCopy(const clang::Expr *value);
  Place copyOfCaptured(const clang::ValueDecl *captured, const Place &place, const clang::Expr *value, Location location);
  void noteLambda(const clang::LambdaExpr *lambda);
  void initializeLambda(const Place &place, const clang::Expr *init);
  std::optional<Pointer> closureAt(const clang::Expr *expr);
  bool isClosureKnown(const clang::CXXRecordDecl *lambda, const std::optional<Pointer> &self) const;
  /// What the names in a lambda's body stood for before it was entered.
  struct Outside {
    std::vector<std::pair<const clang::ValueDecl *, std::optional<Place>>> references;
    std::optional<Pointer> self;
    bool setsSelf = false;
  };
  Outside enterLambda(const std::optional<Pointer> &closure);
  void leaveLambda(const Outside &outside);
  void storeAway(const clang::CXXRecordDecl *lambda, const std::optional<Pointer> &closure, Location location);
  void bindFormal(const clang::ParmVarDecl *formal, const Actual &actual, Location location);
  Actual actualOf(const clang::Expr *argument, const clang::ParmVarDecl *formal);
  Flow walkInPlace(const clang::FunctionDecl *callee, llvm::ArrayRef<Actual> actuals, std::optional<Pointer> self,
                   Location location, std::optional<Value> *result = nullptr);
  std::optional<Value> callInPlace(const clang::CallExpr *expr, bool data);
  const clang::FunctionDecl *walkableCallee(const clang::CallExpr *expr) const;
  bool passesPointerVariable(const clang::CallExpr *expr) const;
  bool takesElement(const clang::CallExpr *expr) const;
  std::optional<Place> placeInPair(const clang::CallExpr *expr);
  std::optional<Place> placeInPlace(const clang::CallExpr *expr);

  // Algorithms.cpp, ParallelFor.cpp
  std::optional<std::optional<Value>> loopingCall(const clang::CallExpr *expr, bool data);
  std::optional<std::optional<Value>> algorithm(const clang::CallExpr *expr, bool data);
  std::optional<std::optional<Value>> parallelFor(const clang::CallExpr *expr);
  std::optional<std::vector<IndexRange>> indexRangesOf(const clang::Expr *expr);
  bool declareIndexRange(const clang::VarDecl *variable);
  Symbolic indexNumber(const clang::Expr *expr);
  std::optional<Value> indexValue(const clang::CallExpr *expr);
  void loopOver(const clang::Expr *text, const std::vector<IndexRange> &ranges, const clang::Stmt *body,
                const skeleton::Rare<skeleton::Directive> &directive, llvm::function_ref<void(llvm::ArrayRef<Symbolic>)> run);

  // Constructors.cpp
  void assignRecord(const Place &to, const clang::Expr *from, Location location);
  bool isNamedRecord(const Place &place);
  void swapRecords(const Place &a, const Place &b, Location location);
  void copyRecord(const Place &to, const Place &from, bool isMove, Location location, const clang::CXXConstructorDecl *by = nullptr);
  void copyPart(const Place &to, const Place &from, bool isMove, const clang::CXXCtorInitializer *init, Location location);
  void assignRecord(const clang::Expr *to, const clang::Expr *from, Location location);
  void loseFields(const std::string &prefix, Location location);
  void takeElement(const Place &to, const Place &from, Location location);
  void takeRows(const Place &to, const Place &from, Location location);
  void runInitializer(const Place &self, const clang::CXXCtorInitializer *init);
  void bringToLife(clang::QualType element, Location location, llvm::ArrayRef<Reach> reachable = {});
  void layToRest(clang::QualType type, Location location, llvm::ArrayRef<Reach> reachable = {});
  void assignUnseen(clang::QualType element, Location location, llvm::ArrayRef<Reach> reachable);
  bool constructInherited(const Place &place, const clang::CXXConstructorDecl *constructor, const clang::Expr *expr, llvm::ArrayRef<const clang::Expr *> arguments);
  void keepMade(const clang::Expr *value);
  void keepReturned(const clang::ReturnStmt *stmt);
  std::optional<Pointer> placedNew(const clang::CXXNewExpr *made);
  void initializeStatic(const clang::VarDecl *variable);
  bool constructInto(const Place &place, const clang::CXXConstructExpr *expr);
  std::optional<Value> construct(const clang::CXXConstructExpr *expr, bool data);

  // Handles.cpp
  Place sizeOf(const std::string &variable);
  Place placeOfHandle(const clang::Expr *object);
  HandleValue readHandle(const Place &place, Location location);
  void assignHandle(const Place &place, const HandleValue &value, Location location);
  HandleValue freshElements(const Symbolic &count, clang::QualType element, const std::string &hint, bool isSet, Location location);
  HandleValue copyElements(const HandleValue &source, clang::QualType element, const std::string &hint, Location location, clang::QualType from = {});
  std::optional<Symbolic> sizeOfSum(const clang::Expr *expr);
  HandleValue constructHandle(const clang::CXXConstructExpr *expr);
  void takeAway(const clang::Expr *expr, Location location);
  std::optional<Value> distance(Pointer begin, Pointer end, clang::QualType iterator, Location location);
  HandleValue handle(const clang::Expr *expr);
  std::optional<HandleValue> handleFrom(const clang::CallExpr *expr);
  std::optional<HandleValue> iteratorArithmetic(const clang::CallExpr *expr, const clang::Expr *object, llvm::StringRef name);
  std::optional<Place> elementOf(const clang::CallExpr *expr);

  // HandleOperations.cpp
  void resize(const Place &place, const Symbolic &count, llvm::StringRef name, Location location);
  void keepStorage(const Place &place, const Pointer &old, HandleValue &fresh, Location location);
  Pointer roomToAppend(const Place &place, Location location);
  void makeRoomAhead(const clang::Stmt *body);
  void hostTouches(AccessKind kind, const Pointer &at, llvm::StringRef name, Location location);
  void append(const Place &place, llvm::StringRef name, Location location);
  void assignFrom(const Place &place, const clang::Expr *source, Location location);
  void swapHandles(const Place &a, const Place &b, Location location);
  std::optional<std::optional<Value>> handleOperation(const clang::CallExpr *expr, bool data);
  std::optional<std::optional<Value>> handleFunction(const clang::CallExpr *expr, llvm::StringRef name);

  // Scalars.cpp
  std::string nameOf(const clang::ValueDecl *decl);
  std::string freshName(llvm::StringRef base);
  Symbolic freshSymbol(llvm::StringRef base, llvm::StringRef reason, Location location, bool memory,
                       bool nonAffine = false, std::optional<Symbolic> atLeast = {},
                       std::optional<Symbolic> atMost = {});
  Object &object(const std::string &name);
  Object &declareObject(const std::string &name, clang::QualType type, Storage storage, Location location);
  Value readInteger(const std::string &variable, clang::QualType type, Location location);
  void assignInteger(const Place &place, Value value, Location location);
  void assignPointer(const Place &place, Pointer value, Location location);
  bool isAnything(const Place &place) const;
  void clobberBehind(const std::string &name, Location location);
  void storeInteger(const Place &place, const Value &value);
  void readLeftByLoop(const std::string &variable, Location location);
  Value loadInteger(const Place &place, Location location);
  Value shareInteger(const Place &place, Location location);
  bool isInductiveNow(const std::string &variable) const;
  bool isChangedAround(const std::string &variable) const;
  bool dependsOnMemory(const Symbolic &expr) const;
  bool isKnownHere(const Symbolic &expr, std::string &reason, bool &memory) const;
  bool isBoundedHere(const Symbolic &expr) const;
  /// Bounds of the value, made of nothing that `isInner` names; nothing where there is none.
  std::pair<std::optional<Symbolic>, std::optional<Symbolic>> boundsWithout(
      const Symbolic &expr, llvm::function_ref<bool(const std::string &symbol)> isInner) const;
  void merge(const Environment &then, const Environment &otherwise, Location location, const Condition *condition);
  Environment mergeAll(std::vector<Environment> environments, Location location);
  Value convert(Value value, clang::QualType from, clang::QualType to, const clang::Expr *text);
  void clobber(const std::string &variable, Location location);
  const clang::VarDecl *globalOf(const std::string &variable) const;
  bool survivesUnseen(const std::string &variable) const;
  bool isForgotten(const Environment &env, const std::string &variable) const {
    return env.forgetsStatics || (env.opaque && !survivesUnseen(variable));
  }
  void clobberAddressTaken(Location location, bool isOwnCode = false);
  bool isTrackedType(clang::QualType type) const;
  void exportValues(unsigned mark, Location location);

  // UsualValues.cpp
  std::optional<Symbolic> usualValueOf(const Symbolic &expr) const;
  bool isLeftAlone(const Symbolic &expr) const;
  Symbolic usually(const Symbolic &fresh, const std::optional<Symbolic> &value);
  Symbolic usuallyLeftAlone(const Symbolic &fresh, bool isIt);
  std::optional<Symbolic> usualOfBoth(const Symbolic &then, const Symbolic &otherwise, const Condition *condition) const;
  void noteUsuallyKept(const std::map<std::string, Symbolic> &start, const std::set<std::string> &changed, Steps &steps) const;
  Symbolic usuallyAsBefore(const Symbolic &fresh, const std::string &name, const Value *before, const Steps &steps);
  void summarizeUsualExit(const std::string &name, const std::pair<int, std::string> &key);
  std::optional<Symbolic> usualAfterCall(const Summary &known, const std::pair<int, std::string> &key, const std::string &variable,
                                         llvm::function_ref<std::optional<Symbolic>(const Symbolic &)> instantiate) const;
  void assumeCondition(const Condition &condition);
  void assumeNegation(const Condition &condition);

  // Arithmetic.cpp
  std::optional<Value> rvalue(const clang::Expr *expr, bool data);
  Value integer(const clang::Expr *expr, bool data = false);
  std::optional<Value> integerData(const clang::Expr *expr);
  bool isSame(const clang::Expr *a, const clang::Expr *b) const;
  std::optional<Value> binary(const clang::BinaryOperator *op, bool data);
  clang::QualType typeOfSteps(const clang::Expr *op, clang::QualType type) const;
  std::optional<Value> unary(const clang::UnaryOperator *op, bool data);
  std::optional<Value> conditional(const clang::AbstractConditionalOperator *op, bool data);
  void choose(const clang::AbstractConditionalOperator *op, llvm::function_ref<void(const clang::Expr *)> then,
              llvm::function_ref<void(const clang::Expr *)> otherwise);
  std::optional<Value> load(const clang::Expr *expr, bool data);
  void takeAsSize(const Symbolic &expr, Location location);
  bool mayExceed(const Symbolic &expr, int64_t most) const;
  Value integerArithmetic(clang::BinaryOperatorKind kind, const Value &a, const Value &b, clang::QualType type,
                          const clang::Expr *text);
  void count(Operation operation, double times = 1);
  void countArithmetic(clang::BinaryOperatorKind kind, clang::QualType type);
  void flush();

  // Assignments.cpp
  std::optional<Value> assignment(const clang::BinaryOperator *op, bool data);
  std::optional<Value> compoundAssignment(const clang::CompoundAssignOperator *op, bool data);
  bool tryUpdate(const Place &place, const clang::BinaryOperator *assign, bool data);

  // Calls.cpp
  std::optional<Value> call(const clang::CallExpr *expr, bool data);
  std::optional<Value> callDefined(const clang::CallExpr *expr, const clang::FunctionDecl *callee, Summary &summary);
  /// self: the object it is a member of.
  std::optional<Value> callDefined(const clang::Expr *expr, const clang::FunctionDecl *callee, Summary &summary,
                                   llvm::ArrayRef<const clang::Expr *> arguments, std::optional<Pointer> self);
  std::optional<Place> placeOfGlobal(const std::string &name, Location location);
  void emitCall(const skeleton::Call &made, const Summary &known, llvm::ArrayRef<Reach> reachable);
  std::optional<skeleton::Rotate> namesFor(const Summary &known, Location location) const;
  std::optional<Pointer> pointerCall(const clang::CallExpr *expr);
  Value unknownResult(const clang::Expr *expr, bool memory);

  // InlinedCalls.cpp
  bool bindInlined(const clang::CallExpr *expr);

  // OpaqueCalls.cpp
  std::optional<Value> opaqueCall(const clang::Expr *expr, llvm::ArrayRef<const clang::Expr *> arguments,
                                  const clang::FunctionDecl *callee, llvm::StringRef name, HostReason reason,
                                  bool isOwnCode = false);
  void selfContainedCall(const Handover &given, const clang::FunctionDecl *callee, llvm::StringRef name, Location location);
  bool isOutOfReach(const clang::VarDecl *global) const;
  void touchReachable(llvm::ArrayRef<Reach> reachable, HostReason reason, llvm::StringRef name, Location location,
                      bool isOwnCode = false);
  void touchAll(llvm::ArrayRef<Reach> reachable, bool isOwnCode, Location location, std::vector<std::string> &given,
                std::vector<std::string> &lent);
  std::vector<skeleton::Exposure> exposedNow();
  void takeOverExposed(const Summary &known, llvm::ArrayRef<Pointer> arguments,
                       llvm::function_ref<std::optional<Place>(int, const std::string &)> nameOfExtra);
  std::optional<Pointer> memoryOfUnseen(const clang::CallExpr *expr, const clang::FunctionDecl *callee, const std::string &hint);

  // Handover.cpp
  void letGo(const clang::CXXRecordDecl *lambda, const std::optional<Pointer> &closure, Handover &to, Location location);
  void reachVariable(const Place &place, bool isConst, Handover &to, Location location);
  void reachNamed(const clang::Stmt *stmt, Handover &to);
  void reachThrough(const clang::Expr *argument, clang::QualType formal, Handover &to);
  void storeAway(const clang::Expr *value);
  Place temporary(const clang::Expr *value);
  Place materialize(const clang::Expr *value);

  // Destructors.cpp
  Flow inScope(const clang::Stmt *stmt, llvm::function_ref<Flow()> walk);
  void live(const Place &place, const clang::Expr *made);
  void destroy(const Place &place, const clang::Expr *made);
  bool endMatters(clang::QualType type) const;
  void destroyScopes(size_t from);
  void destroyTemporaries();
  void cleanUp(const Living &one);
  void beginProgram();
  void endProgram(Location location);

  // Memory.cpp
  std::optional<Pointer> allocation(const clang::Expr *expr, clang::QualType pointee);
  Pointer allocate(const Symbolic &bytes, clang::QualType pointee, const std::string &name, Location location,
                   bool zeroed);
  void giveShape(Object &object, clang::QualType pointee);
  void releaseMemory(const Pointer &pointer, Location location);
  void host(HostReason reason, llvm::StringRef what, Block body, Location location);
  void hostStatement(skeleton::HostStatement made);
  Block accessesOf(llvm::function_ref<void()> walk);

  // Library.cpp
  std::optional<std::optional<Value>> libraryCall(const clang::CallExpr *expr, llvm::StringRef name, bool data);
  std::optional<std::optional<Value>> streamCall(const clang::CallExpr *expr, const clang::FunctionDecl *callee);

  // CopiedMemory.cpp
  /// memcpy, memmove (the ranges may overlap) or memset (reads nothing).
  void copyMemory(const clang::CallExpr *expr, bool reads, bool mayOverlap);
  /// Touches the elements from where the pointer points on: to the object's end, or so many bytes.
  void wholeAccess(AccessKind kind, const Pointer &pointer, const std::optional<Symbolic> &bytes, bool may,
                   Location location);
  /// What lies from the pointer on, to the object's end or so many bytes; nothing if that is not known, or no box of
  /// whole elements. A scalar is a box without dimensions.
  std::optional<ElementBox> boxBehind(const Pointer &pointer, const std::optional<Symbolic> &bytes);
  /// A nest over the box; `inside` emits its body for the element with these subscripts.
  void overBox(const ElementBox &box, bool downward, Location location,
               llvm::function_ref<void(const std::vector<Symbolic> &)> inside);
  /// One element of the pointer's object; without subscripts perhaps any.
  void touchElement(AccessKind kind, const Pointer &pointer, std::optional<std::vector<Symbolic>> at, Location location);

  // Messages.cpp
  std::optional<std::optional<Value>> messageCall(const clang::CallExpr *expr);
  void touchMessage(const clang::CallExpr *expr, const MessageForm &form, llvm::ArrayRef<Pointer> pointers, const std::vector<bool> &isMemory,
                    const std::optional<Symbolic> &sentBytes, const std::optional<Symbolic> &receivedBytes, skeleton::HostStatement made);
  std::optional<ElementBox> blockAt(const Pointer &pointer, const std::optional<Symbolic> &bytes);
  void touchBlock(AccessKind kind, const Pointer &pointer, const std::optional<Symbolic> &bytes, bool isSure, Location location);
  void touchStruct(AccessKind kind, const std::string &name, Location location);
  std::vector<std::string> structsAround(const std::string &name) const;
  bool staysInside(const Pointer &at, const std::optional<ElementBox> &box);
  void noteReceived(AccessKind kind, const std::string &name, Location location);
  void setHandle(const Pointer &at, Location location);
  void touchPending(Location location);
  void endPending(const clang::CallExpr *expr, llvm::StringRef name, const Pointer &requests, Location location);
  std::string requestsOf(const Pointer &at) const;
  void exportPending(unsigned mark);
  unsigned outermostLoop() const;
  bool isPendingLater(llvm::StringRef marker, const std::string &name) const;
  /// isEver: at any time, not only now.
  std::set<std::string> escapedAndPending(bool isEver = false) const;

  // LibraryCalls.cpp
  std::optional<std::optional<Value>> blasCall(const clang::CallExpr *expr);
  void touchBlasOperand(AccessKind kind, const Pointer &at, const std::optional<ElementBox> &box, Location location);
  std::optional<ElementBox> blasBox(const Pointer &at, const std::optional<Symbolic> &rows, const std::optional<Symbolic> &columns,
                                    const std::optional<Symbolic> &stride, uint64_t elementBytes);
  std::optional<Symbolic> integerBehind(const clang::Expr *expr);
  bool isZeroScalar(const clang::Expr *expr) const;
  std::vector<SubscriptRange> knownRange(const ElementBox &box) const;
  void setSubscripts(const std::string &name, llvm::ArrayRef<SubscriptRange> range);

  // SourceHints.cpp
  const clang::ValueDecl *declarationOf(llvm::StringRef name, const clang::Stmt *place);
  std::optional<Place> placeOfName(llvm::StringRef name, const clang::Stmt *at, Location location);
  std::string objectOfName(llvm::StringRef name, const clang::Stmt *at, Location location, std::string &why);
  std::optional<Symbolic> valueOfName(llvm::StringRef name, const clang::Stmt *at, Location location);
  void translateSize(const std::string &name, int64_t value, const clang::Stmt *at, const Location &said, skeleton::Hints &to);
  void translateRange(const std::tuple<std::string, Symbolic, Symbolic> &range, const clang::Stmt *at, const Location &said,
                      skeleton::Hints &to);
  skeleton::Hints translate(const skeleton::Hints &words, const clang::Stmt *at);
  skeleton::Hints take(llvm::ArrayRef<SourceHint *> hints, const clang::Stmt *at, const std::string &what);
  void takeFunctionHints();
  /// For a loop that is about to be walked; rangedArrays grows until it is left.
  void takeLoopHints(const clang::Stmt *stmt, const clang::Stmt *body, skeleton::LoopHead &loop);
  bool isRanged(const std::string &array) const;
  skeleton::Rare<skeleton::Loaded> loadedFrom(const Symbolic &index) const;
  void noteOrigin(const Symbolic &value, const Place &place);
  void noteWritten(const Symbolic &value);

  // FunctionWalk.cpp
  void bindParameters();
  void bindHandle(unsigned position, const clang::ParmVarDecl *formal);
  std::optional<unsigned> formalNaming(const std::string &object);
  bool isAnotherAtEnd(const std::string &name) const;
  void summarizeExit();

  // Tidy.cpp
  void renumber(skeleton::Function &made);
  void expandReach(Block &block);
  void fitRanks(Block &block);
  void fitRanks(std::vector<skeleton::SteadyElement> &elements);
  void expandExposed(skeleton::Call &call);
  void noteExposed();
  bool isDefinedUnseen(const Object &object) const;
  void readGlobalsAtStart(skeleton::Function &made);
  void finish();

  // Points.cpp
  void notePoint(const clang::Stmt *stmt, bool after);
  void renamePoints(const skeleton::Substitution &to, const std::set<std::string> &known);

  // Small things.
  bool isInLoop() const {
    return llvm::any_of(st.frames, [](const Frame &frame) { return !frame.isSwitch; });
  }
  void emit(Node node) {
    flush();
    out->push_back(std::move(node));
  }
  void find(Rule rule, Location location, std::string message);
  void report(Rule rule, skeleton::Level level, const Location &location, std::string message);
  Location locate(clang::SourceLocation where) const;
  Location locate(const clang::Stmt *stmt) const { return locate(stmt->getBeginLoc()); }
  std::string textOf(const clang::Stmt *stmt) const;
  const clang::Expr *strip(const clang::Expr *expr) const { return expr->IgnoreParenImpCasts(); }

  Unit &unit;
  clang::ASTContext &context;
  const clang::FunctionDecl *function;
  Summary &summary;
  State st;
  Block *out = nullptr;
  Block prologue; ///< Defines that belong to the function's entry.
  std::set<std::string> quiet; ///< Variables whose assignments are a loop's own: no access.
  std::vector<std::string> rangedArrays; ///< Of whose values hints of the function and the loops around speak.
  bool fillsTable = false; ///< The store that is walked sets a row to memory of its own, or to nothing.
  std::string nameHint; ///< The variable the value being computed is about to be stored in.
  std::set<const clang::FunctionDecl *> inlining;
  /// A body that is walked where it is called.
  struct InPlace {
    size_t firstFrame = 0;         ///< Its own loops begin here in State::frames.
    size_t firstScope = 0;         ///< And its own blocks here in State::scopes.
    bool data = false;             ///< Its value counts as data.
    unsigned returns = 0;
    std::optional<Value> value;    ///< Of the last return.
    std::vector<Environment> ends; ///< At its returns.
  };
  InPlace *inPlace = nullptr;
  unsigned trialDepth = 0;
  bool isMain = false;
  std::optional<Location> standsFor; ///< Where what the compiler wrote itself is said to be.
  std::set<const clang::Expr *> unusedValues; ///< Of those met so far: nobody asks for their value.
  bool isBindingGlobal = false; ///< placeOfGlobalReference and fixedPointer do not lead into themselves.
  std::vector<Environment> returns;
  /// Of each label of the function the gotos that lead there, by their number; nothing noted yet if empty.
  std::map<const clang::LabelDecl *, unsigned> gotoCounts;
  bool hasLabels = false;
};

/// Stand-ins in a host statement for what it reaches, replaced when the function is known to its end.
inline const char *const everyGlobal = "?global"; ///< That unseen code can reach.
inline const char *const everyStatic = "?static"; ///< And those that only this unit's code can.
inline const char *const everyEscaped = "?escaped"; ///< By the end of the function: of a call in a loop.
inline const char *const behind = "?behind ";

/// Adds to the waits of all functions what others of the unit receive into its globals.
void completeWaits(Unit &unit);

/// The call operators of a class that have a body; of a template its instances.
std::vector<const clang::CXXMethodDecl *> callOperatorsOf(const clang::CXXRecordDecl *record);

/// Stands among the names of changed variables for every field of that name.
std::string fieldNamedLike(llvm::StringRef variable);

/// A function of the C library of which it is known what it does: no variable changes that its arguments do not name.
bool isModelledFunction(llvm::StringRef name);

/// An algorithm of the standard library, or a parallel_for and its like, that the walk turns into a loop.
bool isLoopingCall(const clang::CallExpr *expr);
bool isParallelFor(const clang::CallExpr *expr);

/// Does something happen when an object of this type goes, other than that its memory is given back?
bool destructorMatters(clang::QualType type);
/// Does a constructor of the class, or of a part of it, do more than fill the object?
bool constructorMatters(clang::QualType type);
/// Does an assignment operator of the class, or of a part of it, or what constructs copies, do what the compiler's would not?
/// isStrict: none that somebody wrote, whatever it does.
bool copyingMatters(clang::QualType type, bool isStrict = false);
/// Does calling what the type says, a deleter, do more than give memory back?
bool callMatters(clang::QualType type);
/// A shared_ptr, or what holds one.
bool holdsShared(clang::QualType type);
/// A declaration, a temporary or a `delete` after which such a destructor runs.
bool endsObject(const clang::Stmt *stmt);

/// A lambda that changes what it holds by value: each call finds what the one before left.
bool keepsState(const clang::CXXRecordDecl *lambda);

/// A lambda's call operator, or a function that is given a lambda.
bool mustWalkInPlace(const clang::FunctionDecl *callee);
/// Of a formal that points to structs: is it one of them that the function wants, and no array?
bool isOneStruct(const clang::ParmVarDecl *formal);

/// A member function or operator that may give a container other memory, another size, or move an iterator.
bool changesHandle(const clang::CallExpr *expr);

} // namespace busfare::frontend

#endif
