//===- test/generator/Interpret.cpp - Running the tree ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Interpret.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace busfare::generator {
namespace {

struct Value {
  Type type = Type::Int;
  int64_t i = 0;
  double d = 0;
  double asReal() const { return isFloating(type) ? d : double(i); }
  bool isTrue() const { return isFloating(type) ? d != 0 : i != 0; }
};

struct Memory {
  std::vector<Value> elements;
  std::vector<bool> defined;
  size_t missing = 0; ///< Elements nothing has written.
  bool silent = false; ///< A loop's own index.
  bool freed = false;
};

/// What a variable denotes now.
struct Slot {
  int object = -1;
  int64_t offset = 0;
};

enum class Flow { On, Continue, Break };

class Interpreter {
public:
  Interpreter(const Program &program, const InterpretOptions &options)
      : program(program), options(options), slots(program.variables.size()) {}

  Run result;

  void run() {
    result.calls.push_back({-1, 0, int(program.functions.size()) - 1});
    for (size_t v = 0; v < program.variables.size(); ++v) {
      const Variable &variable = program.variables[v];
      if (!variable.isGlobal()) continue;
      create(int(v), sizeOf(variable), true);
      if (variable.kind == Variable::Kind::GlobalScalar) {
        memory[size_t(slots[v].object)].elements[0] = {Type::Int, variable.initial, 0};
        memory[size_t(slots[v].object)].silent = true;
      }
    }
    block(program.functions.back().body);
    for (size_t o = 0; o < memory.size(); ++o) result.isDefinedAtEnd[int(o)] = memory[o].missing == 0;
  }

private:
  const Program &program;
  const InterpretOptions &options;
  std::vector<Slot> slots;
  std::vector<Memory> memory;
  int call = 0, line = 0;
  Update update; ///< Of the statement that runs.
  std::map<size_t, Value> written; ///< By record; only where older values are asked for.

  bool stopped() const { return !result.problem.empty(); }
  void stop(const std::string &why) {
    if (result.problem.empty()) result.problem = why + " at line " + std::to_string(line);
  }
  const Variable &variable(int v) const { return program.variables[size_t(v)]; }

  void log(Record::Kind kind, int v = -1, int object = -1, int64_t offset = 0) {
    if (result.records.size() >= options.maxRecords) return stop("the run is too long");
    Record r;
    r.kind = kind;
    r.op = (kind == Record::Kind::Read || kind == Record::Kind::Write) && v == update.variable ? update.op : 0;
    r.call = call;
    r.line = line;
    r.variable = v;
    r.object = object;
    r.offset = offset;
    result.records.push_back(r);
  }

  static int64_t sizeOf(const Variable &v) {
    int64_t size = 1;
    for (int64_t e : v.extents) size *= e;
    return size;
  }

  void create(int v, int64_t size, bool zeroed) {
    const Variable &declared = variable(v);
    Memory m;
    m.elements.assign(size_t(size), Value{declared.type, 0, 0});
    m.defined.assign(size_t(size), zeroed);
    m.missing = zeroed ? 0 : size_t(size);
    memory.push_back(std::move(m));
    result.objects.push_back({declared.type, size, v, call, !declared.isArray() && !declared.isPointer()});
    slots[size_t(v)] = {int(memory.size()) - 1, 0};
    log(Record::Kind::Create, v, slots[size_t(v)].object);
  }

  // Values.

  Value converted(Value v, Type type) {
    Value r;
    r.type = type;
    if (isFloating(type)) {
      r.d = type == Type::Float ? double(float(v.asReal())) : v.asReal();
      if (!(std::fabs(r.d) < 1e9)) stop("a value grows too large");
      return r;
    }
    if (isFloating(v.type)) {
      if (!(v.d > -2e9 && v.d < 2e9) || (type == Type::Unsigned && v.d < 0)) {
        stop("a conversion overflows");
        return r;
      }
      r.i = int64_t(v.d);
    } else {
      r.i = v.i;
    }
    if (type == Type::Unsigned) r.i &= 0xffffffff;
    else if (type == Type::Int && (r.i < INT32_MIN || r.i > INT32_MAX)) stop("a conversion overflows");
    return r;
  }

