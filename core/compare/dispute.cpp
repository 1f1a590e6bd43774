// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/dispute.h"

#include <algorithm>
#include <optional>

#include "base/joined.h"

namespace fxs::compare {
namespace {

constexpr const char* kNotKnown = "not known whose fault it is: ";

std::optional<bool> opinionOf(const WrongBy& all, const std::string& executor) {
  const auto found = all.find(executor);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

/// Those of `executors` of which this is so.
std::vector<std::string> those(const std::vector<std::string>& executors, const WrongBy& all,
                               std::optional<bool> opinion) {
  std::vector<std::string> out;
  std::copy_if(executors.begin(), executors.end(), std::back_inserter(out),
               [&](const std::string& executor) { return opinionOf(all, executor) == opinion; });
  return out;
}

}  // namespace

std::string unoptimized(const std::string& executor) { return executor + " without optimization"; }

std::string faultOf(const std::string& node, const std::vector<std::string>& accusers,
                    const std::vector<std::string>& defenders, const WrongBy& byEngine,
                    const WrongBy& byRegistry) {
  std::vector<std::string> all = accusers;
  all.insert(all.end(), defenders.begin(), defenders.end());
  if (const auto missing = those(all, byEngine, std::nullopt); !missing.empty())
    return kNotKnown + node + " was not run by itself by " + joined(missing, " and ");
  const auto wrong = those(all, byEngine, true), right = those(all, byEngine, false);
  if (wrong.empty())
    return kNotKnown + node + " by itself is as expected in " + joined(right, " and ");
  if (right.empty())
    return "probably of the text: " + node + " by itself differs in " + joined(wrong, " and ");
  const std::string& accuser = wrong.front();
  const std::string others = joined(right, " and ");
  if (opinionOf(byEngine, unoptimized(accuser)) == false)
    return "probably of the optimizer of " + accuser + ": " + node +
           " by itself is as expected without it, and in " + others;
  const std::string here = node + " by itself differs in " + joined(wrong, " and ");
  if (opinionOf(byRegistry, accuser) == false)
    return kNotKnown + here + " and not in " + others +
           ", and not as registries lower it: the text may leave the value open";
  std::vector<std::string> also = right;
  for (const std::string& executor : right)
    if (opinionOf(byEngine, unoptimized(executor)) == false) also.push_back(unoptimized(executor));
  // Two runs of one executor share its passes: they are one voice more only against another
  // executor.
  const bool isAlsoByRegistry =
      opinionOf(byRegistry, accuser) == true && !those(right, byRegistry, false).empty();
  return "probably of " + joined(wrong, " and ") + ": " + here +
         (isAlsoByRegistry ? ", also as registries lower it," : "") + " and not in " +
         joined(also, " and ");
}

}  // namespace fxs::compare
