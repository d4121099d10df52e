//===- clang-plugin/walk/Walk.h - The walk over one function -------------===//
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
#ifndef BUSFARE_CLANG_PLUGIN_WALK_WALK_H
#define BUSFARE_CLANG_PLUGIN_WALK_WALK_H

#include "State.h"
#include "Unit.h"
#include "Updates.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/CallQueries.h"
#include "clang-plugin/lower/Lifetimes.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include <functional>

namespace busfare::frontend {

struct MessageForm;
struct SourceHint;

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
  Flow executeArm(const clang::Stmt *side);
  Flow executeIf(const clang::IfStmt *stmt, llvm::ArrayRef<const clang::Stmt *> rest);
  std::optional<Flow> executeLongChain(const clang::IfStmt *stmt);
  Flow executeSwitch(const clang::SwitchStmt *stmt);
  Flow executeReturn(const clang::ReturnStmt *stmt);

  // Gotos.cpp
  size_t labelAhead(llvm::ArrayRef<const clang::Stmt *> stmts);
  std::pair<size_t, size_t> tangle(llvm::ArrayRef<const clang::Stmt *> stmts);
  void noteGotos(const clang::Stmt *body);
  std::optional<Flow> executeAroundLabels(llvm::ArrayRef<const clang::Stmt *> stmts);
  Flow executeTangled(llvm::ArrayRef<const clang::Stmt *> stmts, llvm::StringRef what = "goto", Rule rule = Rule::Goto);
  Flow executeGoto(const clang::Stmt *stmt);

  // Exceptions.cpp
  Flow executeTry(const clang::CXXTryStmt *stmt);
  bool isEnding(const clang::CXXCatchStmt *handler) const;
  void throwAway(const clang::CXXThrowExpr *expr);

  // FixedElements.cpp
  /// May running the statement change a value of such a type in that object? (Empty: in memory that may have any name.)
  bool leavesPointers(const clang::FunctionDecl *callee);
  void keepPointersOf(const Environment &before);
  struct WriteOptions {
    llvm::function_ref<bool(const Summary &)> leavesAlone =
        nullptr; ///< Which functions of other units do; nothing: none.
    bool asFormalsSay = false; ///< And they write no more than their summaries say of their formals.
    bool isAnyGlobal = false; ///< The object is a caller's, and may be any global.
  };
  bool mayWrite(const clang::Stmt *stmt, const std::string &object, llvm::function_ref<bool(clang::QualType)> isLike,
                std::set<const clang::FunctionDecl *> &seen, const WriteOptions &options);
  std::optional<Pointer> pointerLeftAlone(const Place &place, llvm::StringRef text, Location location);
  bool mayWriteInteger(const clang::Stmt *stmt, const std::string &object, uint64_t bytes,
                       std::set<const clang::FunctionDecl *> &seen, bool isAnyGlobal = false);
  std::pair<Frame *, unsigned> outermostLeavingAlone(llvm::function_ref<bool(const Frame &)> leavesAlone);
  std::optional<Value> fixedElement(const Place &place, llvm::StringRef text, const std::optional<Symbolic> &least,
                                    const std::optional<Symbolic> &most, Location location);
  std::optional<Value> fixedGlobal(const std::string &variable, clang::QualType type, Location location);

  // EntryElements.cpp
  std::optional<Value> elementOnEntry(const Place &place, llvm::StringRef text);
  bool isAsOnEntry(const std::string &object, uint64_t bytes);
  Symbolic extraFormal(llvm::StringRef name, unsigned formal, int64_t element, clang::QualType type);
  std::optional<Place> elementGiven(const Pointer &argument, const Place &reference, clang::QualType formal,
                                    llvm::StringRef suffix, const clang::Expr *text);

  struct OpenLoop; // OpenLoop.h

  // KnownElements.cpp
  std::optional<std::vector<int64_t>> elementOfLocal(const Place &place) const;
  void noteElement(const Place &place, const Value &value);
  std::optional<Value> valueAgain(const clang::Expr *expr);
  void noteElements(const Place &array, const clang::InitListExpr *list);
  std::optional<Value> knownElement(const Place &place) const;
  void forgetElements(const Node &node);
  void forgetElementsOf(const clang::Stmt *loop);
  void keepElements(std::map<std::string, KnownElements> before, const Summary &known,
                    llvm::ArrayRef<Pointer> arguments, const skeleton::Call &made);
  void keepElementsOf(const Environment &before);
  struct Filled {
    std::string array;
    int64_t first, last, number;
  };
  std::optional<Filled> filledBy(const OpenLoop &open);
  void noteFilled(const Filled &filled);
  std::map<std::string, KnownElements> mergeElements(const Environment &one, const Environment &other) const;

