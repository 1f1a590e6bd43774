#include "mlir/spelt_aliases.h"

#include <fmt/format.h>

#include "mlir/hash.h"
#include "mlir/token_ends.h"

namespace fxs::mlir {
namespace {

/// Texts of all aliases together may be this many times the module's.
constexpr std::size_t kLongest = 4;
/// An operation can name an alias at every third byte: a longer one stands there by its hash.
constexpr std::size_t kLongestAlias = 1024;

bool isLocation(std::string_view alias) { return alias.starts_with("#loc") && afterAll(alias, 4, kDigit) == alias.size(); }

}  // namespace

SpeltAliases::SpeltAliases(const Module& module) : module_(module), texts_(module.aliases.size()) {
  std::vector<std::uint64_t> hashes(module.aliases.size());
  std::size_t budget = module.text.size() * kLongest;
  // MLIR defines an alias before it uses it in another: one pass does.
  for (std::uint32_t number = 0; number < texts_.size(); ++number) {
    const std::string_view body = module.aliasBodies[number];
    if (isLocation(module.aliases[number])) continue;
    Hash hash;
    std::string text;
    bool tooLong = false;
    std::size_t copied = 0;
    for (std::size_t at = 0; at < body.size();) {
      if (body[at] == '"') {
        at = afterQuoted(body, at);
        continue;
      }
      if (body[at] != '#' && body[at] != '!') {
        ++at;
        continue;
      }
      const std::size_t end = afterName(body, at);
      const std::uint32_t inner = module.aliases.find(body.substr(at, end - at));
      if (inner < number && !texts_[inner].empty()) {
        hash.add(body.substr(copied, at - copied));
        hash.add(hashes[inner]);
        tooLong = tooLong || text.size() + (at - copied) + texts_[inner].size() > budget;
        if (!tooLong) text.append(body.substr(copied, at - copied)).append(texts_[inner]);
        copied = end;
      }
      at = end;
    }
    hash.add(body.substr(copied));
    hashes[number] = hash.value();
    if (!tooLong) text += body.substr(copied);
    if (tooLong || text.size() > std::min(budget, kLongestAlias)) text = fmt::format("#{:016x}", hashes[number]);
    budget -= std::min(budget, text.size());
    texts_[number] = std::move(text);
  }
}

}  // namespace fxs::mlir
