//===- clang-plugin/walk/Library.cpp - Calls of the standard library -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mathematics is counted, allocation and copies are followed, input and output stay on
// the host.
//
//===----------------------------------------------------------------------===//
#include "HostOnly.h"
#include "Walk.h"

namespace busfare::frontend {

/// Functions of <math.h> that cost one special operation, with or without the f and l suffix.
static bool isSpecial(llvm::StringRef name) {
  static const char *const names[] = {
      "sqrt", "exp",  "exp2",   "expm1",  "log",  "log2",      "log10", "log1p", "sin",   "cos",   "tan",  "asin",
      "acos", "atan", "atan2",  "sinh",   "cosh", "tanh",      "asinh", "acosh", "atanh", "pow",   "cbrt", "hypot",
      "erf",  "erfc", "tgamma", "lgamma", "fmod", "remainder", "rsqrt", "cexp",  "clog",  "csqrt", "cpow", "sincos"};
  for (const char *one : names)
    if (name == one ||
        (name.size() == strlen(one) + 1 && name.starts_with(one) && (name.back() == 'f' || name.back() == 'l')))
      return true;
  return false;
}

/// Those that cost about a comparison.
static bool isCheap(llvm::StringRef name) {
  static const char *const names[] = {"fabs",     "floor", "ceil",  "round", "rint",     "trunc",   "nearbyint",
                                      "copysign", "fdim",  "fmin",  "fmax",  "abs",      "labs",    "llabs",
                                      "lround",   "lrint", "isnan", "isinf", "isfinite", "signbit", "creal",
                                      "cimag",    "conj",  "cabs",  "carg",  "frexp",    "modf",    "ldexp"};
  for (const char *one : names)
    if (name == one ||
        (name.size() == strlen(one) + 1 && name.starts_with(one) && (name.back() == 'f' || name.back() == 'l')))
      return true;
  return false;
}

/// Clocks.
static bool tellsTime(llvm::StringRef plain) {
  return llvm::StringSwitch<bool>(plain)
      .Cases("time", "clock", "omp_get_wtime", "gettimeofday", "clock_gettime", "omp_get_wtick", "MPI_Wtime", true)
      .Default(false);
}

/// Those that read what they are given, and write it out.
static bool putsOut(llvm::StringRef plain) {
  return llvm::StringSwitch<bool>(plain)
      .Cases("printf", "fprintf", "puts", "fputs", "putchar", "fputc", "fflush", "perror", "vprintf", true)
      .Cases("vfprintf", "putc", "fclose", "fwrite", "__printf_chk", "__fprintf_chk", "fopen", "remove", true)
      .Default(false);
}

/// Those that write where their arguments point to.
static bool takesIn(llvm::StringRef plain) {
  return llvm::StringSwitch<bool>(plain)
      .Cases("scanf", "fscanf", "sscanf", "fread", "fgets", "getline", "sprintf", "snprintf", true)
      .Cases("__isoc99_scanf", "__isoc99_fscanf", "__isoc99_sscanf", "__sprintf_chk", "__snprintf_chk", true)
      .Cases("stat", "fstat", "lstat", "uname", "gethostname", "getcwd", "getrusage", true)
      .Default(false);
}

/// Those that only read, or keep a state that no program sees.
static bool isPureFunction(llvm::StringRef plain) {
  return llvm::StringSwitch<bool>(plain)
      .Cases("atoi", "atol", "atoll", "atof", "strlen", "strcmp", "strncmp", "getenv", "rand", "srand", true)
      .Cases("random", "srandom", "drand48", "srand48", "omp_get_thread_num", "omp_get_num_threads", true)
      .Cases("omp_get_max_threads", "omp_set_num_threads", "strtol", "strtod", "strtoul", "strtof", "omp_get_num_procs",
             true)
      .Cases("strchr", "strstr", "strrchr", "isdigit", "isspace", "isalpha", "toupper", "tolower", "sleep", "usleep",
             true)
      .Cases("strcasecmp", "strncasecmp", "memcmp", "strnlen", "strspn", "strcspn", "strpbrk", "lrand48", "mrand48",
             true)
      .Cases("isupper", "islower", "isalnum", "ispunct", "isprint", "isxdigit", true)
      .Cases("strerror", "mkdir", "rmdir", "unlink", "access", "getpid", "isatty", "sysconf", true)
      .Default(false);
}

/// `std::numeric_limits<double>::epsilon()`: a constant of the type. Those of integers Clang has evaluated by now.
static bool isLimitOfType(const clang::FunctionDecl *callee) {
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  return method && method->isStatic() && callee->getReturnType()->isRealFloatingType() &&
         method->getParent()->isInStdNamespace() && method->getParent()->getName() == "numeric_limits";
}

bool isModelledFunction(llvm::StringRef name) {
  name.consume_front("__builtin_");
  bool isMemory =
      llvm::StringSwitch<bool>(name)
          .Cases("memcpy", "memmove", "memset", "malloc", "calloc", "free", "aligned_alloc", "alloca", true)
          .Cases("exit", "abort", "_exit", "unreachable", "assume", "assume_aligned", "prefetch", "expect", true)
          .Cases("fma", "fmaf", "object_size", "constant_p", true)
          .Default(false);
  return isMemory || isSpecial(name) || isCheap(name) || tellsTime(name) || putsOut(name) || takesIn(name) ||
         isPureFunction(name);
}

/// Names the number that an argument of the program stands for, `atoi(argv[1])`: two such calls have one result as long
/// as nobody can have changed the text. Empty if it is something else, or another one each time.
std::string Walker::parsedText(const clang::CallExpr *expr, llvm::StringRef name) {
  const bool isNumber = llvm::StringSwitch<bool>(name).Cases("atoi", "atol", "atoll", true).Default(false);
  const auto *text =
      isNumber && expr->getNumArgs() == 1 ? llvm::dyn_cast<clang::ArraySubscriptExpr>(strip(expr->getArg(0))) : nullptr;
  const auto *table = text ? llvm::dyn_cast<clang::DeclRefExpr>(strip(text->getBase())) : nullptr;
  clang::Expr::EvalResult which;
  if (!table || !llvm::isa<clang::ParmVarDecl>(table->getDecl()) || isInLoop() ||
      !text->getIdx()->EvaluateAsInt(which, context))
    return "";
  // A caller's: what this function makes itself is other memory.
  auto at = st.env.pointers.find(nameOf(table->getDecl()));
  auto object = at == st.env.pointers.end() ? st.objects.end() : st.objects.find(at->second.object);
  if (object == st.objects.end() || object->second.array.storage != Storage::Parameter || at->second.inside) return "";
  std::string key = name.str() + " " + at->second.object;
  for (const std::optional<Symbolic> &index : at->second.index) {
    if (!index) return "";
    key += "[" + skeleton::toString(*index) + "]";
  }
  return key + "[" + std::to_string(which.Val.getInt().getExtValue()) + "]";
}

/// May running it change what a text in memory that others know of says, or where it lies?
bool Walker::mayChangeTexts(const Node &node) const {
  if (const auto *access = std::get_if<Access>(&node.kind)) {
    if (access->kind == AccessKind::Read) return false;
    auto written = st.objects.find(access->array);
    if (written == st.objects.end()) return true;
    const Array &array = written->second.array;
    return !(array.storage == Storage::Local || array.storage == Storage::Heap ||
             (array.storage == Storage::Global && !array.isPointee));
  }
  if (const auto *host = std::get_if<skeleton::HostStatement>(&node.kind)) {
    const bool isKnown = host->reason == HostReason::InputOutput || host->reason == HostReason::Library ||
                         host->reason == HostReason::Timing;
    return !isKnown || llvm::any_of(host->body, [&](const Node &inner) { return mayChangeTexts(inner); });
  }
  return !std::holds_alternative<skeleton::Operations>(node.kind) &&
         !std::holds_alternative<skeleton::Define>(node.kind) &&
         !std::holds_alternative<skeleton::Allocate>(node.kind) && !std::holds_alternative<skeleton::End>(node.kind);
}

/// errno, as <errno.h> spells it: a number of the thread's own, to which no pointer leads, and which every call may
/// change.
std::optional<Pointer> Walker::errorNumber(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = calleeOf(call);
  if (!callee || !callee->getIdentifier() || callee->getNumParams() > 0 ||
      !context.getSourceManager().isInSystemHeader(callee->getLocation()))
    return std::nullopt;
  if (!llvm::StringSwitch<bool>(callee->getName())
           .Cases("__errno_location", "__error", "_errno", "___errno", true)
           .Default(false))
    return std::nullopt;
  const std::string name = "errno";
  host(HostReason::Library, name, {}, locate(call)); // a device has another one, or none
  st.env.integers.erase(name);
  if (!st.isDeclared(name)) declareObject(name, context.IntTy, Storage::Local, locate(call));
  Pointer at;
  at.object = name;
  return at;
}

static bool isExchange(const clang::FunctionDecl *callee) {
  return callee && callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == "exchange" &&
         callee->getNumParams() == 2;
}

/// std::exchange(p, q) of a pointer: where p led.
std::optional<Pointer> Walker::exchangedPointer(const clang::CallExpr *call) {
  if (!isExchange(calleeOf(call)) || !call->getType()->isPointerType()) return std::nullopt;
  const Location location = locate(call);
  const Place place = lvalue(call->getArg(0));
  const clang::Expr *given = call->getArg(1);
  if (place.variable.empty()) return std::nullopt;
  Pointer after;
  if (given->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNotNull)) after.null = true;
  else after = pointer(given);
  const Pointer before = readPointer(place.variable, place.type, location); // as the second argument has left it
  assignPointer(place, after, location);
  return before;
}

