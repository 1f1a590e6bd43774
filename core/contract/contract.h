// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a lowered text must satisfy. The RAW module says what the program promises: the function's
// arguments and results, and the sizes of every node's value. Each later text must keep that, and
// hold only what its output type allows (lower::Contract). Reads texts only; it computes no values,
// so a text that keeps its contract may still compute wrong numbers.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/promise.h"
#include "fx/finding.h"
#include "lower/output_types.h"
#include "trace/provenance.h"

namespace fxs::contract {

/// The kind of the findings of this component.
inline constexpr std::string_view kKind = "contract";

enum class Rule : std::uint8_t {
  Operations,  ///< the first stage, which only prints what the importer wrote, has another number
               ///< of them
  Function,    ///< the function is gone
  Count,       ///< another number of arguments or results
  Type,        ///< an argument or result of another element type, rank or size
  Narrowed,    ///< a value whose size is symbolic in the program got a number
  Uninitialized,  ///< an operation reads elements that were never written
  Left,           ///< an operation or type of a dialect that may not be left
};
struct Breach {
  Rule rule = Rule::Function;
  bool result = false;       ///< Count, Type: of the results, not the arguments
  std::size_t position = 0;  ///< Type: which argument or result; Narrowed: the dimension
  std::string dialect;       ///< Left
  fx::Finding finding;       ///< an Error, or a Warning for a dialect that may be left
};

/// Whether two breaches, of texts of one program, are the same one.
bool isSame(const Breach&, const Breach&);

/// A module to check, and the nodes of its operations.
struct Text {
  const mlir::Module& module;
  std::function<std::vector<fx::NodeId>(mlir::OpId)> nodesOf;
};
Text textOf(const mlir::Document&);

/// Breaches in the text of an output type, at most one for each rule, place and node, in the order
/// of Rule. `user`: names the nodes and symbols.
std::vector<Breach> check(const lower::OutputTypeSpec&, const Promise&, const Text&,
                          const fx::Program& user);
/// The findings of check() for a lowered text and the RAW module that it was lowered from.
std::vector<fx::Finding> findingsIn(const lower::OutputTypeSpec&, const std::string& raw,
                                    const std::string& lowered, const fx::Program& user);
/// Those that are Errors.
std::vector<fx::Finding> errorsIn(const lower::OutputTypeSpec&, const std::string& raw,
                                  const std::string& lowered, const fx::Program& user);
/// Whether none of the findings is an Error of this component.
bool isKept(const std::vector<fx::Finding>&);

/// check() for a snapshot of a trace; empty if it cannot be read.
std::vector<Breach> checkSnapshot(const lower::OutputTypeSpec&, const Promise&, const trace::Trace&,
                                  std::size_t snapshot, const fx::Program& user);

/// Where a breach shows first in a stage.
struct Origin {
  std::string pass;
  Breach breach;  ///< as it shows after that pass; later passes move a cast to the operands of its
                  ///< node
};
/// By the snapshots of a trace of the same lowering. std::nullopt if none has the breach, such as
/// an operation that no pass converts, or a snapshot cannot be read.
std::optional<Origin> passOf(const Breach&, const lower::OutputTypeSpec&, const Promise&,
                             const fx::Program& user, const trace::Trace&);

}  // namespace fxs::contract
