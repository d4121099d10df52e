//===- clang-plugin/walk/Messages.cpp - Messages to other processes ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A call of MPI or SHMEM that MessageTable.h knows touches what its arguments name and
// nothing else: what is sent is read, what is received may be written, as many elements
// as count and type say.
//
//   MPI_Sendrecv(&u[n], m, MPI_DOUBLE, up, 0, &u[0], m, MPI_DOUBLE, down, 0, comm, &s)
//     host message "MPI_Sendrecv" exchange bytes 8*m type "MPI_DOUBLE" {
//       may read u[? in n .. n + m - 1]   may write u[? in 0 .. m - 1] }
//
// Writes are never certain where the standard lets a message be shorter than the buffer,
// or one process keep what it has. What a nonblocking call receives is written at the
// call and at every wait behind it until one ends it: MPI_Wait or MPI_Waitall of the
// variable or array that its request was stored in; in a loop also at the waits before it.
// What is in flight when a function ends, all of the array may be written by waits
// elsewhere, and what is in flight at an opaque call by that. An integer that is received
// has its new value from the call on: until the wait nobody may look at it.
//
// Synchronisation of windows and of SHMEM, behind which other processes may have changed
// anything that was ever given away, stays an opaque call.
//
//===----------------------------------------------------------------------===//
#include "StandIns.h"
#include "Walk.h"
#include "clang-plugin/library/MessageTable.h"
#include "skeleton/Print.h"
#include "skeleton/Visit.h"

