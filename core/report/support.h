#pragma once
// The output of `fxscope-cli support`: a summary of a matrix, or the cells of some operators; text and JSON
// (resources/schemas/support.schema.json).
#include <memory>
#include <string>
#include <vector>

#include "support/matrix.h"

namespace fxs::report {

struct SupportReport {
  const support::Matrix& matrix;
  std::vector<std::shared_ptr<const support::Matrix>> others;  ///< of every engine that was measured, the oldest first
  std::vector<const support::Operator*> operators;             ///< to show; empty: the summary
};

std::string supportText(const SupportReport&);
std::string supportJson(const SupportReport&);

}  // namespace fxs::report
