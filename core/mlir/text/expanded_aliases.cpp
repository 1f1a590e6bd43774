// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/expanded_aliases.h"

#include <fmt/format.h>

#include <algorithm>

#include "mlir/compare/hash.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

bool isLocation(std::string_view alias) {
  return alias.starts_with("#loc") && afterAll(alias, 4, kDigit) == alias.size();
}

}  // namespace

ExpandedAliases::ExpandedAliases(const Module& module, AliasLimits limits)
    : module_(module), aliases_(module.aliases.size()) {
  std::vector<std::uint64_t> hashes(aliases_.size());
  std::size_t budget = module.text.size() * limits.growth;
  // MLIR defines an alias before it uses it in another: one pass does.
  for (std::uint32_t number = 0; number < aliases_.size(); ++number) {
    Alias& alias = aliases_[number];
    alias.location = isLocation(module.aliases[number]);
    if (alias.location && limits.longestLocation == 0) continue;
    const std::string_view body = module.aliasBodies[number];
    const std::size_t longest =
        std::min(budget, alias.location ? limits.longestLocation : limits.longest);
    Hash hash;
    std::size_t copied = 0;
    eachAlias(body, [&](std::size_t at, std::size_t end) {
      const std::uint32_t inner = module.aliases.find(body.substr(at, end - at));
      if (inner >= number || (aliases_[inner].location && limits.longestLocation == 0)) return true;
      hash.add(body.substr(copied, at - copied));
      hash.add(hashes[inner]);
      alias.tooLong = alias.tooLong || aliases_[inner].tooLong ||
                      alias.text.size() + (at - copied) + aliases_[inner].text.size() > longest;
      if (!alias.tooLong)
        alias.text.append(body.substr(copied, at - copied)).append(aliases_[inner].text);
      copied = end;
      return true;
    });
    hash.add(body.substr(copied));
    hashes[number] = hash.value();
    alias.tooLong = alias.tooLong || alias.text.size() + (body.size() - copied) > longest;
    if (alias.tooLong) alias.text = fmt::format("#{:016x}", hashes[number]);
    else alias.text += body.substr(copied);
    budget -= std::min(budget, alias.text.size());
  }
}

const ExpandedAliases::Alias* ExpandedAliases::find(std::string_view alias) const {
  const std::uint32_t number = module_.aliases.find(alias);
  return number == NameTable::kNone ? nullptr : &aliases_[number];
}

std::string withAliasesExpanded(std::string_view text) {
  const Module module(text);
  const std::size_t limit = text.size() * kMaxGrowth + 1024;
  const ExpandedAliases aliases(module, {kMaxGrowth, limit, 0});
  std::string out;
  bool tooLong = false;
  for (std::size_t begin = 0; begin < text.size() && !tooLong;) {
    const std::size_t end = endOfLine(text, begin);
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with('#') || line.starts_with('!')) {
      const ExpandedAliases::Alias* const defined =
          aliases.find(line.substr(0, afterName(line, 0)));
      if (defined != nullptr && !defined->location &&
          line.substr(afterName(line, 0)).starts_with(" = "))
        continue;
    }
    std::size_t copied = 0;
    eachAlias(line, [&](std::size_t at, std::size_t after) {
      const ExpandedAliases::Alias* const alias = aliases.find(line.substr(at, after - at));
      if (alias == nullptr || alias->location) return true;
      tooLong =
          tooLong || alias->tooLong || out.size() + (at - copied) + alias->text.size() > limit;
      if (!tooLong) out.append(line.substr(copied, at - copied)).append(alias->text);
      copied = after;
      return !tooLong;
    });
    out.append(line.substr(copied)).push_back('\n');
  }
  return tooLong ? std::string(text) : out;
}

}  // namespace fxs::mlir