namespace busfare::frontend {

/// Begins the stand-in for what a nonblocking call further on in the loop receives: `?pending LOOP FROM`.
static const char *const pendingLater = "?pending ";

/// The structs that the object is a field of, outermost first. What their pointers lead to is no part of them.
std::vector<std::string> Walker::structsAround(const std::string &name) const {
  std::vector<std::string> found;
  const Object &field = st.objects.at(name);
  if (field.isLoaded || field.bytes || !field.rowsOf.empty()) return found;
  for (const std::string &other : st.objectOrder) {
    const std::string &prefix = st.objects.at(other).prefix;
    if (other == name || prefix.empty() || !llvm::StringRef(name).starts_with(prefix)) continue;
    if (!llvm::StringRef(name).drop_front(prefix.size()).contains("->")) found.push_back(other);
  }
  llvm::sort(found, [](const std::string &a, const std::string &b) { return a.size() < b.size(); });
  return found;
}

/// All fields of a struct, and what is known of their values is lost if they are written.
void Walker::touchStruct(AccessKind kind, const std::string &name, Location location) {
  Place whole;
  whole.at.object = name;
  whole.type = object(name).element;
  if (whole.type.isNull()) return;
  access(kind, whole, ReductionOp::None, location, true, false);
  if (kind != AccessKind::Read) loseFields(object(name).prefix, location);
}

/// So many bytes from the pointer on (nothing: to the object's end), as far as they are a box of elements.
std::optional<ElementBox> Walker::blockAt(const Pointer &at, const std::optional<Symbolic> &bytes) {
  const Object &target = object(at.object);
  return target.element.isNull() ? std::nullopt : boxBehind(at, bytes);
}

/// Such a block is touched, at most. isSure: all of it, if that is one element; of more it is never said.
void Walker::touchBlock(AccessKind kind, const Pointer &given, const std::optional<Symbolic> &bytes, bool isSure,
                        Location location) {
  if (given.object.empty() || !st.isDeclared(given.object)) return;
  Pointer at = given;
  normalize(at);
  const std::string name = at.object;
  if (!object(name).prefix.empty() && object(name).array.extents.empty()) return touchStruct(kind, name, location);
  std::optional<ElementBox> box = blockAt(at, bytes);
  if (std::vector<std::string> around = structsAround(name); !around.empty() && !staysInside(at, box))
    touchStruct(kind, around.front(), location);
  bool isOne = box && box->lower == box->upper;
  touchElement(kind, at, isOne && isSure ? std::optional(box->lower) : std::nullopt, location);
  if (box && !(isOne && isSure)) setSubscripts(name, knownRange(*box));
  noteReceived(kind, name, location);
}

/// In values that are known here.
std::vector<SubscriptRange> Walker::knownRange(const ElementBox &box) const {
  std::string reason;
  bool memory;
  auto isKnown = [&](const Symbolic &expr) { return isKnownHere(expr, reason, memory) || isBoundedHere(expr); };
  auto isInner = [&](const std::string &symbol) { return !isKnown(Symbolic::symbol(symbol)); };
  std::vector<SubscriptRange> range;
  for (size_t d = 0; d < box.lower.size(); ++d)
    range.push_back({isKnown(box.lower[d]) ? box.lower[d] : boundsWithout(box.lower[d], isInner).first,
                     isKnown(box.upper[d]) ? box.upper[d] : boundsWithout(box.upper[d], isInner).second});
  return range;
}

/// Says of the access emitted last that it stays in the range.
void Walker::setSubscripts(const std::string &name, llvm::ArrayRef<SubscriptRange> range) {
  auto *made = out->empty() ? nullptr : std::get_if<Access>(&out->back().kind);
  if (!made || made->array != name || made->subscripts.size() != range.size()) return;
  for (size_t d = 0; d < range.size(); ++d) {
    Subscript &subscript = made->subscripts[d];
    std::tie(subscript.atLeast, subscript.atMost) = range[d];
    if (!subscript.atLeast || subscript.atLeast != subscript.atMost) continue;
    subscript.value = subscript.atLeast;
    subscript.atLeast = subscript.atMost = std::nullopt;
  }
}

/// The box surely lies in the object, as far as that says how large it is.
bool Walker::staysInside(const Pointer &at, const std::optional<ElementBox> &box) {
  const Array &array = object(at.object).array;
  if (!box || !object(at.object).rowsOf.empty()) return false;
  for (size_t d = 0; d < box->upper.size(); ++d)
    if (array.extents[d] && !st.ranges.isNonNegative(*array.extents[d] - 1 - box->upper[d])) return false;
  return true;
}

/// An integer that was received has a value of its own from now on.
void Walker::noteReceived(AccessKind kind, const std::string &name, Location location) {
  if (kind == AccessKind::Read || !object(name).array.isScalar()) return;
  const clang::QualType element = object(name).element;
  bool isInteger = st.env.integers.count(name) || st.entryIntegers.count(name) ||
                   (!element.isNull() && classOf(element) == TypeClass::Integer);
  if (isInteger) st.env.integers[name] = Value{freshSymbol(name, name + " as received", location, false)};
}

/// Sets a handle or a status: the variable, or the memory it lies in.
void Walker::setHandle(const Pointer &at, Location location) {
  if (!at.variable.empty()) {
    if (auto known = st.env.pointers.find(at.variable); known != st.env.pointers.end()) known->second = Pointer();
    return;
  }
  touchBlock(AccessKind::Write, at, std::nullopt, false, location);
}

/// What nonblocking calls receive: those before this wait, those behind it in a loop around both, and those of other
/// functions.
void Walker::touchPending(Location location) {
  auto marker = [&](const std::string &text) { putMarker(text, location); };
  std::vector<skeleton::Finding> findings = st.findings;
  auto touch = [&](const std::string &name, llvm::ArrayRef<SubscriptRange> range) {
    if (!st.isDeclared(name)) return;
    if (!object(name).prefix.empty()) marker(behind + object(name).prefix);
    if (holdsPointers(name)) marker(behind + name + "[]");
    wholeAccess(AccessKind::Write, wholeOf(name), std::nullopt, true, location);
    setSubscripts(name, range);
  };
  for (unsigned one : std::set<unsigned>(st.env.inFlight)) touch(st.receives[one].object, st.receives[one].range);
  if (isInLoop()) {
    marker(pendingLater + std::to_string(outermostLoop()) + " " + std::to_string(st.receives.size()));
    marker(everyEscaped);
  }
  for (const std::string &name : st.escaped) touch(name, {});
  st.findings = std::move(findings);
  summary.waits = true;
}

/// Where a request lies: a variable, or an array of them.
std::string Walker::requestsOf(const Pointer &at) const {
  if (!at.variable.empty()) return at.variable;
  auto found = st.objects.find(at.object);
  return found == st.objects.end() || found->second.array.storage == Storage::Alias ? "" : at.object;
}

/// What was begun with requests in that variable or array is over, as far as a wait for all of them says so.
void Walker::endPending(const clang::CallExpr *expr, llvm::StringRef name, const Pointer &at, Location location) {
  name.consume_front("P");
  std::string requests = requestsOf(at);
  if ((name != "MPI_Wait" && name != "MPI_Waitall") || requests.empty()) return;
  bool isAny = false, isArray = st.objects.count(requests) && !object(requests).array.isScalar();
  for (auto one = st.env.inFlight.begin(); one != st.env.inFlight.end();) {
    bool isEnded = st.receives[*one].requests == requests;
    isAny |= isEnded;
    one = isEnded ? st.env.inFlight.erase(one) : std::next(one);
  }
  if (isAny && isArray && (name == "MPI_Waitall" || isInLoop()))
    report(Rule::Message, skeleton::Level::Note, location,
           name.str() + " is taken to end every nonblocking message begun with a request in " + requests);
}

/// What is in flight behind a block, without the symbols that it defines.
void Walker::exportPending(unsigned mark) {
  auto isInner = [&](const std::string &symbol) {
    auto facts = st.symbols.find(symbol);
    return facts != st.symbols.end() && facts->second.serial > mark;
  };
  for (Pending &one : st.receives)
    for (auto &[least, most] : one.range) {
      if (least && llvm::any_of(least->symbols(), isInner)) least = boundsWithout(*least, isInner).first;
      if (most && llvm::any_of(most->symbols(), isInner)) most = boundsWithout(*most, isInner).second;
    }
}

unsigned Walker::outermostLoop() const {
  for (const Frame &frame : st.frames)
    if (!frame.isSwitch) return frame.id;
  return 0;
}

/// What a stand-in of touchPending stands for.
bool Walker::isPendingLater(llvm::StringRef marker, const std::string &name) const {
  if (!marker.consume_front(pendingLater)) return false;
  auto [loop, from] = marker.split(' ');
  unsigned number = 0, first = 0;
  if (loop.getAsInteger(10, number) || from.getAsInteger(10, first)) return true;
  auto carried = st.carriedPending.find(number);
  return carried != st.carriedPending.end() && llvm::any_of(carried->second, [&](unsigned one) {
           return one >= first && isReached(name, {st.receives[one].object});
         });
}

/// Arrays that code elsewhere may still write: given away, or in use by a nonblocking call.
std::set<std::string> Walker::escapedAndPending(bool isEver) const {
  std::set<std::string> names = st.escaped;
  for (unsigned one = 0; one < st.receives.size(); ++one)
    if (isEver || st.env.inFlight.count(one)) names.insert(st.receives[one].object);
  return names;
}

/// Functions of one unit may receive into its globals and wait in any order that other units choose.
void completeWaits(Unit &unit) {
  if (unit.pendingGlobals.empty()) return;
  auto complete = [&](skeleton::HostStatement &host) {
    if (!host.message || host.message->kind != skeleton::MessageKind::Wait) return;
    for (const Array &global : unit.result.program.globals) {
      bool isNamed = llvm::any_of(host.body, [&](const Node &inner) {
        const auto *access = std::get_if<Access>(&inner.kind);
        return access && access->array == global.name && access->kind == AccessKind::Write;
      });
      if (isNamed || global.isConst || !unit.pendingGlobals.count(global.name)) continue;
      Access made;
      made.kind = AccessKind::Write;
      made.array = global.name;
      made.may = true;
      made.subscripts.resize(global.extents.size());
      made.location = host.location;
      host.body.edit().push_back(made);
    }
  };
  for (skeleton::Function &function : unit.result.program.functions)
    skeleton::forEachHostStatement(function.body, complete);
}

namespace {

/// One call, taken apart.
struct Parts {
  std::vector<Pointer> pointers; ///< By argument.
  std::vector<bool> isMemory;    ///< It is memory, not NULL or MPI_IN_PLACE.
  std::optional<Symbolic> sent, received; ///< Elements.
  MessageType sentType, receivedType;
  std::optional<Symbolic> sentBytes, receivedBytes;
};

std::optional<Symbolic> messageBytes(const std::optional<Symbolic> &count, const MessageType &type) {
  if (!count || !type.bytes) return std::nullopt;
  Symbolic bytes = *count * Symbolic(int64_t(*type.bytes));
  return bytes.isPoisoned() ? std::nullopt : std::optional(bytes);
}

bool has(const MessageForm &form, char role) { return llvm::StringRef(form.roles).contains(role); }

} // namespace

/// "MPI_Send sends 8*n bytes", "shmem_quiet asks the library".
static std::string described(llvm::StringRef name, const MessageForm &form, const skeleton::Message &message) {
  if (message.kind == skeleton::MessageKind::Wait) return name.str() + " waits for messages";
  std::string size =
      message.bytes ? toString(*message.bytes) + " bytes"
                    : "unknown size" + (message.type.empty() ? std::string() : " (elements of " + message.type + ")");
  return name.str() + " is a message of " + size;
}

std::optional<std::optional<Value>> Walker::messageCall(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  std::optional<MessageForm> form = messageFormOf(callee);
  if (!form || expr->getNumArgs() != form->roles.size() || unit.foreignSummaryOf(callee)) return std::nullopt;
  const std::string name = callee->getNameAsString();
  Location location = locate(expr);
  Parts parts;
  parts.pointers.resize(form->roles.size());
  parts.isMemory.assign(form->roles.size(), false);
  for (unsigned k = 0; k < form->roles.size(); ++k) {
    MessageType type = llvm::StringRef("tT").contains(form->roles[k])
                           ? messageTypeOf(expr->getArg(k), context, function)
                           : MessageType();
    if (form->roles[k] == 't') parts.sentType = type;
    if (form->roles[k] == 'T') parts.receivedType = type;
  }
  if (form->elementBytes) parts.sentType = {form->type, form->elementBytes};
  if (!has(*form, 'T')) parts.receivedType = parts.sentType;
  if (!has(*form, 't') && !form->elementBytes) parts.sentType = parts.receivedType;
  // Absolute addresses in a type of the program's own: anything.
  for (unsigned k = 0; k < form->roles.size(); ++k)
    if (llvm::StringRef("sSrRb").contains(form->roles[k]) && !parts.sentType.bytes &&
        numberAsPointer(expr->getArg(k), context) == 0)
      return std::nullopt;
  std::string hint;
  std::swap(hint, nameHint);
  for (unsigned k = 0; k < form->roles.size(); ++k) {
    const clang::Expr *argument = expr->getArg(k);
    char role = form->roles[k];
    if (role == 'c') parts.sent = integer(argument).expr;
    else if (role == 'C') parts.received = integer(argument).expr;
    else if (llvm::StringRef("tT").contains(role)) continue;
    else if (role == '-') {
      if (!isPointerLike(argument->getType())) rvalue(argument, true);
    } else if (!numberAsPointer(argument, context)) {
      parts.pointers[k] = pointer(argument);
      parts.isMemory[k] = true;
    }
  }
  bool isOne = !has(*form, 'c') && !has(*form, 'C') && !has(*form, 'i') && !has(*form, 'S') && !has(*form, 'R');
  if (isOne) parts.sent = Symbolic(1);
  if (!has(*form, 'C') && !has(*form, 'i')) parts.received = parts.sent;
  if (!has(*form, 'c') && !has(*form, 'i')) parts.sent = parts.received;
  parts.sentBytes = messageBytes(parts.sent, parts.sentType);
  parts.receivedBytes = messageBytes(parts.received, parts.receivedType);
  skeleton::HostStatement made;
  made.reason = llvm::StringRef(name).ends_with("MPI_Abort") ? HostReason::NoReturn : HostReason::Message;
  made.what = name;
  made.location = location;
  if (form->kind) {
    skeleton::Message message;
    message.kind = *form->kind;
    bool isReceived = has(*form, 'C') && !has(*form, 'c');
    if (message.kind != skeleton::MessageKind::Wait) message.bytes = isReceived ? parts.receivedBytes : parts.sentBytes;
    message.type = isReceived ? parts.receivedType.name : parts.sentType.name;
    message.isNonblocking = form->isNonblocking;
    find(Rule::Message, location,
         described(name, *form, message) + "; it stays on the host, and so do the loops around it");
    made.message = std::move(message);
  } else if (isInLoop())
    find(Rule::Message, location,
         name + " asks about other processes; it stays on the host, and so do the loops around it");
  touchMessage(expr, *form, parts.pointers, parts.isMemory, parts.sentBytes, parts.receivedBytes, made);
  std::swap(hint, nameHint);
  if (classOf(expr->getType()) == TypeClass::Integer) return std::optional<Value>(unknownResult(expr, false));
  return std::optional<Value>();
}

/// The accesses of a message, and what is known differently behind it.
void Walker::touchMessage(const clang::CallExpr *expr, const MessageForm &form, llvm::ArrayRef<Pointer> pointers,
                          const std::vector<bool> &isMemory, const std::optional<Symbolic> &sentBytes,
                          const std::optional<Symbolic> &receivedBytes, skeleton::HostStatement made) {
  Location location = made.location;
  // MPI_IN_PLACE: what would be sent lies where the result will.
  bool isInPlace = false;
  for (unsigned k = 0; k < form.roles.size(); ++k)
    isInPlace |=
        llvm::StringRef("sS").contains(form.roles[k]) && numberAsPointer(expr->getArg(k), context).value_or(0) != 0;
  using skeleton::MessageKind;
  bool isOfAll =
      form.kind == MessageKind::Broadcast || form.kind == MessageKind::AllReduce; // every process gets it, in full
  bool setsAll = isOfAll && !form.isNonblocking;
  std::vector<Pending> begun;
  size_t request = llvm::StringRef(form.roles).rfind('q');
  if (form.kind == MessageKind::Wait) request = llvm::StringRef(form.roles).find('q');
  const Pointer requests = request < pointers.size() ? pointers[request] : Pointer();
  auto receive = [&](Pointer at, const std::optional<Symbolic> &bytes, bool isSure) {
    if (at.object.empty()) at = unknownPointer(made.what + "'s buffer", context.CharTy, location);
    if (isInPlace) touchBlock(AccessKind::Read, at, bytes, false, location);
    touchBlock(AccessKind::Write, at, bytes, isSure, location);
    if (!form.isNonblocking || at.object.empty() || !st.isDeclared(at.object)) return;
    normalize(at);
    std::optional<ElementBox> box = blockAt(at, bytes);
    begun.push_back({at.object, box ? knownRange(*box) : std::vector<SubscriptRange>(), requestsOf(requests)});
  };
  made.body = accessesOf([&] {
    for (unsigned k = 0; k < form.roles.size(); ++k) {
      if (!isMemory[k]) continue;
      const Pointer &at = pointers[k];
      switch (form.roles[k]) {
      case 's': touchBlock(AccessKind::Read, at, sentBytes, true, location); break;
      case 'S':
      case 'i': touchBlock(AccessKind::Read, at, std::nullopt, false, location); break;
      case 'b':
        touchBlock(AccessKind::Read, at, sentBytes, true, location);
        receive(at, sentBytes, setsAll);
        break;
      case 'r': receive(at, receivedBytes, setsAll); break;
      case 'R': receive(at, std::nullopt, false); break;
      case 'o': touchBlock(AccessKind::Write, at, std::nullopt, true, location); break;
      case 'q': setHandle(at, location); break;
      case 'd':
      case 'x':
        touchBlock(AccessKind::Write, at, std::nullopt, false, location);
        st.escaped.insert(at.object);
        break;
      case 'g':
        touchBlock(AccessKind::Read, at, std::nullopt, false, location);
        st.lent.insert(at.object);
        break;
      default: break;
      }
    }
    if (form.kind == MessageKind::Wait) touchPending(location);
  });
  st.escaped.erase("");
  st.lent.erase("");
  hostStatement(made);
  bool isAnywhere = false; // it may have been any variable
  for (unsigned k = 0; k < form.roles.size(); ++k) {
    Place place;
    place.at = pointers[k];
    bool isWritten = llvm::StringRef("brRo").contains(form.roles[k]) && isMemory[k];
    if (isWritten && !pointers[k].variable.empty()) clobber(pointers[k].variable, location);
    isAnywhere |= isWritten && (pointers[k].object.empty() ? pointers[k].variable.empty() : isAnything(place));
  }
  if (isAnywhere) clobberAddressTaken(location);
  if (form.kind == MessageKind::Wait) endPending(expr, made.what, requests, location);
  for (Pending &one : begun) {
    st.env.inFlight.insert(st.receives.size());
    st.receives.push_back(std::move(one));
  }
}

} // namespace busfare::frontend
