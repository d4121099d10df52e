//===- projection/Machine.cpp - A host, a link and a GPU, with sources ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Machine.h"
#include "projection/BuiltinMachines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

namespace busfare::projection {

llvm::StringRef toString(SourceKind kind) {
  switch (kind) {
  case SourceKind::Measured:
    return "measured";
  case SourceKind::Datasheet:
    return "datasheet";
  case SourceKind::Derived:
    return "derived";
  case SourceKind::Assumed:
    return "assumed";
  }
  return "";
}

namespace {

enum class Allowed { Positive, NotNegative };

template <class Part> struct Field {
  const char *key;
  Quantity Part::*member;
  Allowed allowed = Allowed::Positive;
};

const Field<Host> hostFields[] = {
    {"cores", &Host::cores},
    {"threads", &Host::threads},
    {"clock_hz", &Host::clock},
    {"simd_bytes", &Host::simdBytes},
    {"vector_pipes", &Host::vectorPipes},
    {"fused_multiply_add", &Host::fusedMultiplyAdd, Allowed::NotNegative},
    {"scalar_operations_per_cycle", &Host::scalarOperations},
    {"loads_per_cycle", &Host::loadsPerCycle},
    {"divide_cycles", &Host::divideCycles},
    {"special_cycles", &Host::specialCycles},
    {"l1_bytes", &Host::l1Bytes},
    {"l2_bytes", &Host::l2Bytes},
    {"last_level_bytes", &Host::lastLevelBytes},
    {"l2_bandwidth_bytes_per_s", &Host::l2Bandwidth},
    {"last_level_bandwidth_bytes_per_s", &Host::lastLevelBandwidth},
    {"dram_bandwidth_bytes_per_s", &Host::dramBandwidth},
    {"dram_bandwidth_core_bytes_per_s", &Host::dramBandwidthCore},
    {"fork_join_s", &Host::forkJoin, Allowed::NotNegative},
};

const Field<Link> linkFields[] = {
    {"pinned_h2d_latency_s", &Link::pinnedH2dLatency, Allowed::NotNegative},
    {"pinned_h2d_bandwidth_bytes_per_s", &Link::pinnedH2dBandwidth},
    {"pinned_d2h_latency_s", &Link::pinnedD2hLatency, Allowed::NotNegative},
    {"pinned_d2h_bandwidth_bytes_per_s", &Link::pinnedD2hBandwidth},
    {"pageable_h2d_latency_s", &Link::pageableH2dLatency, Allowed::NotNegative},
    {"pageable_h2d_bandwidth_bytes_per_s", &Link::pageableH2dBandwidth},
    {"pageable_d2h_latency_s", &Link::pageableD2hLatency, Allowed::NotNegative},
    {"pageable_d2h_bandwidth_bytes_per_s", &Link::pageableD2hBandwidth},
};

const Field<Gpu> gpuFields[] = {
    {"multiprocessors", &Gpu::multiprocessors},
    {"clock_hz", &Gpu::clock},
    {"fp32_per_cycle", &Gpu::fp32PerCycle},
    {"fp64_per_cycle", &Gpu::fp64PerCycle, Allowed::NotNegative},
    {"special_per_cycle", &Gpu::specialPerCycle},
    {"integer_per_cycle", &Gpu::integerPerCycle},
    {"load_store_per_cycle", &Gpu::loadStorePerCycle},
    {"issue_per_cycle", &Gpu::issuePerCycle},
    {"warp_size", &Gpu::warpSize},
    {"coalesced_threads", &Gpu::coalescedThreads},
    {"sector_bytes", &Gpu::sectorBytes},
    {"caches_global", &Gpu::cachesGlobal, Allowed::NotNegative},
    {"max_threads_per_multiprocessor", &Gpu::maxThreadsPerMultiprocessor},
    {"max_blocks_per_multiprocessor", &Gpu::maxBlocksPerMultiprocessor},
    {"registers_per_multiprocessor", &Gpu::registersPerMultiprocessor},
    {"shared_bytes_per_multiprocessor", &Gpu::sharedBytesPerMultiprocessor},
    {"l2_bytes", &Gpu::l2Bytes, Allowed::NotNegative},
    {"l2_bandwidth_bytes_per_s", &Gpu::l2Bandwidth},
    {"dram_bytes", &Gpu::dramBytes},
    {"dram_bandwidth_bytes_per_s", &Gpu::dramBandwidth},
    {"dram_latency_s", &Gpu::dramLatency},
    {"launch_latency_s", &Gpu::launchLatency},
    {"copy_engines", &Gpu::copyEngines},
    {"context_start_s", &Gpu::contextStart, Allowed::NotNegative},
    {"allocation_s", &Gpu::allocation, Allowed::NotNegative},
    {"pinning_s_per_byte", &Gpu::pinning, Allowed::NotNegative},
};

const Field<ModelErrors> errorFields[] = {
    {"transfer", &ModelErrors::transfer, Allowed::NotNegative},
    {"kernel", &ModelErrors::kernel, Allowed::NotNegative},
    {"cpu", &ModelErrors::cpu, Allowed::NotNegative},
};

std::string show(const llvm::json::Value &value) { return llvm::formatv("{0}", value).str(); }

llvm::Error complain(llvm::StringRef file, const llvm::Twine &where, const llvm::Twine &what) {
  return llvm::createStringError(file + ": " + where + ": " + what);
}

llvm::Expected<std::string> readString(const llvm::json::Object &object, llvm::StringRef key, llvm::StringRef file,
                                       const std::string &where) {
  const llvm::json::Value *value = object.get(key);
  if (!value)
    return complain(file, where + key, "missing");
  std::optional<llvm::StringRef> text = value->getAsString();
  if (!text)
    return complain(file, where + key, "expected text, found " + show(*value));
  return text->str();
}

llvm::Expected<Quantity> readQuantity(const llvm::json::Object &section, const char *key, Allowed allowed,
                                      llvm::StringRef file, const std::string &where) {
  std::string name = where + key;
  const llvm::json::Value *value = section.get(key);
  if (!value)
    return complain(file, name, "missing");
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return complain(file, name, "expected an object with value, kind and source, found " + show(*value));
  const char *wanted = allowed == Allowed::Positive ? "a positive number" : "a number that is not negative";
  const llvm::json::Value *number = object->get("value");
  if (!number)
    return complain(file, name, llvm::Twine("value is missing, expected ") + wanted);
  std::optional<double> parsed = number->getAsNumber();
  bool fits = parsed && std::isfinite(*parsed) && (allowed == Allowed::Positive ? *parsed > 0 : *parsed >= 0);
  if (!fits)
    return complain(file, name, llvm::Twine("expected ") + wanted + ", found " + show(*number));
  llvm::Expected<std::string> kind = readString(*object, "kind", file, name + ".");
  if (!kind)
    return kind.takeError();
  auto sourceKind = llvm::StringSwitch<std::optional<SourceKind>>(*kind)
                        .Case("measured", SourceKind::Measured)
                        .Case("datasheet", SourceKind::Datasheet)
                        .Case("derived", SourceKind::Derived)
                        .Case("assumed", SourceKind::Assumed)
                        .Default(std::nullopt);
  if (!sourceKind)
    return complain(file, name + ".kind", "expected measured, datasheet, derived or assumed, found \"" + *kind + "\"");
  llvm::Expected<std::string> source = readString(*object, "source", file, name + ".");
  if (!source)
    return source.takeError();
  return Quantity{*parsed, *sourceKind, *source};
}

template <class Part, size_t N>
llvm::Error readPart(const llvm::json::Object &machine, const char *section, const Field<Part> (&fields)[N], Part &part,
                     llvm::StringRef file) {
  const llvm::json::Object *object = machine.getObject(section);
  if (!object)
    return complain(file, section, machine.get(section) ? "expected an object" : "missing");
  std::string where = std::string(section) + ".";
  for (const Field<Part> &field : fields) {
    llvm::Expected<Quantity> quantity = readQuantity(*object, field.key, field.allowed, file, where);
    if (!quantity)
      return quantity.takeError();
    part.*field.member = std::move(*quantity);
  }
  for (const auto &entry : *object)
    if (entry.first != "name" && llvm::none_of(fields, [&](const auto &f) { return entry.first == f.key; }))
      return complain(file, where + entry.first.str(), "no such number; see 'busfare machines --format json' for all of them");
  if constexpr (requires { part.name; }) {
    llvm::Expected<std::string> name = readString(*object, "name", file, where);
    if (!name)
      return name.takeError();
    part.name = *name;
  }
  return llvm::Error::success();
}

template <class Part, size_t N> llvm::json::Object writePart(const Field<Part> (&fields)[N], const Part &part) {
  llvm::json::Object object;
  if constexpr (requires { part.name; })
    object["name"] = part.name;
  for (const Field<Part> &field : fields) {
    const Quantity &quantity = part.*field.member;
    object[field.key] =
        llvm::json::Object{{"value", quantity.value}, {"kind", toString(quantity.kind)}, {"source", quantity.source}};
  }
  return object;
}

} // namespace

llvm::Expected<Machine> parseMachine(llvm::StringRef text, llvm::StringRef file) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return complain(file, "not JSON", llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return complain(file, "machine", "expected an object, found " + show(*value));
  Machine machine;
  for (auto [key, member] : {std::pair("name", &Machine::name), std::pair("description", &Machine::description)}) {
    llvm::Expected<std::string> read = readString(*object, key, file, "");
    if (!read)
      return read.takeError();
    machine.*member = *read;
  }
  if (llvm::Error error = readPart(*object, "host", hostFields, machine.host, file))
    return error;
  if (llvm::Error error = readPart(*object, "link", linkFields, machine.link, file))
    return error;
  if (llvm::Error error = readPart(*object, "gpu", gpuFields, machine.gpu, file))
    return error;
  if (llvm::Error error = readPart(*object, "errors", errorFields, machine.errors, file))
    return error;
  return machine;
}

std::vector<std::string> builtinMachineNames() {
  std::vector<std::string> names;
  for (const BuiltinMachine &machine : builtinMachines())
    names.push_back(machine.name);
  llvm::sort(names);
  return names;
}

llvm::Expected<Machine> loadMachine(llvm::StringRef nameOrFile) {
  for (const BuiltinMachine &machine : builtinMachines())
    if (nameOrFile == machine.name)
      return parseMachine(machine.text, machine.name);
  bool looksLikeFile = nameOrFile.ends_with(".json") || nameOrFile.contains('/');
  if (!looksLikeFile)
    return llvm::createStringError("no machine named '" + nameOrFile + "'; there are " +
                                   llvm::join(builtinMachineNames(), ", ") + ", or name a file (*.json)");
  auto buffer = llvm::MemoryBuffer::getFile(nameOrFile);
  if (!buffer)
    return llvm::createStringError(nameOrFile + ": " + buffer.getError().message());
  llvm::Expected<Machine> machine = parseMachine((*buffer)->getBuffer(), nameOrFile);
  if (machine)
    machine->file = nameOrFile.str();
  return machine;
}

llvm::json::Value toJson(const Machine &machine) {
  return llvm::json::Object{{"name", machine.name},
                            {"description", machine.description},
                            {"host", writePart(hostFields, machine.host)},
                            {"link", writePart(linkFields, machine.link)},
                            {"gpu", writePart(gpuFields, machine.gpu)},
                            {"errors", writePart(errorFields, machine.errors)}};
}

} // namespace busfare::projection