  Value binaryOf(Operator op, Value a, Value b) {
    Type type = Type::Int;
    for (Type t : {Type::Unsigned, Type::Long, Type::Float, Type::Double})
      if (a.type == t || b.type == t) type = t;
    if (op == Operator::ShiftRight) type = a.type;
    a = converted(a, type);
    b = converted(b, type);
    if (op >= Operator::Less && op <= Operator::NotEqual) {
      bool less = isFloating(type) ? a.d < b.d : a.i < b.i, equal = isFloating(type) ? a.d == b.d : a.i == b.i;
      bool holds = op == Operator::Less           ? less
                   : op == Operator::LessEqual    ? less || equal
                   : op == Operator::Greater      ? !less && !equal
                   : op == Operator::GreaterEqual ? !less
                   : op == Operator::Equal        ? equal
                                                  : !equal;
      return {Type::Int, holds, 0};
    }
    Value r;
    r.type = type;
    if (isFloating(type)) {
      r.d = op == Operator::Add        ? a.d + b.d
            : op == Operator::Subtract ? a.d - b.d
            : op == Operator::Multiply ? a.d * b.d
                                       : a.d / b.d;
      return converted(r, type);
    }
    if ((op == Operator::Divide || op == Operator::Remainder) && b.i == 0) {
      stop("a division by zero");
      return r;
    }
    switch (op) {
    case Operator::Add: r.i = a.i + b.i; break;
    case Operator::Subtract: r.i = a.i - b.i; break;
    case Operator::Multiply:
      if (__builtin_mul_overflow(a.i, b.i, &r.i) && type != Type::Unsigned) stop("an overflow");
      break;
    case Operator::Divide: r.i = a.i / b.i; break;
    case Operator::Remainder: r.i = a.i % b.i; break;
    case Operator::And: r.i = a.i & b.i; break;
    case Operator::ShiftRight:
      if (a.i < 0) stop("a shift of a negative value");
      r.i = a.i >> b.i;
      break;
    default: break;
    }
    return converted(r, type);
  }

  Value evaluate(const Ex &e) {
    using K = Expression::Kind;
    if (stopped()) return {};
    switch (e->kind) {
    case K::Integer: return {e->type, e->number, 0};
    case K::Real: return {e->type, 0, e->type == Type::Float ? double(float(e->real)) : e->real};
    case K::Scalar: return load(e->variable, slots[size_t(e->variable)].object, 0);
    case K::Element: {
      auto [object, offset] = place(e);
      return load(e->variable, object, offset);
    }
    case K::Negate: return binaryOf(Operator::Subtract, Value{Type::Int, 0, 0}, evaluate(e->operands[0]));
    case K::Convert: return converted(evaluate(e->operands[0]), e->type);
    case K::Select: {
      Value r = evaluate(e->operands[0]).isTrue() ? evaluate(e->operands[1]) : evaluate(e->operands[2]);
      return converted(r, typeOf(program, e));
    }
    case K::Call: {
      double a = evaluate(e->operands[0]).asReal(), b = e->operands.size() > 1 ? evaluate(e->operands[1]).asReal() : 0;
      double r = e->name == "fabs"   ? std::fabs(a)
                 : e->name == "sqrt" ? std::sqrt(a)
                 : e->name == "fmin" ? std::fmin(a, b)
                                     : std::fmax(a, b);
      return converted({Type::Double, 0, r}, Type::Double);
    }
    case K::Narrow: {
      int64_t all = converted(evaluate(e->operands[0]), Type::Long).i;
      return {Type::Int, e->number == 1 ? all != 0 : all & ((int64_t(1) << e->number) - 1), 0};
    }
    case K::Weak: return {Type::Int, converted(evaluate(e->operands[0]), Type::Int).i / 2, 0};
    case K::Binary:
      if (e->op == Operator::LogicalAnd)
        return {Type::Int, evaluate(e->operands[0]).isTrue() && evaluate(e->operands[1]).isTrue(), 0};
      if (e->op == Operator::LogicalOr)
        return {Type::Int, evaluate(e->operands[0]).isTrue() || evaluate(e->operands[1]).isTrue(), 0};
      Value a = evaluate(e->operands[0]);
      return binaryOf(e->op, a, evaluate(e->operands[1]));
    }
    return {};
  }

