// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix beside the survey of a program: whether each call lowers as its cell says. A cell is of
// some forms of the operator; a call of the program may be of another one, which is told apart.
#include <optional>
#include <string>
#include <vector>

#include "diagnose/diagnosis.h"
#include "support/matrix.h"

namespace fxs::support {

enum class Agreement : std::uint8_t {
  SameForm,     ///< a measured form is the call's, and has its outcome
  OtherForm,    ///< it is none of the measured forms, which all have its outcome
  Undecided,    ///< it is none of the measured forms, of which some have its outcome
  OtherResult,  ///< it is none of the measured forms, none of which has its outcome
  Differs,      ///< a measured form is the call's, and has another outcome
};
std::string_view name(Agreement);  ///< "same-form", "other-form" ..

struct Compared {
  fx::NodeId node;
  std::string target;
  bool lowers = false;  ///< by itself, in the program's survey
  Cell cell;
  Agreement agreement = Agreement::SameForm;
};

/// The calls of the surveyed program that have a cell, for each target of the diagnosis that was
/// measured, in order. Left out: what the survey does not know.
std::vector<Compared> compare(const Matrix&, const fx::Program&, const diagnose::Diagnosis&);

}  // namespace fxs::support
