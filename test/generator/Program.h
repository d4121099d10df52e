//===- test/generator/Program.h - A C program as a tree --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the generator builds, prints as C or C++ and runs: just enough of C for numerical
// programs. Deliberately knows nothing of skeletons, so that running it is a truth
// of its own:
//
//   For{i, 0, i < n, 1} [ Assign{ Element{b, [i]}, =, Element{a, [i]} * 0.5 } ]
//   ->  for (int i = 0; i < n; i++)
//         b[i] = a[i] * 0.5;
//
// Expressions are shared and never change; statements are values. Each statement
// stands on lines of its own: Print numbers them, and a line is how everything else
// names a statement.
//
// To add a statement or an expression, touch: Program.h, Print.cpp, Interpret.cpp,
// and Shrink.cpp if it holds others. A new field goes into Tree.cpp, behind a version.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_PROGRAM_H
#define BUSFARE_TEST_GENERATOR_PROGRAM_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace busfare::generator {

enum class Type { Int, Unsigned, Long, Float, Double };
inline bool isFloating(Type type) { return type == Type::Float || type == Type::Double; }

enum class Operator {
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  And,
  ShiftRight,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  LogicalAnd,
  LogicalOr,
};

struct Expression;
using Ex = std::shared_ptr<const Expression>;

struct Expression {
  enum class Kind {
    Integer,  ///< number, of `type` Int, Unsigned or Long.
    Real,     ///< real, of `type` Float or Double.
    Scalar,   ///< The value of a variable.
    Element,  ///< variable[operands[0]][operands[1]]...
    Binary,   ///< operands[0] op operands[1]
    Negate,   ///< -operands[0]
    Convert,  ///< (type)operands[0]
    Select,   ///< operands[0] ? operands[1] : operands[2]
    Call,     ///< A function of <math.h>: fabs, sqrt, fmin, fmax.
    Narrow, ///< operands[0] through an unsigned type of `number` bits, 8 or 16, or through bool (1). `name`: how that
            ///< is spelled.
    Weak, ///< pN_weak(operands[0]), of which a weak body may be there that is not the one that runs: half of it.
  };
  Kind kind = Kind::Integer;
  Type type = Type::Int; ///< Of literals and conversions.
  int64_t number = 0;
  double real = 0;
  int variable = -1;
  Operator op = Operator::Add;
  std::string
      name; ///< Of a Call. Of a Narrow: cast, as, to, field; in C++ also min, pair, lambda, ref (PrintForms.cpp).
  std::vector<Ex> operands;
};

Ex integer(int64_t value, Type type = Type::Int);
Ex real(double value, Type type = Type::Double);
Ex scalar(int variable);
Ex element(int variable, std::vector<Ex> subscripts);
Ex binary(Operator op, Ex a, Ex b);
Ex convert(Type type, Ex a);
Ex select(Ex condition, Ex yes, Ex no);
Ex call(std::string name, std::vector<Ex> operands);
Ex narrow(int64_t bits, std::string spelling, Ex a);
Ex weak(Ex a);
/// a + value, folded where that is obvious.
Ex plus(Ex a, int64_t value);
Ex plus(Ex a, Ex b);
Ex times(Ex a, Ex b);

struct Variable {
  enum class Kind {
    Scalar, ///< Of a function: declared by a Declare statement, or the index of a For.
    Array, ///< Automatic, declared by a Declare statement.
    Pointer, ///< Declared by a DeclarePointer statement; rows: of the pointed-to rows (`double (*b)[8]`).
    Value, ///< A parameter of a helper, scalar.
    Formal, ///< A parameter of a helper, pointer; rows as above.
    GlobalScalar, ///< `static int p7_n = 12;`, never written.
    GlobalArray, ///< `static double p7_a[12];`, zero at the start.
  };
  Kind kind = Kind::Scalar;
  /// `own.b`: a field of a struct of its function. `given->n`, `cell->n`: of what a helper gets in place of parameters,
  /// the address of a struct, or of an element of a table of them.
  std::string name;
  Type type = Type::Int;
  std::vector<int64_t> extents; ///< Of an array all of them; of a pointer those of its rows.
  std::vector<Ex> extentTexts; ///< How they are spelled; the same length.
  int64_t initial = 0; ///< Of a GlobalScalar.
  int64_t declared = 0; ///< Of a Formal: `double out[2]`, which binds nobody; 0: a pointer.
  bool isConst = false;
  bool isRestrict = false;

