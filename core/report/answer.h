// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What became of a program for one output type, in a sentence. It has the phrases and counts of the
// reports (diagnose_words.h, finding.h), so that a window says what they say.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/diagnosis.h"
#include "fx/finding.h"
#include "lower/lower.h"

namespace fxs::report {

struct Answer {
  enum class Standing : std::uint8_t { NotKnown, Lowers, Warned, Stops };
  Standing standing = Standing::NotKnown;
  /// "tosa: 1 operation blocks it, at 2 nodes. Fix verified: the whole program lowers."
  std::string message;
  std::string sentence;  ///< the message without the output type
  /// Its first clause, without the output type: "1 operation blocks it, at 2 nodes".
  std::string brief;
};

/// Of a lowering that was not diagnosed. `findings`: of all steps. `computed`: what it computes;
/// null if that was not compared.
Answer answerOf(const lower::Lowering&, const std::vector<fx::Finding>& findings,
                const diagnose::Computed* computed = nullptr);
/// Of an output type of a diagnosis.
Answer answerOf(const diagnose::Diagnosis&, const diagnose::TargetDiagnosis&);
/// Of an output type that a diagnosis covers, or to which it lowered the whole program as an
/// experiment; else std::nullopt.
std::optional<Answer> answerIn(const diagnose::Diagnosis&, const lower::OutputType&);

}  // namespace fxs::report
