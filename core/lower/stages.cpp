#include <algorithm>
#include <array>
#include <cassert>

#include "base/json.h"
#include "base/nearest.h"
#include "lower/lower.h"

namespace fxs::resource {
std::string_view stages();
}

namespace fxs::lower {
namespace {

constexpr std::array<std::string_view, 5> kOutputTypes{"raw", "torch", "linalg-on-tensors", "tosa", "stablehlo"};

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// The embedded file is ours: a mistake in it is a mistake in the program.
std::string text(const Json& object, std::string_view key) {
  const auto member = object.find(key);
  return member ? std::string(member->asString().value_or("")) : std::string();
}

void replaceAll(std::string& text, std::string_view mark, std::string_view with) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
}

std::vector<std::string> texts(const Json& object, std::string_view key) {
  std::vector<std::string> out;
  if (const auto member = object.find(key))
    for (const Json item : *member) out.emplace_back(item.asString().value_or(""));
  return out;
}

}  // namespace

std::string_view name(OutputType type) { return kOutputTypes[static_cast<std::size_t>(type)]; }

Result<OutputType> outputTypeFrom(std::string_view given) {
  const std::string wanted = folded(given);
  for (std::size_t i = 0; i < kOutputTypes.size(); ++i)
    if (wanted == kOutputTypes[i]) return static_cast<OutputType>(i);
  // "linalg" is within no edit distance of the full name, and is what people type.
  std::string meant;
  for (const std::string_view type : kOutputTypes)
    if (wanted.size() >= 3 && type.starts_with(wanted)) meant = type;
  if (meant.empty())
    if (const auto near = nearest(wanted, kOutputTypes, 1); !near.empty()) meant = near.front();
  std::string message = "unknown output type '" + std::string(given) + "'";
  if (!meant.empty()) return fail(ErrorCode::Usage, message + "; did you mean '" + meant + "'?");
  return fail(ErrorCode::Usage, message + "; there are raw, torch, linalg-on-tensors, tosa and stablehlo");
}

std::string_view name(StageStatus status) {
  switch (status) {
    case StageStatus::Ok: return "ok";
    case StageStatus::Failed: return "failed";
    case StageStatus::Crashed: return "crashed";
    case StageStatus::Timeout: return "timeout";
    case StageStatus::Skipped: break;
  }
  return "skipped";
}

std::vector<StageSpec> stagesFor(OutputType type) {
  const auto document = JsonDocument::parse(resource::stages(), "stages.json");
  assert(document.has_value());
  std::vector<StageSpec> out;
  const Json root = (*document)->root();
  // A handle must outlive the loop over it.
  const Json outputs = *root.find("outputs");
  const Json ids = *outputs.find(name(type));
  const Json stages = *root.find("stages");
  for (const Json wanted : ids)
    for (const Json stage : stages)
      if (text(stage, "id") == wanted.asString().value_or(""))
        out.push_back({text(stage, "id"), text(stage, "title"), text(stage, "pipeline"), text(stage, "survey"), texts(stage, "quiet")});
  return out;
}

Result<std::vector<StageSpec>> filledStages(const LowerOptions& options) {
  if (options.extraLibrary.find_first_of(" \t\n\"'{}(),") != std::string::npos)
    return fail(ErrorCode::Usage, "extra library '" + options.extraLibrary +
                                      "': a pass pipeline cannot contain a path with spaces, quotes, commas or brackets; rename it");
  for (const std::string& op : options.backendLegalOps)
    if (op.empty() || op.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != std::string::npos)
      return fail(ErrorCode::Usage, "'" + op + "' is not an operation name; expected a name such as aten.softmax.int");
  std::string legal;
  for (const std::string& op : options.backendLegalOps) legal += (legal.empty() ? " backend-legal-ops=" : ",") + op;
  std::vector<StageSpec> out = stagesFor(options.target);
  for (StageSpec& stage : out)
    for (std::string* pipeline : {&stage.pipeline, &stage.survey}) {
      replaceAll(*pipeline, "${extra-library}", options.extraLibrary);
      replaceAll(*pipeline, "${backend-legal-ops}", legal);
      replaceAll(*pipeline, "${allow-non-finites}", options.allowNonFinites ? "true" : "false");
    }
  return out;
}

std::vector<std::string> pipelinesOf(const StageSpec& stage) {
  std::vector<std::string> out;
  constexpr std::string_view kSuffix = "-pipeline";
  for (std::size_t at = stage.pipeline.find(kSuffix); at != std::string::npos; at = stage.pipeline.find(kSuffix, at + 1)) {
    const std::size_t before = stage.pipeline.find_last_of("(,{ ", at);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    out.push_back(stage.pipeline.substr(begin, at + kSuffix.size() - begin));
  }
  return out;
}

bool Lowering::ok() const {
  return std::all_of(stages.begin(), stages.end(), [](const StageResult& s) { return s.status == StageStatus::Ok; });
}

}  // namespace fxs::lower