  // SteadyIntegers.cpp
  void hold(const std::string &variable);
  bool isReachable(const Object &object) const;
  bool mayBeWrittenBehind(const std::string &array, const Object &held, bool isGiven) const;
  bool mayWriteBehind(const Block &block, const Object &held) const;
  void noteWrittenBehind(const Node &node);
  bool readsMemory(const clang::Stmt *stmt) const;
  void takeSteady(skeleton::Loop &loop, const clang::Expr *condition, std::set<std::string> held,
                  std::vector<skeleton::SteadyElement> bounds);
  void noteSteady();
  void believe(const clang::FunctionDecl *callee, const Summary *known = nullptr);
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
  void declareHeld(const clang::VarDecl *variable);
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
    std::map<std::string, Symbolic> integers; ///< Per iteration.
    std::map<std::string, std::vector<Symbolic>> pointers; ///< Per iteration and dimension.
    /// Of other integers: an iteration adds at least and at most so much. The first is not above 0, the second not
    /// below.
    std::map<std::string, std::pair<int64_t, int64_t>> ranges;
    std::set<std::string> movedByCondition; ///< Pointers that it steps: once more than the body runs.
    std::map<std::string, Symbolic> beforeBody; ///< Change made by the condition.
    /// Likewise of `do`, whose condition follows the body; nothing: it is not the same each time.
    std::map<std::string, std::optional<Symbolic>> afterBody;
    std::map<std::string, std::vector<std::optional<Symbolic>>> pointersAfterBody; ///< Per dimension.
    std::map<std::string, std::vector<std::string>> targets; ///< Objects a carried pointer may name.
    std::map<std::string, Symbolic> toggles; ///< Of those: an iteration makes c - x of x. The c.
    std::vector<std::pair<std::string, std::string>> rotation; ///< Pointer variables permuted by an iteration.
    std::map<std::string, std::string> followers; ///< Pointers that an iteration leaves where one of those leads.
    std::vector<std::pair<std::string, std::string>> alternation; ///< Objects that are chosen in turns (Turns.cpp).
    std::set<std::string> rotated, following; ///< As of a Frame.
    bool exitsEarly = false;
    Tables tables; ///< At the end of an iteration.
    bool isOpaque = false; ///< It may change what no assignment in sight names.
    bool forgetsStatics = false; ///< Private globals included.
    bool forgetsPointers = false; ///< As of an Environment.
    std::set<std::string> alsoChanged; ///< Variables that turned out to change.
    std::set<std::string> usuallyKept; ///< Integers that an iteration changes only if something unknown says so.
  };
  void readCarried(const std::set<std::string> &changed, Location location);
  bool isBlock(const LoopParts &parts) const;
  Flow executeOnce(const LoopParts &parts);
  Steps tryIterations(const LoopParts &parts, std::set<std::string> &changed);
  Steps tryIncrement(const LoopParts &parts, const std::string &index);
  struct TriedLoop;
  bool holdInEachWalk(const Steps &steps) const;
  std::optional<Steps> stepsTriedBefore(const TriedLoop &loop, std::set<std::string> &changed, Location location);
  void noteUnseenChanges(const Steps &steps, bool isDeep, std::set<std::string> &changed);
  void readFixed(const LoopParts &parts, const std::set<std::string> &changed, Location location);
  Flow executeLoop(const LoopParts &parts);
  Value stepped(const std::string &name, const Value &before, const Symbolic &change, const Symbolic &step,
                Location location);
  Flow walkBody(const LoopParts &parts, const Symbolic &index);
  Flow finishLoop(const LoopParts &parts, const std::set<std::string> &changed, Steps &steps, const std::string &index);
  void chooseIndex(OpenLoop &open);
  void beginHead(OpenLoop &open);
  void noteEntry(OpenLoop &open);
  void openFrame(OpenLoop &open, unsigned mark);
  Value integerAtStart(const OpenLoop &open, const std::string &name, const Value &entry, const Symbolic &number);
  Pointer pointerAtStart(const OpenLoop &open, const std::string &name, const Pointer &entry, const Symbolic &number);
  void enterIteration(const OpenLoop &open, const Symbolic &number, const std::optional<Symbolic> &indexValue);
  Flow walkForGood(OpenLoop &open);
  void endIteration(OpenLoop &open, const Environment &head, bool comesRound);
  bool isPointerVariable(const std::string &name) const;
  Place memoryOfPointer(const std::string &variable);
  void noteCarriedPointers(const LoopParts &parts, const std::set<std::string> &changed, const Steps &steps,
                           bool atEnd);
  void noteIndex(const LoopParts &parts, const std::string &index, Location location);

  // AddressTables.cpp
  std::optional<unsigned> turnsOverAddresses(const LoopParts &parts);
  Flow executeTurns(const LoopParts &parts, unsigned turns);
  const clang::Expr *addressIn(const clang::Expr *element, const Place &place) const;

  // LoopTurns.cpp
  void backBeforeCondition(const OpenLoop &open);
  bool isReadAnew(const OpenLoop &open, const std::string &symbol, unsigned mark);
  bool hoistBound(OpenLoop &open, const Block &condition, const std::string &standIn);
  void solveCondition(OpenLoop &open);
  void divideBySteps(OpenLoop &open);
  bool isNarrow(const std::string &variable) const;
  void countTurns(OpenLoop &open);
  void countUnknown(OpenLoop &open);
  bool mayWriteOneOf(const Block &block, const std::set<std::string> &arrays, bool callsMayWrite);
  void keepBound(OpenLoop &open);

  // AfterLoops.cpp
  std::map<std::string, std::vector<std::string>> changedOnTheWayOut(const Environment &head,
                                                                     llvm::ArrayRef<Environment> ways,
                                                                     const std::set<std::string> &changed) const;
  std::optional<Value> integerAtEnd(const OpenLoop &open, const std::string &name, const Value &entry,
                                    const Symbolic &trips);
  void leaveInteger(const OpenLoop &open, const std::string &name, const Symbolic &trips);
  Pointer pointerLeftOtherwise(const OpenLoop &open, const std::string &name, Pointer entry, const Environment &inside);
  void leavePointer(const OpenLoop &open, const std::string &name, const Symbolic &trips, const Environment &inside);
  void takeStateAfter(OpenLoop &open);

  // CarriedVariables.cpp
  void collectChanged(const clang::Stmt *stmt, std::set<std::string> &changed, std::set<const clang::Decl *> &local);
  std::set<std::string> changedBy(const LoopParts &parts);
  /// Adds to `changed` what turns out to change.
  Steps tryIteration(const LoopParts &parts, std::set<std::string> &changed);
  Steps tryOnce(const LoopParts &parts, const std::set<std::string> &changed, const std::set<std::string> &rotated,
                const std::set<std::string> &following);
  /// What integers are taken to be when an iteration on trial begins: 0 or 1, and 0 or more.
  struct Guesses {
    std::set<std::string> flags, naturals;
    bool operator==(const Guesses &) const = default;
  };
  Steps tryWith(const LoopParts &parts, const std::set<std::string> &changed, const std::set<std::string> &rotated,
                const std::set<std::string> &following, Guesses &guesses);
  void noteConditionOfDo(const std::map<std::string, Symbolic> &integers,
                         const std::map<std::string, Pointer> &pointers, const Environment &body,
                         llvm::function_ref<std::optional<Symbolic>(const Symbolic &end, const Symbolic &start)> gained,
                         Steps &steps);
  void noteGainRange(const std::string &name, const Symbolic &end, const Symbolic &start, unsigned entryMark,
                     Steps &steps);
  void noteExchangedEquals(const std::map<std::string, Symbolic> &now, const State &before, Steps &steps);
  bool needsTrial(const LoopParts &parts, const std::set<std::string> &changed, const std::string &index);

  // FoundChanges.cpp
  bool changesUnnamed(const clang::Stmt *stmt);
  std::string fieldOfArgument(const clang::CallExpr *expr, int position, llvm::StringRef suffix,
                              const std::set<const clang::Decl *> &local);
  bool outlivesIteration(const std::string &name, const State &entry, const clang::Stmt *loop) const;
  std::set<std::string> foundChanges(const State &entry, const std::set<std::string> &changed,
                                     const clang::Stmt *loop) const;

  // TripCount.cpp
  struct Bound {
    Symbolic last; ///< Largest iteration number that may run (-1 or less: none).
    std::optional<Symbolic> by; ///< Of a step that is no number: by so much `last` is to be divided still.
    bool known = false;
    bool decisive = true; ///< The whole condition; otherwise the loop may stop earlier.
    bool untilEqual = false; ///< It runs on until both sides meet, by way of a wrap if need be.
    bool indexWraps = false; ///< The index is compared as an unsigned number, which a negative one is not.
    bool limitWraps = false; ///< So is the limit.
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
  Flow executeByThreads(const clang::OMPExecutableDirective *stmt, const clang::Stmt *body, const std::string &what);
  Flow keepPrivates(const clang::OMPExecutableDirective *stmt, llvm::function_ref<Flow()> run);
  Flow executeDirective(const clang::OMPExecutableDirective *stmt);
  skeleton::Directive clausesOf(const clang::OMPExecutableDirective *stmt);
  skeleton::Directive readDirective(const clang::OMPExecutableDirective *stmt);
  void addEnclosing(const clang::OMPExecutableDirective &around, skeleton::Directive &made);

  // Rotations.cpp
  void findFollowers(Steps &steps, const std::map<std::string, Pointer> &entry) const;
  bool knowsFollowers(const OpenLoop &open) const;
  /// Two arrays to which pointers lead one way round or the other.
  struct Exchanged {
    std::string one, other;
    std::set<std::string> variables;
    bool isInThen; ///< The side on which they have.
  };
  std::vector<Exchanged> exchangedBy(const Condition &condition, Environment &then, Environment &otherwise) const;
  void exchange(const Exchanged &exchanged, const Condition &condition, Location location);
  Flow walkWithFollowers(const OpenLoop &open);
  void findRotation(Steps &steps, std::map<std::string, std::string> &ends,
                    const std::map<std::string, Pointer> &entry);
  bool isOnlyPointedTo(const std::string &name) const;
  void rotate(const OpenLoop &open);
  bool mayExchange(const clang::Stmt *stmt);
  void noteRotated(const std::set<std::string> &objects, const std::set<std::string> &following,
                   const std::set<std::string> &tables = {}, bool isRestored = false);
  void loseTrack(const std::set<std::string> &objects, const std::set<std::string> &following, Location location,
                 const Frame *turning = nullptr);

  std::optional<Pointer> inOneObject(const Condition *condition, const Pointer &then, const Pointer &otherwise) const;

  // Turns.cpp
  void noteChoice(const Condition *when, const Pointer &a, const Pointer &b);
  std::vector<std::pair<std::string, std::string>>
  alternating(llvm::ArrayRef<Choice> choices, llvm::function_ref<skeleton::Substitution(bool isOdd)> values,
              const State &before);
  void noteToggle(const std::string &name, const Symbolic &start, const Symbolic &end,
                  llvm::function_ref<bool(const Symbolic &)> isOfBefore, bool isFlag, Steps &steps) const;
  std::set<std::string> flagsOf(const LoopParts &parts, const std::set<std::string> &changed);
  static Symbolic numberInTurn(bool isOdd);
  static Symbolic toggled(const Symbolic &first, const Symbolic &sum, const Symbolic &turns);
  std::optional<Pointer> chosenInTurn(const Condition *when, const Pointer &a, const Pointer &b);
  void restoreTurns(const OpenLoop &open, const Symbolic &trips);

  // HandedOn.cpp
  void noteReturned(const Pointer &pointer, Location location);
  void noteReturned(const clang::Expr *value, Location location);
  bool goesWithItsOwner(const std::string &name) const;
  void handOn();
  bool makesResult(const clang::CallExpr *expr) const;
  /// Does it give a struct with pointers that is one variable of a function whose body can be walked here?
  bool makesObject(const clang::CallExpr *expr) const;
  /// Likewise, or can the function make it in a place that it is given (ReturnedStructs.cpp)?
  bool makesStruct(const clang::CallExpr *expr);
  void makeStruct(const clang::CallExpr *expr, const Place &place);
  void bindResult();

  // NestedContainers.cpp
  std::optional<std::vector<Symbolic>> lengthsLike(const clang::Expr *row);
  std::optional<std::vector<Symbolic>> lengthsIn(const Pointer &table);
  Value sizeOfRow(const Place &place, Location location);
  void setContainers(const Pointer &table, Location location);
  /// like: a table of such rows, of which they are copies.
  void fillRows(const Pointer &table, llvm::ArrayRef<Symbolic> lengths, Location location, const Pointer &like = {});
  Pointer lastRows(const Pointer &table, size_t levels);
  bool copyRows(const Pointer &from, const Pointer &to, Location location);
  HandleValue freshTable(const Symbolic &count, clang::QualType element, const std::string &hint,
                         const clang::Expr *like, Location location);
  HandleValue copyTable(const HandleValue &source, clang::QualType element, const std::string &hint, Location location);
  bool coversAll(const Place &place, const clang::Stmt *by) const;
  void loseRow(const Place &place);
  bool changeRow(const Place &place, llvm::StringRef how, Location location);
  bool setRow(const Place &place, const Symbolic &count, bool isSet, const Pointer &like, const clang::Stmt *by,
              Location location);
  bool assignRow(const Place &place, const clang::CXXOperatorCallExpr *assign, Location location);
  bool takesTable(const clang::CallExpr *expr) const;

  // RotatedRows.cpp
  std::vector<std::string> targetsAlike(llvm::ArrayRef<std::string> tables, Location location);
  std::vector<std::vector<std::pair<std::string, std::string>>>
  movesOfRows(const std::vector<std::pair<std::string, std::string>> &moves, std::set<std::string> &tables,
              Location location);

  // RotatedStructs.cpp
  void exchangeStructs(const std::map<std::string, Pointer> &entry, Location location);

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
  void runBlock(const clang::StmtExpr *block, llvm::function_ref<void(const clang::Expr *)> value);
  void runCommon(const clang::AbstractConditionalOperator *op);
  void dropValue(const clang::Expr *expr);
  bool isBytewise(const Place &place, const Object &object) const;
  void access(AccessKind kind, const Place &place, ReductionOp op, Location location, bool may, bool induction);
  std::vector<std::string> partsOfRecord(const std::string &record);
  bool completesElement(const Place &place, const Access &made);
  void collectFields(const std::string &prefix, clang::QualType record, std::vector<Place> &fields);

  // Pointers.cpp
  std::pair<const clang::FieldDecl *, Place> fieldOfRecord(const std::string &variable) const;
  bool isCounted(const std::string &variable) const;
  std::optional<Symbolic> countOnEntry(const std::string &variable);
  void normalize(Pointer &pointer);
  std::vector<std::optional<Symbolic>> dimensionsOf(clang::QualType type);
  std::optional<Symbolic> overSettings(const clang::Expr *expr);
  Symbolic extentOf(const clang::Expr *size);
  std::optional<Symbolic> elementsIn(clang::QualType type, uint64_t elementBytes);
  Pointer unknownPointer(llvm::StringRef text, clang::QualType pointee, Location location,
                         std::vector<std::string> mayBe = {}, bool isOpen = false, bool isHoisted = false);
  bool copiesPointers();
  std::set<std::string> storedObjects();
  NameList storedOfType(clang::QualType pointee);
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
  bool holdsPointers(const Object &object) const;
  bool isReachedBy(const std::string &name, llvm::function_ref<bool(const std::string &name)> isIt) const;
  mutable llvm::DenseMap<void *, bool> holdersByType; ///< By the type of the elements, where pointers may lie in them.
  bool isOfArguments(const std::string &name) const;
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
  void loseRotated(const std::set<std::string> &objects, const std::set<std::string> &tables);
  void loseTablesOfCallers();
  void forgetTables();
  void noteFreshTable(const std::string &name);
  Tables mergeTables(const Tables &a, const Tables &b, bool atStart) const;
  void endFilling();
  bool mayChangeTables(llvm::ArrayRef<const clang::Stmt *> stmts);
  void summarizeTables();
  /// Across calls: `nameOfExtra` says what the callee's names are here.
  using NameOfExtra = std::function<std::optional<Place>(int, const std::string &)>;
  Place tableOfExtra(int position, const std::string &suffix, llvm::ArrayRef<Pointer> arguments,
                     const NameOfExtra &nameOfExtra, Location location);
  std::optional<Place> rowsOfTable(const Place &table, llvm::StringRef path, Location location);
  std::optional<Place> recordGiven(const Pointer &at, clang::QualType type);
  bool fillTable(const Place &table, llvm::StringRef path, const RowState &filled);
  void takeOverTables(const Summary &known, const std::set<std::string> &filledBefore,
                      llvm::function_ref<Place(int, const std::string &)> tableOf,
                      llvm::function_ref<std::optional<Symbolic>(const Symbolic &)> instantiate);
  void takeOverRows(const Pointer &table, const RowState &state, const skeleton::Substitution &actuals,
                    clang::QualType pointee, Location location);
  void reportRows();

  // Callables.cpp
  std::optional<Callable> callableOf(const clang::Expr *expr, size_t arguments);

  // HeldFunctions.cpp
  bool holdFunction(const clang::VarDecl *variable);
  bool holdArgument(const clang::Expr *argument, const clang::ParmVarDecl *formal, Actual &actual);
  bool takesFunction(const clang::CallExpr *expr) const;
  std::optional<Callable> heldFunction(const clang::CallExpr *expr) const;

  // Closures.cpp
  Closure close(const clang::LambdaExpr *lambda);
  Place keptCopy(const clang::Expr *value);
  Place copyOfCaptured(const clang::ValueDecl *captured, const Place &place, const clang::Expr *value,
                       Location location);
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
  /// What a call in place gives, if that is a pointer or a container, and what memory made for it is to be called.
  struct Result {
    HandleValue value;
    std::string name;
    std::optional<Place> place = {}; ///< Of a class: the object that it makes.
  };
  Flow walkInPlace(const clang::FunctionDecl *callee, llvm::ArrayRef<Actual> actuals, std::optional<Pointer> self,
                   Location location, std::optional<Value> *result = nullptr, Result *made = nullptr);
  HandleValue returnedByAll(llvm::ArrayRef<HandleValue> handles, const clang::FunctionDecl *callee, Location location);
  /// made: what it gives, if that is a pointer or a container.
  std::optional<Value> callInPlace(const clang::CallExpr *expr, bool data, Result *made = nullptr);
  const clang::FunctionDecl *walkableCallee(const clang::CallExpr *expr) const;
  bool passesPointerVariable(const clang::CallExpr *expr) const;
  bool takesElement(const clang::CallExpr *expr) const;
  bool isOfBinder(const clang::CallExpr *expr) const;
  bool walksInPlace(const clang::CallExpr *expr) const;
  std::optional<Place> placeInPair(const clang::CallExpr *expr);
  std::optional<Place> placeInPlace(const clang::CallExpr *expr);

  // Algorithms.cpp, ParallelFor.cpp
  std::optional<std::optional<Value>> loopingCall(const clang::CallExpr *expr, bool data);
  std::optional<std::optional<Value>> algorithm(const clang::CallExpr *expr, bool data);
  std::optional<Pointer> foundElement(const clang::CallExpr *expr);
  std::optional<std::optional<Value>> parallelFor(const clang::CallExpr *expr);
  std::optional<std::vector<IndexRange>> indexRangesOf(const clang::Expr *expr);
  bool declareIndexRange(const clang::VarDecl *variable);
  Symbolic indexNumber(const clang::Expr *expr);
  std::optional<Value> indexValue(const clang::CallExpr *expr);
  void loopOver(const clang::Expr *text, const std::vector<IndexRange> &ranges, const clang::Stmt *body,
                const skeleton::Rare<skeleton::Directive> &directive,
                llvm::function_ref<void(llvm::ArrayRef<Symbolic>)> run);

  // Constructors.cpp
  bool isOutOfSight(const Place &place, const clang::CallExpr *call);
  void assignRecord(const Place &to, const clang::Expr *from, Location location);
  bool isNamedRecord(const Place &place);
  void swapRecords(const Place &a, const Place &b, Location location);
  bool isUnnamedInOwn(const Place &record, const clang::FieldDecl *field);
  bool isUnnamedInCopy(const Place &to, const Place &from, const clang::FieldDecl *field);
  void copyRecord(const Place &to, const Place &from, bool isMove, Location location,
                  const clang::CXXConstructorDecl *by = nullptr);
  void copyPart(const Place &to, const Place &from, bool isMove, const clang::CXXCtorInitializer *init,
                Location location);
  void assignRecord(const clang::Expr *to, const clang::Expr *from, Location location);
  void loseFields(const std::string &prefix, Location location);
  void takeElement(const Place &to, const Place &from, Location location);
  void takeRows(const Place &to, const Place &from, Location location);
  void runInitializer(const Place &self, const clang::CXXCtorInitializer *init);
  void initializePart(const Place &self, const clang::CXXCtorInitializer *init);
  void bringToLife(clang::QualType element, Location location, llvm::ArrayRef<Reach> reachable = {});
  void layToRest(clang::QualType type, Location location, llvm::ArrayRef<Reach> reachable = {});
  void assignUnseen(clang::QualType element, Location location, llvm::ArrayRef<Reach> reachable);
  bool constructInherited(const Place &place, const clang::CXXConstructorDecl *constructor, const clang::Expr *expr,
                          llvm::ArrayRef<const clang::Expr *> arguments);
  void keepMade(const clang::Expr *value);
  void keepReturned(const clang::ReturnStmt *stmt);
  std::optional<Pointer> placedNew(const clang::CXXNewExpr *made);
  void initializeStatic(const clang::VarDecl *variable);
  void bindStatic(const clang::VarDecl *variable);
  bool constructInto(const Place &place, const clang::CXXConstructExpr *expr);
  std::optional<Value> construct(const clang::CXXConstructExpr *expr, bool data);

  // Handles.cpp
  Place sizeOf(const std::string &variable);
  Place placeOfHandle(const clang::Expr *object);
  /// isSized: its size matters, too; else it is left out.
  HandleValue readHandle(const Place &place, Location location, bool isSized = true);
  void assignHandle(const Place &place, const HandleValue &value, Location location);
  HandleValue freshElements(const Symbolic &count, clang::QualType element, const std::string &hint, bool isSet,
                            Location location);
  HandleValue copyElements(const HandleValue &source, clang::QualType element, const std::string &hint,
                           Location location, clang::QualType from = {});
  std::optional<Symbolic> sizeOfSum(const clang::Expr *expr);
  HandleValue constructHandle(const clang::CXXConstructExpr *expr);
  void takeAway(const clang::Expr *expr, Location location);
  std::optional<Value> distance(Pointer begin, Pointer end, clang::QualType iterator, Location location);
  HandleValue handle(const clang::Expr *expr);
  std::optional<HandleValue> handleFrom(const clang::CallExpr *expr);
  std::optional<HandleValue> iteratorArithmetic(const clang::CallExpr *expr, const clang::Expr *object,
                                                llvm::StringRef name);
  std::optional<Place> elementOf(const clang::CallExpr *expr);

  // HandleOperations.cpp
  void resize(const Place &place, const Symbolic &count, llvm::StringRef name, Location location);
  bool followStorage(const Place &place, const Pointer &old, const Pointer &fresh);
  void keepStorage(const Place &place, const Pointer &old, HandleValue &fresh, Location location);
  bool isHeldBesides(const Place &place, const Pointer &memory) const;
  HandleValue otherElements(const Place &place, const Pointer &old, const Symbolic &count, bool isSet,
                            Location location);
  void adoptStorage(const Place &place, const Pointer &old, llvm::StringRef callee, Location location);
  void sizeByItself(const Place &place, Location location);
  Pointer roomToAppend(const Place &place, Location location);
  void makeRoomAhead(const clang::Stmt *body);
  void hostTouches(AccessKind kind, const Pointer &at, llvm::StringRef name, Location location,
                   const std::optional<Symbolic> &count = std::nullopt);
  void append(const Place &place, llvm::StringRef name, Location location);
  void assignFrom(const Place &place, const clang::Expr *source, Location location);
  void swapHandles(const Place &a, const Place &b, Location location);
  std::optional<std::optional<Value>> handleOperation(const clang::CallExpr *expr, bool data);
  std::optional<std::optional<Value>> handleFunction(const clang::CallExpr *expr, llvm::StringRef name);

  // Scalars.cpp
  std::string nameOf(const clang::ValueDecl *decl);
  std::string freshName(llvm::StringRef base);
  /// For an object: a name that none has, of this function or of the globals.
  std::string freshObjectName(llvm::StringRef base) const;
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
  void noteShrinking(const std::string &size, const Symbolic &now);
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
  std::pair<std::optional<Symbolic>, std::optional<Symbolic>>
  boundsWithout(const Symbolic &expr, llvm::function_ref<bool(const std::string &symbol)> isInner) const;
  void mergeSizes(const Environment &then, const Environment &otherwise, Environment &merged,
                  llvm::function_ref<std::optional<Value>(const Environment &, const std::string &)> lookUp);
  void merge(const Environment &then, const Environment &otherwise, Location location, const Condition *condition);
  Environment mergeAll(std::vector<Environment> environments, Location location);
  Value convert(Value value, clang::QualType from, clang::QualType to, const clang::Expr *text);
  void clobber(const std::string &variable, Location location);
  void clobberGiven(const std::string &variable, Location location);
  const clang::VarDecl *globalOf(const std::string &variable) const;
  bool survivesUnseen(const std::string &variable) const;
  bool isResultField(const std::string &variable) const;
  bool isOwnField(const std::string &variable) const;
  bool isForgotten(const Environment &env, const std::string &variable) const {
    return !isOwnField(variable) && (env.forgetsStatics || (env.opaque && !survivesUnseen(variable)));
  }
  bool isPointerForgotten(const Environment &env, const std::string &variable) const {
    return !isOwnField(variable) && env.forgetsPointers && (env.forgetsStatics || !survivesUnseen(variable));
  }
  void clobberAddressTaken(Location location, bool isOwnCode = false);
  void clobberAddressTakenByUnseen(Location location);
  bool isTableReached(const std::string &name, bool isOwnCode) const;
  void clobberSomewhere(Location location);
  std::set<std::string> reachedByUnseen(llvm::function_ref<bool(const std::string &variable)> isSafe) const;
  bool isTrackedType(clang::QualType type) const;
  void exportValues(unsigned mark, Location location);
  void exportValues(llvm::function_ref<bool(const std::string &)> isInnerSymbol, Location location);
  void exportEnds(std::vector<Environment> &ends, unsigned mark, Location location);
  bool isMadeBehind(const std::string &symbol, unsigned mark) const;

  // UsualValues.cpp
  std::optional<Symbolic> usualValueOf(const Symbolic &expr) const;
  std::optional<Symbolic> usualElement(const Place &place);
  bool isLeftAlone(const Symbolic &expr) const;
  Symbolic usually(const Symbolic &fresh, const std::optional<Symbolic> &value);
  Symbolic usuallyLeftAlone(const Symbolic &fresh, bool isIt);
  std::optional<Symbolic> usualOfBoth(const Symbolic &then, const Symbolic &otherwise,
                                      const Condition *condition) const;
  void noteUsuallyKept(const std::map<std::string, Symbolic> &start, const std::set<std::string> &changed,
                       Steps &steps) const;
  Symbolic usuallyAsBefore(const Symbolic &fresh, const std::string &name, const Value *before, const Steps &steps);
  void summarizeUsualExit(const std::string &name, const std::pair<int, std::string> &key);
  std::optional<Symbolic>
  usualAfterCall(const Summary &known, const std::pair<int, std::string> &key, const std::string &variable,
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
  bool isFlag(const Symbolic &expr) const {
    return st.ranges.isNonNegative(expr) && st.ranges.isNonNegative(Symbolic(1) - expr);
  } ///< 0 or 1.
  std::optional<Value> unary(const clang::UnaryOperator *op, bool data);
  std::optional<Value> conditional(const clang::AbstractConditionalOperator *op, bool data);
  Condition choose(const clang::AbstractConditionalOperator *op, llvm::function_ref<void(const clang::Expr *)> then,
                   llvm::function_ref<void(const clang::Expr *)> otherwise);
  std::optional<Value> load(const clang::Expr *expr, bool data);
  Value elementValue(const Place &place, const std::string &text, Location location);
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

  // Updates.cpp
  std::optional<UpdateForm> updateForm(const clang::Expr *right, clang::QualType type,
                                       llvm::function_ref<bool(const clang::Expr *)> isTarget) const;
  void countStep(clang::BinaryOperatorKind kind, const clang::Expr *e, clang::QualType type);
  void runOthers(const UpdateForm &form, clang::QualType type);
  bool tryUpdate(const Place &place, const clang::BinaryOperator *assign);
  bool tryRecordUpdate(const clang::Expr *assign, const clang::Expr *target, const clang::Expr *source);

  // Calls.cpp
  std::optional<Value> call(const clang::CallExpr *expr, bool data);
  std::optional<Value> callOneOf(const clang::CallExpr *expr, llvm::ArrayRef<const clang::CallExpr *> calls, bool data);
  void runOneOf(const clang::CallExpr *expr, llvm::ArrayRef<const clang::CallExpr *> calls,
                llvm::function_ref<void(const clang::CallExpr *)> run);
  Pointer pointerOfOne(const clang::CallExpr *expr, llvm::ArrayRef<const clang::CallExpr *> calls);
  skeleton::ArrayArgument given(Pointer at);
  void nameElements(const Symbolic &expr);
  /// result: where the struct is to be made that it returns.
  std::optional<Value> callDefined(const clang::CallExpr *expr, const clang::FunctionDecl *callee, Summary &summary,
                                   const std::optional<Place> &result = std::nullopt);
  /// self: the object it is a member of.
  std::optional<Value> callDefined(const clang::Expr *expr, const clang::FunctionDecl *callee, Summary &summary,
                                   llvm::ArrayRef<const clang::Expr *> arguments, std::optional<Pointer> self,
                                   const std::optional<Place> &result = std::nullopt);
  std::optional<Place> placeOfGlobal(const std::string &name, Location location);
  void loseBehindGlobals(const Summary &known, Location location);
  void emitCall(const skeleton::Call &made, const Summary &known, llvm::ArrayRef<Reach> reachable);
  std::optional<skeleton::Rotate> namesFor(const Summary &known, Location location) const;
  std::optional<HandleValue> pointerCall(const clang::CallExpr *expr);
  Value unknownResult(const clang::Expr *expr, bool memory);

  // SetByCallees.cpp
  /// The caller's pointer variables that a callee sets -> by which names it does (as ExtraFormal).
  using PointersSet = std::map<std::string, std::set<std::pair<int, std::string>>>;
  struct SharedPointer {
    Place pointer, other;
    std::pair<int, std::string> key; ///< Of the other.
  };
  void setShared(llvm::ArrayRef<SharedPointer> shared, const PointersSet &pointersSet, Location location);
  void loseReplaced(const std::string &memory, const std::string &pointer, Location location);
  void loseBytesGiven(const clang::FunctionDecl *callee, const Summary &known, llvm::ArrayRef<Pointer> arguments);
  std::map<std::pair<int, std::string>, std::vector<std::string>> lostTargets(const Summary &known,
                                                                              llvm::ArrayRef<Pointer> arguments,
                                                                              const NameOfExtra &nameOfExtra,
                                                                              Location location);
  void mayLeadTo(const std::string &variable, llvm::ArrayRef<Pointer> arguments);
  bool isSetSomewhere(const clang::FunctionDecl *callee, const Summary &known, const std::optional<Pointer> &self,
                      llvm::ArrayRef<Pointer> arguments, llvm::ArrayRef<Place> places, const NameOfExtra &nameOfExtra,
                      Location location);
  std::set<std::string> memoryGiven(const skeleton::Call &call, const Summary &known,
                                    const NameOfExtra &nameOfExtra) const;
  void loseSomewhere(const std::set<std::string> &given, Location location);

  // InlinedCalls.cpp
  bool bindInlined(const clang::CallExpr *expr);

  // ReturnedPlaces.cpp
  std::optional<Place> placeReturned(const clang::CallExpr *expr);

  // OpaqueCalls.cpp
  std::optional<Value> opaqueCall(const clang::Expr *expr, llvm::ArrayRef<const clang::Expr *> arguments,
                                  const clang::FunctionDecl *callee, llvm::StringRef name, HostReason reason,
                                  bool isOwnCode = false);
  void selfContainedCall(const Handover &given, const clang::FunctionDecl *callee, llvm::StringRef name,
                         Location location);
  bool isOutOfReach(const clang::VarDecl *global) const;
  void touchReachable(llvm::ArrayRef<Reach> reachable, HostReason reason, llvm::StringRef name, Location location,
                      bool isOwnCode = false);
  void touchAll(llvm::ArrayRef<Reach> reachable, bool isOwnCode, Location location, std::vector<std::string> &given,
                std::vector<std::string> &lent);
  void useGlobals(bool isOwnCode, Location location);
  /// What unseen code has been given by some point.
  struct GivenAway {
    std::set<std::string> written; ///< Objects that it may write,
    std::set<std::string> read; ///< read at most,
    std::set<std::string> copied; ///< and structs of which it has copies.
    bool operator==(const GivenAway &) const = default;
  };
  std::vector<GivenAway> givenAway; ///< Those that stand-ins name by their places.
  void touchGivenAway(GivenAway out, Location location);
  std::vector<skeleton::Exposure> exposedNow();
  bool isOwnConstant(const std::string &name) const;
  bool touchFields(const Reach &one, Location location);
  std::set<std::string> copiedInto(const std::string &name) const;
  void touchSources(const std::string &name, Location location);
  std::string objectMeant(const std::pair<int, std::string> &key, llvm::ArrayRef<Pointer> arguments,
                          const std::optional<Pointer> &self, const NameOfExtra &nameOfExtra);
  struct Exposed {
    bool isConst; ///< Given away for reading only.
    bool isNamed; ///< The called function has a name for it, under which it says where it is touched.
  };
  std::map<std::string, Exposed> exposedBy(const Summary &known, llvm::ArrayRef<Pointer> arguments,
                                           const std::optional<Pointer> &self, const NameOfExtra &nameOfExtra);
  /// made: the call itself; null: what comes behind it.
  void takeOverExposed(const std::map<std::string, Exposed> &exposed, skeleton::Call *made);
  void readCopied(const std::string &name, Location location);

  // GivenMemory.cpp
  bool mayHold(const Object &object, clang::QualType pointee) const;
  bool mayBeGivenBack(clang::QualType pointee) const;
  bool pointsToOneStruct(const std::string &variable) const;
  Pointer givenMemory(const std::string &variable, clang::QualType pointee, Location location);
  std::optional<Pointer> memoryOfUnseen(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                                        const std::string &hint);
  void touchGiven(const Pointer &given, Location location);
  void takePointerOfUnseen(const Place &variable, Location location);
  std::optional<Pointer> givenField(const std::string &variable, clang::QualType pointee, Location location);
  bool mayBeSteady(const std::string &variable) const;
  void assumeSteady(const Pointer &pointer);
  void clobberByUnseen(const std::string &variable, Location location);
  std::set<std::string> behindStruct(const std::string &name) const;
  void escapeBehind(const std::string &name);
  bool isFieldOfEscaped(const std::string &variable) const;
  void doubtTables(llvm::function_ref<bool(const std::string &name)> isReachedByUnseen);
  bool isSet(const Place &pointer) const;

  // Handover.cpp
  void letGo(const clang::CXXRecordDecl *lambda, const std::optional<Pointer> &closure, Handover &to,
             Location location);
  void reachVariable(const Place &place, bool isConst, Handover &to, Location location);
  void reachNamed(const clang::Stmt *stmt, Handover &to);
  void reachThrough(const clang::Expr *argument, clang::QualType formal, Handover &to);
  void noteKept(const Handover &given);
  void storeAway(const clang::Expr *value);
  Place temporary(const clang::Expr *value);
  Place materialize(const clang::Expr *value);

  // Destructors.cpp
  Flow inScope(const clang::Stmt *stmt, llvm::function_ref<Flow()> walk);
  void forgetCounters(const clang::ForStmt *loop);
  void live(const Place &place, const clang::Expr *made);
  void destroy(const Place &place, const clang::Expr *made);
  bool endMatters(clang::QualType type) const;
  void destroyScopes(size_t from);
  void destroyTemporaries(const clang::Stmt *of = nullptr);
  void asOwnExpression(const clang::Expr *expr, llvm::function_ref<void()> walk);
  void noteAccounted();
  std::vector<const clang::Expr *> temporariesLeft(const clang::Stmt *of) const;
  void cleanUp(const Living &one);
  void beginProgram();
  void endProgram(Location location);

  // Memory.cpp
  bool takesPlaceOf(const std::string &memory, clang::QualType pointee);
  void noteAllocation(Object &made, const std::optional<Object> &before);
  void loseSize(const std::string &memory);
  void exportSizes(llvm::function_ref<bool(const Symbolic &)> isInner, const std::map<Symbolic, Symbolic> &outside);
  void mergeSizesOfLoop(const Environment &before);
  bool hasMemoryOnEntry(const std::string &memory) const;
  bool holdsSizeAtEnd(const std::string &field, const std::string &memory) const;
  void summarizeFreshCounts();
  void dropExcludedSizes();
  void noteRemade();
  void countCopies(skeleton::Call &made, const Summary &known, const clang::FunctionDecl *definition);
  bool leaves(const Node &node, const std::string &memory) const;
  std::optional<unsigned> leftBehindFormal(const Block &body, const std::string &symbol);
  void summarizeLeftBehind(const Block &body);
  std::optional<Symbolic> leftInArgument(const clang::Expr *argument, clang::QualType formal);
  void takeOverCount(const std::string &memory, const std::string &variable);
  bool isNamedBy(const std::string &memory, const std::string &besides) const;
  std::optional<Pointer> allocation(const clang::Expr *expr, clang::QualType pointee);
  Pointer allocate(const Symbolic &bytes, clang::QualType pointee, const std::string &name, Location location,
                   bool zeroed);
  void giveShape(Object &object, clang::QualType pointee);
  void releaseMemory(const Pointer &pointer, Location location);
  void host(HostReason reason, llvm::StringRef what, Block body, Location location);
  void hostStatement(skeleton::HostStatement made);
  Block accessesOf(llvm::function_ref<void()> walk);

  // Library.cpp
  std::optional<Pointer> errorNumber(const clang::CallExpr *call);
  std::optional<Pointer> exchangedPointer(const clang::CallExpr *call);
  std::optional<std::optional<Value>> libraryCall(const clang::CallExpr *expr, llvm::StringRef name, bool data);
  std::string parsedText(const clang::CallExpr *expr, llvm::StringRef name);
  bool mayChangeTexts(const Node &node) const;

  // LastWords.cpp
  std::set<Location> plainMessages,
      textMessages; ///< Output that is the same whoever makes it; output of texts in memory.
  skeleton::End withLastWords(skeleton::End ending);
  bool givesBuffer(const clang::CallExpr *expr, const clang::FunctionDecl *callee);
  std::optional<std::optional<Value>> streamCall(const clang::CallExpr *expr, const clang::FunctionDecl *callee);

  // CopiedMemory.cpp
  /// memcpy, memmove (the ranges may overlap) or memset (reads nothing).
  void copyMemory(const clang::CallExpr *expr, bool reads, bool mayOverlap);
  /// Touches the elements from where the pointer points on: to the object's end, or so many bytes.
  void wholeAccess(AccessKind kind, const Pointer &pointer, const std::optional<Symbolic> &bytes, bool may,
                   Location location);
  /// Element by element, where both are boxes alike; else all that is read, then all that is written. bytes: as of
  /// wholeAccess.
  void copyWhole(const Pointer &from, const std::optional<Symbolic> &readBytes, const Pointer &to,
                 const std::optional<Symbolic> &writtenBytes, Location location);
  /// What lies from the pointer on, to the object's end or so many bytes; nothing if that is not known, or no box of
  /// whole elements. A scalar is a box without dimensions.
  std::optional<ElementBox> boxBehind(const Pointer &pointer, const std::optional<Symbolic> &bytes);
  /// A nest over the box; `inside` emits its body for the element with these subscripts.
  void overBox(const ElementBox &box, bool downward, Location location,
               llvm::function_ref<void(const std::vector<Symbolic> &)> inside);
  /// One element of the pointer's object; without subscripts perhaps any.
  void touchElement(AccessKind kind, const Pointer &pointer, std::optional<std::vector<Symbolic>> at,
                    Location location);

  // Messages.cpp
  std::optional<std::optional<Value>> messageCall(const clang::CallExpr *expr);
  void touchMessage(const clang::CallExpr *expr, const MessageForm &form, llvm::ArrayRef<Pointer> pointers,
                    const std::vector<bool> &isMemory, const std::optional<Symbolic> &sentBytes,
                    const std::optional<Symbolic> &receivedBytes, skeleton::HostStatement made);
  std::optional<ElementBox> blockAt(const Pointer &pointer, const std::optional<Symbolic> &bytes);
  void touchBlock(AccessKind kind, const Pointer &pointer, const std::optional<Symbolic> &bytes, bool isSure,
                  Location location);
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
  std::optional<ElementBox> blasBox(const Pointer &at, const std::optional<Symbolic> &rows,
                                    const std::optional<Symbolic> &columns, const std::optional<Symbolic> &stride,
                                    uint64_t elementBytes);
  std::optional<Symbolic> integerBehind(const clang::Expr *expr);
  bool isZeroScalar(const clang::Expr *expr) const;
  std::vector<SubscriptRange> knownRange(const ElementBox &box) const;
  void setSubscripts(const std::string &name, llvm::ArrayRef<SubscriptRange> range);

  // SourceHints.cpp
  const clang::ValueDecl *declarationOf(llvm::StringRef name, const clang::Stmt *place);
  std::optional<Place> placeOfName(llvm::StringRef name, const clang::Stmt *at, Location location);
  std::string objectOfName(llvm::StringRef name, const clang::Stmt *at, Location location, std::string &why);
  std::optional<Symbolic> valueOfName(llvm::StringRef name, const clang::Stmt *at, Location location);
  void translateSize(const std::string &name, int64_t value, const clang::Stmt *at, const Location &said,
                     skeleton::Hints &to);
  void translateRange(const std::tuple<std::string, Symbolic, Symbolic> &range, const clang::Stmt *at,
                      const Location &said, skeleton::Hints &to);
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
  std::optional<std::pair<int, std::string>> sharedAtEnd(const std::string &name) const;
  void noteWhereLost();
  void summarizeExit();

  // Tidy.cpp
  void renumber(skeleton::Function &made);
  struct StandsFor {
    std::set<std::string> all, lent;
  };
  std::map<std::pair<std::string, bool>, StandsFor> standIns;
  const StandsFor &meantBy(const std::string &marker, bool isMessage);
  struct Reached {
    std::string name;
    bool isItself; ///< Not what lies behind it.
  };
  std::map<std::string, std::vector<Reached>> reached;
  const std::vector<Reached> &reachedBy(const std::string &name);
  void expandReach(Block &block);
  void fitRanks(Block &block);
  void fitRanks(std::vector<skeleton::SteadyElement> &elements);
  /// A single struct that is no unknown pointer's: its fields have names of their own.
  bool isFollowedStruct(const Object &object) const {
    return !object.prefix.empty() && object.array.extents.empty() && object.array.storage != Storage::Alias;
  }
  bool isFollowedStruct(const std::string &name) const {
    auto found = st.objects.find(name);
    return found != st.objects.end() && isFollowedStruct(found->second);
  }
  void putMarker(const std::string &text, Location location);
  Pointer wholeOf(const std::string &name) const;
  Node wholeOf(const std::string &name, Access access) const;
  std::set<std::string> givenAsCopies() const;
  bool isPartOfAny(const std::string &name, const std::set<std::string> &objects) const;
  void expandCopied(Block &block);
  std::optional<std::pair<int, std::string>> keyOf(const std::string &name) const;
  void expandExposed(skeleton::Call &call);
  void noteExposed();
  bool isDefinedUnseen(const Object &object) const;
  void readGlobalsAtStart(skeleton::Function &made);
  bool isSizedBehind(const std::string &name) const;
  void finish();

  // Points.cpp
  void notePoint(const clang::Stmt *stmt, bool after);
  void renamePoints(const skeleton::Substitution &to, const std::set<std::string> &known);

  // Small things.
  bool isInLoop() const {
    return llvm::any_of(st.frames, [](const Frame &frame) { return !frame.isSwitch; });
  }
  /// All that is made comes through here.
  void put(Node node) {
    if (!st.env.parsed.empty() && mayChangeTexts(node)) st.env.parsed.clear();
    if (!st.env.elements.empty()) forgetElements(node);
    if (!st.mayHaveWrittenBehind) noteWrittenBehind(node);
    out->push_back(std::move(node));
  }
  void emit(Node node) {
    flush();
    put(std::move(node));
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
  /// Stores into fields of one element, one after the other.
  struct FieldStores {
    std::string array;
    std::vector<Subscript> subscripts;
    std::set<std::string> paths; ///< As of Place.
    size_t node = 0; ///< The last one's place in the block.
    Location location;
  };
  std::vector<FieldStores> fieldStores; ///< Into the block that is written now.
  const Block *fieldStoresIn = nullptr;
  std::set<std::string> quiet; ///< Variables whose assignments are a loop's own: no access.
  std::vector<std::string> rangedArrays; ///< Of whose values hints of the function and the loops around speak.
  bool fillsTable = false; ///< The store that is walked sets a row to memory of its own, or to nothing.
  std::string nameHint; ///< The variable the value being computed is about to be stored in.
  /// Integers that the arguments of a call have loaded so far, by object and subscripts, if none of them changes
  /// anything.
  struct LoadedByArguments {
    const Block *into = nullptr; ///< Where the call stands: what one side of a condition loads is not there.
    std::map<std::pair<std::string, std::vector<Symbolic>>, Value> values = {};
  };
  std::optional<LoadedByArguments> loadedByArguments;
  std::map<const clang::Stmt *, size_t> positions; ///< Of the statements of the function's body.
  std::optional<size_t> position; ///< Of the one that is being walked.
  std::map<uint64_t, size_t> firstWrite; ///< By size: which of them is the first that may write integers of callers.
  std::map<const clang::OpaqueValueExpr *, std::optional<Value>> commonValues; ///< Of `x ?: y`, what x gave.
  std::map<const clang::OpaqueValueExpr *, Pointer> commonPointers;
  std::pair<const clang::FunctionDecl *, bool> copiesPointersIn = {};
  std::set<const clang::FunctionDecl *> inlining;
  /// A body that is walked where it is called.
  struct InPlace {
    unsigned activation = 0; ///< Counts the calls walked in place, from 1.
    const clang::VarDecl *returned = nullptr; ///< The variable that is the object which the call makes.
    Place object = {}; ///< That object.
    std::string result = {},
                resultName = {}; ///< The variable that is returned, and what memory allocated for it is to be called.
    size_t firstFrame = 0; ///< Its own loops begin here in State::frames.
    size_t firstScope = 0; ///< And its own blocks here in State::scopes.
    bool data = false; ///< Its value is asked for, and counts as data.
    unsigned returns = 0;
    std::optional<Value> value; ///< Of the last return.
    std::vector<HandleValue> handles; ///< Of all returns, of pointers and containers.
    std::vector<Environment> ends; ///< At its returns.
  };
  InPlace *inPlace = nullptr;
  unsigned activations = 0;
  std::vector<const clang::OMPExecutableDirective *>
      constructs; ///< OpenMP's, around what is walked; outermost first, loops left out.
  unsigned trialDepth = 0;
  /// While many pointers are lost at once: what storedObjects gives, if it has been asked, and those of them that a
  /// pointer of a type may lead to.
  struct Stored {
    std::optional<std::set<std::string>> objects;
    std::map<std::pair<skeleton::ElementType::Kind, unsigned>, NameList> ofType;
  };
  std::optional<Stored> stored;
  NameLists nameLists;
  /// Pointers in tables that accesses to much of memory would lose again and again: at their end, once.
  struct LateLosses {
    bool ofCallers = false, all = false;
  };
  LateLosses *lateLosses = nullptr;
  unsigned loopsCut = 0; ///< Loops so far that were taken to change everything, as trials nest too deep.
  unsigned triedStatements = 0; ///< How many statements of the function were walked on trial.
  TriedLoop *triedAround =
      nullptr; ///< The loop, or function walked in place, whose inside is being walked; null outside of loops.
  /// Statements, and branches that expressions make, around what is walked. A skeleton's text may nest a little deeper
  /// (Parse.h).
  unsigned nesting = 0;
  bool isTooDeep() const { return nesting > 400; }
  bool isMain = false;
  std::optional<Location> standsFor; ///< Where what the compiler wrote itself is said to be.
  Location statementAt; ///< Of the last statement begun; one-line functions that are followed in place have none.
  std::set<const clang::Expr *> unusedValues; ///< Of those met so far: nobody asks for their value.
  bool isBindingGlobal = false; ///< placeOfGlobalReference and fixedPointer do not lead into themselves.
  bool seesReturn = false; ///< Of a pointer.
  std::vector<Environment> returns;
  const clang::VarDecl *resultVariable = nullptr; ///< The struct that it makes in a place of its caller.
  std::map<std::string, Location> handedOn; ///< Objects that are returned, and where.
  /// Of each label of the function the gotos that lead there, by their number; nothing noted yet if empty.
  std::map<const clang::LabelDecl *, unsigned> gotoCounts;
  bool hasLabels = false;
};

/// Stands among the names of changed variables for every field of that name.
std::string fieldNamedLike(llvm::StringRef variable);

} // namespace busfare::frontend

#endif
