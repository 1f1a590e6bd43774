// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One operation of a compared program (a cut, see fx/cut.h), lowered and executed by itself on what
// its operands should be.
#include <functional>
#include <optional>
#include <string>

#include "compare/dispute.h"
#include "numbers/lowered_texts.h"
#include "numbers/text_runner.h"

namespace fxs::numbers {

/// The cut's inputs by the names of their values in the compared program; nullopt if one is not
/// known.
using ValueByName = std::function<std::optional<tensor::Tensor>(const std::string& name)>;
std::optional<compare::Inputs> operandsOf(const fx::Program& cut, const compare::Sizes&,
                                          const ValueByName&);

struct OperationAlone {
  /// The first result, as the executor that comes closest computed it; nullopt if none ran.
  std::optional<tensor::Difference> difference;
  std::size_t executors = 0;  ///< that ran it
  std::string message;        ///< one line if none did
  compare::WrongBy isWrongBy;
  /// Whether it is wrong: at least two executors say so, and none disagrees.
  bool isWrong() const;
};
/// Whether it is more than suspicious.
bool isWrong(const tensor::Difference&);

/// By an executor that has them, a text is run with run-time checks and without optimization too.
enum class Checks : std::uint8_t { No, Too };

/// What a text of the cut computes, by each executor. `judge`: of the first result.
Result<OperationAlone> runTextAlone(
    const std::string& text, const compare::Inputs& operands,
    const std::function<tensor::Difference(const tensor::Tensor&)>& judge, Checks, TextRunner&,
    const RunContext&);
/// The same of the text that the engine lowers the cut to.
Result<OperationAlone> runAlone(
    const session::Snapshot&, const fx::Program& cut, const lower::OutputType&,
    const compare::Inputs& operands,
    const std::function<tensor::Difference(const tensor::Tensor&)>& judge, TextRunner&,
    const session::Environment&, const RunContext&);

}  // namespace fxs::numbers
