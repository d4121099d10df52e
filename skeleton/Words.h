//===- skeleton/Words.h - The words of the text and JSON forms ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One table per enumeration, used by Print, Parse and Json alike:
//
//   wordOf(storageWords, Storage::Heap)      // "heap"
//   valueOf(storageWords, "heap")            // Storage::Heap
//   valueOf(storageWords, "attic")           // nothing
//
// Private to skeleton/.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_WORDS_H
#define BUSFARE_SKELETON_WORDS_H

#include "skeleton/Skeleton.h"

namespace busfare::skeleton {

template <class Enum> struct Word {
  Enum value;
  const char *text;
};

template <class Enum, size_t count> llvm::StringRef wordOf(const Word<Enum> (&table)[count], Enum value) {
  for (const Word<Enum> &word : table)
    if (word.value == value) return word.text;
  return table[0].text;
}

template <class Enum, size_t count>
std::optional<Enum> valueOf(const Word<Enum> (&table)[count], llvm::StringRef text) {
  for (const Word<Enum> &word : table)
    if (text == word.text) return word.value;
  return std::nullopt;
}

inline constexpr Word<Storage> storageWords[] = {{Storage::Parameter, "parameter"}, {Storage::Global, "global"},
                                                 {Storage::Local, "local"},         {Storage::Heap, "heap"},
                                                 {Storage::Given, "given"},         {Storage::Alias, "alias"}};
inline constexpr Word<AccessKind> accessWords[] = {
    {AccessKind::Read, "read"}, {AccessKind::Write, "write"}, {AccessKind::Update, "update"}};
inline constexpr Word<ReductionOp> reductionWords[] = {
    {ReductionOp::Add, "+"},    {ReductionOp::Multiply, "*"}, {ReductionOp::Min, "min"},
    {ReductionOp::Max, "max"},  {ReductionOp::BitAnd, "&"},   {ReductionOp::BitOr, "|"},
    {ReductionOp::BitXor, "^"}, {ReductionOp::And, "&&"},     {ReductionOp::Or, "||"}};
inline constexpr Word<LoopForm> formWords[] = {{LoopForm::For, "for"},
                                               {LoopForm::While, "while"},
                                               {LoopForm::Do, "do"},
                                               {LoopForm::RangeFor, "range"},
                                               {LoopForm::Algorithm, "algorithm"}};
inline constexpr Word<HostReason> reasonWords[] = {
    {HostReason::InputOutput, "io"},      {HostReason::OpaqueCall, "opaque"},
    {HostReason::Recursion, "recursion"}, {HostReason::Allocation, "allocation"},
    {HostReason::Timing, "timing"},       {HostReason::Unsupported, "unsupported"},
    {HostReason::NoReturn, "noreturn"},   {HostReason::Message, "message"},
    {HostReason::Library, "library"},     {HostReason::Threads, "threads"},
    {HostReason::Handler, "handler"}};
inline constexpr Word<MessageKind> messageWords[] = {{MessageKind::Send, "send"},
                                                     {MessageKind::Receive, "receive"},
                                                     {MessageKind::Exchange, "exchange"},
                                                     {MessageKind::Put, "put"},
                                                     {MessageKind::Get, "get"},
                                                     {MessageKind::Accumulate, "accumulate"},
                                                     {MessageKind::Broadcast, "broadcast"},
                                                     {MessageKind::Reduce, "reduce"},
                                                     {MessageKind::AllReduce, "allreduce"},
                                                     {MessageKind::Gather, "gather"},
                                                     {MessageKind::AllGather, "allgather"},
                                                     {MessageKind::Scatter, "scatter"},
                                                     {MessageKind::AllToAll, "alltoall"},
                                                     {MessageKind::Scan, "scan"},
                                                     {MessageKind::ReduceScatter, "reduce_scatter"},
                                                     {MessageKind::Wait, "wait"}};
inline constexpr Word<Parameter::Kind> parameterWords[] = {
    {Parameter::Kind::Value, "param"}, {Parameter::Kind::Array, "array"}, {Parameter::Kind::Other, "other"}};
inline constexpr Word<Linkage> linkageWords[] = {
    {Linkage::External, "external"}, {Linkage::Inline, "inline"}, {Linkage::Static, "static"}};
inline constexpr Word<Level> levelWords[] = {
    {Level::Note, "note"}, {Level::Remark, "remark"}, {Level::Warning, "warning"}, {Level::Error, "error"}};
inline constexpr Word<Operation> operationWords[] = {{Operation::Fp32Add, "fp32.add"},
                                                     {Operation::Fp32Multiply, "fp32.mul"},
                                                     {Operation::Fp32Fma, "fp32.fma"},
                                                     {Operation::Fp32Divide, "fp32.div"},
                                                     {Operation::Fp32Special, "fp32.special"},
                                                     {Operation::Fp64Add, "fp64.add"},
                                                     {Operation::Fp64Multiply, "fp64.mul"},
                                                     {Operation::Fp64Fma, "fp64.fma"},
                                                     {Operation::Fp64Divide, "fp64.div"},
                                                     {Operation::Fp64Special, "fp64.special"},
                                                     {Operation::Integer, "int"},
                                                     {Operation::Compare, "compare"},
                                                     {Operation::Conversion, "convert"}};

} // namespace busfare::skeleton

#endif
