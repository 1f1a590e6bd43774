// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Names that a test defines for parts of its RUN lines: `DEFINE: %{opt} = mlir-opt %s`.
#include <map>
#include <string>
#include <string_view>

#include "lit/directives.h"

namespace fxs::lit {

class Definitions {
 public:
  /// Of a DEFINE or REDEFINE line. Returns what is wrong with it, or "".
  std::string take(const Directive&);

  struct Expanded {
    std::string text;
    std::string message;  ///< why it is not complete: it would become too long; "" if it is
  };
  /// With every `%{name}` that is defined replaced, also in what replaces it. Others stay.
  Expanded expand(std::string_view text) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace fxs::lit