  Slot indexed(int v, const std::vector<Ex> &subscripts) {
    const Variable &declared = variable(v);
    Slot slot = slots[size_t(v)];
    size_t rank = declared.extents.size() + (declared.isPointer() ? 1 : 0);
    int64_t index = 0;
    for (size_t d = 0; d < rank; ++d) {
      int64_t value = evaluate(subscripts[d]).i;
      int64_t extent = declared.isArray() ? declared.extents[d] : d > 0 ? declared.extents[d - 1] : -1;
      if (extent >= 0 && (value < 0 || value >= extent)) stop("a subscript outside its dimension");
      index = index * (d > 0 ? extent : 1) + value;
    }
    slot.offset += index;
    return slot;
  }

  std::pair<int, int64_t> place(const Ex &e) {
    Slot slot = indexed(e->variable, e->operands);
    return {slot.object, slot.offset};
  }

  bool isInside(int object, int64_t offset) {
    if (stopped()) return false;
    if (object < 0 || memory[size_t(object)].freed) stop("a pointer to nothing");
    else if (offset < 0 || offset >= int64_t(memory[size_t(object)].elements.size()))
      stop("an element outside its array");
    return !stopped();
  }

  Value load(int v, int object, int64_t offset) {
    if (!isInside(object, offset)) return {};
    Memory &m = memory[size_t(object)];
    if (!m.defined[size_t(offset)]) stop("a read of what nothing wrote: " + variable(v).name);
    if (m.silent) return m.elements[size_t(offset)];
    log(Record::Kind::Read, v, object, offset);
    return options.older ? olderValue(object, offset) : m.elements[size_t(offset)];
  }

  void store(int v, int object, int64_t offset, Value value) {
    if (!isInside(object, offset)) return;
    Memory &m = memory[size_t(object)];
    m.missing -= !m.defined[size_t(offset)];
    m.defined[size_t(offset)] = true;
    m.elements[size_t(offset)] = converted(value, m.elements[size_t(offset)].type);
    if (m.silent) return;
    log(Record::Kind::Write, v, object, offset);
    if (options.older) written[result.records.size() - 1] = m.elements[size_t(offset)];
  }

  /// What the read that was just recorded sees.
  Value olderValue(int object, int64_t offset) {
    size_t now = result.records.size() - 1;
    const std::vector<Record> &first = options.older->first->records;
    result.tookAnotherWay |= now >= first.size() || first[now].kind != Record::Kind::Read ||
                             first[now].object != object || first[now].offset != offset;
    auto seen = options.older->seen.find(now);
    if (result.tookAnotherWay || seen == options.older->seen.end())
      return memory[size_t(object)].elements[size_t(offset)];
    if (!seen->second && !variable(result.objects[size_t(object)].variable).isGlobal())
      stop("a read of what nothing wrote");
    return seen->second ? written[*seen->second] : Value{result.objects[size_t(object)].type, 0, 0};
  }

  Slot pointer(const PointerValue &p) {
    if (!p.subscripts.empty()) return indexed(p.base, p.subscripts);
    Slot slot = slots[size_t(p.base)];
    if (p.offset) slot.offset += evaluate(p.offset).i;
    return slot;
  }

  // Statements.

  Flow block(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (stopped()) return Flow::Break;
      if (Flow flow = statement(s); flow != Flow::On) return flow;
    }
    return Flow::On;
  }

