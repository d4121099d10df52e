//===- clang-plugin/port/Handlers.h - Handlers that must not run ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The plan assumes that nothing is thrown to a handler behind which the program goes on:
// what an array holds on the host then is not known. Ported code ends there, and says why.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_HANDLERS_H
#define BUSFARE_CLANG_PLUGIN_PORT_HANDLERS_H

#include "clang-plugin/port/Edits.h"
#include "skeleton/Location.h"
#include <optional>

namespace clang {
class ASTContext;
}

namespace busfare::frontend::port {

/// At the beginning of the handler, which stands in the unit's own file; nothing if it does not, or a macro writes it.
std::optional<Edit> endAtHandler(clang::ASTContext &context, const skeleton::Location &handler);

} // namespace busfare::frontend::port

#endif
