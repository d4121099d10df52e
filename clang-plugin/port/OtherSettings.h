//===- clang-plugin/port/OtherSettings.h - Does it hold for other sizes? -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A port is compiled with other settings than it was made for (lower/Settings.h). Its
// clauses may name them where the program read with settings as symbols is the same
// whatever they are. That is found out by reading it at others:
//
//   hotspot.c at GRID = 512        alloc temp[GRID*GRID]      at -DGRID=1024: the same
//   char pad[GRID > 600 ? 8 : 1]   alloc pad[1]               at -DGRID=1024: alloc pad[8]
//
// Each setting is multiplied by another small number, so that none is taken for another
// and programs that want multiples of what they have stay content. What a size that is
// not tried would change (`GRID == 4096 ? ... : ...`) is not noticed if it leaves no
// condition behind.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_OTHERSETTINGS_H
#define BUSFARE_CLANG_PLUGIN_PORT_OTHERSETTINGS_H

#include "clang-plugin/port/Units.h"

namespace busfare::frontend::port {

/// -D words that give each setting of the program another value.
std::vector<std::string> otherSettings(const skeleton::Program &program);

/// Do two readings say the same, but for what their settings are? What is likely to be (branch shares, usual values)
/// and findings do not count. False if a setting has the same value in both.
bool saySame(const skeleton::Program &one, const skeleton::Program &other);

} // namespace busfare::frontend::port

#endif