  Flow statement(const Statement &s) {
    line = s.line;
    Update outer = update;
    if (Update own = updateOf(s); own.op) update = own;
    log(Record::Kind::Enter);
    Flow flow = perform(s);
    line = s.line;
    log(Record::Kind::Leave);
    update = outer;
    return flow;
  }

  Flow perform(const Statement &s) {
    using K = Statement::Kind;
    switch (s.kind) {
    case K::Declare: {
      const Variable &declared = variable(s.variable);
      Value value = s.value ? evaluate(s.value) : Value{};
      create(s.variable, sizeOf(declared), false);
      if (s.value) store(s.variable, slots[size_t(s.variable)].object, 0, value);
      return Flow::On;
    }
    case K::DeclarePointer:
    case K::PointerAssign:
      if (s.pointer.base < 0)
        create(s.variable, std::clamp<int64_t>(evaluate(s.pointer.lengthText).i, 0, 1 << 20), false);
      else slots[size_t(s.variable)] = pointer(s.pointer);
      return Flow::On;
    case K::Assign: assign(s); return Flow::On;
    case K::If: {
      bool holds = evaluate(s.value).isTrue();
      return block(holds ? s.body : s.otherwise);
    }
    case K::For:
    case K::While:
    case K::Do:
    case K::DoStepping: return loop(s);
    case K::Call: enter(s); return Flow::On;
    case K::Print: print(s); return Flow::On;
    case K::Continue: return Flow::Continue;
    case K::Break: return Flow::Break;
    case K::Exit: stop("the program ends early"); return Flow::On;
    case K::Free: memory[size_t(slots[size_t(s.variable)].object)].freed = true; return Flow::On;
    case K::Block: return block(s.body);
    case K::Copy:
    case K::Clear: move(s); return Flow::On;
    case K::Switch: return choose(s);
    case K::Case: stop("a label outside a switch"); return Flow::On;
    }
    return Flow::On;
  }

  /// From the label that fits, or from the default, on to the next break.
  Flow choose(const Statement &s) {
    const int64_t value = evaluate(s.value).i;
    auto start = s.body.end();
    for (auto label = s.body.begin(); label != s.body.end() && !stopped(); ++label)
      if (label->kind == Statement::Kind::Case &&
          (label->value ? evaluate(label->value).i == value : start == s.body.end()))
        start = label;
    for (; start != s.body.end() && !stopped(); ++start)
      if (start->kind != Statement::Kind::Case)
        if (Flow flow = statement(*start); flow != Flow::On) return flow == Flow::Break ? Flow::On : flow;
    return Flow::On;
  }

  /// Of `a[i] += a[k]` the elements a[k] are only read, and if one of them is a[i] it is no update: its value goes into
  /// what is added. (It does no harm to an extreme.)
  void settleUpdate(size_t first, int v, const Slot &slot) {
    auto isAt = [&](const Record &r) { return r.object == slot.object && r.offset == slot.offset; };
    size_t reads = 0;
    for (size_t k = first; k < result.records.size(); ++k)
      reads +=
          result.records[k].kind == Record::Kind::Read && result.records[k].variable == v && isAt(result.records[k]);
    const bool isExtreme = update.op == '<' || update.op == '>';
    for (size_t k = first; k < result.records.size(); ++k)
      if (Record &r = result.records[k]; r.variable == v && (!isAt(r) || (reads > 1 && !isExtreme))) r.op = 0;
  }

  void assign(const Statement &s) {
    const size_t first = result.records.size();
    int v = s.target->variable;
    // The old value is read before the new one is computed, as busfare and clang order it; nothing observes which.
    Slot slot = s.target->kind == Expression::Kind::Element ? indexed(v, s.target->operands) : slots[size_t(v)];
    Value value = evaluate(s.value);
    if (s.op != AssignOp::Set) {
      Value old = load(v, slot.object, slot.offset);
      Operator op = s.op == AssignOp::Add        ? Operator::Add
                    : s.op == AssignOp::Subtract ? Operator::Subtract
                                                 : Operator::Multiply;
      value = binaryOf(op, old, value);
    }
    store(v, slot.object, slot.offset, value);
    if (update.op && update.variable == v && s.target->kind == Expression::Kind::Element) settleUpdate(first, v, slot);
  }

