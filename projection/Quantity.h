//===- projection/Quantity.h - A number with its kind and source ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   Quantity{76.8e9, SourceKind::Datasheet, "NVIDIA Quadro FX 5600 board specification"}
//
// One number of a machine is not worth more than where it comes from.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_QUANTITY_H
#define BUSFARE_PROJECTION_QUANTITY_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace busfare::projection {

/// Where a number comes from.
enum class SourceKind { Measured, Datasheet, Derived, Assumed };
llvm::StringRef toString(SourceKind kind);

struct Quantity {
  double value = 0;
  SourceKind kind = SourceKind::Assumed;
  std::string source; ///< Who published it, or why it is assumed.
  bool isDefault = false; ///< The file does not give it; source says why this value is taken.
  std::string searched;   ///< Of a default: where the file says that it was looked for and not found.
  operator double() const { return value; }
};

/// A number that a machine may lack; then what rests on it is not computed.
struct MaybeQuantity {
  std::optional<Quantity> known;
  std::string searched; ///< Where the file says that it was looked for and not found.
  explicit operator bool() const { return known.has_value(); }
  double operator*() const { return known->value; }
  std::optional<double> value() const { return known ? std::optional(known->value) : std::nullopt; }
};

} // namespace busfare::projection

#endif
