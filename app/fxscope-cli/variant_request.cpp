// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variant_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/byte_source.h"
#include "base/joined.h"
#include "base/number_from.h"
#include "base/safe_text.h"
#include "lower/edited_stages.h"
#include "variant/located_edit.h"

namespace fxs::cli {
namespace {

constexpr std::uint64_t kMaxEditedText = std::uint64_t{1} << 30;

using Passes = std::vector<lower::ListedPass>;

/// What --from names: the text of a stage, or after a pass.
struct Position {
  std::string stage;
  std::optional<std::size_t> pass;
};

/// "1 inline, 2 canonicalize"
std::string numbered(const Passes& passes, std::string_view named = {}) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < passes.size(); ++i)
    if (!passes[i].isStep && (named.empty() || passes[i].pass.pass == named))
      out.push_back(fmt::format("{} {}", i + 1, passes[i].pass.pass));
  return out.empty() ? "none" : joined(out);
}

Result<lower::StagePass> passAt(const std::string& option, const std::string& text,
                                const Passes& passes) {
  const auto number = numberFrom<std::size_t>(text);
  if (number && *number > 0 && *number <= passes.size() && !passes[*number - 1].isStep)
    return passes[*number - 1].at;
  return fail(ErrorCode::Usage, fmt::format("option '{}': no pass '{}'; the passes are {}", option,
                                            printable(text), numbered(passes)));
}

Result<Position> positionOf(const std::string& text, const std::vector<lower::StageResult>& stages,
                            const Passes& passes) {
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    FXS_TRY(lower::StagePass at, passAt("--from", text, passes));
    return Position{std::move(at.stage), at.pass};
  }
  std::vector<std::string> ids;
  for (const lower::StageResult& stage : stages) ids.push_back(stage.id);
  if (std::find(ids.begin(), ids.end(), text) != ids.end()) return Position{text, std::nullopt};
  std::vector<const lower::ListedPass*> named;
  for (const lower::ListedPass& each : passes)
    if (!each.isStep && each.pass.pass == text) named.push_back(&each);
  if (named.size() == 1) return Position{named.front()->at.stage, named.front()->at.pass};
  if (named.size() > 1)
    return fail(ErrorCode::Usage, fmt::format("option '--from': '{}' runs several times: {}", text,
                                              numbered(passes, text)));
  return fail(
      ErrorCode::Usage,
      fmt::format("option '--from': no stage or pass '{}'; the stages are {}, the passes {}",
                  printable(text), joined(ids), numbered(passes)));
}

/// Of --from STAGE|PASS=FILE.
Result<lower::EditPtr> editFrom(const std::string& value, const session::Snapshot& snapshot,
                                const Passes& passes, const Console& console) {
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == value.size())
    return fail(ErrorCode::Usage,
                fmt::format("option '--from': expected STAGE=FILE or PASS=FILE, got '{}'", value));
  const std::vector<lower::StageResult>& stages = snapshot.lowering->stages;
  FXS_TRY(const Position position, positionOf(value.substr(0, equals), stages, passes));
  FXS_TRY(const std::string edited, readWholeFile(value.substr(equals + 1), kMaxEditedText));
  FXS_TRY(const std::string original,
          lower::textAt(position.stage, position.pass, snapshot.imported->text,
                        *snapshot.capture->program, *snapshot.engine, snapshot.request.lower,
                        *console.environment.runner, console.context, snapshot.lowering.get()));
  const auto stage =
      std::find_if(stages.begin(), stages.end(),
                   [&](const lower::StageResult& each) { return each.id == position.stage; });
  const bool isMlir = position.pass || stage->form == mlir::TextForm::Mlir;
  return std::make_shared<const lower::Edit>(
      lower::Edit{position.stage, position.pass,
                  isMlir ? variant::locatedEdit(original, edited, console.context) : edited});
}

}  // namespace

Option fromOption() {
  return {"--from", "STAGE|PASS=FILE",
          "continue from an edited text: that of a stage (torch=edited.mlir), or after a pass, by "
          "the number or name that trace prints (9=edited.mlir)"};
}

Option skipPassOption() {
  return {"--skip-pass", "N,..", "leave out these passes, by the numbers that trace prints", true};
}

bool asksForVariant(const Arguments& arguments) {
  return arguments.has("--from") || arguments.has("--skip-pass");
}

Result<session::SnapshotPtr> variantOf(session::SnapshotPtr from, const Arguments& arguments,
                                       Console& console) {
  if (from->request.route != &session::kPipelines)
    return fail(ErrorCode::Usage, "--from and --skip-pass change the pipelines: leave out --via");
  FXS_TRY(from,
          session::advance(from, session::Phase::Lower, console.environment, console.context));
  session::Request request = from->request;
  request.lowerFirst = true;  // what was lowered is kept
  FXS_TRY(const Passes passes, lower::listedPasses(request.lower, *from->engine,
                                                   *console.environment.runner, console.context));
  if (const auto value = arguments.get("--from")) {
    FXS_TRY(request.lower.edit,
            guarded(request.file, [&] { return editFrom(*value, *from, passes, console); }));
  }
  for (const std::string& number : arguments.all("--skip-pass")) {
    FXS_TRY(lower::StagePass skip, passAt("--skip-pass", number, passes));
    request.lower.skipped.insert(std::move(skip));
  }
  return session::retarget(from, std::move(request));
}

}  // namespace fxs::cli
