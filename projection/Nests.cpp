//===- projection/Nests.cpp - Where every nest stands, and how much it does ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Nests.h"
#include "brs/Kernels.h"
#include "projection/Describe.h"
#include "projection/Price.h"
#include "projection/Shares.h"
#include "projection/report/Figures.h"
#include "skeleton/SourceFunctions.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace busfare::projection {
using namespace skeleton;

namespace {

void addSymbols(const Condition &condition, std::set<std::string> &symbols) {
  for (const std::vector<Expr> &facts : condition.anyOf)
    for (const Expr &fact : facts) symbols.merge(fact.symbols());
}

/// What decides how often the nest's statements run.
std::set<std::string> symbolsThatCount(const Loop &nest) {
  std::set<std::string> symbols = nest.lower.symbols();
  symbols.merge(nest.upper.symbols());
  forEachNode(nest.body, [&](const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      symbols.merge(loop->lower.symbols());
      symbols.merge(loop->upper.symbols());
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      addSymbols(branch->condition, symbols);
    }
  });
  return symbols;
}

class Placing {
public:
  Placing(const Program &program, const Root &root, const Sizes &sizes, const TripOverrides &overrides,
          const Host &host)
      : program(program), root(root), sizes(sizes), values(sizes.realValues()), overrides(overrides), host(host) {
    for (const brs::Region &region : root.transfers.regions)
      for (const brs::Kernel &kernel : region.kernels) kernels.insert(kernel.loop);
  }

  std::vector<PlacedNest> run() {
    walk(root.function.body, nullptr);
    return std::move(nests);
  }

private:
  const Program &program;
  const Root &root;
  const Sizes &sizes;
  const RealValues values;
  const TripOverrides &overrides;
  const Host &host;
  brs::KernelLoops kernels;
  std::map<const Loop *, bool> mixed; ///< holdsOthers, of those that were asked.
  struct Around {
    const Loop *loop;
    NestStanding standing;
  };
  std::vector<Around> around;
  std::vector<brs::Guard> guards;
  std::vector<PlacedNest> nests;

  bool isParallel(const Loop &loop) const {
    const brs::LoopVerdict *verdict = root.dependence.find(loop);
    return verdict && verdict->parallel;
  }

  /// With the file of the line that it names, where that is not the loop's.
  static std::string sharedReason(const HostStatement &shared, const Loop &loop) {
    const std::string file = shared.location.file.str();
    return std::string("the ") + sharedByThreads + " (" + shared.what +
           (file.empty() || shared.location.file == loop.location.file
                ? ""
                : " of " + llvm::sys::path::filename(file).str()) +
           ")";
  }

  /// Why the threads of the host share what runs there; null if none says so.
  static const HostStatement *sharedBy(const Block &block) {
    for (const Node &node : block)
      if (auto *host = std::get_if<HostStatement>(&node.kind); host && host->reason == HostReason::Threads) return host;
    return nullptr;
  }

