// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Diagnoses made by hand: two operations that stop TOSA, one of them other targets too, with
// experiments of every kind.
#include "diagnose/diagnosis.h"
#include "output_type.h"

namespace fxs::ui {

inline diagnose::Experiment experiment(std::string id, std::string change,
                                       diagnose::Outcome outcome,
                                       diagnose::Proof proof = diagnose::Proof::NotTried) {
  diagnose::Experiment made;
  made.id = std::move(id);
  made.change = std::move(change);
  made.outcome = outcome;
  made.proof = proof;
  if (outcome == diagnose::Outcome::Failed)
    made.message = "error: failed to legalize operation\nnote: see current operation";
  if (outcome == diagnose::Outcome::NotRun) made.message = "the time for experiments ran out";
  return made;
}

inline diagnose::Blocked blockedAt(const lower::OutputType& target, diagnose::Kind kind,
                                   std::string fxTarget, std::vector<std::size_t> nodes) {
  diagnose::Blocked made;
  made.target = target;
  made.kind = kind;
  made.fxTarget = std::move(fxTarget);
  made.op = "torch." + made.fxTarget.substr(0, made.fxTarget.rfind('.'));
  made.types = "(f32[2, 2]) -> f32[2, 2]";
  made.stage = "tosa";
  made.pass = "convert-torch-to-tosa";
  made.message = made.fxTarget + ": no pattern takes it";
  for (const std::size_t node : nodes) made.nodes.push_back(fx::NodeId::of(node));
  made.agreement = diagnose::Agreement::Confirmed;
  return made;
}

/// Of a program whose nodes 1 and 3 are aten.erf, 2 aten.sort: 1, 2 and 3 stop TOSA, 2 also
/// StableHLO.
inline std::shared_ptr<diagnose::Diagnosis> madeDiagnosis() {
  auto made = std::make_shared<diagnose::Diagnosis>();
  made->targets.resize(2);
  made->targets[0].target = test::outputType("tosa");
  made->targets[0].stoppedAt = "tosa";
  made->targets[0].restLowers = true;
  made->targets[1].target = test::outputType("stablehlo");
  made->targets[1].stoppedAt = "stablehlo";
  diagnose::Blocked erf =
      blockedAt(test::outputType("tosa"), diagnose::Kind::NoPattern, "aten.erf.default", {1, 3});
  erf.experiments = {
      experiment("decompose", "decompose aten.erf.default", diagnose::Outcome::Passed,
                 diagnose::Proof::Proved),
      experiment("target:x", "lower to x", diagnose::Outcome::Passed, diagnose::Proof::Disproved),
      experiment("static-sizes", "use static sizes", diagnose::Outcome::Failed),
      experiment("cast-f16", "compute in f16", diagnose::Outcome::NotRun)};
  erf.experiments[0].cost = "computes in f32";
  erf.experiments[0].snippet = "table = {}\nprint(table)";
  erf.experiments[0].language = "python";
  diagnose::Blocked sort =
      blockedAt(test::outputType("tosa"), diagnose::Kind::PatternRefused, "aten.sort.default", {2});
  sort.tried = std::vector<std::string>{"ConvertAtenSortOp"};
  sort.engineMessage = "error: unsupported";
  diagnose::Blocked sortToo =
      blockedAt(test::outputType("stablehlo"), diagnose::Kind::Crash, "aten.sort.default", {2});
  made->blocked = {erf, sort, sortToo};
  made->support = {{"aten.add.Tensor", {{1, 0, true}, {1, 0, false}}},
                   {"aten.erf.default", {{2, 2, true}, {2, 0, true}}},
                   {"aten.sort.default", {{1, 1, true}, {1, 1, true}}}};
  made->python = "not looked for";
  made->distinct = 3;
  return made;
}

}  // namespace fxs::ui
