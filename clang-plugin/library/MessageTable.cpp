//===- clang-plugin/library/MessageTable.cpp - MPI and SHMEM calls by name -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MessageTable.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

using skeleton::MessageKind;

namespace {

struct Row {
  const char *name, *roles;
  std::optional<MessageKind> kind = {};
  bool isNonblocking = false;
};

/// Names without MPI_.
const Row moving[] = {
    {"Send", "sct---", MessageKind::Send},
    {"Bsend", "sct---", MessageKind::Send},
    {"Ssend", "sct---", MessageKind::Send},
    {"Rsend", "sct---", MessageKind::Send},
    {"Isend", "sct---q", MessageKind::Send, true},
    {"Ibsend", "sct---q", MessageKind::Send, true},
    {"Issend", "sct---q", MessageKind::Send, true},
    {"Irsend", "sct---q", MessageKind::Send, true},
    {"Recv", "rCT---q", MessageKind::Receive},
    {"Irecv", "rCT---q", MessageKind::Receive, true},
    {"Sendrecv", "sct--rCT---q", MessageKind::Exchange},
    {"Sendrecv_replace", "bct-----q", MessageKind::Exchange},
    {"Put", "sct-----", MessageKind::Put, true},
    {"Rput", "sct-----q", MessageKind::Put, true},
    {"Get", "rCT-----", MessageKind::Get, true},
    {"Rget", "rCT-----q", MessageKind::Get, true},
    {"Accumulate", "sct------", MessageKind::Accumulate, true},
    {"Raccumulate", "sct------q", MessageKind::Accumulate, true},
    {"Get_accumulate", "sctrCT------", MessageKind::Accumulate, true},
    {"Fetch_and_op", "srt----", MessageKind::Accumulate, true},
    {"Bcast", "bct--", MessageKind::Broadcast},
    {"Reduce", "srct---", MessageKind::Reduce},
    {"Allreduce", "srct--", MessageKind::AllReduce},
    {"Scan", "srct--", MessageKind::Scan},
    {"Exscan", "srct--", MessageKind::Scan},
    {"Gather", "sctRCT--", MessageKind::Gather},
    {"Gatherv", "sctRiiT--", MessageKind::Gather},
    {"Allgather", "sctRCT-", MessageKind::AllGather},
    {"Allgatherv", "sctRiiT-", MessageKind::AllGather},
    {"Scatter", "S-trCT--", MessageKind::Scatter},
    {"Scatterv", "SiitrCT--", MessageKind::Scatter},
    {"Alltoall", "SctRCT-", MessageKind::AllToAll},
    {"Alltoallv", "SiitRiiT-", MessageKind::AllToAll},
    {"Reduce_scatter", "SRit--", MessageKind::ReduceScatter},
    {"Reduce_scatter_block", "SrCT--", MessageKind::ReduceScatter},
    {"Wait", "qq", MessageKind::Wait},
    {"Waitall", "-qq", MessageKind::Wait},
    {"Waitany", "-qoq", MessageKind::Wait},
    {"Waitsome", "-qooq", MessageKind::Wait},
    {"Test", "qoq", MessageKind::Wait},
    {"Testall", "-qoq", MessageKind::Wait},
    {"Testany", "-qooq", MessageKind::Wait},
    {"Testsome", "-qooq", MessageKind::Wait},
};

/// Collectives that have a nonblocking form: MPI_Ibcast, with a request at the end.
constexpr llvm::StringLiteral alsoNonblocking[] = {
    "Bcast",    "Reduce",   "Allreduce", "Scan",           "Exscan",
    "Gather",   "Gatherv",  "Allgather", "Allgatherv",     "Scatter",
    "Scatterv", "Alltoall", "Alltoallv", "Reduce_scatter", "Reduce_scatter_block"};

/// They touch what they are given, and move nothing.
const Row asking[] = {
    {"Init", "o-"},
    {"Init_thread", "o--o"},
    {"Finalize", ""},
    {"Initialized", "o"},
    {"Finalized", "o"},
    {"Comm_rank", "-o"},
    {"Comm_size", "-o"},
    {"Barrier", "-"},
    {"Probe", "---q"},
    {"Iprobe", "---oq"},
    {"Get_count", "i-o"},
    {"Get_elements", "i-o"},
    {"Comm_dup", "-q"},
    {"Comm_split", "---q"},
    {"Comm_split_type", "----q"},
    {"Comm_free", "q"},
    {"Comm_group", "-q"},
    {"Comm_create", "--q"},
    {"Group_incl", "--iq"},
    {"Group_excl", "--iq"},
    {"Group_free", "q"},
    {"Group_rank", "-o"},
    {"Group_size", "-o"},
    {"Get_processor_name", "oo"},
    {"Get_version", "oo"},
    {"Error_string", "-oo"},
    {"Error_class", "-o"},
    {"Comm_set_errhandler", "--"},
    {"Errhandler_set", "--"},
    {"Type_contiguous", "--q"},
    {"Type_vector", "----q"},
    {"Type_create_vector", "----q"},
    {"Type_hvector", "----q"},
    {"Type_create_hvector", "----q"},
    {"Type_indexed", "-ii-q"},
    {"Type_create_indexed_block", "--i-q"},
    {"Type_create_subarray", "-iii--q"},
    {"Type_create_resized", "---q"},
    {"Type_create_struct", "-iiiq"},
    {"Type_commit", "q"},
    {"Type_free", "q"},
    {"Type_size", "-o"},
    {"Type_get_extent", "-oo"},
    {"Cart_create", "--ii-q"},
    {"Cart_coords", "---o"},
    {"Cart_rank", "-io"},
    {"Cart_shift", "---oo"},
    {"Cart_get", "--ooo"},
    {"Cart_sub", "-iq"},
    {"Cartdim_get", "-o"},
    {"Dims_create", "--o"},
    {"Request_free", "q"},
    {"Cancel", "q"},
    {"Wtick", ""},
    {"Abort", "--"},
    {"Op_free", "q"},
};

MessageForm formOf(const Row &row) { return {row.kind, row.roles, row.isNonblocking, {}, ""}; }

std::optional<MessageForm> mpiForm(llvm::StringRef name) {
  for (const Row &row : moving)
    if (name == row.name) return formOf(row);
  for (const Row &row : asking)
    if (name == row.name) return formOf(row);
  if (name.consume_front("I"))
    for (llvm::StringRef blocking : alsoNonblocking)
      if (blocking.drop_front() == name.drop_front(name.empty() ? 0 : 1) && !name.empty() &&
          llvm::toLower(blocking[0]) == name[0]) {
        MessageForm form = *mpiForm(blocking);
        form.roles += 'q';
        form.isNonblocking = true;
        return form;
      }
  return std::nullopt;
}

struct CType {
  uint64_t bytes;
  std::string name;
};

/// SHMEM's word for a type: double, longlong, uint32, size.
std::optional<CType> shmemType(llvm::StringRef word, const clang::ASTContext &context) {
  auto sized = [&](clang::CanQualType type) {
    return CType{uint64_t(context.getTypeSizeInChars(type).getQuantity()), word.str()};
  };
  llvm::StringRef plain = word;
  plain.consume_front("u") || plain.consume_front("s");
  if (word == "float") return sized(context.FloatTy);
  if (word == "double") return sized(context.DoubleTy);
  if (word == "longdouble") return sized(context.LongDoubleTy);
  if (word == "complexf") return CType{8, word.str()};
  if (word == "complexd") return CType{16, word.str()};
  if (word == "size" || word == "ptrdiff") return sized(context.LongTy);
  if (plain == "char") return sized(context.CharTy);
  if (plain == "short") return sized(context.ShortTy);
  if (plain == "int") return sized(context.IntTy);
  if (plain == "long") return sized(context.LongTy);
  if (plain == "longlong") return sized(context.LongLongTy);
  unsigned bits = 0;
  if (plain.consume_front("int") && !plain.getAsInteger(10, bits) &&
      (bits == 8 || bits == 16 || bits == 32 || bits == 64))
    return CType{bits / 8, word.str()};
  return std::nullopt;
}

/// putmem, put32, broadcast64: bytes or bits of an element behind the word.
std::optional<CType> shmemBits(llvm::StringRef rest) {
  unsigned bits = 0;
  if (rest == "mem") return CType{1, "bytes"};
  if (!rest.getAsInteger(10, bits) && (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128))
    return CType{bits / 8, (llvm::Twine(bits) + " bits").str()};
  return std::nullopt;
}

struct ShmemRow {
  const char *name, *roles;
  MessageKind kind;
};
const ShmemRow shmemMoving[] = {{"put", "dsc-", MessageKind::Put},    {"get", "rgc-", MessageKind::Get},
                                {"iput", "dS----", MessageKind::Put}, {"iget", "Rg----", MessageKind::Get},
                                {"p", "d--", MessageKind::Put},       {"g", "g-", MessageKind::Get}};
/// With the set of processes and scratch memory; of OpenSHMEM 1.5 with a team instead.
const ShmemRow shmemCollectives[] = {{"broadcast", "rsc----x", MessageKind::Broadcast},
                                     {"collect", "Rsc---x", MessageKind::AllGather},
                                     {"fcollect", "Rsc---x", MessageKind::AllGather},
                                     {"alltoall", "RSc---x", MessageKind::AllToAll}};
const ShmemRow shmemTeams[] = {{"broadcast", "-rsc-", MessageKind::Broadcast},
                               {"collect", "-Rsc", MessageKind::AllGather},
                               {"fcollect", "-Rsc", MessageKind::AllGather},
                               {"alltoall", "-RSc", MessageKind::AllToAll}};

MessageForm formOf(const ShmemRow &row, const CType &type, bool hasContext = false, bool isNonblocking = false) {
  return {row.kind, (hasContext ? "-" : "") + std::string(row.roles), isNonblocking, type.bytes, type.name};
}

std::optional<MessageForm> shmemForm(llvm::StringRef name, const clang::ASTContext &context) {
  if (llvm::StringSwitch<bool>(name).Cases("init", "finalize", "my_pe", "n_pes", true).Default(false))
    return MessageForm{{}, "", false, {}, ""};
  bool hasContext = name.consume_front("ctx_"), isNonblocking = name.consume_back("_nbi");
  auto [word, operation] = name.split('_');
  if (!operation.empty()) {
    std::optional<CType> type = shmemType(word, context);
    if (!type) return std::nullopt;
    for (const ShmemRow &row : shmemMoving)
      if (operation == row.name) return formOf(row, *type, hasContext, isNonblocking);
    for (const ShmemRow &row : shmemTeams)
      if (operation == row.name) return formOf(row, *type);
    if (operation.ends_with("_to_all")) return formOf({"", "rsc---xx", MessageKind::AllReduce}, *type);
    if (operation.ends_with("_reduce")) return formOf({"", "-rsc", MessageKind::AllReduce}, *type);
    return std::nullopt;
  }
  for (llvm::ArrayRef<ShmemRow> rows : {llvm::ArrayRef(shmemMoving).take_front(4), llvm::ArrayRef(shmemCollectives)})
    for (const ShmemRow &row : rows) {
      llvm::StringRef rest = name;
      if (!rest.consume_front(row.name)) continue;
      if (std::optional<CType> type = shmemBits(rest)) return formOf(row, *type, hasContext, isNonblocking);
    }
  return std::nullopt;
}

/// Bytes of MPI's own datatypes, without MPI_.
std::optional<uint64_t> bytesOfType(llvm::StringRef name, const clang::ASTContext &context) {
  auto sized = [&](clang::CanQualType type) {
    return std::optional<uint64_t>(context.getTypeSizeInChars(type).getQuantity());
  };
  return llvm::StringSwitch<std::optional<uint64_t>>(name)
      .Cases("CHAR", "SIGNED_CHAR", "UNSIGNED_CHAR", "BYTE", "PACKED", 1)
      .Cases("INT8_T", "UINT8_T", "C_BOOL", "CXX_BOOL", "CHARACTER", 1)
      .Cases("SHORT", "UNSIGNED_SHORT", "INT16_T", "UINT16_T", "SHORT_INT16", 2)
      .Cases("INT", "UNSIGNED", "FLOAT", "INT32_T", "UINT32_T", 4)
      .Cases("INTEGER", "REAL", "LOGICAL", "REAL4", "INTEGER4", 4)
      .Cases("LONG", "UNSIGNED_LONG", sized(context.LongTy))
      .Cases("DOUBLE", "LONG_LONG", "LONG_LONG_INT", "UNSIGNED_LONG_LONG", 8)
      .Cases("INT64_T", "UINT64_T", "DOUBLE_PRECISION", "REAL8", "INTEGER8", 8)
      .Cases("AINT", "OFFSET", "COUNT", "C_FLOAT_COMPLEX", "C_COMPLEX", 8)
      .Cases("COMPLEX", "CXX_FLOAT_COMPLEX", "2INT", "FLOAT_INT", "2REAL", 8)
      .Cases("DOUBLE_COMPLEX", "C_DOUBLE_COMPLEX", "CXX_DOUBLE_COMPLEX", "DOUBLE_INT", "LONG_INT", 16)
      .Case("LONG_DOUBLE", sized(context.LongDoubleTy))
      .Case("WCHAR", sized(context.WCharTy))
      .Default(std::nullopt);
}

/// `ompi_mpi_double` is what MPI_DOUBLE of Open MPI points to.
std::string typeNameOf(llvm::StringRef name) {
  if (name.consume_front("MPI_")) return name.str();
  if (name.consume_front("ompi_mpi_")) return name.upper();
  return "";
}

std::optional<MessageType> namedType(llvm::StringRef name, const clang::ASTContext &context) {
  std::string plain = typeNameOf(name);
  std::optional<uint64_t> bytes = plain.empty() ? std::nullopt : bytesOfType(plain, context);
  return bytes ? std::optional(MessageType{"MPI_" + plain, bytes}) : std::nullopt;
}

/// A macro that the text stands in, by the innermost that names a type.
std::optional<MessageType> typeOfMacro(clang::SourceLocation place, const clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  while (place.isMacroID()) {
    if (auto type = namedType(clang::Lexer::getImmediateMacroName(place, sources, context.getLangOpts()), context))
      return type;
    place = sources.getImmediateMacroCallerLoc(place);
  }
  return std::nullopt;
}

MessageType typeOf(const clang::Expr *expr, const clang::ASTContext &context, const clang::FunctionDecl *function,
                   unsigned depth) {
  if (auto type = typeOfMacro(expr->getBeginLoc(), context)) return *type;
  expr = expr->IgnoreParenCasts();
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(expr);
      address && address->getOpcode() == clang::UO_AddrOf)
    expr = address->getSubExpr()->IgnoreParenCasts();
  if (auto type = typeOfMacro(expr->getBeginLoc(), context)) return *type;
  MessageType unknown;
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    unknown.name = named->getDecl()->getNameAsString();
    if (auto type = namedType(unknown.name, context)) return *type;
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    const clang::Expr *first = variable ? variable->getAnyInitializer() : nullptr;
    bool isFixed =
        first &&
        (variable->getType().isConstQualified() ||
         (variable->isLocalVarDecl() && function && function->getBody() && isOnlyRead(variable, function->getBody())));
    if (isFixed && depth < 8) {
      MessageType type = typeOf(first, context, function, depth + 1);
      if (type.bytes) return type;
    }
    return unknown;
  }
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    bool holds = false;
    if (!choice->getCond()->isValueDependent() && choice->getCond()->EvaluateAsBooleanCondition(holds, context) &&
        depth < 8)
      return typeOf(holds ? choice->getTrueExpr() : choice->getFalseExpr(), context, function, depth + 1);
    return unknown;
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr))
    if (const clang::FunctionDecl *callee = calleeOf(call)) {
      const clang::Expr *result = singleReturn(callee);
      return result && depth < 8 ? typeOf(result, context, callee, depth + 1) : unknown;
    }
  clang::Expr::EvalResult value;
  if (!expr->isValueDependent() && expr->EvaluateAsInt(value, context)) {
    uint64_t number = value.Val.getInt().getZExtValue() & 0xffffffffu;
    // MPICH: 0x4c00SSNN is a type of its own of SS bytes.
    if ((number & 0xff000000u) == 0x4c000000u)
      return {"a type of " + std::to_string((number >> 8) & 0xff) + " bytes", (number >> 8) & 0xff};
  }
  return unknown;
}

} // namespace

