// Which operators torch_mlir.fx.export_and_import decomposes: resources/engine/decomposed_ops.txt.
#include <algorithm>
#include <set>

#include "base/take_until.h"
#include "rewrite/rewrite.h"

namespace fxs::resource {
std::string_view decomposedOps();
}

namespace fxs::rewrite {
namespace {

/// Lines "table aten.addmm.default" and "composite aten.reshape.default"; '#' starts a comment.
std::set<std::string_view> targetsIn(std::string_view text) {
  std::set<std::string_view> out;
  while (!text.empty()) {
    const std::string_view line = takeUntil('\n', text);
    if (const std::size_t space = line.find(' '); !line.starts_with('#') && space != std::string_view::npos)
      out.insert(line.substr(space + 1));
  }
  return out;
}

}  // namespace

bool isDecomposedByTorchMlir(std::string_view target) {
  static const std::set<std::string_view> kTargets = targetsIn(resource::decomposedOps());
  return kTargets.contains(target);
}

std::vector<Applied> beyondTorchMlir(const Rewritten& rewritten) {
  constexpr std::string_view kDecompose = "decompose:";
  std::vector<Applied> out;
  for (const Applied& applied : rewritten.applied) {
    // What is functional, and without regions of autocast and gradients, is PyTorch's doing.
    if (applied.rule == "functionalize" || applied.rule == "inline-context") continue;
    std::string target = applied.rule.starts_with(kDecompose) ? applied.rule.substr(kDecompose.size()) : applied.rule;
    if (std::count(target.begin(), target.end(), '.') == 1) target += ".default";
    if (!isDecomposedByTorchMlir(target)) out.push_back(applied);
  }
  return out;
}

}  // namespace fxs::rewrite
