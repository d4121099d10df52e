//===- projection/MachineText.cpp - Machine files, read and written -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// MachineTable.h says which numbers there are. Everything that is wrong with a file is
// said at once, a line each.
//
//===----------------------------------------------------------------------===//

#include "projection/MachineTable.h"
#include "projection/MachineTiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstdio>

namespace busfare::projection {

namespace {

using Problems = std::vector<std::string>;

/// As few digits as a message needs.
std::string figureOf(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string show(const llvm::json::Value &value) { return llvm::formatv("{0}", value).str(); }

std::optional<std::string> readString(const llvm::json::Object &object, llvm::StringRef key, const std::string &where,
                                      Problems &problems) {
  const llvm::json::Value *value = object.get(key);
  std::optional<llvm::StringRef> text = value ? value->getAsString() : std::nullopt;
  if (text) return text->str();
  problems.push_back(where + key.str() + ": " + (value ? "expected text, found " + show(*value) : "missing"));
  return std::nullopt;
}

std::optional<SourceKind> readKind(const std::string &word) {
  return llvm::StringSwitch<std::optional<SourceKind>>(word)
      .Case("measured", SourceKind::Measured)
      .Case("datasheet", SourceKind::Datasheet)
      .Case("derived", SourceKind::Derived)
      .Case("assumed", SourceKind::Assumed)
      .Default(std::nullopt);
}

/// What stands in the file under one key.
struct Entry {
  std::optional<Quantity> quantity;
  std::string searched; ///< Not empty: unknown, and this was looked through.
};

/// Nothing if it is wrong, which problems then say.
std::optional<Entry> readEntry(const llvm::json::Value &value, Allowed allowed, const std::string &name,
                               Problems &problems) {
  auto complain = [&](const std::string &what) {
    problems.push_back(name + what);
    return std::nullopt;
  };
  const llvm::json::Object *object = value.getAsObject();
  if (!object) return complain(": expected an object with value, kind and source, found " + show(value));
  std::optional<std::string> kind = readString(*object, "kind", name + ".", problems);
  std::optional<std::string> source = readString(*object, "source", name + ".", problems);
  if (!kind || !source) return std::nullopt;
  const llvm::json::Value *number = object->get("value");
  if (*kind == "unknown") {
    if (number) return complain(": is unknown, yet has a value, " + show(*number));
    if (source->empty()) return complain(".source: expected where it was looked for, found \"\"");
    return Entry{std::nullopt, *source};
  }
  std::string wanted = allowed == Allowed::Positive ? "a positive number" : "a number that is not negative";
  if (!number) return complain(": value is missing, expected " + wanted);
  std::optional<double> parsed = number->getAsNumber();
  if (!parsed || !std::isfinite(*parsed) || (allowed == Allowed::Positive ? *parsed <= 0 : *parsed < 0))
    return complain(": expected " + wanted + ", found " + show(*number));
  std::optional<SourceKind> sourceKind = readKind(*kind);
  if (!sourceKind)
    return complain(".kind: expected measured, datasheet, derived, assumed or unknown, found \"" + *kind + "\"");
  return Entry{Quantity{*parsed, *sourceKind, *source, false, {}}, {}};
}

template <class Part> constexpr bool isLink = std::is_same_v<Part, Link>;
template <class Part> constexpr bool isPeer = std::is_same_v<Part, Peer>;

std::optional<LinearFit> fitFor(const Peer &peer, llvm::StringRef &, bool whileReverseBusy = false) {
  for (const TransferCurve &curve : peer.measured)
    if (curve.whileReverseBusy == whileReverseBusy) return fitLine(curve.points);
  return std::nullopt;
}

/// Of the sweep that `pinned_h2d_latency_s` and its like can be fitted to.
std::optional<LinearFit> fitFor(const Link &link, llvm::StringRef &key, bool whileReverseBusy = false) {
  HostMemory memory = key.consume_front("pageable_") ? HostMemory::Pageable : HostMemory::Pinned;
  key.consume_front("pinned_");
  Direction direction = key.consume_front("h2d_") ? Direction::ToDevice : Direction::ToHost;
  key.consume_front("d2h_");
  for (const TransferCurve &curve : link.measured)
    if (curve.direction == direction && curve.memory == memory && curve.whileReverseBusy == whileReverseBusy)
      return fitLine(curve.points);
  return std::nullopt;
}

/// A latency or bandwidth that the file leaves to its sweeps.
template <class Part> std::optional<Quantity> fittedNumber(const Part &part, llvm::StringRef key) {
  std::optional<LinearFit> fit = fitFor(part, key);
  bool isLatency = key == "latency_s";
  if (!fit || (!isLatency && (key != "bandwidth_bytes_per_s" || fit->secondsPerByte <= 0))) return std::nullopt;
  return Quantity{isLatency ? fit->latency : 1 / fit->secondsPerByte,
                  SourceKind::Derived,
                  isPeer<Part> ? "fitted to peer.measured" : "fitted to link.measured",
                  true,
                  {}};
}

/// CoCoPeLia's sl: bandwidth alone over bandwidth while the other direction is busy.
template <class Part> void fitSlowdown(const Part &part, llvm::StringRef prefix, MaybeQuantity &slowdown) {
  llvm::StringRef alone = prefix, busy = prefix;
  std::optional<LinearFit> one = fitFor(part, alone), both = fitFor(part, busy, true);
  if (!slowdown && one && both && one->secondsPerByte > 0)
    slowdown.known = Quantity{std::max(1.0, both->secondsPerByte / one->secondsPerByte),
                              SourceKind::Derived,
                              isPeer<Part> ? "fitted to peer.measured" : "fitted to link.measured",
                              true,
                              {}};
}

template <class Part>
void readField(const llvm::json::Object &object, const Field<Part> &field, const std::string &where, Part &part,
               Problems &problems) {
  const llvm::json::Value *value = object.get(field.key);
  if constexpr (isLink<Part> || isPeer<Part>)
    if (std::optional<Quantity> fitted = value ? std::nullopt : fittedNumber(part, field.key)) {
      part.*field.member = std::move(*fitted);
      return;
    }
  if (!value && !field.because) return problems.push_back(where + field.key + ": missing");
  Entry entry;
  if (value) {
    std::optional<Entry> read = readEntry(*value, field.allowed, where + field.key, problems);
    if (!read) return;
    entry = std::move(*read);
  }
  if (!entry.quantity && !field.because)
    return problems.push_back(where + field.key +
                              ": unknown, but nothing can be projected without it; assume a number and say why");
  part.*field.member = entry.quantity
                           ? std::move(*entry.quantity)
                           : Quantity{field.fallback, SourceKind::Assumed, field.because, true, entry.searched};
}

template <class Part>
void readMaybe(const llvm::json::Object &object, const MaybeField<Part> &field, const std::string &where, Part &part,
               Problems &problems) {
  const llvm::json::Value *value = object.get(field.key);
  if (!value) return;
  if (std::optional<Entry> read = readEntry(*value, field.allowed, where + field.key, problems))
    part.*field.member = {std::move(read->quantity), std::move(read->searched)};
}

std::optional<LinkKind> kindOfLink(llvm::StringRef word) {
  for (LinkKind kind : {LinkKind::Pcie, LinkKind::NvLink, LinkKind::C2c, LinkKind::InfinityFabric, LinkKind::Unified})
    if (word == toString(kind)) return kind;
  return std::nullopt;
}

std::optional<PeerKind> kindOfPeer(llvm::StringRef word) {
  for (PeerKind kind : {PeerKind::Pcie, PeerKind::NvLink, PeerKind::NvSwitch, PeerKind::InfinityFabric})
    if (word == toString(kind)) return kind;
  return std::nullopt;
}

std::optional<TransferPoint> readPoint(const llvm::json::Value &value) {
  const llvm::json::Array *pair = value.getAsArray();
  std::optional<double> bytes = pair && pair->size() == 2 ? (*pair)[0].getAsNumber() : std::nullopt;
  std::optional<double> time = pair && pair->size() == 2 ? (*pair)[1].getAsNumber() : std::nullopt;
  // Beyond these limits a fit's squares leave the range of a double.
  if (!bytes || !time || !(*bytes >= 0 && *bytes <= 1e18) || !(*time >= 1e-12 && *time <= 1e9)) return std::nullopt;
  return TransferPoint{*bytes, *time};
}

/// One of `measured`. Those of the part peer have no direction of their own.
void readCurve(const llvm::json::Value &value, const std::string &where, bool ofPeers,
               std::vector<TransferCurve> &measured, Problems &problems) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object) return problems.push_back(where + ": expected an object, found " + show(value));
  size_t before = problems.size();
  auto wrongWord = [&](const char *key, const char *wanted, const std::string &found) {
    problems.push_back(where + "." + key + ": expected " + wanted + ", found \"" + found + "\"");
  };
  TransferCurve curve;
  std::optional<std::string> direction;
  if (ofPeers) curve.direction = Direction::Peer;
  else direction = readString(*object, "direction", where + ".", problems);
  auto kind = readString(*object, "kind", where + ".", problems);
  auto source = readString(*object, "source", where + ".", problems);
  if (direction && *direction != "h2d" && *direction != "d2h" && *direction != "d2d")
    wrongWord("direction", "h2d, d2h or d2d", *direction);
  else if (direction)
    curve.direction = *direction == "h2d"   ? Direction::ToDevice
                      : *direction == "d2h" ? Direction::ToHost
                                            : Direction::OnDevice;
  if (touchesHost(curve.direction) || (!ofPeers && object->get("memory"))) {
    auto memory = readString(*object, "memory", where + ".", problems);
    if (memory && *memory != "pinned" && *memory != "pageable") wrongWord("memory", "pinned or pageable", *memory);
    curve.memory = memory == "pageable" ? HostMemory::Pageable : HostMemory::Pinned;
  }
  if (kind && !readKind(*kind)) wrongWord("kind", "measured, datasheet, derived or assumed", *kind);
  if (const llvm::json::Value *busy = object->get("while_reverse_busy")) {
    if (!busy->getAsBoolean())
      problems.push_back(where + ".while_reverse_busy: expected true or false, found " + show(*busy));
    curve.whileReverseBusy = busy->getAsBoolean().value_or(false);
  }
  const llvm::json::Array *points = object->getArray("points");
  if (!points) return problems.push_back(where + ".points: " + (object->get("points") ? "expected a list" : "missing"));
  for (size_t i = 0; i < points->size(); ++i)
    if (std::optional<TransferPoint> point = readPoint((*points)[i])) curve.points.push_back(*point);
    else
      problems.push_back(where + ".points[" + std::to_string(i) + "]: expected [bytes, seconds], found " +
                         show((*points)[i]));
  for (const auto &entry : *object) {
    const std::string key = entry.first.str();
    const bool ofTheHost = key == "direction" || key == "memory";
    if (ofTheHost ? ofPeers : !llvm::is_contained({"kind", "source", "while_reverse_busy", "points"}, key))
      problems.push_back(where + "." + key + ": not known; there are " + (ofPeers ? "" : "direction, memory, ") +
                         "while_reverse_busy, kind, source, points");
  }
  curve.rising = risingPoints(curve.points);
  if (curve.rising.size() < 2)
    problems.push_back(where + ".points: expected two sizes or more, found " + std::to_string(curve.rising.size()));
  if (problems.size() > before) return;
  curve.kind = *readKind(*kind);
  curve.source = *source;
  measured.push_back(std::move(curve));
}

void readCurves(const llvm::json::Object &object, const std::string &part, bool ofPeers,
                std::vector<TransferCurve> &measured, Problems &problems) {
  const llvm::json::Value *value = object.get("measured");
  if (!value) return;
  const llvm::json::Array *curves = value->getAsArray();
  if (!curves) return problems.push_back(part + ".measured: expected a list, found " + show(*value));
  for (size_t i = 0; i < curves->size(); ++i)
    readCurve((*curves)[i], part + ".measured[" + std::to_string(i) + "]", ofPeers, measured, problems);
}

void readPeerWords(const llvm::json::Object &object, Peer &peer, Problems &problems) {
  if (auto word = readString(object, "kind", "peer.", problems)) {
    if (std::optional<PeerKind> kind = kindOfPeer(*word)) peer.kind = *kind;
    else problems.push_back("peer.kind: expected pcie, nvlink, nvswitch or infinity-fabric, found \"" + *word + "\"");
  }
  readCurves(object, "peer", true, peer.measured, problems);
}

void readLinkWords(const llvm::json::Object &object, Link &link, Problems &problems) {
  if (object.get("kind"))
    if (auto word = readString(object, "kind", "link.", problems)) {
      link.kind = kindOfLink(*word);
      if (!link.kind)
        problems.push_back("link.kind: expected pcie, nvlink, c2c, infinity-fabric or unified, found \"" + *word +
                           "\"");
    }
  readCurves(object, "link", false, link.measured, problems);
}

template <class Part, class Fields, class Maybes>
void readPart(const llvm::json::Object &machine, const char *section, const Fields &fields, const Maybes &maybes,
              Part &part, Problems &problems) {
  const llvm::json::Object *object = machine.getObject(section);
  if (!object)
    return problems.push_back(std::string(section) + ": " + (machine.get(section) ? "expected an object" : "missing"));
  std::string where = std::string(section) + ".";
  if constexpr (requires { part.name; }) part.name = readString(*object, "name", where, problems).value_or("");
  if constexpr (isLink<Part>) // before the numbers, some of which follow from its sweeps
    readLinkWords(*object, part, problems);
  if constexpr (isPeer<Part>) readPeerWords(*object, part, problems);
  for (const Field<Part> &field : fields) readField(*object, field, where, part, problems);
  for (const MaybeField<Part> &field : maybes) readMaybe(*object, field, where, part, problems);
  if constexpr (isLink<Part>) {
    fitSlowdown(part, "pinned_h2d_", part.slowdownH2d);
    fitSlowdown(part, "pinned_d2h_", part.slowdownD2h);
  }
  if constexpr (isPeer<Part>) fitSlowdown(part, "", part.slowdown);
  for (const auto &entry : *object) {
    llvm::StringRef key = entry.first;
    auto is = [&](const auto &field) { return key == field.key; };
    bool isWord = key == "name" || ((isLink<Part> || isPeer<Part>) && (key == "kind" || key == "measured"));
    if (!isWord && llvm::none_of(fields, is) && llvm::none_of(maybes, is))
      problems.push_back(where + key.str() + ": no such number; 'busfare machines a100-pcie4' shows all there are");
  }
}

llvm::json::Object written(const Quantity &quantity) {
  return llvm::json::Object{{"value", quantity.value}, {"kind", toString(quantity.kind)}, {"source", quantity.source}};
}

llvm::json::Object writtenUnknown(const std::string &searched) {
  return llvm::json::Object{{"kind", "unknown"}, {"source", searched}};
}

void writeCurves(llvm::ArrayRef<TransferCurve> measured, llvm::json::Object &object) {
  llvm::json::Array curves;
  for (const TransferCurve &curve : measured) {
    llvm::json::Array points;
    for (const TransferPoint &point : curve.points) points.push_back(llvm::json::Array{point.bytes, point.time});
    llvm::json::Object written{{"kind", toString(curve.kind)}, {"source", curve.source}, {"points", std::move(points)}};
    if (curve.direction != Direction::Peer) written["direction"] = toString(curve.direction);
    if (touchesHost(curve.direction)) written["memory"] = toString(curve.memory);
    if (curve.whileReverseBusy) written["while_reverse_busy"] = true;
    curves.push_back(std::move(written));
  }
  if (!curves.empty()) object["measured"] = std::move(curves);
}

template <class Part, class Fields, class Maybes>
llvm::json::Object writePart(const Fields &fields, const Maybes &maybes, const Part &part) {
  llvm::json::Object object;
  if constexpr (requires { part.name; }) object["name"] = part.name;
  for (const Field<Part> &field : fields) {
    const Quantity &quantity = part.*field.member;
    if (!quantity.isDefault) object[field.key] = written(quantity);
    else if (!quantity.searched.empty()) object[field.key] = writtenUnknown(quantity.searched);
  }
  for (const MaybeField<Part> &field : maybes) {
    const MaybeQuantity &quantity = part.*field.member;
    if (quantity && !quantity.known->isDefault) object[field.key] = written(*quantity.known);
    else if (!quantity.searched.empty()) object[field.key] = writtenUnknown(quantity.searched);
  }
  if constexpr (isLink<Part>)
    if (part.kind) object["kind"] = toString(*part.kind);
  if constexpr (isPeer<Part>) object["kind"] = toString(part.kind);
  if constexpr (isLink<Part> || isPeer<Part>) writeCurves(part.measured, object);
  return object;
}

bool concerns(On on, const std::optional<LinkKind> &kind) {
  switch (on) {
  case On::Any: return true;
  case On::Pcie: return kind == LinkKind::Pcie;
  case On::NvLink: return kind == LinkKind::NvLink;
  case On::Flits: return kind == LinkKind::NvLink || kind == LinkKind::C2c;
  }
  return true;
}

template <class Part, class Fields, class Maybes>
void addGaps(const std::string &section, const Fields &fields, const Maybes &maybes, const Part &part,
             const std::optional<LinkKind> &kind, std::vector<Gap> &gaps) {
  for (const Field<Part> &field : fields)
    if (const Quantity &quantity = part.*field.member; quantity.isDefault && concerns(field.on, kind))
      gaps.push_back(
          {section + "." + field.key, figureOf(quantity.value) + " is taken: " + quantity.source, quantity.searched});
  for (const MaybeField<Part> &field : maybes)
    if (const MaybeQuantity &quantity = part.*field.member; concerns(field.on, kind)) {
      if (!quantity) gaps.push_back({section + "." + field.key, field.without, quantity.searched});
      else if (quantity.known->isDefault)
        gaps.push_back({section + "." + field.key,
                        figureOf(quantity.known->value) + " is taken: " + quantity.known->source, quantity.searched});
    }
}

} // namespace

