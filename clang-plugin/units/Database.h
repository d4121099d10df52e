//===- clang-plugin/units/Database.h - Units of a compile_commands.json --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// -p BUILD: every C and C++ unit of the database, or those that an input chooses. An
// input that is a file chooses its unit, a folder every unit below it; any other text
// is a filter of the units' full paths: with * ? [ a glob (a `*` also goes over folders,
// and anything may stand before it), else a part of the path.
//
//   -p build src/solver   units below src/solver        -p build flux      .../hydro/flux_calc.c
//   -p build 'src/a*.c'   .../src/a.c, .../src/ab/c.c
//
// A file that stands in the database twice (for two targets) is read once, with the
// flags of its first entry; if the others' differ, the unit's note says so.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_DATABASE_H
#define BUSFARE_CLANG_PLUGIN_UNITS_DATABASE_H

#include "Sources.h"

namespace busfare::frontend {

/// In the order of the database; with inputs, in that of the inputs. Errors: no database, or an input that chooses
/// nothing.
llvm::Expected<std::vector<Source>> sourcesOfDatabase(const Inputs &options);

} // namespace busfare::frontend

#endif
