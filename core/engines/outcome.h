// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What became of a program with one engine and output type: how far it got, and what stopped it.
// Values; engines.h makes them.
#include <chrono>
#include <string>
#include <vector>

#include "fx/finding.h"
#include "lower/lower.h"
#include "sweep/status.h"

namespace fxs::engines {

struct StageOutcome {
  std::string id;
  lower::StageStatus status = lower::StageStatus::Skipped;
  std::chrono::duration<double> seconds{0};
};

struct Outcome {
  sweep::Status status = sweep::Status::Ok;  ///< never Unreadable
  std::string stage;                         ///< where it stopped; "" if ok
  std::string pass;                          ///< that stopped it; "" if not known
  std::string op;                            ///< the MLIR operation; "" if not known
  fx::NodeId node;                           ///< of the user's program; invalid if not known
  std::string nodeName, target;              ///< of the node
  std::string message;                       ///< one line: the first error; "" if ok
  std::vector<StageOutcome> stages;
  std::chrono::duration<double> seconds{0};  ///< of all stages
  bool lowers() const { return status == sweep::Status::Ok; }
};
/// Whether it says something about the program.
bool isKnown(const Outcome&);
/// `findings`: of all steps, errors first; `right`: whether the texts keep their contracts.
Outcome outcomeOf(const lower::Lowering&, const std::vector<fx::Finding>& findings, bool right);
/// Whether they got equally far and were stopped by the same; times and messages do not count.
bool sameOutcome(const Outcome&, const Outcome&);

}  // namespace fxs::engines
