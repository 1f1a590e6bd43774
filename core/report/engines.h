// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli compare` with several engines and of `engine bisect`: text, and JSON
// (resources/schemas/engine_compare.schema.json and engine_bisect.schema.json).
#include <optional>
#include <string>
#include <vector>

#include "engines/side_by_side.h"
#include "report/source_location.h"

namespace fxs::report {

struct EnginesReport {
  std::string input;  ///< path of the input, as given by the user
  const engines::SideBySide& sides;
  const fx::Program& program;  ///< the user's
  Paths paths = {};
};
std::string enginesText(const EnginesReport&);
std::string enginesJson(const EnginesReport&);
std::string enginesSchema();

struct BisectReport {
  std::string input;
  std::string type;
  const std::vector<lower::Engine>& engines;
  const std::vector<std::optional<std::size_t>>& sameAs;
  const std::vector<std::optional<engines::Outcome>>& outcomes;  ///< std::nullopt: not run
  const std::vector<std::size_t>& ran;                           ///< in the order of the runs
  std::optional<std::size_t> first;
  Paths paths = {};
};
std::string bisectText(const BisectReport&);
std::string bisectJson(const BisectReport&);
std::string bisectSchema();

}  // namespace fxs::report
