// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps an operation that the engine decomposes: a backend may support it but not its
// decomposition.
#include "base/safe_text.h"
#include "diagnose/change.h"

namespace fxs::diagnose {
namespace {

void proposeKeptWhole(const BlockedCall& call, std::vector<Change>& out) {
  const std::string& target = call.node.target;
  if (!target.starts_with("aten.")) return;
  // "aten.diff.default" is torch.aten.diff in the dialect, "aten.add.Tensor" torch.aten.add.Tensor.
  const std::string op =
      target.ends_with(".default") ? target.substr(0, target.size() - 8) : target;
  const auto* registered = call.subject.import.registeredOps;
  const auto& names = registered != nullptr ? *registered : import::pinnedRegisteredOps();
  if (!names.contains("torch." + op) || call.blocked.op == "torch." + op || call.blocked.op.empty())
    return;
  Change change;
  change.id = "keep-whole";
  change.change = "keep " + op + " undecomposed in the torch stage";
  change.backendLegal = {op};
  change.snippet = "fxscope-cli lower " + shellWord(call.file) + " " +
                   lower::shellOptionsFor(call.blocked.target) + " --backend-legal-ops " + op;
  change.language = "sh";
  out.push_back(std::move(change));
}

}  // namespace

void registerKeptWhole(Proposals& proposals) { proposals.add(proposeKeptWhole); }

}  // namespace fxs::diagnose
