//===- projection/FoundCalls.cpp - Messages and library calls of a root ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/FoundCalls.h"
#include "projection/Describe.h"
#include "projection/LibraryWork.h"
#include "projection/Shares.h"
#include "projection/report/Figures.h"
#include "skeleton/Print.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

std::string formulaOf(const std::optional<Expr> &expr) { return expr ? withoutPaths(compact(toString(*expr))) : ""; }

/// Who moves the data, for the model: a get fetches, everything else puts.
PutOrGet operationOf(MessageKind kind) { return kind == MessageKind::Get ? PutOrGet::Get : PutOrGet::Put; }

class CallSearch {
public:
  CallSearch(const Root &root, const Sizes &sizes, const TripOverrides &overrides,
             llvm::ArrayRef<std::string> regionIds, llvm::ArrayRef<Machine> machines, unsigned processes)
      : root(root), overrides(overrides), regionIds(regionIds), machines(machines), processes(processes),
        values(sizes.realValues()) {}

  FoundCalls found;

  void walk(const Block &block, double weight, const brs::Region *region) {
    for (size_t k = 0; k < block.size(); ++k) {
      const Node &node = block[k];
      const brs::Region *around = region ? region : regionAt(block, k);
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        double trips = tripsOf(*loop, values, overrides), lower = loop->lower.evaluateReal(values).value_or(0);
        bool isNew = values.try_emplace(loop->index, lower + double(loop->step) * (trips - 1) / 2).second;
        loops.push_back(loop);
        walk(loop->body, weight * trips, around);
        loops.pop_back();
        if (isNew) values.erase(loop->index);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        double share = shareOf(branch->condition, values);
        walk(branch->then, weight * share, around);
        walk(branch->otherwise, weight * (1 - share), around);
      } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
        if (host->message && host->message->kind != MessageKind::Wait) addMessage(node, *host, weight, around);
        if (host->library) addLibraryCall(node, *host, weight, around);
      }
    }
  }

