//===- test/generator/Print.cpp - The tree as C ----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Print.h"
#include "test/generator/PrintForms.h"
#include <algorithm>
#include <cstdio>
#include <set>

namespace busfare::generator {

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
  if (!e) return;
  if (e->kind == Expression::Kind::Scalar || e->kind == Expression::Kind::Element) variables.insert(e->variable);
  for (const Ex &o : e->operands) use(o, variables);
}

Ex printedLength(const PointerValue &pointer) { return pointer.base < 0 ? pointer.lengthText : nullptr; }

/// The variables that the statements read, or hand over.
void readIn(const std::vector<Statement> &block, std::set<int> &variables) {
  using K = Statement::Kind;
  for (const Statement &s : block) {
    if (s.target) // its subscripts: an array that is only written counts as unused
      for (const Ex &e : s.target->operands) use(e, variables);
    for (const Ex &e : {s.value, s.condition, s.pointer.offset, printedLength(s.pointer)}) use(e, variables);
    for (const Ex &e : s.pointer.subscripts) use(e, variables);
    variables.insert(s.pointer.base);
    if (s.kind == K::Free || s.kind == K::Copy || s.kind == K::Clear) variables.insert(s.variable);
    for (const Argument &a : s.arguments) {
      use(a.value, variables);
      use(a.pointer.offset, variables);
      for (const Ex &e : a.pointer.subscripts) use(e, variables);
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
  mutable std::set<std::string> prelude; ///< What stands at the top of the unit for what was printed so far.
  mutable std::set<const Program *> weakUsers; ///< Programs with an expression of kind Weak.

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
    for (const Line &one : lines) text += (one.owner < 0 || one.owner == int(file) ? one.text : one.elsewhere) + "\n";
    return text;
  }

  /// Until it is set again, what is put goes to this file; -1: to all.
  void into(int file) { owner = file < 0 ? -1 : file % int(files); }

  std::string text(const Ex &e, int outer = 0) const {
    using K = Expression::Kind;
    switch (e->kind) {
    case K::Integer: {
      std::string digits = std::to_string(e->number) + (e->type == Type::Unsigned ? "u"
                                                        : e->type == Type::Long   ? "L"
                                                                                  : "");
      return e->number < 0 ? "(" + digits + ")" : digits;
    }
    case K::Real: {
      char buffer[40];
      snprintf(buffer, sizeof buffer, "%.9g", e->real);
      std::string digits = buffer;
      if (digits.find_first_of(".en") == std::string::npos) digits += ".0";
      digits += e->type == Type::Float ? "f" : "";
      return e->real < 0 ? "(" + digits + ")" : digits;
    }
    case K::Scalar: return name(e->variable);
    case K::Element: return name(e->variable) + subscripts(e->operands);
    case K::Negate: return "-" + text(e->operands[0], 12);
    case K::Convert: return std::string("(") + toString(e->type) + ")" + text(e->operands[0], 12);
    case K::Select: {
      std::string all = text(e->operands[0], 2) + " ? " + text(e->operands[1], 1) + " : " + text(e->operands[2], 1);
      return outer > 1 ? "(" + all + ")" : all;
    }
    case K::Call: {
      std::string all = e->name + "(";
      for (size_t i = 0; i < e->operands.size(); ++i) all += (i ? ", " : "") + text(e->operands[i]);
      return all + ")";
    }
    case K::Narrow: {
      Spelled spelled = spellNarrow(*e, text(e->operands[0]), text(e->operands[0], 12), program->isCxx);
      prelude.insert(spelled.prelude.begin(), spelled.prelude.end());
      return spelled.text;
    }
    case K::Weak: weakUsers.insert(program); return program->name + "_weak(" + text(e->operands[0]) + ")";
    case K::Binary: {
      int level = precedence(e->op);
      // gcc wants parentheses around and inside these.
      bool loose = e->op == Operator::And || e->op == Operator::ShiftRight;
      std::string all = text(e->operands[0], loose ? 11 : level) + " " + spelling(e->op) + " " +
                        text(e->operands[1], loose ? 11 : level + 1);
      bool shy = outer > 0 && outer != 12 &&
                 (e->op == Operator::LogicalAnd || e->op == Operator::And || e->op == Operator::ShiftRight);
      return level < outer || shy ? "(" + all + ")" : all;
    }
    }
    return "";
  }

  /// What a helper gets in place of its parameters, if it gets a struct.
  void structFor(const Function &f) {
    if (holderOf(f).empty()) return;
    std::string all = "struct " + f.name + "_given {";
    for (int parameter : f.parameters) all += " " + declarator(parameter) + ";";
    put(all + " };");
  }

  void function(Function &f, bool isRoot) {
    f.line = line;
    std::string head = std::string(isRoot || files > 1 ? "void " : "static void ") + f.name + "(";
    if (const std::string holder = holderOf(f); !holder.empty()) head += "struct " + f.name + "_given *" + holder;
    else
      for (size_t i = 0; i < f.parameters.size(); ++i) head += (i ? ", " : "") + declarator(f.parameters[i]);
    head += f.parameters.empty() ? "void)" : ")";
    put(head + " {", head + ";");
    std::set<int> fields;
    ownIn(*program, f.body, fields);
    if (!fields.empty()) {
      std::string all = "  struct {";
      for (int field : fields) all += " " + declarator(field) + ";";
      put(all + " } own;");
    }
    used.clear();
    readIn(f.body, used);
    for (int parameter : f.parameters)
      if (!used.count(parameter)) put("  (void)" + name(parameter) + ";");
    block(f.body);
    put("}");
  }

  /// The body that runs, where functions are spread over files in one of them; in the others one that must not be
  /// believed.
  void weakFunction() {
    const std::string head = "int " + program->name + "_weak(int k) { return k", weakly = "__attribute__((weak)) ";
    into(program->name.back());
    put((files > 1 ? "" : weakly) + head + " / 2; }", weakly + head + "; }");
    into(-1);
  }

  /// Those that something uses.
  void globals(const std::set<int> &used) {
    for (size_t v = 0; v < program->variables.size(); ++v) {
      const Variable &variable = program->variables[v];
      if (!used.count(int(v))) continue;
      if (variable.kind == Variable::Kind::GlobalScalar)
        put("static int " + variable.name + " = " + std::to_string(variable.initial) + ";");
      else if (variable.kind == Variable::Kind::GlobalArray && files == 1) put("static " + declarator(int(v)) + ";");
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
    for (const Ex &e : list) all += "[" + text(e) + "]";
    return all;
  }

  std::string declarator(int v) const {
    const Variable &variable = program->variables[size_t(v)];
    const std::string name = fieldOf(variable.name);
    const bool isArrayParameter = variable.declared > 0 && variable.extents.empty() && name == variable.name;
    if (variable.isPointer() && !isArrayParameter) return pointerTo(variable, name);
    std::string extents = isArrayParameter ? "[" + std::to_string(variable.declared) + "]" : "";
    for (const Ex &e : variable.extentTexts) extents += "[" + text(e) + "]";
    return elementType(variable) + " " + name + extents;
  }

  static std::string elementType(const Variable &variable) {
    return (variable.isConst ? "const " : "") + std::string(toString(variable.type));
  }

  /// The pointer's declaration; without a name, its type.
  std::string pointerTo(const Variable &variable, const std::string &name) const {
    std::string rows;
    for (const Ex &e : variable.extentTexts) rows += "[" + text(e) + "]";
    const std::string star = (!variable.isRestrict ? "*" : program->isCxx ? "*__restrict " : "*restrict ") + name;
    return elementType(variable) + " " + (rows.empty() ? star : "(" + star + ")" + rows);
  }

  std::string text(const PointerValue &p, int variable) const {
    const Variable &v = program->variables[size_t(variable)];
    if (p.base < 0)
      return (program->isCxx ? "(" + pointerTo(v, "") + ")" : "") + "malloc(sizeof(" + toString(v.type) + ") * " +
             text(p.lengthText, 11) + ")";
    if (!p.subscripts.empty()) return "&" + name(p.base) + subscripts(p.subscripts);
    return name(p.base) + (p.offset ? " + " + text(p.offset, 10) : "");
  }

  /// Compilers warn of what is never used; a port that warns is to be the port's fault.
  void touch(int variable) {
    if (!used.count(variable)) put("(void)" + name(variable) + ";");
  }

  void block(std::vector<Statement> &body) {
    ++indent;
    for (size_t k = 0; k < body.size(); ++k) statement(body[k], isJoined(body, k));
    --indent;
  }

  /// Is the k-th statement an assignment that a comma joins to the next one?
  static bool isJoined(const std::vector<Statement> &body, size_t k) {
    return isAssign(body[k]) && body[k].joinsNext && k + 1 < body.size() && isAssign(body[k + 1]);
  }
  static bool isAssign(const Statement &s) { return s.kind == Statement::Kind::Assign; }

  std::string assignment(const Statement &s) const {
    const std::string to = text(s.target), value = text(s.value);
    if (s.form == Statement::Form::Macro && s.op <= AssignOp::Add) {
      prelude.insert(s.op == AssignOp::Set ? "#define PUT(to, value) (to) = (value)"
                                           : "#define ADD(to, value) (to) += (value)");
      return (s.op == AssignOp::Set ? "PUT(" : "ADD(") + to + ", " + value + ")";
    }
    static const char *const ops[] = {" = ", " += ", " -= ", " *= "};
    return to + ops[int(s.op)] + value;
  }

  /// Would `else` behind the statement belong to an `if` in it?
  static bool endsInIf(const Statement &s) {
    if (s.kind == Statement::Kind::If) return !isExpression(s);
    return isBare(s) && endsInIf(s.body.front());
  }

  /// One statement of C, so that it needs no braces around it?
  static bool isSingle(const std::vector<Statement> &body) {
    using K = Statement::Kind;
    for (size_t k = 0; k + 1 < body.size(); ++k)
      if (!isJoined(body, k)) return false;
    return !body.empty() && body[0].kind != K::Declare && body[0].kind != K::DeclarePointer && body[0].kind != K::Case;
  }

  static bool isBare(const Statement &s) {
    using K = Statement::Kind;
    if (s.form != Statement::Form::Bare || !isSingle(s.body)) return false;
    return s.kind == K::For || s.kind == K::While ||
           (s.kind == K::If && !endsInIf(s.body.front()) && (s.otherwise.empty() || isSingle(s.otherwise)));
  }

  /// Is the branch printed as an expression?
  static bool isExpression(const Statement &s) {
    using F = Statement::Form;
    if (s.kind != Statement::Kind::If || s.body.size() != 1 || !isAssign(s.body[0])) return false;
    return s.form == F::Choice ? s.otherwise.size() == 1 && isAssign(s.otherwise[0])
                               : (s.form == F::And || s.form == F::Or) && s.otherwise.empty();
  }

  void branchInExpression(Statement &s) {
    using F = Statement::Form;
    auto part = [&](const char *before, Statement &inner, const char *behind) {
      inner.line = line;
      put("  " + std::string(before) + "(" + assignment(inner) + behind);
    };
    put(s.form == F::Choice ? "(void)(" + text(s.value, 2)
                            : (s.form == F::And ? "(void)((" : "(void)(!(") + text(s.value) + ")");
    if (s.form == F::Choice) {
      part("? ", s.body[0], ")");
      part(": ", s.otherwise[0], "));");
    } else {
      part(s.form == F::And ? "&& (" : "|| (", s.body[0], "), 1));");
    }
    s.endLine = line - 1;
  }

  /// What the statement governs, in braces or without. The line of the closing brace is still open then.
  void inBraces(Statement &s, const std::string &head) {
    const bool bare = isBare(s);
    const char *brace = bare ? "" : " {";
    put(head + brace);
    block(s.body);
    if (!s.otherwise.empty()) {
      put(bare ? "else" : "} else {");
      block(s.otherwise);
    }
    s.endLine = bare ? line - 1 : line;
    if (!bare) put("}");
  }

  std::string loopHead(const Statement &s) const {
    if (s.kind == Statement::Kind::While) return "while (" + text(s.condition) + ")";
    const std::string i = name(s.variable);
    std::string step = s.step == 1    ? i + "++"
                       : s.step == -1 ? i + "--"
                       : s.step > 0   ? i + " += " + std::to_string(s.step)
                                      : i + " -= " + std::to_string(-s.step);
    return "for (" + std::string(s.declaredBefore ? "" : "int ") + i + " = " + text(s.value) + "; " +
           text(s.condition) + "; " + step + ")";
  }

  void choice(Statement &s) {
    using K = Statement::Kind;
    put("switch (" + text(s.value) + ") {");
    for (size_t k = 0; k < s.body.size(); ++k) {
      Statement &inner = s.body[k];
      if (inner.kind != K::Case) {
        ++indent;
        statement(inner, isJoined(s.body, k));
        --indent;
        continue;
      }
      const K before = k ? s.body[k - 1].kind : K::Case;
      if (before != K::Case && before != K::Break && before != K::Continue && before != K::Exit)
        put(program->isCxx ? "  [[fallthrough]];" : "  __attribute__((fallthrough));");
      inner.line = line;
      put((inner.value ? "case " + text(inner.value) : "default") + (k + 1 < s.body.size() ? ":" : ":;"));
    }
    s.endLine = line;
    put("}");
  }

  void call(const Statement &s) {
    const Function &callee = program->functions[size_t(s.callee)];
    std::string all;
    for (size_t i = 0; i < s.arguments.size(); ++i)
      all += (i ? ", " : "") +
             (s.arguments[i].value ? text(s.arguments[i].value) : text(s.arguments[i].pointer, callee.parameters[i]));
    const std::string holder = holderOf(callee), type = "struct " + callee.name + "_given", braced = "{" + all + "}",
                      literal = "(" + type + ")" + braced;
    if (holder.empty()) put(callee.name + "(" + all + ");");
    else if (holder == "cell")
      put("{ " + type + " cells[2]; cells[1] = " + (program->isCxx ? braced : literal) + "; " + callee.name +
          "(&cells[1]); }");
    else if (program->isCxx) // no address of a temporary
      put("{ " + type + " made = " + braced + "; " + callee.name + "(&made); }");
    else put(callee.name + "(&" + literal + ");");
  }

  void declaration(const Statement &s) {
    if (s.form == Statement::Form::Bound && s.value && s.value->kind == Expression::Kind::Narrow) {
      Spelled spelled = spellBound(*s.value, name(s.variable), text(s.value->operands[0]), program->isCxx);
      prelude.insert(spelled.prelude.begin(), spelled.prelude.end());
      put(spelled.text);
    } else {
      put(declarator(s.variable) + (s.value ? " = " + text(s.value) : "") + ";");
    }
    touch(s.variable);
  }

  void statement(Statement &s, bool joinsNext) {
    using K = Statement::Kind;
    s.line = line;
    switch (s.kind) {
    case K::Declare: declaration(s); break;
    case K::DeclarePointer:
      put((isOwn(name(s.variable)) ? name(s.variable) : declarator(s.variable)) + " = " + text(s.pointer, s.variable) +
          ";");
      touch(s.variable);
      break;
    case K::Assign: put(assignment(s) + (joinsNext ? "," : ";")); break;
    case K::PointerAssign: put(name(s.variable) + " = " + text(s.pointer, s.variable) + ";"); break;
    case K::If:
      if (isExpression(s)) branchInExpression(s);
      else inBraces(s, "if (" + text(s.value) + ")");
      break;
    case K::For:
    case K::While: inBraces(s, loopHead(s)); break;
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
      std::string i = name(s.variable),
                  condition = text(s.condition); // begins with the counter, if nothing has made it smaller
      std::string step = s.step == 1 ? "++" + i
                         : s.step == -1
                             ? "--" + i
                             : "(" + i + (s.step > 0 ? " += " : " -= ") + std::to_string(std::abs(s.step)) + ")";
      put("} while (" + (condition.starts_with(i) ? step + condition.substr(i.size()) : step + ", " + condition) +
          ");");
      break;
    }
    case K::Block:
      put("{");
      block(s.body);
      s.endLine = line;
      put("}");
      break;
    case K::Call: call(s); break;
    case K::Print: {
      Type type = typeOf(*program, s.value);
      std::string format = isFloating(type)         ? "%.9g"
                           : type == Type::Long     ? "%ld"
                           : type == Type::Unsigned ? "%u"
                                                    : "%d";
      put("printf(\"" + program->name + ": " + s.label + " " + format + "\\n\", " + text(s.value) + ");");
      break;
    }
    case K::Continue: put("continue;"); break;
    case K::Break: put("break;"); break;
    case K::Exit: put("exit(" + std::to_string(s.length) + ");"); break;
    case K::Free: put("free(" + name(s.variable) + ");"); break;
    case K::Copy:
      put("memcpy(" + name(s.variable) + ", " + text(s.pointer, s.variable) + ", " + std::to_string(s.length) +
          " * sizeof(" + toString(program->variables[size_t(s.variable)].type) + "));");
      break;
    case K::Clear:
      put("memset(" + name(s.variable) + ", 0, " + std::to_string(s.length) + " * sizeof(" +
          toString(program->variables[size_t(s.variable)].type) + "));");
      break;
    case K::Switch: choice(s); break;
    case K::Case: put("case of no switch;"); break;
    }
  }
};

/// The variables and functions that the statements mention, through calls.
void use(const Program &program, const std::vector<Statement> &block, std::set<int> &variables,
         std::set<int> &functions) {
  for (const Statement &s : block) {
    variables.insert(s.variable);
    for (const Ex &e : {s.target, s.value, s.condition, s.pointer.offset, printedLength(s.pointer)}) use(e, variables);
    variables.insert(s.pointer.base);
    for (const Ex &e : s.pointer.subscripts) use(e, variables);
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

/// Into the printer, function by function. before: what else was printed of the same programs, and left out what stands
/// at the top.
static void printAll(std::vector<Program> &programs, const std::string &comment, const Printer &before,
                     Printer &printer) {
  for (size_t begin = 0; begin < comment.size();) {
    size_t end = std::min(comment.find('\n', begin), comment.size());
    printer.put("// " + comment.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const char *header : {"math", "stdio", "stdlib", "string"})
    printer.put(std::string("#include <") + header + ".h>");
  for (const std::string &text : before.prelude) printer.put(text);
  for (Program &program : programs) {
    printer.use(program);
    printer.put("");
    std::set<int> variables, functions = {int(program.functions.size()) - 1};
    use(program, program.functions.back().body, variables, functions);
    printer.globals(variables);
    if (before.weakUsers.count(&program)) printer.weakFunction();
    for (size_t f = 0; f < program.functions.size(); ++f) {
      if (!functions.count(int(f))) continue;
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

/// Twice: what its parts ask for at the top is known when all of them are printed.
static Printer printed(std::vector<Program> &programs, const std::string &comment, unsigned count) {
  Printer first(nullptr, count), second(nullptr, count);
  printAll(programs, comment, Printer(), first);
  printAll(programs, comment, first, second);
  return second;
}

std::string printUnit(std::vector<Program> &programs, const std::string &comment) {
  return printed(programs, comment, 1).textOf(0);
}

std::vector<std::string> printUnits(std::vector<Program> &programs, unsigned count) {
  const Printer printer = printed(programs, "", count);
  std::vector<std::string> texts;
  for (unsigned file = 0; file < count; ++file) texts.push_back(printer.textOf(file));
  return texts;
}

const char *suffixOf(const std::vector<Program> &programs) {
  return !programs.empty() && programs.front().isCxx ? ".cpp" : ".c";
}

std::vector<std::string> argumentsFor(const std::vector<Program> &programs) {
  return !programs.empty() && programs.front().isCxx ? std::vector<std::string>{"-std=c++17"}
                                                     : std::vector<std::string>();
}

std::string toString(const Program &program, const Ex &expression) { return Printer(&program).text(expression); }

} // namespace busfare::generator
