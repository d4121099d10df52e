//===- test/generator/Print.cpp - The tree as C ----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Print.h"
#include <algorithm>
#include <cstdio>
#include <set>

namespace busfare::generator {

Ex integer(int64_t value, Type type) {
  Expression e;
  e.kind = Expression::Kind::Integer;
  e.type = type;
  e.number = value;
  return std::make_shared<const Expression>(std::move(e));
}

Ex real(double value, Type type) {
  Expression e;
  e.kind = Expression::Kind::Real;
  e.type = type;
  e.real = value;
  return std::make_shared<const Expression>(std::move(e));
}

Ex scalar(int variable) {
  Expression e;
  e.kind = Expression::Kind::Scalar;
  e.variable = variable;
  return std::make_shared<const Expression>(std::move(e));
}

Ex element(int variable, std::vector<Ex> subscripts) {
  Expression e;
  e.kind = Expression::Kind::Element;
  e.variable = variable;
  e.operands = std::move(subscripts);
  return std::make_shared<const Expression>(std::move(e));
}

Ex binary(Operator op, Ex a, Ex b) {
  Expression e;
  e.kind = Expression::Kind::Binary;
  e.op = op;
  e.operands = {std::move(a), std::move(b)};
  return std::make_shared<const Expression>(std::move(e));
}

Ex convert(Type type, Ex a) {
  Expression e;
  e.kind = Expression::Kind::Convert;
  e.type = type;
  e.operands = {std::move(a)};
  return std::make_shared<const Expression>(std::move(e));
}

Ex select(Ex condition, Ex yes, Ex no) {
  Expression e;
  e.kind = Expression::Kind::Select;
  e.operands = {std::move(condition), std::move(yes), std::move(no)};
  return std::make_shared<const Expression>(std::move(e));
}

Ex call(std::string name, std::vector<Ex> operands) {
  Expression e;
  e.kind = Expression::Kind::Call;
  e.name = std::move(name);
  e.operands = std::move(operands);
  return std::make_shared<const Expression>(std::move(e));
}

Ex plus(Ex a, int64_t value) {
  if (value == 0)
    return a;
  if (a->kind == Expression::Kind::Integer)
    return integer(a->number + value, a->type);
  if (a->kind == Expression::Kind::Binary && (a->op == Operator::Add || a->op == Operator::Subtract) &&
      a->operands[1]->kind == Expression::Kind::Integer) {
    int64_t old = a->op == Operator::Add ? a->operands[1]->number : -a->operands[1]->number;
    return plus(a->operands[0], old + value);
  }
  return value > 0 ? binary(Operator::Add, a, integer(value)) : binary(Operator::Subtract, a, integer(-value));
}

Ex plus(Ex a, Ex b) {
  if (b->kind == Expression::Kind::Integer)
    return plus(a, b->number);
  if (a->kind == Expression::Kind::Integer && a->number == 0)
    return b;
  return binary(Operator::Add, a, b);
}

Ex times(Ex a, Ex b) {
  if (a->kind == Expression::Kind::Integer && b->kind == Expression::Kind::Integer)
    return integer(a->number * b->number);
  if (b->kind == Expression::Kind::Integer && b->number == 1)
    return a;
  if (a->kind == Expression::Kind::Integer && a->number == 0)
    return a;
  return binary(Operator::Multiply, a, b);
}

Type typeOf(const Program &program, const Ex &e) {
  using K = Expression::Kind;
  auto common = [](Type a, Type b) {
    for (Type type : {Type::Double, Type::Float, Type::Long, Type::Unsigned})
      if (a == type || b == type)
        return type;
    return Type::Int;
  };
  switch (e->kind) {
  case K::Integer:
  case K::Real:
  case K::Convert:
    return e->type;
  case K::Scalar:
  case K::Element:
    return program.variables[size_t(e->variable)].type;
  case K::Negate:
    return typeOf(program, e->operands[0]);
  case K::Select:
    return common(typeOf(program, e->operands[1]), typeOf(program, e->operands[2]));
  case K::Call:
    return Type::Double;
  case K::Binary:
    if (e->op >= Operator::Less)
      return Type::Int;
    if (e->op == Operator::ShiftRight)
      return typeOf(program, e->operands[0]);
    return common(typeOf(program, e->operands[0]), typeOf(program, e->operands[1]));
  }
  return Type::Int;
}

const char *toString(Type type) {
  switch (type) {
  case Type::Int: return "int";
  case Type::Unsigned: return "unsigned";
  case Type::Long: return "long";
  case Type::Float: return "float";
  case Type::Double: return "double";
  }
  return "";
}

namespace {

const char *spelling(Operator op) {
  static const char *const names[] = {"+", "-", "*", "/", "%", "&", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
  return names[int(op)];
}

int precedence(Operator op) {
  static const int levels[] = {9, 9, 10, 10, 10, 5, 8, 7, 7, 7, 7, 6, 6, 3, 2};
  return levels[int(op)];
}

void use(const Ex &e, std::set<int> &variables) {
  if (!e)
    return;
  if (e->kind == Expression::Kind::Scalar || e->kind == Expression::Kind::Element)
    variables.insert(e->variable);
  for (const Ex &o : e->operands)
    use(o, variables);
}

Ex printedLength(const PointerValue &pointer) { return pointer.base < 0 ? pointer.lengthText : nullptr; }

/// The variables that the statements read, or hand over.
void readIn(const std::vector<Statement> &block, std::set<int> &variables) {
  using K = Statement::Kind;
  for (const Statement &s : block) {
    if (s.target) // its subscripts: an array that is only written counts as unused
      for (const Ex &e : s.target->operands)
        use(e, variables);
    for (const Ex &e : {s.value, s.condition, s.pointer.offset, printedLength(s.pointer)})
      use(e, variables);
    for (const Ex &e : s.pointer.subscripts)
      use(e, variables);
    variables.insert(s.pointer.base);
    if (s.kind == K::Free || s.kind == K::Copy || s.kind == K::Clear)
      variables.insert(s.variable);
    for (const Argument &a : s.arguments) {
      use(a.value, variables);
      use(a.pointer.offset, variables);
      for (const Ex &e : a.pointer.subscripts)
        use(e, variables);
      variables.insert(a.pointer.base);
    }
    readIn(s.body, variables);
    readIn(s.otherwise, variables);
  }
}

/// `b` of `own.b` and of `given->b`.
std::string fieldOf(const std::string &name) { return name.substr(name.find_last_of(".>") + 1); }
bool isOwn(const std::string &name) { return name.rfind("own.", 0) == 0; }

/// Pointers that are fields of the function's own struct.
void ownIn(const Program &program, const std::vector<Statement> &body, std::set<int> &fields) {
  for (const Statement &s : body) {
    if (s.kind == Statement::Kind::DeclarePointer && isOwn(program.variables[size_t(s.variable)].name))
      fields.insert(s.variable);
    ownIn(program, s.body, fields);
    ownIn(program, s.otherwise, fields);
  }
}

class Printer {
public:
  int line = 1;

  /// Into one file, or spread over several.
  explicit Printer(const Program *program = nullptr, unsigned files = 1) : program(program), files(files) {}
  void use(const Program &next) { program = &next; }

  /// In all files, or in the one that is at hand; the others have this in its place.
  void put(const std::string &text, const std::string &elsewhere = "") {
    lines.push_back({std::string(size_t(indent) * 2, ' ') + text, owner < 0 ? text : elsewhere, owner});
    ++line;
  }

  std::string textOf(unsigned file) const {
    std::string text;
    for (const Line &one : lines)
      text += (one.owner < 0 || one.owner == int(file) ? one.text : one.elsewhere) + "\n";
    return text;
  }

  /// Until it is set again, what is put goes to this file; -1: to all.
  void into(int file) { owner = file < 0 ? -1 : file % int(files); }

  std::string text(const Ex &e, int outer = 0) const {
    using K = Expression::Kind;
    switch (e->kind) {
    case K::Integer: {
      std::string digits = std::to_string(e->number) + (e->type == Type::Unsigned ? "u" : e->type == Type::Long ? "L" : "");
      return e->number < 0 ? "(" + digits + ")" : digits;
    }
    case K::Real: {
      char buffer[40];
      snprintf(buffer, sizeof buffer, "%.9g", e->real);
      std::string digits = buffer;
      if (digits.find_first_of(".en") == std::string::npos)
        digits += ".0";
      digits += e->type == Type::Float ? "f" : "";
      return e->real < 0 ? "(" + digits + ")" : digits;
    }
    case K::Scalar:
      return name(e->variable);
    case K::Element:
      return name(e->variable) + subscripts(e->operands);
    case K::Negate:
      return "-" + text(e->operands[0], 12);
    case K::Convert:
      return std::string("(") + toString(e->type) + ")" + text(e->operands[0], 12);
    case K::Select: {
      std::string all = text(e->operands[0], 2) + " ? " + text(e->operands[1], 1) + " : " + text(e->operands[2], 1);
      return outer > 1 ? "(" + all + ")" : all;
    }
    case K::Call: {
      std::string all = e->name + "(";
      for (size_t i = 0; i < e->operands.size(); ++i)
        all += (i ? ", " : "") + text(e->operands[i]);
      return all + ")";
    }
    case K::Binary: {
      int level = precedence(e->op);
      // gcc wants parentheses around and inside these.
      bool loose = e->op == Operator::And || e->op == Operator::ShiftRight;
      std::string all = text(e->operands[0], loose ? 11 : level) + " " + spelling(e->op) + " " + text(e->operands[1], loose ? 11 : level + 1);
      bool shy = outer > 0 && outer != 12 && (e->op == Operator::LogicalAnd || e->op == Operator::And || e->op == Operator::ShiftRight);
      return level < outer || shy ? "(" + all + ")" : all;
    }
    }
    return "";
  }

  /// What a helper gets in place of its parameters, if it gets a struct.
  void structFor(const Function &f) {
    if (holderOf(f).empty())
      return;
    std::string all = "struct " + f.name + "_given {";
    for (int parameter : f.parameters)
      all += " " + declarator(parameter) + ";";
    put(all + " };");
  }

  void function(Function &f, bool isRoot) {
    f.line = line;
    std::string head = std::string(isRoot || files > 1 ? "void " : "static void ") + f.name + "(";
    if (const std::string holder = holderOf(f); !holder.empty())
      head += "struct " + f.name + "_given *" + holder;
    else
      for (size_t i = 0; i < f.parameters.size(); ++i)
        head += (i ? ", " : "") + declarator(f.parameters[i]);
    head += f.parameters.empty() ? "void)" : ")";
    put(head + " {", head + ";");
    std::set<int> fields;
    ownIn(*program, f.body, fields);
    if (!fields.empty()) {
      std::string all = "  struct {";
      for (int field : fields)
        all += " " + declarator(field) + ";";
      put(all + " } own;");
    }
    used.clear();
    readIn(f.body, used);
    for (int parameter : f.parameters)
      if (!used.count(parameter))
        put("  (void)" + name(parameter) + ";");
    block(f.body);
    put("}");
  }

  /// Those that something uses.
  void globals(const std::set<int> &used) {
    for (size_t v = 0; v < program->variables.size(); ++v) {
      const Variable &variable = program->variables[v];
      if (!used.count(int(v)))
        continue;
      if (variable.kind == Variable::Kind::GlobalScalar)
        put("static int " + variable.name + " = " + std::to_string(variable.initial) + ";");
      else if (variable.kind == Variable::Kind::GlobalArray && files == 1)
        put("static " + declarator(int(v)) + ";");
      else if (variable.kind == Variable::Kind::GlobalArray) {
        std::string declared = declarator(int(v)), open = declared;
        open.replace(open.find('[') + 1, open.find(']') - open.find('[') - 1, "");
        into(int(v));
        put(declared + ";", "extern " + (v % 2 ? declared : open) + ";");
        into(-1);
      }
    }
  }

private:
  struct Line {
    std::string text, elsewhere;
    int owner = -1;
  };
  const Program *program;
  unsigned files;
  std::vector<Line> lines;
  int owner = -1;
  int indent = 0;
  std::set<int> used; ///< Variables of the function that is printed, but for those that it only sets.

  /// `given` or `cell`; empty if the parameters are plain ones.
  std::string holderOf(const Function &f) const {
    const std::string first = f.parameters.empty() ? "" : name(f.parameters[0]);
    return first.find("->") == std::string::npos ? "" : first.substr(0, first.find("->"));
  }

  const std::string &name(int variable) const { return program->variables[size_t(variable)].name; }

  std::string subscripts(const std::vector<Ex> &list) const {
    std::string all;
    for (const Ex &e : list)
      all += "[" + text(e) + "]";
    return all;
  }

  std::string declarator(int v) const {
    const Variable &variable = program->variables[size_t(v)];
    std::string type = toString(variable.type);
    if (variable.isConst)
      type = "const " + type;
    std::string extents;
    for (const Ex &e : variable.extentTexts)
      extents += "[" + text(e) + "]";
    const std::string name = fieldOf(variable.name);
    if (!variable.isPointer())
      return type + " " + name + extents;
    std::string star = variable.isRestrict ? "*restrict " : "*";
    return extents.empty() ? type + " " + star + name : type + " (" + star + name + ")" + extents;
  }

  std::string text(const PointerValue &p, int variable) const {
    const Variable &v = program->variables[size_t(variable)];
    if (p.base < 0)
      return "malloc(sizeof(" + std::string(toString(v.type)) + ") * " + text(p.lengthText, 11) + ")";
    if (!p.subscripts.empty())
      return "&" + name(p.base) + subscripts(p.subscripts);
    return name(p.base) + (p.offset ? " + " + text(p.offset, 10) : "");
  }

  /// Compilers warn of what is never used; a port that warns is to be the port's fault.
  void touch(int variable) {
    if (!used.count(variable))
      put("(void)" + name(variable) + ";");
  }

  void block(std::vector<Statement> &body) {
    ++indent;
    for (Statement &s : body)
      statement(s);
    --indent;
  }

  void statement(Statement &s) {
    using K = Statement::Kind;
    s.line = line;
    switch (s.kind) {
    case K::Declare:
      put(declarator(s.variable) + (s.value ? " = " + text(s.value) : "") + ";");
      touch(s.variable);
      break;
    case K::DeclarePointer:
      put((isOwn(name(s.variable)) ? name(s.variable) : declarator(s.variable)) + " = " + text(s.pointer, s.variable) + ";");
      touch(s.variable);
      break;
    case K::Assign: {
      static const char *const ops[] = {" = ", " += ", " -= ", " *= "};
      put(text(s.target) + ops[int(s.op)] + text(s.value) + ";");
      break;
    }
    case K::PointerAssign:
      put(name(s.variable) + " = " + text(s.pointer, s.variable) + ";");
      break;
    case K::If:
      put("if (" + text(s.value) + ") {");
      block(s.body);
      if (!s.otherwise.empty()) {
        put("} else {");
        block(s.otherwise);
      }
      s.endLine = line;
      put("}");
      break;
    case K::For: {
      std::string i = name(s.variable);
      std::string step = s.step == 1    ? i + "++"
                         : s.step == -1 ? i + "--"
                         : s.step > 0   ? i + " += " + std::to_string(s.step)
                                        : i + " -= " + std::to_string(-s.step);
      put("for (" + std::string(s.declaredBefore ? "" : "int ") + i + " = " + text(s.value) + "; " + text(s.condition) + "; " + step + ") {");
      block(s.body);
      s.endLine = line;
      put("}");
      break;
    }
    case K::While:
      put("while (" + text(s.condition) + ") {");
      block(s.body);
      s.endLine = line;
      put("}");
      break;
    case K::Do:
      put("do {");
      block(s.body);
      s.endLine = line;
      put("} while (" + text(s.condition) + ");");
      break;
    case K::DoStepping: {
      put("do {");
      block(s.body);
      s.endLine = line;
      std::string i = name(s.variable), condition = text(s.condition); // begins with the counter, if nothing has made it smaller
      std::string step = s.step == 1 ? "++" + i : s.step == -1 ? "--" + i : "(" + i + (s.step > 0 ? " += " : " -= ") + std::to_string(std::abs(s.step)) + ")";
      put("} while (" + (condition.starts_with(i) ? step + condition.substr(i.size()) : step + ", " + condition) + ");");
      break;
    }
    case K::Block:
      put("{");
      block(s.body);
      s.endLine = line;
      put("}");
      break;
    case K::Call: {
      const Function &callee = program->functions[size_t(s.callee)];
      std::string all, holder = holderOf(callee);
      for (size_t i = 0; i < s.arguments.size(); ++i)
        all += (i ? ", " : "") + (s.arguments[i].value ? text(s.arguments[i].value) : text(s.arguments[i].pointer, callee.parameters[i]));
      const std::string type = "struct " + callee.name + "_given", made = "(" + type + "){" + all + "}";
      if (holder == "cell")
        put("{ " + type + " cells[2]; cells[1] = " + made + "; " + callee.name + "(&cells[1]); }");
      else
        put(callee.name + "(" + (holder.empty() ? all : "&" + made) + ");");
      break;
    }
    case K::Print: {
      Type type = typeOf(*program, s.value);
      std::string format = isFloating(type) ? "%.9g" : type == Type::Long ? "%ld" : type == Type::Unsigned ? "%u" : "%d";
      put("printf(\"" + program->name + ": " + s.label + " " + format + "\\n\", " + text(s.value) + ");");
      break;
    }
    case K::Continue:
      put("continue;");
      break;
    case K::Break:
      put("break;");
      break;
    case K::Exit:
      put("exit(" + std::to_string(s.length) + ");");
      break;
    case K::Free:
      put("free(" + name(s.variable) + ");");
      break;
    case K::Copy:
      put("memcpy(" + name(s.variable) + ", " + text(s.pointer, s.variable) + ", " + std::to_string(s.length) + " * sizeof(" +
          toString(program->variables[size_t(s.variable)].type) + "));");
      break;
    case K::Clear:
      put("memset(" + name(s.variable) + ", 0, " + std::to_string(s.length) + " * sizeof(" +
          toString(program->variables[size_t(s.variable)].type) + "));");
      break;
    }
  }
};

/// The variables and functions that the statements mention, through calls.
void use(const Program &program, const std::vector<Statement> &block, std::set<int> &variables, std::set<int> &functions) {
  for (const Statement &s : block) {
    variables.insert(s.variable);
    for (const Ex &e : {s.target, s.value, s.condition, s.pointer.offset, printedLength(s.pointer)})
      use(e, variables);
    variables.insert(s.pointer.base);
    for (const Ex &e : s.pointer.subscripts)
      use(e, variables);
    for (const Argument &a : s.arguments) {
      use(a.value, variables);
      use(a.pointer.offset, variables);
      variables.insert(a.pointer.base);
    }
    if (s.kind == Statement::Kind::Call && functions.insert(s.callee).second)
      use(program, program.functions[size_t(s.callee)].body, variables, functions);
    use(program, s.body, variables, functions);
    use(program, s.otherwise, variables, functions);
  }
}

} // namespace

/// Into the printer, function by function.
static void printAll(std::vector<Program> &programs, const std::string &comment, Printer &printer) {
  for (size_t begin = 0; begin < comment.size();) {
    size_t end = std::min(comment.find('\n', begin), comment.size());
    printer.put("// " + comment.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const char *header : {"math", "stdio", "stdlib", "string"})
    printer.put(std::string("#include <") + header + ".h>");
  for (Program &program : programs) {
    printer.use(program);
    printer.put("");
    std::set<int> variables, functions = {int(program.functions.size()) - 1};
    use(program, program.functions.back().body, variables, functions);
    printer.globals(variables);
    for (size_t f = 0; f < program.functions.size(); ++f) {
      if (!functions.count(int(f)))
        continue;
      printer.put("");
      bool isRoot = f + 1 == program.functions.size();
      printer.structFor(program.functions[f]);
      printer.into(isRoot ? 0 : int(f + 1));
      printer.function(program.functions[f], isRoot);
      printer.into(-1);
    }
  }
  printer.put("");
  printer.into(0);
  printer.put("int main(int argc, char **argv) {");
  for (const Program &program : programs) {
    printer.put("  if (argc < 2 || strcmp(argv[1], \"" + program.name + "\") == 0)");
    printer.put("    " + program.name + "();");
  }
  printer.put("  return 0;");
  printer.put("}");
}

std::string printUnit(std::vector<Program> &programs, const std::string &comment) {
  Printer printer;
  printAll(programs, comment, printer);
  return printer.textOf(0);
}

std::vector<std::string> printUnits(std::vector<Program> &programs, unsigned count) {
  Printer printer(nullptr, count);
  printAll(programs, "", printer);
  std::vector<std::string> texts;
  for (unsigned file = 0; file < count; ++file)
    texts.push_back(printer.textOf(file));
  return texts;
}

std::string toString(const Program &program, const Ex &expression) { return Printer(&program).text(expression); }

} // namespace busfare::generator
