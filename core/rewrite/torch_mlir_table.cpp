// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operators torch_mlir.fx.export_and_import decomposes: resources/engine/decomposed_ops.txt.
#include <algorithm>
#include <map>
#include <set>

#include "base/take_until.h"
#include "rewrite/functionalize.h"
#include "rewrite/rewrite.h"

namespace fxs::resource {
std::string_view decomposedOps();
}

namespace fxs::rewrite {
namespace {

struct Decomposed {
  bool isComposite = false;  ///< ExportedProgram.run_decompositions() never keeps it
  bool isOfTorchMlir = false;
  bool isSame = false;  ///< the RAW text is known to be the one here
  bool isDefault = false, isSameDefault = false;
  bool isAboveAutograd = false;
  bool isInPytorchTable = false;
  bool isTableIgnored = false;
};

/// Lines "table aten.addmm.default same", "composite aten.batch_norm.default autograd" and
/// "pytorch aten.gru.input"; '#' starts a comment. By target.
std::map<std::string_view, Decomposed> targetsIn(std::string_view text) {
  std::map<std::string_view, Decomposed> out;
  while (!text.empty()) {
    std::string_view line = takeUntil('\n', text);
    if (line.empty() || line.starts_with('#')) continue;
    const std::string_view kind = takeUntil(' ', line);
    const std::string_view target = takeUntil(' ', line);
    Decomposed& row = out[target];
    if (kind == "default") {
      row.isDefault = true;
      row.isSameDefault = line == "same";
      continue;
    }
    if (kind == "pytorch") {
      row.isInPytorchTable = true;
      continue;
    }
    if (kind == "kept") {
      row.isTableIgnored = true;
      continue;
    }
    row.isOfTorchMlir = true;
    row.isComposite |= kind == "composite";
    row.isSame |= line == "same";
    row.isAboveAutograd |= line == "autograd";
  }
  return out;
}

/// Of a target without a row, nothing is true.
Decomposed rowOf(std::string_view target) {
  static const std::map<std::string_view, Decomposed> kTargets =
      targetsIn(resource::decomposedOps());
  const auto found = kTargets.find(target);
  return found == kTargets.end() ? Decomposed{} : found->second;
}

}  // namespace

bool isDecomposedByTorchMlir(std::string_view target) { return rowOf(target).isOfTorchMlir; }

bool isDecomposedByDefault(std::string_view target) { return rowOf(target).isDefault; }

bool isKnownByDefault(std::string_view target) { return rowOf(target).isSameDefault; }

bool isTableIgnored(std::string_view target) { return rowOf(target).isTableIgnored; }

bool isInPytorchTable(std::string_view target) { return rowOf(target).isInPytorchTable; }

std::vector<fx::Finding> unknownForms(const fx::Program& program) {
  std::vector<fx::Finding> out;
  std::set<std::string_view> said;
  for (const fx::Node& node : program.nodes) {
    const bool isCall = node.op == fx::NodeOp::CallFunction && node.val.symbol() == nullptr;
    const Decomposed row = rowOf(node.target);
    // What torch-mlir's table decomposes, too, is done for that.
    const bool isUnknown = row.isComposite || (row.isDefault && !row.isOfTorchMlir);
    if (!isCall || !isUnknown || !said.insert(node.target).second) continue;
    fx::Finding& finding = out.emplace_back(fx::findingAt(
        program, node, "unknown-form", "what PyTorch makes of " + node.target + " is not known"));
    finding.severity = fx::Severity::Note;
    finding.stage = "rewrite";
  }
  return out;
}

bool isNeverKept(std::string_view target) { return rowOf(target).isComposite; }

bool isDecomposedAboveAutograd(std::string_view target) { return rowOf(target).isAboveAutograd; }

std::vector<fx::Finding> otherForms(const fx::Program& program) {
  std::vector<fx::Finding> out;
  std::map<std::string_view, std::size_t> said;
  const bool writes = writesToTensors(program);
  for (const fx::Node& node : program.nodes) {
    if (node.op != fx::NodeOp::CallFunction) continue;
    const Decomposed row = rowOf(node.target);
    const bool isAlias =
        writes &&
        isKeptRename(node.target);  // PyTorch makes more of them where it makes writes functional
    if (!isAlias && (!row.isOfTorchMlir || row.isSame)) continue;
    if (const auto [at, isNew] = said.try_emplace(node.target, out.size()); !isNew) {
      ++out[at->second].count;
      continue;
    }
    fx::Finding finding =
        fx::findingAt(program, node, "other-form",
                      "fx.export_and_import may write another form of it: PyTorch " +
                          std::string(isAlias ? "keeps " : "decomposes ") + node.target);
    finding.severity = fx::Severity::Note;
    finding.stage = "rewrite";
    out.push_back(std::move(finding));
  }
  return out;
}

std::vector<Applied> beyondTorchMlir(const Rewritten& rewritten) {
  constexpr std::string_view kDecompose = "decompose:";
  std::vector<Applied> out;
  for (const Applied& applied : rewritten.applied) {
    // What is functional, and without regions of autocast and gradients, is PyTorch's doing.
    if (applied.rule == "functionalize" || applied.rule == "inline-context") continue;
    std::string target = applied.rule.starts_with(kDecompose)
                             ? applied.rule.substr(kDecompose.size())
                             : applied.rule;
    if (std::count(target.begin(), target.end(), '.') == 1) target += ".default";
    // PyTorch makes a transpose of aten.t where no dimension moves, too.
    if (!isDecomposedByTorchMlir(target) || target == "aten.t.default") out.push_back(applied);
  }
  return out;
}

}  // namespace fxs::rewrite
