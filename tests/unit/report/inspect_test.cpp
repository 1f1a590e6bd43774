// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/inspect.h"

#include <gtest/gtest.h>

#include "fx/text.h"
#include "pt2_writer.h"
#include "read/read.h"

namespace fxs::test {
namespace {

read::Capture opened(const Pt2& file) {
  auto capture = read::readCapture(memorySource(file.bytes()), "small.pt2", {}, {});
  if (!capture) throw std::runtime_error(toString(capture.error()));
  capture->fileBytes = 4096;
  return *capture;
}

/// `x` of dynamic size, added to in place.
Pt2 dynamicInPlace() {
  Pt2 file;
  file.editModel(
      R"("x": {"dtype": 7, "sizes": [{"as_int": 2})",
      R"e("x": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": "Symbol('s0')", "hint": null}})e");
  file.editModel("torch.ops.aten.add.Tensor", "torch.ops.aten.add_.Tensor")
      .editModel("torch.ops.aten.relu.default", "torch.ops.acme.relu.default");
  file.editModel(R"("range_constraints": {})",
                 R"("range_constraints": {"s0": {"min_val": 2, "max_val": null}})");
  return file;
}

TEST(Inspect, TextIsForPeople) {
  EXPECT_EQ(report::inspectText(opened(dynamicInPlace())),
            "small.pt2: PyTorch exported program (.pt2, schema 8.20)\n"
            "saved by PyTorch 2.13.0+cpu, as exported: may contain in-place operators (TRAINING)\n"
            "5 nodes in 1 graph, 1 weight; file 4.0 KiB, stored weights 12 bytes\n"
            "\n"
            "operators\n"
            "       1  acme.relu.default  custom\n"
            "       1  aten.add_.Tensor\n"
            "\n"
            "inputs\n"
            "  x  user_input  f32[s0, 3]\n"
            "\n"
            "outputs\n"
            "  relu  user_output  f32[2, 3]\n"
            "\n"
            "mutations\n"
            "  add  in_place  x\n"
            "\n"
            "symbolic dimensions\n"
            "  s0  2 .. inf\n"
            "\n"
            "weights\n"
            "  w  parameter  f32[3]  data/weights/weight_0  12 bytes\n");
}

TEST(Inspect, JsonIsForScripts) {
  const std::string expected = R"json({
  "schema": "fxscope-inspect/1",
  "input": "small.pt2",
  "format": "PyTorch exported program (.pt2, schema 8.20)",
  "torch_version": "2.13.0+cpu",
  "schema_version": "8.20",
  "dialect": "TRAINING",
  "file_bytes": 4096,
  "weight_bytes": 12,
  "models": ["model"],
  "nodes": 5,
  "graphs": [
    {
      "name": "main",
      "nodes": 5,
      "parent": null
    }
  ],
  "operators": [
    {
      "target": "acme.relu.default",
      "count": 1,
      "kind": "custom"
    },
    {
      "target": "aten.add_.Tensor",
      "count": 1,
      "kind": "known"
    }
  ],
  "inputs": [
    {
      "name": "p_w",
      "kind": "parameter",
      "target": "w",
      "type": "tensor",
      "dtype": "float32",
      "shape": [3]
    },
    {
      "name": "x",
      "kind": "user_input",
      "target": null,
      "type": "tensor",
      "dtype": "float32",
      "shape": ["s0", 3]
    }
  ],
  "outputs": [
    {
      "name": "relu",
      "kind": "user_output",
      "target": null,
      "type": "tensor",
      "dtype": "float32",
      "shape": [2, 3]
    }
  ],
  "mutations": [
    {
      "kind": "in_place",
      "target": "x",
      "node": "add"
    }
  ],
  "symbols": [
    {
      "name": "s0",
      "min": 2,
      "max": null
    }
  ],
  "guards": [],
  "weights": [
    {
      "name": "w",
      "kind": "parameter",
      "dtype": "float32",
      "shape": [3],
      "strides": [1],
      "file": "data/weights/weight_0",
      "offset": 0,
      "size": 12,
      "file_size": 12,
      "readable": true,
      "why_not": null
    }
  ],
  "locations": [],
  "notes": []
}
)json";
  EXPECT_EQ(report::inspectJson(opened(dynamicInPlace())), expected);
}

TEST(Inspect, OperatorsAreCountedByKindMostFrequentFirst) {
  auto program = fx::graphFrom(
      "x: f32[2] = placeholder\n"
      "a: f32[2] = aten.relu.default(x)\n"
      "b: f32[2] = aten.relu.default(a)\n"
      "c: f32[2] = aten.no_such_op.default(b)\n"
      "d: f32[2] = acme.op.default(c)\n"
      "return d\n");
  ASSERT_TRUE(program) << toString(program.error());
  std::string rows;
  for (const report::OperatorCount& op : report::inspect(**program).operators)
    rows += std::to_string(op.count) + " " + op.target + " " + std::string(report::name(op.kind)) +
            "\n";
  EXPECT_EQ(
      rows,
      "2 aten.relu.default known\n1 acme.op.default custom\n1 aten.no_such_op.default unknown\n");
}

}  // namespace
}  // namespace fxs::test