  void walk(const Block &block, const HostStatement *shared) {
    for (const Node &node : block) {
      if (auto *branch = std::get_if<Branch>(&node.kind)) {
        for (bool then : {true, false}) {
          guards.push_back({branch->condition, then});
          walk(then ? branch->then : branch->otherwise, shared);
          guards.pop_back();
        }
      } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
        visit(*loop, shared ? shared : sharedBy(loop->body));
      }
    }
  }

  void visit(const Loop &loop, const HostStatement *shared) {
    const NestStanding standing = standingOf(loop);
    PlacedNest nest{&loop, outermostOf(loop, standing), standing, 0, ""};
    if (standing != NestStanding::Kernel) {
      nest.reason =
          shared ? sharedReason(*shared, loop) : brs::whyNoKernel(program, root.function, loop, root.dependence);
      if (nest.reason.empty() && brs::isShort(loop)) nest.reason = "so few turns take less time than a launch";
      else if (nest.reason.empty())
        nest.reason = "memory is only copied there, and nothing computes with it on the device";
      nest.reason = spokenReason(nest.reason);
      if (standing == NestStanding::Parallel && llvm::StringRef(nest.reason).contains(brs::unknownObject))
        nest.standing = NestStanding::Open; // where a pointer leads, say: from its own function it may be a kernel
    }
    const bool isWhole = standing == NestStanding::Kernel || standing == NestStanding::Parallel;
    LeftOut inner;
    if (!isWhole)
      forEachNode(loop.body, [&](const Node &node) {
        if (std::holds_alternative<Loop>(node.kind)) inner.insert(&node);
      });
    nest.work = workOfNest(loop, inner, nest.assumed);
    nests.push_back(std::move(nest));
    if (isWhole) return;
    around.push_back({&loop, standing});
    walk(loop.body, shared);
    around.pop_back();
  }

  /// Loops that are not serial, in a serial one.
  bool holdsOthers(const Loop &loop) {
    auto [known, isNew] = mixed.try_emplace(&loop);
    if (isNew)
      forEachNode(loop.body, [&](const Node &node) {
        if (auto *inner = std::get_if<Loop>(&node.kind)) known->second |= standingOf(*inner) != NestStanding::Serial;
      });
    return known->second;
  }

  /// Does its index decide which elements are touched? A time loop's does not.
  static bool chooses(const Loop &loop) {
    bool isMentioned = false;
    forEachNode(loop.body, [&](const Node &node) {
      if (auto *access = std::get_if<Access>(&node.kind))
        forEachSubscriptExpr(*access, [&](const Expr &expr) { isMentioned |= expr.mentions(loop.index); });
      else if (auto *inner = std::get_if<Loop>(&node.kind))
        isMentioned |= inner->lower.mentions(loop.index) || inner->upper.mentions(loop.index);
    });
    return isMentioned;
  }

  const Loop *outermostOf(const Loop &loop, NestStanding standing) {
    const Loop *outermost = &loop;
    for (const Around &outer : llvm::reverse(around)) {
      if (outer.loop->context != loop.context || outer.standing != standing) break;
      const bool isTimeLoop = chooses(*outermost) && !chooses(*outer.loop);
      if (standing == NestStanding::Serial && (isTimeLoop || holdsOthers(*outer.loop))) break;
      outermost = outer.loop;
    }
    return outermost;
  }

  NestStanding standingOf(const Loop &loop) const {
    if (kernels.count(&loop)) return NestStanding::Kernel;
    if (isParallel(loop)) return NestStanding::Parallel;
    return isOpen(loop) ? NestStanding::Open : NestStanding::Serial;
  }

  /// Might it be parallel, if more were known? Not if an example of two of its iterations shows that it is not, nor if
  /// it does I/O.
  bool isOpen(const Loop &loop) const {
    const brs::LoopVerdict *verdict = root.dependence.find(loop);
    if (!verdict) return false; // it is another function's to judge
    if (!verdict->isAnalysed) return true;
    bool isOpaque = false, doesInputOutput = false;
    forEachNode(loop.body, [&](const Node &node) {
      if (auto *host = std::get_if<HostStatement>(&node.kind)) {
        isOpaque |= host->reason == HostReason::OpaqueCall;
        doesInputOutput |= host->reason == HostReason::InputOutput;
      }
    });
    bool isUnknown = loop.isLoosened || llvm::any_of(verdict->dependences, [](const brs::CarriedDependence &one) {
                       return one.kind == brs::CarriedDependence::Kind::Unknown;
                     });
    bool isRefuted = llvm::any_of(verdict->dependences, [](const brs::CarriedDependence &one) {
      return one.kind != brs::CarriedDependence::Kind::Unknown;
    });
    return !doesInputOutput && !isRefuted && (isUnknown || isOpaque);
  }

  /// Of guards that no index decides: which side the sizes take that somebody gave. What assumed ones decide is taken
  /// to hold.
  double shareOfGiven() const { return shareOfDecided(decidedBy(sizes.given(), guards), values); }

  double workOfNest(const Loop &loop, const LeftOut &inner, std::vector<std::string> &assumed) const {
    std::set<std::string> counting = symbolsThatCount(loop);
    std::vector<const Loop *> loops, deciding;
    for (const Around &outer : around) {
      loops.push_back(outer.loop);
      counting.merge(outer.loop->lower.symbols());
      counting.merge(outer.loop->upper.symbols());
    }
    for (const brs::Guard &guard : guards) addSymbols(guard.condition, counting);
    // Loops around it that decide nothing, and run equally often each time, are a factor: sampled, each would triple
    // the number of prices.
    double turns = shareExpected(guards, loops, values, overrides) * shareOfGiven();
    for (const std::string &symbol : counting)
      if (sizes.isAssumed(symbol))
        assumed.push_back(scopedName(root.name, symbol) + " = " +
                          formatSize(uint64_t(sizes.bySymbol.at(symbol).value)));
    auto varies = [&](const Loop &outer) {
      return llvm::any_of(deciding, [&](const Loop *one) {
        return outer.lower.mentions(one->index) || outer.upper.mentions(one->index);
      });
    };
    for (const Loop *outer : loops)
      if (counting.count(outer->index) || varies(*outer)) deciding.push_back(outer);
      else turns *= tripsOf(*outer, values, overrides);
    double work = 0;
    sampleIterations(deciding, values, overrides, [&](const RealValues &at, double weight) {
      if (weight * turns > 0) work += weight * turns * priceOnHost(root, loop, at, overrides, host, inner);
    });
    return work;
  }
};

} // namespace