  bool isPointer() const { return kind == Kind::Pointer || kind == Kind::Formal; }
  bool isArray() const { return kind == Kind::Array || kind == Kind::GlobalArray; }
  bool isGlobal() const { return kind == Kind::GlobalScalar || kind == Kind::GlobalArray; }
};

/// `base + offset` (elements), `&base[i][j]`, or fresh memory of `length` elements.
struct PointerValue {
  int base = -1; ///< A pointer or an array; -1 = malloc.
  std::vector<Ex> subscripts; ///< Of &base[...]; empty = plain base + offset.
  Ex offset; ///< May be null.
  int64_t length = 0; ///< Of malloc.
  Ex lengthText;
};

struct Argument {
  Ex value; ///< For a Value, or
  PointerValue pointer; ///< for a Formal.
};

enum class AssignOp { Set, Add, Subtract, Multiply };

struct Statement {
  enum class Kind {
    Declare, ///< type variable [= value];  or an automatic array
    DeclarePointer, ///< type *variable = pointer;
    Assign, ///< target op value;  target is a Scalar or an Element
    PointerAssign, ///< variable = pointer;
    If, ///< if (value) body else otherwise
    For, ///< for (int variable = value; condition; variable += step) body
    While, ///< while (condition) body;  variable is its counter
    Do, ///< do body while (condition);  variable is its counter
    Call, ///< callee(arguments);
    Print, ///< printf of the program's name, `label` and value
    Continue,
    Break,
    Free, ///< free(variable);
    Copy, ///< memcpy(variable, pointer.base, length elements);
    Clear, ///< memset(variable, 0, length elements);
    Block, ///< { body }
    DoStepping, ///< do body while (variable += step, then the condition);  ++variable if it is one
    Exit, ///< exit(length);  never comes to it: all programs of a unit run in one process
    Switch, ///< switch (value) body;  Case and Break are statements of its body
    Case, ///< case value:  or default:, if there is none. What stands before it falls through
  };
  /// How it is spelled, if its parts allow that; else as Plain.
  enum class Form {
    Plain,
    Bare, ///< If, For, While around one statement: no braces.
    Choice, ///< If with an Assign on each side: (void)(value ? (a = 1) : (b = 2));
    And, ///< If with one Assign: (void)((value) && ((a = 1), 1));
    Or, ///< Likewise: (void)(!(value) || ((a = 1), 1));
    Macro, ///< Assign: PUT(a, 1);
    Bound, ///< Declare of a Narrow: unsigned char k = x;  in C++  auto [k, k_rest] = std::pair<unsigned char, int>(x,
           ///< 0);
  };
  Kind kind = Kind::Assign;
  int variable = -1;
  Ex target, value, condition;
  AssignOp op = AssignOp::Set;
  int64_t step = 1;
  bool declaredBefore = false; ///< Of a For: its index is an earlier variable.
  PointerValue pointer;
  int callee = -1;
  std::vector<Argument> arguments;
  std::string label;
  int64_t length = 0;
  std::vector<Statement> body, otherwise;
  Form form = Form::Plain;
  bool joinsNext = false; ///< Of an Assign before another: a comma between them.
  int line = 0; ///< Set by Print.
  int endLine = 0; ///< Of the closing brace, or of the last line without one, likewise.
};

struct Function {
  std::string name;
  std::vector<int> parameters;
  std::vector<Statement> body;
  int line = 0;
};

/// One program: its variables by number, helpers first; the last function is `void name(void)`.
struct Program {
  std::string name; ///< p7
  std::vector<Variable> variables;
  std::vector<Function> functions;
  bool isCxx = false; ///< Printed as C++17.
};

/// Type of the expression's value, by C's usual arithmetic conversions.
Type typeOf(const Program &program, const Ex &expression);

} // namespace busfare::generator

#endif