std::optional<MessageForm> messageFormOf(llvm::StringRef name, const clang::ASTContext &context) {
  if (name.consume_front("MPI_") || name.consume_front("PMPI_")) return mpiForm(name);
  if (name.consume_front("shmem_") || name.consume_front("pshmem_")) return shmemForm(name, context);
  return std::nullopt;
}

std::optional<MessageForm> messageFormOf(const clang::FunctionDecl *callee) {
  if (!callee || !callee->getIdentifier() || callee->getDefinition() || llvm::isa<clang::CXXMethodDecl>(callee))
    return std::nullopt;
  if (!callee->getDeclContext()->getRedeclContext()->isTranslationUnit()) return std::nullopt;
  std::optional<MessageForm> form = messageFormOf(callee->getName(), callee->getASTContext());
  // A function of the program's own that happens to have the name takes other arguments.
  if (!form || callee->getNumParams() != form->roles.size()) return std::nullopt;
  for (unsigned k = 0; k < form->roles.size(); ++k) {
    clang::QualType type = callee->getParamDecl(k)->getType();
    bool isMemory = !llvm::StringRef("cCtT-").contains(form->roles[k]);
    if (isMemory ? !type->isPointerType() && !type->isArrayType()
                 : llvm::StringRef("cC").contains(form->roles[k]) && !type->isIntegerType())
      return std::nullopt;
  }
  return form;
}

MessageType messageTypeOf(const clang::Expr *expr, const clang::ASTContext &context,
                          const clang::FunctionDecl *function) {
  return typeOf(expr, context, function, 0);
}

std::optional<int64_t> numberAsPointer(const clang::Expr *expr, const clang::ASTContext &context) {
  expr = expr->IgnoreParenCasts();
  if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(expr)) return 0;
  clang::Expr::EvalResult value;
  if (expr->isValueDependent() || !expr->getType()->isIntegerType() || !expr->EvaluateAsInt(value, context))
    return std::nullopt;
  return value.Val.getInt().getExtValue();
}

} // namespace busfare::frontend
