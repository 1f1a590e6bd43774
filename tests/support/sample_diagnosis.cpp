// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_diagnosis.h"

#include "fx/builder.h"
#include "output_type.h"

namespace fxs::test {
namespace {

using namespace fxs::diagnose;

fx::Value tensor(DType dtype, std::vector<std::int64_t> sizes) {
  fx::TensorMeta meta;
  meta.dtype = dtype;
  std::int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0; stride *= sizes[i])
    meta.strides.insert(meta.strides.begin(), stride);
  for (const std::int64_t size : sizes) meta.sizes.emplace_back(size);
  return meta;
}

Experiment experiment(std::string id, std::string change, Outcome outcome,
                      Proof proof = Proof::NotTried) {
  Experiment out;
  out.id = std::move(id);
  out.change = std::move(change);
  out.outcome = outcome;
  out.proof = proof;
  return out;
}

Blocked diffEntry() {
  Blocked entry;
  entry.target = test::outputType("tosa");
  entry.kind = Kind::NotRegistered;
  entry.fxTarget = "aten.diff.default";
  entry.op = "torch.operator";
  entry.types = "(f32[2, 4]) -> f32[2, 3]";
  entry.stage = "torch";
  entry.pass = "torch-lower-to-backend-contract";
  entry.message = "aten.diff.default has no lowering in this engine; decompose it";
  entry.engineMessage =
      "error: unsupported by backend contract: Unimplemented operator 'torch.aten.diff'\nnote: see "
      "current operation";
  entry.nodes = {fx::NodeId{1}, fx::NodeId{2}};
  entry.agreement = Agreement::Confirmed;
  Experiment proved =
      experiment("decompose", "decompose aten.diff.default", Outcome::Passed, Proof::Proved);
  proved.snippet = "fxscope-cli lower 'm.pt2' --to tosa --decompose aten.diff.default\n";
  proved.language = "sh";
  proved.proofMessage = "the whole program with it was lowered to tosa";
  Experiment passed = experiment("cast-f32", "compute it in f32", Outcome::Passed);
  passed.cost = "computes in f32";
  Experiment disproved =
      experiment("target:torch", "stop at torch", Outcome::Passed, Proof::Disproved);
  disproved.proofMessage = "the whole program still stops at it";
  Experiment failed = experiment("static-sizes", "export it with static sizes", Outcome::Failed);
  failed.message = "error: Unimplemented operator 'torch.aten.diff'";
  Experiment notRun = experiment("python", "decompose it by PyTorch's tables", Outcome::NotRun);
  notRun.message = "no Python with PyTorch was found";
  entry.experiments = {proved, passed, disproved, failed, notRun};
  return entry;
}

Blocked hostileEntry() {
  Blocked entry;
  entry.target = test::outputType("tosa");
  entry.kind = Kind::PatternRefused;
  entry.fxTarget = "my</script>lib.op|`x`.default";
  entry.op = "torch.aten.scaled_dot_product_attention";
  entry.types = "(f32[2, 3]) -> f32[2, 3]";
  entry.stage = "tosa";
  entry.message = "ConvertAtenScaledDotProductAttentionOp refused it";
  entry.engineMessage = "error: failed to legalize <b>\n```\n| \"quoted\" & 'odd'";
  entry.tried = {"ConvertAtenScaledDotProductAttentionOp", "DecomposeX"};
  entry.nodes = {fx::NodeId{4}};
  entry.agreement = Agreement::AloneOnly;
  entry.agreementMessage = "the whole program lowers with it in place";
  entry.experiments = {experiment("rank", "make it rank 2", Outcome::Failed)};
  return entry;
}

Blocked placelessEntry() {
  Blocked entry;
  entry.target = test::outputType("stablehlo");
  entry.kind = Kind::Crash;
  entry.stage = "stablehlo";
  entry.message = "the engine crashed and named no place";
  entry.agreement = Agreement::NotChecked;
  entry.agreementMessage = "the time limit was reached";
  return entry;
}

}  // namespace

