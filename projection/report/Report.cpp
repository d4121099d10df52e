//===- projection/report/Report.cpp - The words of a report ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Report.h"
#include "llvm/Support/ErrorHandling.h"

namespace busfare::projection {

std::string spoken(const HostStatementReport &statement) {
  return skeleton::toString(statement.location) + ": " + statement.what;
}

llvm::StringRef toString(ParameterSource source) {
  switch (source) {
  case ParameterSource::CommandLine: return "command line";
  case ParameterSource::Constant: return "constant";
  case ParameterSource::Declared: return "declared";
  case ParameterSource::Caller: return "caller";
  case ParameterSource::Profile: return "profile";
  case ParameterSource::Hint: return "hint";
  case ParameterSource::Assumed: return "assumed";
  }
  llvm_unreachable("every source has a name");
}

llvm::StringRef toString(Verdict verdict) {
  switch (verdict) {
  case Verdict::Port: return "port";
  case Verdict::Keep: return "keep";
  case Verdict::Measure: return "measure";
  }
  llvm_unreachable("every verdict has a name");
}

} // namespace busfare::projection
