// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The calls that a support matrix measures: for each operator up to three forms (other ranks or
// constants), each for some element types, with static sizes and, where the operator can be
// exported so, with dynamic ones. resources/support/make_calls.py makes them from PyTorch's OpInfo
// samples and describes the text.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fx/program.h"
#include "ops/dtype.h"

namespace fxs::support {

enum class Sizes : std::uint8_t { Static, Dynamic };
std::string_view name(Sizes);  ///< "static", "dynamic"

struct Call {
  std::vector<DType> dtypes;
  Sizes sizes = Sizes::Static;
  int form = 1;                 ///< of the operator, from 1; equal for static and dynamic sizes
  std::string_view statements;  ///< separated by tabs
};

struct Operator {
  std::string_view name;  ///< "aten.gelu.default"
  std::vector<Call> calls;
  /// The number of programs: one for each call and element type.
  std::size_t programs() const;
};

class Calls {
 public:
  /// Those of resources/support/calls.txt.
  static const Calls& builtin();
  /// `text` must outlive the result. InvalidInput with the line.
  static Result<Calls> parse(std::string_view text);

  std::span<const Operator> operators() const { return operators_; }  ///< sorted by name
  const Operator* find(std::string_view name) const;
  /// The operator of that name; else those of that packet, "aten.gelu" or "gelu"; else those whose
  /// name contains `part`. Usage, with similar names, if there is none.
  Result<std::vector<const Operator*>> matching(std::string_view part) const;
  const std::string& checksum() const { return checksum_; }  ///< SHA-256 of the text

 private:
  std::vector<Operator> operators_;
  std::string checksum_;
};

/// The program of one call. InvalidInput if its text is wrong.
Result<fx::ProgramPtr> programOf(const Call&, DType);

/// The element type by which a call of a program belongs to a cell: that of its first operand that
/// is a tensor and no condition, else of its first result. Unknown if it has neither.
DType dtypeOf(const fx::Program&, const fx::Node& call);
/// Dynamic if an operand of the call has a symbolic size.
Sizes sizesOf(const fx::Program&, const fx::Node& call);

}  // namespace fxs::support