std::vector<PlacedNest> placeNests(const Program &program, const Root &root, const Sizes &sizes,
                                   const TripOverrides &overrides, const Host &host) {
  return Placing(program, root, sizes, overrides, host).run();
}

void addToSource(const Root &root, const std::vector<PlacedNest> &nests, NestsOfSource &all) {
  for (const PlacedNest &nest : nests) {
    NestOfSource &one = all[nest.loop->location];
    if (one.function.empty()) {
      one.function = functionOf(root, *nest.loop);
      one.index = indexOf(*nest.loop);
      one.outermost = nest.outermost->location;
    }
    one.work[size_t(nest.standing)] += nest.work;
    one.stands[size_t(nest.standing)] = true;
    if (one.reason.empty()) one.reason = nest.reason;
    for (const std::string &size : nest.assumed)
      if (!llvm::is_contained(one.assumed, size)) one.assumed.push_back(size);
  }
}

/// `s->run`, `(*f)`, `table[k]`; not `operator()`.
static bool isThroughPointer(llvm::StringRef what) {
  return !what.starts_with("operator") && what.find_first_of(">.(*[") != llvm::StringRef::npos;
}

UnseenCalls::UnseenCalls(const Program &program, const std::set<std::string> &entered) {
  std::set<std::string> called;
  std::set<skeleton::Location> indirect; // by what the front end says of `f(x)` where f is a variable
  for (const skeleton::Finding &finding : program.findings)
    if (finding.rule == skeleton::Rule::FunctionPointer || finding.rule == skeleton::Rule::VirtualCall)
      indirect.insert(finding.location);
  for (const Function &function : program.functions)
    forEachNode(function.body, [&](const Node &node) {
      if (auto *call = std::get_if<skeleton::Call>(&node.kind)) {
        if (call->callee != function.name && !entered.count(function.name)) called.insert(call->callee);
      } else if (auto *host = std::get_if<HostStatement>(&node.kind); host && host->reason == HostReason::OpaqueCall) {
        // In `table[k](x)` the call is at the place of `table[k]`, too.
        const bool isOther = llvm::StringRef(host->what).starts_with("operator") && host->what != "operator()";
        if (entered.count(function.name))
          calls.push_back({host->what, host->location,
                           isThroughPointer(host->what) || (indirect.count(host->location) && !isOther)});
      }
    });
  for (const Function &function : program.functions)
    if (!entered.count(function.name) && !called.count(function.name)) outermost.insert(function.name);
}

const UnseenCalls::Call *UnseenCalls::callOf(const std::string &function) const {
  for (const Call &call : calls)
    if (skeleton::unqualified(call.what) == skeleton::unqualified(function)) return &call;
  for (const Call &call : calls)
    if (call.isIndirect) return &call;
  return nullptr;
}

bool UnseenCalls::mayRun(const std::string &function) const { return callOf(function) != nullptr; }

std::string UnseenCalls::why(const std::string &function) const {
  const Call *call = callOf(function);
  if (!call) return "nobody is seen to call " + function;
  const auto others = llvm::count_if(calls, [](const Call &one) { return one.isIndirect; });
  if (call->isIndirect && skeleton::unqualified(call->what) != skeleton::unqualified(function) && others > 1)
    return "whether one of the " + std::to_string(others) + " calls through pointers (" + call->what + " at " +
           toString(call->location) + ", ...) is of " + function + " is not known";
  const std::string what = "the call of " + call->what + " at " + toString(call->location);
  return skeleton::unqualified(call->what) == skeleton::unqualified(function) && !call->isIndirect
             ? what + " is not followed"
             : "whether " + what + " is one of " + function + " is not known";
}

std::map<std::string, Values> sizesGivenBy(const Root &root, const Values &values) {
  std::map<std::string, Values> given;
  for (const CallPath &path : llvm::ArrayRef(root.paths).drop_front()) {
    Values own;
    for (const auto &[symbol, expr] : path.symbols)
      if (std::optional<int64_t> value = expr.evaluate(values)) own[symbol] = *value;
    // Of several calls the one with the largest sizes does most, as a rule.
    auto [known, isNew] = given.try_emplace(path.function, own);
    auto sumOf = [](const Values &all) {
      double sum = 0;
      for (const auto &[symbol, value] : all) sum += double(value);
      return sum;
    };
    if (!isNew && sumOf(own) > sumOf(known->second)) known->second = std::move(own);
  }
  return given;
}

} // namespace busfare::projection
