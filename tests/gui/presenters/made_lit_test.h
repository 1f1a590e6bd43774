// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A lit test whose programs are not run: what they would write is made up.
#include "features/lit/lit_presenter.h"
#include "lit/outcome.h"

namespace fxs::ui {

inline constexpr const char* kLitText =
    "// RUN: mlir-opt %s -cse | FileCheck %s\n"
    "// RUN: other-opt %s | FileCheck %s\n"
    "// RUN: mlir-opt %s -verify-diagnostics\n"
    "// CHECK-LABEL: @f\n"
    "// CHECK: arith.muli\n"
    "// CHECK-NOT: arith.subi\n"
    "func.func @f() {\n"
    "  // expected-error @+1 {{nothing}}\n"
    "  return\n"
    "}\n";

inline LoadedTestPtr madeLitTest(const QString& file, const std::string& text) {
  auto out = std::make_shared<LoadedTest>();
  out->file = file;
  out->text = text;
  out->test = lit::parseTest(text);
  lit::Settings settings;
  settings.programs = {{"mlir-opt", "/b/mlir-opt-22"}, {"FileCheck", "/b/FileCheck-22"}};
  settings.file = "/t/x.mlir";
  out->plan = lit::plan(out->test, settings);
  return out;
}

/// What mlir-opt and FileCheck print for kLitText.
inline lit::TestRun madeLitRun(const lit::Plan& plan) {
  lit::TestRun out;
  for (const lit::Stage& stage : plan.stages) {
    lit::StageRun& run = out.stages.emplace_back();
    run.ran = true;
    run.argv = stage.argv;
    run.isAsExpected = stage.run == 0 && stage.kind == lit::ProgramKind::Opt;
    run.status = run.isAsExpected ? 0 : 1;
    if (!run.isAsExpected) run.message = "ended with exit code 1, expected 0";
    if (stage.kind == lit::ProgramKind::Opt)
      run.out = "module {\n  func.func @f() {\n    arith.mului\n    return\n  }\n}\n";
    if (stage.kind == lit::ProgramKind::FileCheck)
      run.err =
          "x.mlir:4:17: remark: CHECK-LABEL: expected string found in input\n"
          "// CHECK-LABEL: @f\n"
          "                ^\n"
          "<stdin>:2:12: note: found here\n"
          " func.func @f() {\n"
          "           ^~\n"
          "x.mlir:5:11: error: CHECK: expected string not found in input\n"
          "// CHECK: arith.muli\n"
          "          ^\n"
          "<stdin>:2:14: note: scanning from here\n"
          " func.func @f() {\n"
          "             ^\n"
          "<stdin>:3:2: note: possible intended match here\n"
          " arith.mului\n"
          " ^\n";
    if (stage.run == 2) {
      run.out.clear();
      run.err =
          "x.mlir:8:6: error: expected error \"nothing\" was not produced\n"
          "  // expected-error @+1 {{nothing}}\n"
          "     ^~~~~~~\n";
    }
  }
  return out;
}

}  // namespace fxs::ui
