//===- skeleton/Parse.h - Reading skeleton text ---------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Text to Program. parse(print(p)) == p. The grammar; line ends mean nothing, `#`
// starts a comment, [x] is optional, {x} any number of times, 'a' | 'b' a choice:
//
//   program   = 'skeleton' '1' {item}
//   item      = 'unit' STRING                          main source file; before anything placed in it
//             | 'types' 'mix'                            memory may be read as another type than it was written as
//             | 'constant' NAME '=' ['-'] INTEGER [at]
//             | 'import' NAME 'symbol' STRING            a function of another unit, as calls here name it
//             | 'global' array
//             | 'finding' RULE LEVEL [at] STRING       finding BF003 remark at 12:9 "..."
//             | 'function' NAME '(' [formal {',' formal}] ')' [LINKAGE] ['symbol' STRING] [at] [hints]
//                '{' {array | statement} '}'
//   LINKAGE   = 'external' | 'inline' | 'static'         who sees it from other units; by its name if there is no
//   symbol formal    = ('param' | 'array' | 'other') NAME ['by-reference']   an integer, an array (declared inside),
//   anything else array     = 'array' NAME ':' TYPE {'[' (expr | '?') ']'} {attribute} [at] attribute = 'parameter' |
//   'global' | 'local' | 'heap' | 'given' | 'alias' | 'const' | 'restrict' | 'static'
//             | 'pointee' | 'steady' | 'sized' | 'fixed' | 'per-iteration' | ('may-be' | 'likely') '(' names ')'
//             | 'rows' | 'distinct-rows'                 what a table of pointers points to: each row is memory of its
//             own
//               without a storage word: parameter if it is one, else local
//   TYPE      = f16 f32 f64 f80 i8 i16 i32 i64 u8 ... bool c64 c128 ptr struct<BYTES>; also float<B> int<B> ...
//   block     = '{' {statement} '}'
//   statement = 'for' NAME '=' expr '..' expr {'step' ['-'] INTEGER | FORM | 'early-exit' ['inside'] | 'time' |
//   'trusted' | at
//                     | omp | hints | steady | believing | 'via' '(' STRING {',' STRING} ')'} block
//             | 'if' condition ['probability' NUMBER ['measured']] ['rest'] [at] block ['else' block]
//             | ['may'] 'read' NAME subscripts [part] ['bytewise'] ['induction'] [at]
//             | ['may'] 'write' NAME subscripts [part] ['value' expr] ['bytewise'] ['induction'] [at]
//             | ['may'] 'update' NAME subscripts [part] [OPERATOR] ['bytewise'] ['induction'] [at]
//             | 'ops' {OPERATION NUMBER}                                   ops fp64.add 2 int 1
//             | 'define' NAME ['=' expr] {'usually' expr | 'because' STRING | 'in' bound '..' bound | loaded
//             | 'quotient' expr 'by' expr} [at]
//             | 'call' NAME '(' [argument {',' argument}] ')' ['exposing' '(' ['const'] NAME {',' ['const'] NAME} ')']
//             [at] | 'alloc' NAME {'[' (expr | '?') ']'} [at] | 'free' NAME [at] | 'host' REASON [STRING] [message |
//             library] [at] [block]    accesses only | 'rotate' NAME '<-' NAME {',' NAME '<-' NAME} [at] | 'end' STRING
//             ['where'] [at]                                the program ends: 'end "exit(1)"'; where: and says where
//   FORM      = 'while' | 'do' | 'range' | 'algorithm'                     else a for loop
//   REASON    = io opaque recursion allocation timing unsupported noreturn message library threads handler
//   message   = MESSAGE ['bytes' (expr | '?')] ['type' STRING] ['nonblocking']   of reason message
//   MESSAGE   = send receive exchange put get accumulate broadcast reduce allreduce gather allgather scatter
//               alltoall scan reduce_scatter wait
//   library   = 'blas' NAME '(' [NAME '=' (expr | '?') {',' NAME '=' (expr | '?')}] ')'   of reason library
//               ['on' '(' NAME '=' NAME {',' NAME '=' NAME} ')'] ['overwrites']
//   part      = ('part' | 'inside') INTEGER '+' INTEGER   of a struct: from which byte on, how many; some of them
//   subscripts= {'[' (expr | '?') ['in' bound '..' bound] [loaded] ']'}    x[? in 0 .. m - 1]
//   loaded    = 'from' NAME {'[' expr ']'} ['times' INTEGER] ['plus' expr]  x[? from col times 2 plus 1], of x[2*col[k]
//   + 1] bound     = expr | '?' argument  = expr | '?'                                                 a value for a
//   `param`
//             | '&' (NAME | '?') {'[' expr ']'} ['+' (expr | '?') | '-' expr]   an array (or a row of it) and an offset
//   condition = conjunct {'or' conjunct};  conjunct = simple {'and' simple}
//   simple    = expr RELATION expr {RELATION expr} | 'true' | '?'          0 <= i < n;  i >= 1 and ?
//               '?' is a part that is not known: the rest is necessary for the branch, not sufficient
//   omp       = 'omp' '(' the text of the directive ')'
//             | 'omp' '(' STRING {'parallel' | 'turns' | 'collapse' INTEGER | LIST '(' names ')' | 'reduction' '(' OP
//             ':' names ')'} ')'
//   hints     = 'hints' '(' {'independent' | 'temporary' '(' names ')' | 'noalias' '(' names ')'
//                     | 'size' '(' NAME '=' INTEGER ')' | 'range' '(' NAME ':' expr ',' expr ')' | 'ignore' '(' names
//                     ')'} [at] ['to' LINE] ')'          where they are written; the last line of what they speak of
//   steady    = 'steady' '(' NAME {'[' (expr | '?') ']'} {',' NAME {'[' (expr | '?') ']'}} ')'
//               integers whose values are used as they were before; nothing may write them through another name
//   believing = 'believing' '(' names ')'       of a loop: functions that a program could put its own in the place of,
//   and does not nonnegative = 'nonnegative' '(' expr {',' expr} ')'      of a function: taken to be at least 0 at =
//   'at' ([STRING ':'] LINE [':' COLUMN] | STRING | '?') expr      = sum of products of INTEGER, NAME, '(' expr ')',
//   'min' '(' ... ')', 'max' '(' ... ')',
//               'floor' '(' product '/' INTEGER ')', product 'mod' INTEGER
//   NAME      = letters, digits, `_`, and inside also `.`, `@`, `#`, `::`; anything else in back quotes
//
// Without a file, a place is in the file of the function it stands in, or in the
// first unit. Without `at`, a place is where the thing stands in the skeleton text
// itself, so that a hand-written skeleton's reports point into it; `at ?` says that
// no place is known.
//
// Errors have a place and show it:
//
//   axpy.skel:4:14: expected ']' after subscript, found 'i'
//   read x[i + 1 i]
//                ^
//
// Blocks and parentheses may nest 500 levels deep. Whether names mean anything is
// Verify's question, not asked here.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_PARSE_H
#define BUSFARE_SKELETON_PARSE_H

#include "skeleton/Skeleton.h"
#include "llvm/Support/Error.h"

namespace busfare::skeleton {

/// fileName is for messages and for places without `at`.
llvm::Expected<Program> parse(llvm::StringRef text, llvm::StringRef fileName);

/// One Expr, as in skeleton text: for command lines and hints in comments.
llvm::Expected<Expr> parseExpr(llvm::StringRef text, llvm::StringRef fileName = "expression");

} // namespace busfare::skeleton

#endif