  void move(const Statement &s) {
    Slot to = slots[size_t(s.variable)];
    Slot from = s.kind == Statement::Kind::Copy ? pointer(s.pointer) : Slot();
    if (s.kind == Statement::Kind::Copy && from.object == to.object) return stop("memcpy within one object");
    for (int64_t i = 0; i < s.length && !stopped(); ++i) {
      Value value{variable(s.variable).type, 0, 0};
      if (s.kind == Statement::Kind::Copy) value = load(s.pointer.base, from.object, from.offset + i);
      store(s.variable, to.object, to.offset + i, value);
    }
  }

  void print(const Statement &s) {
    Value value = evaluate(s.value);
    char number[40];
    if (isFloating(value.type)) snprintf(number, sizeof number, "%.9g", value.d);
    else snprintf(number, sizeof number, "%lld", (long long)value.i);
    result.output.push_back(program.name + ": " + s.label + " " + number);
  }

  Flow loop(const Statement &s) {
    if (s.kind == Statement::Kind::For) {
      Value from = evaluate(s.value);
      if (!s.declaredBefore) {
        create(s.variable, 1, false);
        memory[size_t(slots[size_t(s.variable)].object)].silent = true;
      }
      store(s.variable, slots[size_t(s.variable)].object, 0, from);
    }
    for (int64_t trip = 0; !stopped(); ++trip) {
      bool first = (s.kind == Statement::Kind::Do || s.kind == Statement::Kind::DoStepping) && trip == 0;
      line = s.line;
      if (!first && !evaluate(s.condition).isTrue()) break;
      log(Record::Kind::Iterate, -1, -1, trip);
      Flow flow = block(s.body);
      line = s.line;
      if (flow == Flow::Break) break;
      log(Record::Kind::EndIteration, -1, -1, trip);
      if (s.kind == Statement::Kind::For || s.kind == Statement::Kind::DoStepping) {
        int object = slots[size_t(s.variable)].object;
        Value next = binaryOf(Operator::Add, load(s.variable, object, 0), Value{Type::Int, s.step, 0});
        store(s.variable, object, 0, next);
      }
    }
    return Flow::On;
  }

  void enter(const Statement &s) {
    const Function &callee = program.functions[size_t(s.callee)];
    std::vector<Value> values(callee.parameters.size());
    std::vector<Slot> pointers(callee.parameters.size());
    for (size_t i = 0; i < callee.parameters.size(); ++i) {
      if (s.arguments[i].value) values[i] = evaluate(s.arguments[i].value);
      else pointers[i] = pointer(s.arguments[i].pointer);
    }
    int caller = call;
    call = pathOf(caller, s);
    for (size_t i = 0; i < callee.parameters.size(); ++i) {
      int formal = callee.parameters[i];
      if (!s.arguments[i].value) {
        slots[size_t(formal)] = pointers[i];
        log(Record::Kind::Bind, formal, pointers[i].object, pointers[i].offset);
        continue;
      }
      create(formal, 1, false);
      store(formal, slots[size_t(formal)].object, 0, values[i]);
      log(Record::Kind::Bind, formal, -1, values[i].i);
    }
    Update outer = update;
    update = {};
    block(callee.body);
    update = outer;
    call = caller;
  }

  int pathOf(int parent, const Statement &s) {
    for (size_t c = 0; c < result.calls.size(); ++c)
      if (result.calls[c].parent == parent && result.calls[c].line == s.line) return int(c);
    result.calls.push_back({parent, s.line, s.callee});
    return int(result.calls.size()) - 1;
  }
};

} // namespace

Run interpret(const Program &program, const InterpretOptions &options) {
  Interpreter interpreter(program, options);
  interpreter.run();
  return std::move(interpreter.result);
}

} // namespace busfare::generator