llvm::Expected<Machine> parseMachine(llvm::StringRef text, llvm::StringRef file) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) return llvm::createStringError(file + ": not JSON: " + llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object) return llvm::createStringError(file + ": machine: expected an object, found " + show(*value));
  Machine machine;
  Problems problems;
  machine.name = readString(*object, "name", "", problems).value_or("");
  machine.description = readString(*object, "description", "", problems).value_or("");
  readPart(*object, "host", hostFields, hostMaybe, machine.host, problems);
  readPart(*object, "link", linkFields, linkMaybe, machine.link, problems);
  readPart(*object, "gpu", gpuFields, gpuMaybe, machine.gpu, problems);
  readPart(*object, "errors", errorFields, errorMaybe, machine.errors, problems);
  if (object->get("peer")) readPart(*object, "peer", peerFields, peerMaybe, machine.peer.emplace(), problems);
  if (object->get("network"))
    readPart(*object, "network", networkFields, networkMaybe, machine.network.emplace(), problems);
  if (const llvm::json::Value *tiles = object->get(tilesKey)) readTiles(*tiles, machine, problems);
  for (const auto &entry : *object)
    if (!llvm::is_contained({"name", "description", "host", "link", "gpu", "errors", "peer", "network", "blas_tiles"},
                            entry.first.str()))
      problems.push_back(entry.first.str() +
                         ": no such part; there are host, link, gpu, peer, network, blas_tiles and errors");
  if (problems.empty()) return machine;
  std::vector<std::string> lines;
  for (const std::string &problem : problems) lines.push_back((file + ": " + problem).str());
  return llvm::createStringError(llvm::join(lines, "\n"));
}

