// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upper bounds in place of sizes that are known only at run time: results that do not have these
// sizes stay the same; those that have them get the bound, which is another result.
#include "diagnose/upper_bounds.h"

#include "base/counted.h"
#include "base/joined.h"
#include "diagnose/change.h"
#include "diagnose/static_sizes.h"

namespace fxs::diagnose {
namespace {

/// The bounds, also where other sizes have to be numbers first.
std::optional<SizeBounds> boundsOf(const fx::ProgramPtr& program) {
  if (auto found = sizeBoundsOf(*program)) return std::move(*found);
  const auto fixed = withStaticSizes(program, {});
  if (!fixed) return std::nullopt;
  auto found = sizeBoundsOf(**fixed);
  return found ? std::optional(std::move(*found)) : std::nullopt;
}

/// Results of the program with such sizes.
std::vector<std::string> boundedResults(const fx::Program& program, const SizeBounds& sizes) {
  std::vector<std::string> out;
  for (const fx::OutputSpec& output : program.outputs)
    if (const fx::NodeId* id = output.value.node();
        id != nullptr && dependsOn(program.node(*id).val, sizes))
      out.push_back("'" + program.originOf(program.node(*id)).name + "'");
  return out;
}

void proposeUpperBounds(const BlockedCall& call, std::vector<Change>& out) {
  if (!call.blocked.sizes) return;
  const auto sizes = boundsOf(call.subject.program);
  if (!sizes || sizes->bounds.empty()) return;
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> most;
  for (const auto& [symbol, bound] : sizes->bounds)
    if (most.size() < kNamed) most.push_back(symbol + " = " + std::to_string(bound.most));
  if (sizes->bounds.size() > kNamed) most.emplace_back("..");
  const std::vector<std::string> results = boundedResults(*call.subject.program, *sizes);
  Change change;
  change.id = results.empty() ? kUpperBounds : kPaddedResults;
  change.change = "compute with the greatest sizes (" + joined(most) + "), and mask other rows";
  change.cost = "computes all rows";
  if (!results.empty()) {
    change.change += "; pad " + joined(results) + " with zeros";
    change.cost = "another result: its own rows first, then zeros";
    change.sameResult = false;
  }
  if (!sizes->unchecked.empty()) {
    change.cost += "; no longer checks " + sizes->unchecked.front();
    if (sizes->unchecked.size() > 1)
      change.cost += " and " + counted(sizes->unchecked.size() - 1, "other condition");
  }
  change.upperBounds = results.empty() ? BoundedResults::Refused : BoundedResults::Padded;
  change.acrossNodes = change.isOne = true;
  if (change.sameResult) {
    change.snippet = fixCommand(call);
    change.language = "sh";
  }
  out.push_back(std::move(change));
}

}  // namespace

void registerUpperBounds(Proposals& proposals) { proposals.add(proposeUpperBounds); }

}  // namespace fxs::diagnose
