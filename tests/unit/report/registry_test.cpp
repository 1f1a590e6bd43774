// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/registry.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "fx/text.h"

namespace fxs::report {
namespace {

constexpr std::string_view kProgram =
    "x: f32[2, 3] = placeholder\ny: f32[2, 3] = aten.relu.default(x)\nz: f32[2, 3] = "
    "aten.erf.default(y)\n"
    "w: f32[2, 3] = acme.blockwise_quantized_product.default(x=z)\nreturn w";

struct Answer {
  fx::ProgramPtr program;
  std::shared_ptr<const registry::DirectLowering> lowering;
  std::vector<std::string> decomposed{"aten.linear.default"};
  std::vector<fx::Finding> findings;
  std::optional<lower::StageResult> verified;
  std::string notVerified = "the module is incomplete";
  RegistryReport report() const {
    return {"a.pt2",  *lowering, *program,    *program, decomposed,
            findings, verified,  notVerified, "a.mlir", true};
  }
};

Answer answerOf(std::string_view text) {
  Answer out;
  out.program = *fx::graphFrom(text);
  out.lowering = *registry::lowerByRegistries(*out.program, {}, RunContext{});
  out.findings = out.lowering->findings;
  return out;
}

TEST(RegistryReport, TextSaysWhoLoweredWhatAndWhatIsLeft) {
  EXPECT_EQ(registryText(answerOf(kProgram).report()),
            "a.pt2 -> a.mlir: 2 of 3 nodes lowered by tosa, then linalg, then math, then func\n"
            "decomposed first: aten.linear.default\n"
            "\n"
            "registry  nodes  operations\n"
            "tosa          1           2\n"
            "linalg        0           0\n"
            "math          1           1\n"
            "func          0           0\n"
            "\n"
            "class   nodes  lowered by\n"
            "ErfOp       1  math\n"
            "ReluOp      1  tosa\n"
            "\n"
            "0 x: structural\n"
            "1 y: lowered by tosa (ReluOp, 2 operations)\n"
            "2 z: lowered by math (ErfOp, 1 operation)\n"
            "3 w: unmapped\n"
            "4 output: structural\n"
            "\n"
            "error at registry: 'acme.blockwise_quantized_product.default' belongs to no op class; "
            "add a handler in a user "
            "registry (--stub writes a beginning)\n"
            "    w\n"
            "\n"
            "not verified: the module is incomplete\n");
}

TEST(RegistryReport, JsonHasOneEntryForEachNode) {
  EXPECT_EQ(
      registryJson(
          answerOf("x: f32[2] = placeholder\ny: f32[2] = aten.erf.default(x)\nreturn y").report()),
      R"({
  "schema": "fxscope-registry/1",
  "input": "a.pt2",
  "file": "a.mlir",
  "chain": ["tosa", "linalg", "math", "func"],
  "complete": true,
  "decomposed": ["aten.linear.default"],
  "packing": [],
  "verified": null,
  "not_verified": "the module is incomplete",
  "registries": [
    {
      "name": "tosa",
      "nodes": 0,
      "ops": 0
    },
    {
      "name": "linalg",
      "nodes": 0,
      "ops": 0
    },
    {
      "name": "math",
      "nodes": 1,
      "ops": 1
    },
    {
      "name": "func",
      "nodes": 0,
      "ops": 0
    }
  ],
  "classes": [
    {
      "name": "ErfOp",
      "nodes": 1,
      "registries": ["math"]
    }
  ],
  "nodes": [
    {
      "index": 0,
      "name": "x",
      "target": "x",
      "origin": "x",
      "class": null,
      "status": "structural",
      "registry": null,
      "refusals": [],
      "did_you_mean": [],
      "ops": 0
    },
    {
      "index": 1,
      "name": "y",
      "target": "aten.erf.default",
      "origin": "y",
      "class": "ErfOp",
      "status": "lowered",
      "registry": "math",
      "refusals": [],
      "did_you_mean": [],
      "ops": 1
    },
    {
      "index": 2,
      "name": "output",
      "target": "output",
      "origin": "output",
      "class": null,
      "status": "structural",
      "registry": null,
      "refusals": [],
      "did_you_mean": [],
      "ops": 0
    }
  ],
  "groups": [],
  "graph_driver": [],
  "findings": []
}
)");
}

TEST(RegistryReport, ARefusedTextIsSaid) {
  Answer answer = answerOf("x: f32[2] = placeholder\ny: f32[2] = aten.erf.default(x)\nreturn y");
  answer.verified.emplace();
  answer.verified->status = lower::StageStatus::Failed;
  EXPECT_TRUE(registryText(answer.report()).ends_with("\nthe engine rejects the module: failed\n"));
}

}  // namespace
}  // namespace fxs::report
