// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/patterns.h"

#include <gtest/gtest.h>

#include "fx/text.h"
#include "output_type.h"

namespace fxs::report {
namespace {

using lower::Effect;

/// JSON on one line, as it is compared: line breaks and indents gone.
std::string oneLine(const std::string& json) {
  std::string out;
  bool quoted = false;
  for (const char c : json) {
    quoted ^= c == '"';
    if (quoted || (c != ' ' && c != '\n')) out += c;
  }
  return out;
}

TEST(PatternsReport, ShowsEachPassThatTouchedTheNode) {
  const auto program =
      fx::graphFrom("x: f32[2] = placeholder\nt: f32[2] = aten.tanh.default(x)\nreturn t");
  ASSERT_TRUE(program.has_value());
  lower::PatternTrace trace;
  trace.node = fx::NodeId{1};
  trace.target = test::outputType("tosa");
  trace.steppable = true;
  lower::PatternPass decompose, idle, convert;
  decompose.stage = idle.stage = "torch";
  convert.stage = "tosa";
  decompose.pass = "torch-decompose-complex-ops";
  idle.pass = "canonicalize";
  convert.pass = "convert-torch-to-tosa";
  convert.conversion = convert.known = true;
  convert.before = {{"torch.aten.tanh", 1}};
  convert.after = {{"tosa.tanh", 1}, {"tosa.const", 2}};
  trace.passes = {decompose, idle, convert};
  lower::PatternAttempt a;
  a.pass = 0;
  a.ordinal = 1;
  a.pattern = "mlir::{anonymous}::DecomposeTanh";
  a.shortName = "DecomposeTanh";
  a.opName = "torch.aten.tanh";
  a.effect = Effect::Refused;
  a.message = "no pattern applies in the last iteration";
  trace.attempts = {a, a};
  a.pass = 2;
  a.pattern = "";
  a.shortName = "(unnamed)";
  a.effect = Effect::TookEffect;
  a.became = {"tosa.const", "tosa.const", "tosa.tanh"};
  trace.attempts.push_back(a);
  const lower::Engine engine{"/e", "LLVM 1", "", {}};
  const PatternsReport report{"m.pt2", **program, trace,
                              engine,  true,      "the node was cut out of the program"};
  EXPECT_EQ(patternsText(report),
            "t (aten.tanh.default) of m.pt2, to tosa, engine LLVM 1\n"
            "3 attempts, 1 took effect, 2 refused\n"
            "the node was cut out of the program\n"
            "\n"
            "torch  torch-decompose-complex-ops\n"
            "  refused      DecomposeTanh x2: torch.aten.tanh\n"
            "\n"
            "tosa  convert-torch-to-tosa\n"
            "  took effect  (unnamed): torch.aten.tanh -> tosa.const x2, tosa.tanh\n"
            "  in all       torch.aten.tanh -> tosa.const x2, tosa.tanh\n");
  EXPECT_EQ(
      oneLine(patternsJson(report)),
      R"({"schema":"fxscope-patterns/1","input":"m.pt2","target":"tosa","engine":{"path":"e","version":"LLVM 1"},)"
      R"("node":{"index":1,"name":"t","target":"aten.tanh.default"},"cut":true,"message":"the node was cut out of the program",)"
      R"("steppable":true,"cut_off":false,"passes":[)"
      R"({"stage":"torch","pass":"torch-decompose-complex-ops","options":null,"conversion":false,"failed":false,"before":null,"after":null},)"
      R"({"stage":"torch","pass":"canonicalize","options":null,"conversion":false,"failed":false,"before":null,"after":null},)"
      R"({"stage":"tosa","pass":"convert-torch-to-tosa","options":null,"conversion":true,"failed":false,)"
      R"("before":{"torch.aten.tanh":1},"after":{"tosa.const":2,"tosa.tanh":1}}],"attempts":[)"
      R"({"pass":0,"ordinal":1,"pattern":"mlir::{anonymous}::DecomposeTanh","name":"DecomposeTanh","op":"torch.aten.tanh",)"
      R"("effect":"refused","evidence":"no pattern applies in the last iteration","became":[]},)"
      R"({"pass":0,"ordinal":1,"pattern":"mlir::{anonymous}::DecomposeTanh","name":"DecomposeTanh","op":"torch.aten.tanh",)"
      R"("effect":"refused","evidence":"no pattern applies in the last iteration","became":[]},)"
      R"j({"pass":2,"ordinal":1,"pattern":null,"name":"(unnamed)","op":"torch.aten.tanh",)j"
      R"("effect":"took effect","evidence":"no pattern applies in the last iteration","became":["tosa.const","tosa.const","tosa.tanh"]}],)"
      R"("stops":[],"stopped_elsewhere":null})");
}

}  // namespace
}  // namespace fxs::report
