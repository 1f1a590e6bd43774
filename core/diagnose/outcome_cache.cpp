#include "diagnose/outcome_cache.h"

#include "base/byte_source.h"
#include "base/sha256.h"

namespace fxs::diagnose {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20;
/// What decides on an outcome besides the engine; another text makes outcomes of other versions unknown.
constexpr std::string_view kJudge = "contract 1\n";
constexpr std::string_view kOk = "lowers\n", kFailed = "does not lower\n";

}  // namespace

OutcomeCache::OutcomeCache(const std::string& directory, std::string engineChecksum)
    : directory_(directory.empty() || engineChecksum.empty() ? std::string() : directory + "/outcomes"),
      engine_(std::move(engineChecksum)) {}

std::string OutcomeCache::keyOf(const std::string& module, const std::string& engineChecksum, const lower::LowerOptions& options) {
  std::string pipelines;
  if (const auto stages = lower::filledStages(options))
    for (const lower::StageSpec& stage : *stages) pipelines += stage.pipeline + "\n";
  return sha256(std::string(kJudge) + engineChecksum + "\n" + pipelines + module);
}

std::optional<KnownOutcome> OutcomeCache::find(const std::string& module, const lower::LowerOptions& options) const {
  if (directory_.empty()) return std::nullopt;
  const auto text = readWholeFile(directory_ + "/" + keyOf(module, engine_, options), kMaxBytes);
  if (!text) return std::nullopt;
  if (*text == kOk) return KnownOutcome{true, {}};
  if (text->starts_with(kFailed)) return KnownOutcome{false, text->substr(kFailed.size())};
  return std::nullopt;
}

void OutcomeCache::keep(const std::string& module, const lower::LowerOptions& options, const KnownOutcome& outcome) const {
  if (directory_.empty()) return;
  const std::string text = outcome.ok ? std::string(kOk) : std::string(kFailed) + outcome.words.substr(0, kMaxBytes / 2);
  writeCache(directory_ + "/" + keyOf(module, engine_, options), text);
}

}  // namespace fxs::diagnose
