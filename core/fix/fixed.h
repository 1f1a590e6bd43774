// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What became of a program that was fixed: the changes that were made, what was verified of each,
// and what it lowers to. Values only; fix.h creates them, reports show them.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/joined.h"
#include "diagnose/diagnosis.h"

namespace fxs::fix {

/// A symbolic size of the user's program, and the dimensions of inputs that have it.
struct InputSize {
  std::string symbol;                 ///< "s53"
  std::optional<std::int64_t> fixed;  ///< the number that it became; std::nullopt: it is kept
  std::optional<std::int64_t> most;   ///< of one that is kept, if the change limits it
  struct Dimension {
    std::string input;
    std::size_t dim = 0;
  };
  std::vector<Dimension> dimensions;
};

struct FixedChange {
  lower::OutputType target;  ///< the output type that requires it
  std::string fxTarget;      ///< target of the user's nodes
  std::vector<fx::NodeId> nodes;
  std::string change;  ///< an imperative line: "decompose aten.gelu.default"
  std::string cost;    ///< as diagnose::Experiment::cost
  std::string reason;  ///< one line: why the operation does not lower without
  diagnose::Verified verified = diagnose::Verified::ByItself;
  bool staticSizes = false;  ///< it is the export with static sizes
  bool runDecompositions = false;
  std::vector<InputSize> sizes = {};  ///< of one that fixes or keeps symbolic sizes
  std::string python = {};            ///< as diagnose::Experiment::python
};

/// What is computed with the fixed program, beside what is computed with the user's, by PyTorch or
/// by executors.
struct FixedValues {
  struct Difference {
    std::string result;  ///< node of the user's program; "" for all of them
    std::string set;     ///< of inputs: "edges"
    std::string message;
    bool isWrong = true;  ///< false: only NaN and infinities are others
  };
  std::string by;  ///< "Python 3.11.2 with PyTorch 2.13.0", "LLVM 22 at tosa"; "" if nothing was
  std::vector<std::string> sets;  ///< of inputs for which results were compared
  std::size_t results = 0;        ///< that were compared, of all sets
  std::vector<Difference> differences;
  std::string reason;  ///< why nothing was compared; "" if something was, and if it was not to be
  bool isWrong() const {
    return std::any_of(differences.begin(), differences.end(),
                       [](const Difference& d) { return d.isWrong; });
  }
};

struct FixedTarget {
  lower::OutputType target;
  bool lowers = false;  ///< the fixed program
  std::string message;  ///< one line if it does not
  /// False if it lowers here and nothing says what PyTorch or torch-mlir make of the file, for the
  /// reason in `message`; `lowers` is false then.
  bool isKnown = true;
  bool byPython = true;  ///< the user's program lowers to it with the Python, too; of a type to
                         ///< which the fixed one lowers
  std::vector<std::string> warnings =
      {};  ///< of the text that torch-mlir makes of it, if it lowers
  /// "lowers", "lowers, but ..", "does not lower: ..", "is not known to lower: .."
  std::string text() const {
    if (lowers) return warnings.empty() ? "lowers" : "lowers, but " + joined(warnings, "; ");
    return (isKnown ? "does not lower: " : "is not known to lower: ") + message;
  }
};

}  // namespace fxs::fix
