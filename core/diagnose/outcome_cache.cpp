// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/outcome_cache.h"

#include "base/byte_source.h"
#include "base/sha256.h"

namespace fxs::diagnose {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20;
/// What decides on an outcome besides the engine; another text makes outcomes of other versions
/// unknown.
constexpr std::string_view kJudge = "contract 2\n";
constexpr std::string_view kOk = "lowers\n", kFailed = "does not lower\n";

}  // namespace

OutcomeCache::OutcomeCache(const std::string& directory, std::string engineChecksum)
    : directory_(directory.empty() || engineChecksum.empty() ? std::string()
                                                             : directory + "/outcomes"),
      engine_(std::move(engineChecksum)) {}

std::string OutcomeCache::keyOf(const std::string& module, const std::string& engineChecksum,
                                const lower::LowerOptions& options) {
  // Another program's checksum is not known here; a library is what is in the file, and its name
  // may stay.
  if (lower::firstOfOtherTools(options.target)) return {};
  std::string key;
  if (const auto stages = lower::filledStages(options))
    for (const lower::StageSpec& stage : *stages) key += stage.pipeline + "\n";
  if (!options.extraLibrary.empty()) {
    const auto library = sha256OfFile(options.extraLibrary);
    if (!library) return {};
    key += *library + "\n";
  }
  // With the contract by which the text is judged.
  key += lower::userDefinitionsFor(options.target);
  return sha256(std::string(kJudge) + engineChecksum + "\n" + key + module);
}

std::optional<TrialOutcome> OutcomeCache::find(const std::string& module,
                                               const lower::LowerOptions& options) const {
  const std::string key = directory_.empty() ? std::string() : keyOf(module, engine_, options);
  if (key.empty()) return std::nullopt;
  const auto text = readWholeFile(directory_ + "/" + key, kMaxBytes);
  if (!text) return std::nullopt;
  if (*text == kOk) return TrialOutcome{true, {}};
  if (text->starts_with(kFailed)) return TrialOutcome{false, text->substr(kFailed.size())};
  return std::nullopt;
}

void OutcomeCache::keep(const std::string& module, const lower::LowerOptions& options,
                        const TrialOutcome& outcome) const {
  const std::string key = directory_.empty() ? std::string() : keyOf(module, engine_, options);
  if (key.empty() || !outcome.lowers) return;
  const std::string text = *outcome.lowers
                               ? std::string(kOk)
                               : std::string(kFailed) + outcome.message.substr(0, kMaxBytes / 2);
  writeCache(directory_ + "/" + key, text);
}

}  // namespace fxs::diagnose