fx::ProgramPtr sampleProgram() {
  fx::Builder b;
  const auto stand = [&](fx::NodeId id, const std::string& module, const std::string& file,
                         int line, const std::string& code) {
    b.node(id).meta.push_back(
        {b.intern("nn_module_stack"),
         b.intern("L__self__,,Root;key_" + module + "," + module + ",nn." + module)});
    b.node(id).meta.push_back(
        {b.intern("stack_trace"), b.intern("File \"" + file + "\", line " + std::to_string(line) +
                                           ", in forward\n    " + code + "\n")});
  };
  const fx::NodeId x = b.placeholder(b.main(), "x", tensor(DType::Float32, {2, 4}));
  b.program().inputs.push_back({fx::InputKind::UserInput, x, "", true, {}});
  const auto call = [&](const std::string& name, const std::string& target, fx::NodeId of,
                        std::vector<std::int64_t> sizes) {
    return b.call(b.main(), name, target, {{"self", of, false}},
                  tensor(DType::Float32, std::move(sizes)));
  };
  const fx::NodeId diff = call("diff", "aten.diff.default", x, {2, 3});
  stand(diff, "wte", "/home/me/project/model.py", 12, "y = torch.diff(x)");
  const fx::NodeId again = call("diff_1", "aten.diff.default", diff, {2, 2});
  stand(again, "wpe", "/home/me/project/a dir/model.py", 13, "z = torch.diff(y)");
  const fx::NodeId relu = call("relu", "aten.relu.default", again, {2, 2});
  const fx::NodeId hostile = call(kHostileName, "my</script>lib.op|`x`.default", relu, {2, 2});
  stand(hostile, "evil</script>", "/opt/other/evil<b>.py", 7, "return f(\"</script>\")");
  b.output(b.main(), {hostile});
  b.program().outputs.push_back({fx::OutputKind::UserOutput, hostile, ""});
  return std::move(b).finish().value();
}

Diagnosis sampleDiagnosis() {
  Diagnosis out;
  out.engine = {"/opt/engine/torch-mlir-opt", "LLVM 23.0.0git", std::string(64, 'a'), {}};
  TargetDiagnosis tosa;
  tosa.target = test::outputType("tosa");
  tosa.stoppedAt = "torch";
  tosa.restLowers = true;
  tosa.fixedLowers = false;
  tosa.changes = {"decompose aten.diff.default"};
  tosa.seconds = std::chrono::duration<double>(1.5);
  TargetDiagnosis linalg;
  linalg.target = test::outputType("linalg-on-tensors");
  linalg.lowers = true;
  TargetDiagnosis stablehlo;
  stablehlo.target = test::outputType("stablehlo");
  stablehlo.stoppedAt = "stablehlo";
  stablehlo.restLowers = false;
  stablehlo.restMessage = "the engine crashes on what is left";
  out.targets = {tosa, linalg, stablehlo};
  out.blocked = {diffEntry(), hostileEntry(), placelessEntry()};
  out.support = {{"aten.diff.default", {{2, 2, true}, {2, 0, true}, {2, 0, false}}},
                 {"aten.relu.default", {{1, 0, true}, {1, 0, true}, {1, 0, true}}},
                 {"my</script>lib.op|`x`.default", {{1, 1, true}, {1, 0, true}, {1, 0, false}}}};
  out.notes = {"the survey of stablehlo ran out of time"};
  out.python = "not looked for";
  out.distinct = 4;
  out.complete = false;
  return out;
}

std::shared_ptr<const lower::Lowering> sampleLowering() {
  constexpr std::string_view kType = "!torch.vtensor<[2,2],f32>";
  const auto located = [&](std::string_view result, std::string_view op, std::string_view operand,
                           std::string_view name, int node) {
    return "    " + std::string(result) + " = " + std::string(op) + " " + std::string(operand) +
           " : " + std::string(kType) + " -> " + std::string(kType) + " loc(\"" +
           std::string(name) + "\"(\"fx\":" + std::to_string(node) + ":0))\n";
  };
  const std::string diffs = located("%0", "torch.aten.diff", "%arg0", "diff", 1) +
                            located("%1", "torch.aten.diff", "%0", "diff_1", 2);
  const auto module = [](const std::string& body) {
    return "module {\n  func.func @main(%arg0: !torch.vtensor<[2,2],f32> loc(\"x\"(\"fx\":0:0))) "
           "{\n" +
           body + "    return loc(unknown)\n  } loc(unknown)\n} loc(unknown)\n";
  };
  std::string many;
  for (int i = 0; i < 2000; ++i)
    many += located("%a" + std::to_string(i), "torch.aten.relu", "%1", "relu", 3);
  many += located("%h", "\"torch.</script>\"(%1)", "", "n\\22'</script><b>`|&", 4);
  auto out = std::make_shared<lower::Lowering>();
  out->target = test::outputType("tosa");
  lower::StageResult raw, torch, tosa;
  raw.id = "raw";
  raw.title = "RAW torch dialect";
  raw.status = lower::StageStatus::Ok;
  raw.text = module(diffs);
  torch.id = "torch";
  torch.title = "Torch backend IR";
  torch.status = lower::StageStatus::Failed;
  torch.failingPass = "torch-lower-to-backend-contract";
  torch.failureIr = module(diffs + many);
  tosa.id = "tosa";
  tosa.title = "TOSA";
  tosa.message = "torch failed";
  out->stages = {raw, torch, tosa};
  return out;
}

}  // namespace fxs::test