private:
  const Root &root;
  const TripOverrides &overrides;
  llvm::ArrayRef<std::string> regionIds;
  llvm::ArrayRef<Machine> machines;
  unsigned processes; ///< 0: not said.
  RealValues values;
  std::vector<const Loop *> loops;

  const brs::Region *regionAt(const Block &block, size_t place) const {
    for (const brs::Region &region : root.transfers.regions)
      if (region.block == &block && region.first <= place && place <= region.last) return &region;
    return nullptr;
  }

  static bool isOnDevice(const brs::Region *region, const std::string &name) {
    return region && llvm::any_of(region->arrays, [&](const brs::ArrayTransfers &array) { return array.name == name; });
  }

  void describe(const Node &node, const HostStatement &host, double weight, const brs::Region *region,
                CallReport &call) const {
    call.location = host.location;
    call.function = node.path < root.paths.size() ? root.paths[node.path].function : root.name;
    call.call = host.what;
    call.count = weight;
    if (!region) return;
    size_t place = region - root.transfers.regions.data();
    call.region = place < regionIds.size() ? regionIds[place] : "";
    call.inTimeLoop =
        llvm::any_of(loops, [&](const Loop *loop) { return llvm::is_contained(region->timeLoops, loop); });
  }

  std::optional<double> valueOf(const std::optional<Expr> &expr) const {
    std::optional<double> value = expr ? expr->evaluateReal(values) : std::nullopt;
    return value ? std::optional(std::max(0.0, *value)) : std::nullopt;
  }

  void addMessage(const Node &node, const HostStatement &host, double weight, const brs::Region *region) {
    MessageReport message;
    describe(node, host, weight, region, message);
    message.kind = toString(host.message->kind);
    PutOrGet operation = operationOf(host.message->kind);
    message.operation = toString(operation).str();
    message.type = host.message->type;
    message.formula = formulaOf(host.message->bytes);
    message.bytes = valueOf(host.message->bytes);
    message.nonblocking = host.message->isNonblocking;
    message.counted = host.message->kind != MessageKind::Receive;
    for (const Node &inner : host.body)
      if (auto *access = std::get_if<Access>(&inner.kind)) addArray(*access, region, message.arrays);
    if (isCollective(host.message->kind)) {
      message.collective = host.message->kind;
      message.processes = processes ? processes : assumedProcesses;
      message.processesAssumed = processes == 0;
    }
    addPrices(message);
    for (MessageReport &known : found.messages)
      if (isSameCall(known, message) && known.formula == message.formula && known.bytes == message.bytes) {
        known.count += message.count;
        return;
      }
    found.messages.push_back(std::move(message));
  }

  void addPrices(MessageReport &message) const {
    for (const Machine &machine : machines)
      for (Initiator initiator : {Initiator::Host, Initiator::Device}) {
        if (!machine.network || !message.bytes) continue;
        CountedMessage one = countedMessage(message);
        MessagePrice price = priceOf(*machine.network, one, initiator, machine.network->launch);
        std::optional<double> pipelined =
            one.collective ? std::nullopt : pipelinedTime(*machine.network, initiator, *message.bytes);
        message.prices.push_back({machine.name, toString(initiator).str(), price.time, pipelined, price.algorithm,
                                  price.messages, price.launches});
      }
  }

  /// Status and request, which the library fills in, are no buffers: nothing that has a rank, or is a number.
  void addArray(const Access &access, const brs::Region *region, std::vector<CallArrayReport> &arrays) const {
    const Array *array = root.arrays.find(access.array);
    if (!array || array->type.kind == ElementType::Kind::Pointer) return;
    std::string use = access.kind == AccessKind::Read ? "read" : "write", name = withoutPaths(access.array);
    for (CallArrayReport &known : arrays)
      if (known.name == name) {
        known.use = known.use == use ? use : "both";
        return;
      }
    arrays.push_back({name, "", use, isOnDevice(region, access.array)});
  }

  static bool isSameCall(const CallReport &a, const CallReport &b) {
    return a.location == b.location && a.call == b.call && a.function == b.function && a.region == b.region &&
           std::equal(a.arrays.begin(), a.arrays.end(), b.arrays.begin(), b.arrays.end(),
                      [](const CallArrayReport &one, const CallArrayReport &other) {
                        return one.name == other.name && one.onDevice == other.onDevice;
                      });
  }

  void addLibraryCall(const Node &node, const HostStatement &host, double weight, const brs::Region *region) {
    LibraryCallReport call;
    describe(node, host, weight, region, call);
    call.routine = host.library->routine;
    for (const auto &[name, expr] : host.library->dimensions)
      call.dimensions.push_back({name, formulaOf(expr), valueOf(expr)});
    for (const auto &[operand, array] : host.library->operands)
      call.arrays.push_back({withoutPaths(array), operand, "", isOnDevice(region, array)});
    LibraryWork work = libraryWork(*host.library, values);
    call.flops = work.flops;
    call.bytes = work.bytes;
    for (const Machine &machine : machines)
      if (call.flops && call.bytes) call.prices.push_back(priceOn(machine, call, host.library->overwrites));
    for (LibraryCallReport &known : found.libraryCalls)
      if (isSameCall(known, call) &&
          std::equal(known.dimensions.begin(), known.dimensions.end(), call.dimensions.begin(), call.dimensions.end(),
                     [](const auto &a, const auto &b) { return a.formula == b.formula && a.value == b.value; })) {
        known.count += call.count;
        return;
      }
    found.libraryCalls.push_back(std::move(call));
  }

  static LibraryPriceReport priceOn(const Machine &machine, const LibraryCallReport &call, bool overwrites) {
    LibraryPriceReport price;
    price.machine = machine.name;
    price.host = libraryTime(call.routine, {call.flops, call.bytes}, machine.host);
    std::optional<double> sizes[3];
    std::vector<std::string> resident;
    for (const LibraryCallReport::Dimension &dimension : call.dimensions)
      for (auto [name, place] : {std::pair("m", 0), {"n", 1}, {"k", 2}})
        if (dimension.name == name) sizes[place] = dimension.value;
    for (const CallArrayReport &array : call.arrays)
      if (array.onDevice) resident.push_back(array.operand);
    llvm::Expected<BlasCall> blas = blasCall(call.routine, sizes[0], sizes[1], sizes[2], resident, overwrites ? 0 : 1);
    if (!blas) {
      llvm::consumeError(blas.takeError()); // not modelled by tiles
      return price;
    }
    std::vector<TileTime> measured = tilesOf(machine, tileRoutine(call.routine));
    if (llvm::none_of(measured, [&](const TileTime &tile) { return tile.tile <= largestTile(*blas); }))
      measured.clear();
    llvm::Expected<BlasAnswer> answer = selectTile(*blas, machine, measured);
    if (!answer) {
      llvm::consumeError(answer.takeError()); // smaller than any tile
      return price;
    }
    if (!answer->selected) return price;
    const TileTimes &best = answer->tiles[*answer->selected];
    price.tile = best.tile;
    price.offload = best.pipeline ? *best.pipeline : blas->level == 3 ? *best.reuse : best.bidirectional;
    price.equation = best.pipeline ? "queues" : blas->level == 3 ? "reuse" : "bidirectional";
    price.measuredTiles = !measured.empty();
    return price;
  }
};

} // namespace

