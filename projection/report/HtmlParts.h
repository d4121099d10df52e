//===- projection/report/HtmlParts.h - The data inside the page -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each writes one JSON value (Html.h says which).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_HTMLPARTS_H
#define BUSFARE_PROJECTION_REPORT_HTMLPARTS_H

#include "projection/report/Html.h"

namespace busfare::projection {

void writeSaid(const Report &report, const HtmlContext &context, llvm::raw_ostream &os);
void writePrices(const Report &report, llvm::raw_ostream &os);

/// Without the blanks of its layout.
std::string compactJson(llvm::StringRef json);
/// JSON that can stand in an element: `<`, `>` and `&` only occur in strings, and are written \u003c there.
std::string insideElement(llvm::StringRef json);

} // namespace busfare::projection

#endif