std::optional<std::optional<Value>> Walker::libraryCall(const clang::CallExpr *expr, llvm::StringRef name, bool data) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  bool isOurs = unit.isOwnFunction(callee);
  bool isMember = llvm::isa<clang::CXXMethodDecl>(callee);
  Location location = locate(expr);
  if (isLimitOfType(callee)) return std::optional<Value>();
  if (callee->isOverloadedOperator() || isOurs || isMember) {
    if (llvm::isa<clang::CXXOperatorCallExpr>(expr) && expr->getNumArgs() >= 1 &&
        isStdComplex(expr->getArg(0)->getType().getNonReferenceType())) {
      // std::complex arithmetic.
      auto argument = [&](unsigned k) {
        const clang::Expr *bound = boundPlace(expr->getArg(k));
        if (bound && classOf(bound->getType()) == TypeClass::Data) read(lvalue(bound), locate(bound));
        else rvalue(expr->getArg(k), true);
      };
      clang::QualType type = expr->getArg(0)->getType();
      switch (callee->getOverloadedOperator()) {
      case clang::OO_Plus:
      case clang::OO_Minus:
      case clang::OO_Star:
      case clang::OO_Slash: {
        for (unsigned k = 0; k < expr->getNumArgs(); ++k) argument(k);
        if (expr->getNumArgs() == 2)
          countArithmetic(callee->getOverloadedOperator() == clang::OO_Star    ? clang::BO_Mul
                          : callee->getOverloadedOperator() == clang::OO_Slash ? clang::BO_Div
                                                                               : clang::BO_Add,
                          type);
        return std::optional<Value>();
      }
      case clang::OO_Equal:
        argument(1);
        write(lvalue(expr->getArg(0)), location);
        return std::optional<Value>();
      case clang::OO_PlusEqual:
      case clang::OO_MinusEqual:
      case clang::OO_StarEqual: {
        argument(1);
        bool times = callee->getOverloadedOperator() == clang::OO_StarEqual;
        countArithmetic(times ? clang::BO_Mul : clang::BO_Add, type);
        update(lvalue(expr->getArg(0)), times ? ReductionOp::Multiply : ReductionOp::Add, location, expr);
        return std::optional<Value>();
      }
      default: break;
      }
    }
    if (const auto *made = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr);
        made && isStdComplex(made->getImplicitObjectArgument()->getType()) && (name == "real" || name == "imag") &&
        made->getNumArgs() == 0) {
      read(lvalue(made->getImplicitObjectArgument()), location);
      return std::optional<Value>();
    }
    return std::nullopt;
  }
  llvm::StringRef plain = name;
  plain.consume_front("__builtin_");
  bool insideLoop = isInLoop();
  clang::QualType type = expr->getType();
  auto evaluate = [&] {
    for (const clang::Expr *argument : expr->arguments()) {
      if (isPointerLike(argument->getType())) pointer(argument);
      else rvalue(argument, true);
    }
  };
  // A second result goes where a pointer leads: frexp(x, &e[i]), modf, sincos.
  auto evaluateMath = [&] {
    for (const clang::Expr *argument : expr->arguments()) {
      if (!isPointerLike(argument->getType())) {
        rvalue(argument, true);
        continue;
      }
      clang::QualType pointee = pointeeOf(argument->getType());
      Pointer at = pointer(argument);
      if (pointee.isConstQualified()) continue;
      Place result = dereference(at, pointee, argument);
      if (!at.variable.empty()) clobber(at.variable, location);
      else write(result, location);
      if (isAnything(result)) clobberAddressTaken(location);
    }
  };
  bool single = type->isRealFloatingType() && bytesOf(type, context) <= 4;
  bool fromStd = callee->isInStdNamespace() || context.getSourceManager().isInSystemHeader(callee->getLocation()) ||
                 callee->getBuiltinID();
  if ((plain == "min" || plain == "max") && callee->isInStdNamespace() && expr->getNumArgs() == 2) {
    clang::QualType element = type.getNonReferenceType();
    if (classOf(element) == TypeClass::Integer) {
      auto valueOf = [&](const clang::Expr *argument) { // passed by reference, perhaps to a converted copy
        const clang::Expr *bound = boundPlace(argument);
        std::optional<Value> loaded = bound ? load(bound, data) : std::nullopt;
        return loaded ? *loaded : integer(argument, data);
      };
      Value a = valueOf(expr->getArg(0)), b = valueOf(expr->getArg(1));
      if (data) count(Operation::Compare);
      if (!a.mayWrap && !b.mayWrap)
        return std::optional<Value>(Value{plain == "min" ? min(a.expr, b.expr) : max(a.expr, b.expr)});
      // What may have wrapped is compared as the number that it has become: `min(i - 5u, 10u)` is 10 for i = 3.
      bool memory = dependsOnMemory(a.expr) || dependsOnMemory(b.expr);
      std::optional<Symbolic> least = Symbolic(0), most;
      if (plain == "min" && a.mayWrap != b.mayWrap) most = a.mayWrap ? b.expr : a.expr;
      if (plain == "max" && a.mayWrap != b.mayWrap) least = a.mayWrap ? b.expr : a.expr;
      if (!element->isUnsignedIntegerOrEnumerationType()) least = most = std::nullopt;
      return std::optional<Value>(Value{freshSymbol(nameHint, textOf(expr), location, memory, true, least, most)});
    }
    for (const clang::Expr *argument : expr->arguments()) rvalue(argument, true);
    count(Operation::Compare);
    return std::optional<Value>();
  }
  if (callee->isInStdNamespace() && plain == "swap" && expr->getNumArgs() == 2) {
    Place a = lvalue(expr->getArg(0)), b = lvalue(expr->getArg(1));
    if (classOf(a.type) == TypeClass::Pointer && !a.variable.empty() && !b.variable.empty()) {
      Pointer first = readPointer(a.variable, a.type, location), second = readPointer(b.variable, b.type, location);
      assignPointer(a, second, location);
      assignPointer(b, first, location);
      return std::optional<Value>();
    }
    if (classOf(a.type) == TypeClass::Integer && !a.variable.empty() && !b.variable.empty()) {
      Value first = loadInteger(a, location), second = loadInteger(b, location);
      assignInteger(a, second, location);
      assignInteger(b, first, location);
      return std::optional<Value>();
    }
    if (isNamedRecord(a) && isNamedRecord(b)) swapRecords(a, b, location);
    else {
      read(a, location), read(b, location), write(a, location), write(b, location);
      for (const Place &one : {a, b})
        if (isNamedRecord(one)) loseFields(object(one.at.object).prefix, location);
    }
    return std::optional<Value>();
  }
  if (isExchange(callee) && (classOf(type) == TypeClass::Integer || classOf(type) == TypeClass::Data)) {
    const Place place = lvalue(expr->getArg(0));
    const clang::Expr *given = expr->getArg(1);
    auto valueGiven = [&] { return given->isGLValue() ? load(given, data) : rvalue(given, data); };
    if (classOf(type) == TypeClass::Data) {
      read(place, location);
      valueGiven();
      write(place, location);
      return std::optional<Value>();
    }
    std::optional<Value> after = valueGiven();
    if (!after || classOf(given->getType()) != TypeClass::Integer)
      after = Value{freshSymbol(place.variable, textOf(given), location, true)};
    else after = convert(*after, given->getType(), place.type, given); // in the library's own code
    const Value before = loadInteger(place, location);
    assignInteger(place, *after, location);
    return std::optional<Value>(before);
  }
  if (isExchange(callee) && type->isPointerType() && exchangedPointer(expr)) return std::optional<Value>();
  if (!fromStd && !callee->isExternC() && callee->getLanguageLinkage() != clang::CLanguageLinkage) return std::nullopt;
  if (plain == "fma" || plain == "fmaf") {
    evaluate();
    count(single ? Operation::Fp32Fma : Operation::Fp64Fma);
    return std::optional<Value>();
  }
  if (fromStd && isSpecial(plain)) {
    evaluateMath();
    count(single ? Operation::Fp32Special : Operation::Fp64Special);
    return std::optional<Value>();
  }
  if (fromStd && isCheap(plain)) {
    evaluateMath();
    count(Operation::Compare);
    if (classOf(type) == TypeClass::Integer) return std::optional<Value>(unknownResult(expr, true));
    return std::optional<Value>();
  }
  if ((plain == "memcpy" || plain == "memmove" || plain == "__memcpy_chk" || plain == "__memmove_chk") &&
      expr->getNumArgs() >= 3) {
    copyMemory(expr, true, plain.contains("memmove"));
    return std::optional<Value>();
  }
  if ((plain == "memset" || plain == "__memset_chk") && expr->getNumArgs() >= 3) {
    copyMemory(expr, false, false);
    return std::optional<Value>();
  }
  if (plain == "free" || plain == "_mm_free") {
    if (expr->getNumArgs() >= 1) releaseMemory(pointer(expr->getArg(0)), location);
    return std::optional<Value>();
  }
  if (plain == "posix_memalign" && expr->getNumArgs() == 3) {
    const auto *address = llvm::dyn_cast<clang::UnaryOperator>(expr->getArg(0)->IgnoreParenCasts());
    if (!address || address->getOpcode() != clang::UO_AddrOf) return std::nullopt;
    Place place = lvalue(address->getSubExpr());
    Symbolic bytes = integer(expr->getArg(2)).expr;
    if (place.variable.empty()) return std::nullopt;
    assignPointer(place, allocate(bytes, place.type->getPointeeType(), place.variable, location, false), location);
    return std::optional<Value>(Value{Symbolic(0)});
  }
  if (plain == "unreachable" && callee->getBuiltinID())
    return std::optional<Value>(); // a promise, nothing that happens
  if (endsProgram(plain)) {
    evaluate();
    bool runsMore = unit.runsAfterMain && (plain == "exit" || plain == "quick_exit");
    std::optional<std::string> ending = endingOf(expr, plain, context);
    if (ending && !runsMore) {
      emit(withLastWords({*ending, location}));
      return std::optional<Value>();
    }
    if (insideLoop) {
      WhyOnHost why = whyEndsOnHost(plain, runsMore);
      find(why.rule, location, why.message);
    }
    if (runsMore) endProgram(location);
    host(HostReason::NoReturn, name, {}, location);
    return std::optional<Value>();
  }
  bool isUnevaluated =
      plain == "assume" || plain == "object_size" || plain == "dynamic_object_size" || plain == "constant_p";
  if (isUnevaluated && callee->getBuiltinID()) return std::optional<Value>();
  if (plain == "assume_aligned" || plain == "prefetch") {
    for (const clang::Expr *argument : expr->arguments())
      if (isPointerLike(argument->getType())) pointer(argument);
    return std::optional<Value>();
  }
  bool isConstant = llvm::StringSwitch<bool>(plain)
                        .Cases("inf", "inff", "infl", "huge_val", "huge_valf", "huge_vall", "nan", "nanf", "nanl", true)
                        .Default(false);
  if (isConstant && callee->getBuiltinID()) return std::optional<Value>(); // INFINITY, NAN, HUGE_VAL
  if (plain == "expect" && expr->getNumArgs() >= 1) return rvalue(expr->getArg(0), data);
  bool isTiming = tellsTime(plain), isOutput = putsOut(plain), isInput = takesIn(plain), isPure = isPureFunction(plain);
  if (!isTiming && !isOutput && !isInput && !isPure) return std::nullopt;
  // Streams (`stderr`) are the library's own.
  auto isStream = [&](const Pointer &at) { return isFile(object(at.object).element, context); };
  // They read what their arguments point to; some write there; nothing else is touched.
  std::vector<std::pair<Pointer, bool>> reachable;
  for (unsigned k = 0; k < expr->getNumArgs(); ++k) {
    const clang::Expr *argument = expr->getArg(k);
    if (!isPointerLike(argument->getType())) {
      std::string hint = nameHint;
      nameHint.clear();
      rvalue(argument, !isPure);
      nameHint = hint;
      continue;
    }
    bool readsOnly = isOutput || isPure;
    if (k < callee->getNumParams() && isPointerLike(callee->getParamDecl(k)->getType()) &&
        pointeeOf(callee->getParamDecl(k)->getType()).isConstQualified())
      readsOnly = true;
    std::string hint = nameHint;
    nameHint.clear();
    reachable.push_back({pointer(argument), readsOnly});
    nameHint = hint;
  }
  Block accesses = accessesOf([&] {
    for (auto &[at, readsOnly] : reachable) {
      if (at.object.empty() || isStream(at)) continue;
      if (object(at.object).array.isScalar() && !readsOnly && isInput) {
        wholeAccess(AccessKind::Write, at, std::nullopt, true, location);
        continue;
      }
      if (!isTiming && !(isPure && object(at.object).array.storage == Storage::Alias))
        wholeAccess(AccessKind::Read, at, std::nullopt, true, location);
      if (!readsOnly) wholeAccess(AccessKind::Write, at, std::nullopt, true, location);
    }
  });
  // Not opaque: it reaches nothing that other units, or callers, may have lent.
  HostReason reason = isTiming ? HostReason::Timing : isPure ? HostReason::Library : HostReason::InputOutput;
  if (isOutput && saysTheSame(expr, context)) plainMessages.insert(location);
  auto isText = [&](const clang::Expr *argument) {
    const clang::Expr *plain = argument->IgnoreParenImpCasts();
    if (!isPointerLike(argument->getType()) || llvm::isa<clang::StringLiteral, clang::PredefinedExpr>(plain))
      return false;
    const auto *record = pointeeOf(argument->getType())->getAsRecordDecl(); // FILE
    return !record || !context.getSourceManager().isInSystemHeader(record->getLocation());
  };
  if (isOutput && llvm::any_of(expr->arguments(), isText)) textMessages.insert(location);
  if (isOutput || isInput)
    find(Rule::InputOutput, location,
         name.str() + " does input or output, in order, and stays on the host; so do the loops around it");
  else if (std::optional<WhyOnHost> why = whyKnownOnHost(plain, insideLoop)) find(why->rule, location, why->message);
  host(reason, name, std::move(accesses), location);
  for (auto &[at, readsOnly] : reachable) {
    if (!at.variable.empty()) clobber(at.variable, location); // strtod(text, &end)
    if (!readsOnly && !at.object.empty() && !isStream(at) && isNamedRecord({at, context.CharTy}))
      loseFields(std::string(object(at.object).prefix), location); // fread(&header, sizeof header, 1, file)
  }
  for (auto &[at, readsOnly] : reachable)
    if (!readsOnly && !at.object.empty()) {
      if (st.env.integers.count(at.object) || st.entryIntegers.count(at.object) ||
          classOf(object(at.object).element) == TypeClass::Integer) {
        bool isScalar = object(at.object).array.isScalar();
        if (isScalar) st.env.integers[at.object] = Value{freshSymbol(at.object, textOf(expr), location, false)};
      }
    }
  if (classOf(type) != TypeClass::Integer) return std::optional<Value>();
  const std::string text = parsedText(expr, plain);
  if (auto known = st.env.parsed.find(text); !text.empty() && known != st.env.parsed.end())
    return std::optional<Value>(Value{known->second});
  Value result = unknownResult(expr, false);
  if (!text.empty()) st.env.parsed[text] = result.expr;
  return std::optional<Value>(result);
}

} // namespace busfare::frontend
