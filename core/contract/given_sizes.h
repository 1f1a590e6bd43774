// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Symbolic sizes that are numbers, because the program gives a view that shape: s0*s1 of
// aten.view(x, [8]) is 8, or the program does not run.
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "fx/program.h"

namespace fxs::contract {

class GivenSizes {
 public:
  explicit GivenSizes(const fx::Program& user);
  /// The number that a symbolic size is; std::nullopt if it may be several.
  std::optional<std::int64_t> of(const fx::SymInt&) const;

 private:
  std::map<std::string, std::int64_t> sizes_;  // by SymInt::text()
};

}  // namespace fxs::contract
