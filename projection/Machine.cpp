//===- projection/Machine.cpp - A host, a link and a GPU, with sources ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Machine.h"
#include "projection/BuiltinMachines.h"
#include "projection/Plausible.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace busfare::projection {

llvm::StringRef toString(SourceKind kind) {
  switch (kind) {
  case SourceKind::Measured: return "measured";
  case SourceKind::Datasheet: return "datasheet";
  case SourceKind::Derived: return "derived";
  case SourceKind::Assumed: return "assumed";
  }
  return "";
}

llvm::StringRef toString(Direction direction) {
  switch (direction) {
  case Direction::ToDevice: return "h2d";
  case Direction::ToHost: return "d2h";
  case Direction::OnDevice: return "d2d";
  case Direction::Peer: return "peer";
  }
  return "";
}

llvm::StringRef toString(PeerKind kind) {
  switch (kind) {
  case PeerKind::Pcie: return "pcie";
  case PeerKind::NvLink: return "nvlink";
  case PeerKind::NvSwitch: return "nvswitch";
  case PeerKind::InfinityFabric: return "infinity-fabric";
  }
  return "";
}

llvm::StringRef toString(HostMemory memory) { return memory == HostMemory::Pinned ? "pinned" : "pageable"; }

llvm::StringRef toString(LinkKind kind) {
  switch (kind) {
  case LinkKind::Pcie: return "pcie";
  case LinkKind::NvLink: return "nvlink";
  case LinkKind::C2c: return "c2c";
  case LinkKind::InfinityFabric: return "infinity-fabric";
  case LinkKind::Unified: return "unified";
  }
  return "";
}

std::vector<std::string> builtinMachineNames() {
  std::vector<std::string> names;
  for (const BuiltinMachine &machine : builtinMachines()) names.push_back(machine.name);
  llvm::sort(names);
  return names;
}

llvm::Expected<Machine> loadMachine(llvm::StringRef nameOrFile) {
  for (const BuiltinMachine &machine : builtinMachines())
    if (nameOrFile == machine.name) return parseMachine(machine.text, machine.name);
  bool looksLikeFile = nameOrFile.ends_with(".json") || nameOrFile.contains('/');
  if (!looksLikeFile)
    return llvm::createStringError("no machine named '" + nameOrFile + "'; there are " +
                                   llvm::join(builtinMachineNames(), ", ") + ", or name a file (*.json)");
  auto buffer = llvm::MemoryBuffer::getFile(nameOrFile);
  if (!buffer) return llvm::createStringError(nameOrFile + ": " + buffer.getError().message());
  llvm::Expected<Machine> machine = parseMachine((*buffer)->getBuffer(), nameOrFile);
  if (!machine) return machine;
  std::vector<std::string> problems = implausibleNumbers(*machine);
  for (const std::string &key : doubledKeys((*buffer)->getBuffer())) problems.push_back(key + ": is there twice");
  for (std::string &problem : problems) problem = nameOrFile.str() + ": " + problem;
  if (!problems.empty()) return llvm::createStringError(llvm::join(problems, "\n"));
  machine->file = nameOrFile.str();
  return machine;
}

} // namespace busfare::projection
