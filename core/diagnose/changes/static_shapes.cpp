// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in place of symbolic sizes, as if the program had been exported without dynamic shapes.
#include "diagnose/change.h"
#include "diagnose/static_sizes.h"

namespace fxs::diagnose {
namespace {

void proposeStaticShapes(const BlockedCall& call, std::vector<Change>& out) {
  auto sizes = chosenSizes(*call.subject.user);
  std::erase_if(sizes, [](const auto& size) { return isUnbacked(size.first); });
  if (sizes.empty()) return;
  std::string list;
  for (const auto& [symbol, size] : sizes)
    list += (list.empty() ? "" : ", ") + symbol + " = " + std::to_string(size);
  Change change;
  change.id = "static-sizes";
  change.change = "export with static shapes (" + list + ")";
  change.cost = "the program is fixed to these sizes";
  change.staticSizes = true;
  change.snippet = fixCommand(call);
  change.language = "sh";
  out.push_back(std::move(change));
}

}  // namespace

void registerStaticShapes(Proposals& proposals) { proposals.add(proposeStaticShapes); }

}  // namespace fxs::diagnose