std::vector<Gap> gapsOf(const Machine &machine) {
  std::vector<Gap> gaps;
  const std::optional<LinkKind> &kind = machine.link.kind;
  if (!kind)
    gaps.push_back({"link.kind",
                    "no peak, packets or envelope: pcie, nvlink, c2c, infinity-fabric or unified decides their form",
                    ""});
  addGaps("host", hostFields, hostMaybe, machine.host, kind, gaps);
  addGaps("link", linkFields, linkMaybe, machine.link, kind, gaps);
  if (machine.link.measured.empty())
    gaps.push_back(
        {"link.measured", "transfers are latency + bytes / bandwidth, also where pageable memory is staged", ""});
  addGaps("gpu", gpuFields, gpuMaybe, machine.gpu, kind, gaps);
  if (machine.peer) addGaps("peer", peerFields, peerMaybe, *machine.peer, kind, gaps);
  else gaps.push_back({"peer", "no copies between devices of a node are priced", ""});
  if (machine.network) addGaps("network", networkFields, networkMaybe, *machine.network, kind, gaps);
  else gaps.push_back({"network", "no messages between nodes are priced", ""});
  return gaps;
}

llvm::json::Value toJson(const Machine &machine) {
  llvm::json::Object object{{"name", machine.name},
                            {"description", machine.description},
                            {"host", writePart(hostFields, hostMaybe, machine.host)},
                            {"link", writePart(linkFields, linkMaybe, machine.link)},
                            {"gpu", writePart(gpuFields, gpuMaybe, machine.gpu)},
                            {"errors", writePart(errorFields, errorMaybe, machine.errors)}};
  if (machine.peer) object["peer"] = writePart(peerFields, peerMaybe, *machine.peer);
  if (machine.network) object["network"] = writePart(networkFields, networkMaybe, *machine.network);
  if (!machine.tiles.empty()) object[tilesKey] = writtenTiles(machine);
  return object;
}

} // namespace busfare::projection