FoundCalls findCalls(const Root &root, const Sizes &sizes, const TripOverrides &overrides,
                     llvm::ArrayRef<std::string> regionIds, llvm::ArrayRef<Machine> machines, unsigned processes) {
  CallSearch search(root, sizes, overrides, regionIds, machines, processes);
  search.walk(root.function.body, 1, nullptr);
  return std::move(search.found);
}

CountedMessage countedMessage(const MessageReport &message) {
  return {message.operation == "get" ? PutOrGet::Get : PutOrGet::Put, *message.bytes, message.count, message.collective,
          message.processes};
}

std::vector<CountedMessage> countedMessages(llvm::ArrayRef<MessageReport> messages) {
  std::vector<CountedMessage> counted;
  for (const MessageReport &message : messages)
    if (message.counted && message.bytes && message.count > 0) counted.push_back(countedMessage(message));
  return counted;
}

std::vector<std::string> adviceOn(const Network &network, const WholePort &port, llvm::ArrayRef<MessageReport> messages,
                                  size_t most) {
  struct Advice {
    double time; ///< Of all of them as they are.
    std::string text;
  };
  std::vector<Advice> advice;
  for (const MessageReport &message : messages) {
    bool isResident = llvm::any_of(message.arrays, [](const CallArrayReport &array) { return array.onDevice; });
    if (!isResident || !message.inTimeLoop || !message.counted || !message.bytes || message.count <= 0) continue;
    CountedMessage one = countedMessage(message);
    MessagePrice fromHost = priceOf(network, one, Initiator::Host, port.launch, port.large);
    double host = fromHost.time + fromHost.launches * port.launch;
    double device = priceOf(network, one, Initiator::Device, port.launch, port.large).time;
    std::optional<double> pipelined =
        message.collective ? std::nullopt : pipelinedTime(network, Initiator::Host, *message.bytes, port.unit);
    std::string text = toString(message.location) + ": " + message.call + " of " +
                       formatBytes(uint64_t(std::llround(*message.bytes))) + " from a buffer on the device takes " +
                       formatTime(host) + " started by the host, launches included, and " + formatTime(device) +
                       " by the device";
    if (device < host) text += ": let the device start it";
    else if (pipelined && *pipelined < host / 2)
      text += "; back to back with others " + formatTime(*pipelined) + ": batch them";
    else text += ": leave it to the host";
    advice.push_back({host * message.count, std::move(text)});
  }
  llvm::stable_sort(advice, [](const Advice &a, const Advice &b) { return a.time > b.time; });
  std::vector<std::string> texts;
  for (Advice &one : llvm::MutableArrayRef(advice).take_front(most)) texts.push_back(std::move(one.text));
  return texts;
}

} // namespace busfare::projection
