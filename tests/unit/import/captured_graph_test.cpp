// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs that were never exported: tensors read from attributes, and calls that are Python and no
// operators.
#include "imported_text.h"

namespace fxs::import::test {
namespace {

/// Every finding as "node: kind: message".
std::string findings(const Imported& imported) {
  std::string out;
  for (const fx::Finding& f : imported.findings)
    out += f.nodeName + ": " + f.kind + ": " + f.message + "\n";
  return out;
}

TEST(CapturedGraph, AnAttributeIsALiteral) {
  auto parsed = fx::graphFrom(
      "x: f32[2] = placeholder\nw: f32[2] = get_attr\ny: f32[2] = aten.mul.Tensor(x, w)\nreturn y");
  ASSERT_TRUE(parsed) << toString(parsed.error());
  fx::Program program = **parsed;
  EXPECT_EQ(findings(**importProgram(program, {}, {})),
            "w: not-imported: attribute 'w' is not a subgraph and has no value in the program\n");

  fx::Weight weight;
  weight.fqn = "w";
  weight.dtype = DType::Float32;
  weight.sizes = {2};
  weight.strides = {1};
  program.weights.push_back(weight);
  const auto imported = *importProgram(program, {}, {});
  EXPECT_EQ(findings(*imported), "");
  EXPECT_NE(imported->text.find(
                R"("torch.vtensor.literal"() <{value = dense_resource<"w"> : tensor<2xf32>}>)"),
            std::string::npos)
      << imported->text;
  verifyWithEngine(imported->text);
}

TEST(CapturedGraph, ATensorThatIsNotStridedIsNoDenseOne) {
  for (const std::string layout : {"sparse_coo", "sparse_csr", "_mkldnn"}) {
    const Imported imported = importText(
        "x: f32[2, 2] = placeholder\ns: f32[2, 2] layout=" + layout +
        " = aten.to_sparse.default(x)\ny: f32[2, 2] = aten.to_dense.default(s)\nreturn y\n");
    EXPECT_EQ(findings(imported).substr(0, findings(imported).find('\n')),
              "s: not-imported: 's' has the layout " + layout +
                  ", and fxscope imports strided tensors only; what torch-mlir does with it is not "
                  "known here");
  }
}

TEST(CapturedGraph, CallsOfPythonAreRefusedAtTheirNodes) {
  const Imported imported = importText(
      "graph():\n"
      "    %x : f32[2] [num_users=1] = placeholder[target=x]\n"
      "    %m : f32[2] [num_users=1] = call_method[target=sin](args = (%x,), kwargs = {})\n"
      "    %l : [num_users=1] = call_module[target=layers.0](args = (%m,), kwargs = {})\n"
      "    %f : f32[2] [num_users=1] = call_function[target=torch.relu](args = (%l,), kwargs = "
      "{})\n"
      "    %y : f32[2] [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = "
      "(%f,), kwargs = {})\n"
      "    return (y,)\n");
  EXPECT_EQ(findings(imported),
            "m: not-imported: 'm' calls the method sin of a Python object, which is not an "
            "operator; export the model with torch.export, "
            "or capture its ATen graph\nl: not-imported: 'l' calls the module layers.0, whose code "
            "is not in the program; export the model "
            "with torch.export, or capture its ATen graph\nf: not-imported: 'f' calls the Python "
            "function torch.relu, which is not an "
            "operator; export the model with torch.export, or capture its ATen graph\n");
  verifyWithEngine(imported.text);
}

TEST(CapturedGraph, AnInputWithoutAValueIsRefused) {
  const Imported imported =
      importText("x = placeholder\ny: f32[2] = aten.exp.default(x)\nreturn y");
  EXPECT_EQ(findings(imported),
            "x: not-imported: input 'x' has no value in the file, so its type is unknown; capture "
            "the graph with example inputs\n");
  verifyWithEngine(imported.text);
}

}  // namespace
}  // namespace fxs::import::test
