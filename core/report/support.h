// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli support`: a summary of a matrix, or the cells of some operators; text
// and JSON (resources/schemas/support.schema.json).
#include <memory>
#include <string>
#include <vector>

#include "support/agreement.h"

namespace fxs::report {

/// A surveyed program beside the matrix.
struct SupportOfProgram {
  std::string input;  ///< path, as given by the user
  const fx::Program& program;
  std::vector<support::Compared> calls;
  std::size_t surveyed = 0;  ///< calls of the program
};

struct SupportReport {
  const support::Matrix& matrix;
  std::vector<std::shared_ptr<const support::Matrix>>
      others;  ///< of every engine that was measured, the oldest first
  std::vector<const support::Operator*> operators;  ///< to show; empty: the summary
  const SupportOfProgram* program = nullptr;        ///< to compare with the matrix
};

std::string supportText(const SupportReport&);
std::string supportJson(const SupportReport&);
std::string supportSchema();

}  // namespace fxs::report
