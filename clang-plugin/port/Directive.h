//===- clang-plugin/port/Directive.h - A directive and its clauses -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   directive("#pragma omp target", {"map(alloc: u[0:n])", "nowait"})
//   =>  #pragma omp target map(alloc: u[0:n]) nowait
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_DIRECTIVE_H
#define BUSFARE_CLANG_PLUGIN_PORT_DIRECTIVE_H

#include <string>
#include <vector>

namespace busfare::frontend::port {

/// In lines of at most about a hundred characters.
inline std::string directive(std::string line, const std::vector<std::string> &clauses) {
  std::string result;
  for (const std::string &clause : clauses) {
    if (line.size() + 1 + clause.size() > 100) {
      result += line + " \\\n";
      line = "   ";
    }
    line += " " + clause;
  }
  return result + line;
}

} // namespace busfare::frontend::port

#endif
