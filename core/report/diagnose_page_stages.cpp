// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of the page: a column for each text, lines with the nodes that they come from.
#include <algorithm>
#include <map>

#include "base/joined.h"
#include "base/safe_text.h"
#include "base/sha256.h"
#include "base/take_until.h"
#include "report/diagnose_page.h"
#include "report/diagnose_words.h"
#include "report/document.h"
#include "trace/origins.h"

namespace fxs::report {
namespace {

/// Maximum lines of a stage in the page: the context of blocked nodes, at most three quarters, and
/// the head; and about how many bytes all stages may have together, so that a page fits into an
/// issue.
constexpr std::size_t kStageLines = 1200;
constexpr std::size_t kAround = 3;
constexpr std::size_t kStagesBytes = 560'000;
constexpr std::size_t kMarkupOfLine = 38;

/// A text, and the output types on whose way it is.
struct StageColumn {
  const lower::StageResult* stage = nullptr;
  std::shared_ptr<const trace::OpenText> text;  ///< null: the engine printed none
  std::vector<std::string> targets;
};

std::vector<StageColumn> stageColumns(const DiagnoseReport& report) {
  std::vector<StageColumn> out;
  std::map<std::string, std::size_t> known;
  for (const auto& lowering : report.lowerings) {
    if (lowering == nullptr) continue;
    for (const lower::StageResult& stage : lowering->stages) {
      if (stage.status == lower::StageStatus::Skipped) continue;
      const auto [at, isNew] = known.emplace(stage.id + "\n" + sha256(stage.ir()), out.size());
      if (isNew)
        out.push_back({&stage, stage.ir().empty() ? nullptr : trace::openText(stage.ir()), {}});
      out[at->second].targets.emplace_back(lower::name(lowering->target));
    }
  }
  return out;
}

/// Which lines of a long text are shown.
std::vector<bool> kept(const DiagnosePage& page, const trace::LineOrigins& origins,
                       std::size_t count, std::size_t most) {
  std::vector<bool> keep(count, count <= most);
  if (count <= most) return keep;
  std::size_t left = most - most / 4;
  for (std::size_t i = 0; i < count && i < origins.lines.size() && left > 0; ++i) {
    const std::vector<fx::NodeId>& nodes = origins.lines[i].nodes;
    if (std::none_of(nodes.begin(), nodes.end(),
                     [&](fx::NodeId id) { return page.blocked.contains(id); }))
      continue;
    for (std::size_t k = i < kAround ? 0 : i - kAround;
         k < std::min(count, i + kAround + 1) && left > 0; ++k)
      if (!keep[k]) {
        keep[k] = true;
        --left;
      }
  }
  left += most / 4;
  for (std::size_t i = 0; i < count && left > 0; ++i)
    if (!keep[i]) {
      keep[i] = true;
      --left;
    }
  return keep;
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) out.push_back(takeUntil('\n', text));
  return out;
}

/// About how much a text adds to the page.
std::size_t bytesOf(std::string_view text) {
  std::size_t out = 0, count = 0;
  for (const std::string_view line : linesOf(text)) {
    if (count++ == kStageLines) break;
    out += std::min(line.size(), kPageColumns) + kMarkupOfLine;
  }
  return out;
}

/// `share`: of the lines that may be shown.
void lines(DiagnosePage& page, const trace::OpenText& text, double share) {
  const std::vector<std::string_view> all = linesOf(text.text);
  const trace::LineOrigins origins = trace::lineOrigins(text);
  const std::size_t most =
      static_cast<std::size_t>(static_cast<double>(std::min(kStageLines, all.size())) * share);
  const std::vector<bool> keep = kept(page, origins, all.size(), most);
  std::size_t elided = 0;
  for (std::size_t i = 0; i <= all.size(); ++i) {
    if (i < all.size() && !keep[i]) {
      ++elided;
      continue;
    }
    if (elided > 0)
      page.print(
          "<div class=\"elided\" title=\"fxscope-cli lower -o DIR writes everything\">{} "
          "omitted</div>\n",
          counted(elided, "line"));
    elided = 0;
    if (i == all.size()) break;
    const bool linked = i < origins.lines.size() && !origins.lines[i].nodes.empty();
    page.print(
        "<div class=\"line\"{}>{}</div>\n",
        linked ? fmt::format(" data-n=\"{}\"", nodeIndices(origins.lines[i].nodes)) : std::string(),
        richLines(shortened(all[i], 1, kPageColumns)));
  }
}

void column(DiagnosePage& page, std::size_t index, const StageColumn& shown, double share) {
  const lower::StageResult& stage = *shown.stage;
  const bool ok = stage.status == lower::StageStatus::Ok;
  page.print(
      "<section class=\"stage\" id=\"stage-{0}\" data-to=\"{1}\" "
      "aria-labelledby=\"stage-title-{0}\">\n<div class=\"bar\">"
      "<h3 id=\"stage-title-{0}\">{2}</h3><span class=\"status {3}\">{4}</span></div>\n<div "
      "class=\"scroll text\" tabindex=\"0\">\n",
      index, joined(shown.targets, " "), richText(stage.title.empty() ? stage.id : stage.title),
      ok ? "good" : "bad", lower::name(stage.status));
  if (!ok)
    page.print("<div class=\"elided\">{}{}</div>\n",
               richText(stage.failingPass.empty() ? "it failed"
                                                  : "before " + stage.failingPass + " failed"),
               stage.ir().empty() ? "; the engine printed no IR" : "");
  if (shown.text != nullptr) lines(page, *shown.text, share);
  page.out += "</div>\n</section>\n";
}

}  // namespace

void writeStages(DiagnosePage& page) {
  const std::vector<StageColumn> columns = stageColumns(page.report);
  if (columns.empty()) return;
  std::size_t bytes = 0;
  for (const StageColumn& each : columns)
    if (each.text != nullptr) bytes += bytesOf(each.text->text);
  const double share =
      bytes <= kStagesBytes ? 1 : static_cast<double>(kStagesBytes) / static_cast<double>(bytes);
  page.out +=
      "<section class=\"pane\" id=\"stages\" aria-labelledby=\"stages-title\">\n<div "
      "class=\"bar\"><h2 id=\"stages-title\">Stages</h2>"
      "<span class=\"tools\" role=\"group\" aria-label=\"Shown stages\">";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const lower::StageResult& stage = *columns[i].stage;
    page.print(
        "<button type=\"button\" class=\"toggle{}\" aria-pressed=\"true\" "
        "aria-controls=\"stage-{}\">{}</button>",
        stage.status == lower::StageStatus::Ok ? "" : " bad", i, richText(stage.id));
  }
  // The page opens at the output type that the first finding blocks.
  page.print("</span></div>\n<div class=\"columns\" data-first=\"{}\">\n",
             page.causes.empty() ? "" : lower::name(page.causes.front().entries.front()->target));
  for (std::size_t i = 0; i < columns.size(); ++i) column(page, i, columns[i], share);
  page.out += "</div>\n</section>\n";
}

}  // namespace fxs::report
