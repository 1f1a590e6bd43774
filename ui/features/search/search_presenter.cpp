#include "features/search/search_presenter.h"

#include "fx/module_path.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMaxHits = 500;
constexpr std::size_t kMaxHitsOfAStage = 150;
constexpr qsizetype kMinTyped = 2;

struct Source {
  ShownText id;
  QString title;
  std::shared_ptr<const StageText> text;
};

std::vector<Hit> searchAll(const fx::ProgramPtr& program, const std::vector<Source>& sources, const QString& typed,
                           const RunContext& context) {
  std::vector<Hit> hits;
  for (const fx::Node& node : program->nodes) {
    if (hits.size() >= kMaxHits || context.stop.stop_requested()) return hits;
    const QString name = text(node.name), target = text(node.target);
    if (name.contains(typed, Qt::CaseInsensitive) || target.contains(typed, Qt::CaseInsensitive)) {
      hits.push_back({"node", name, target, node.id, {}, 0});
      continue;
    }
    if (const auto stack = program->meta(node, "nn_module_stack"); stack && text(*stack).contains(typed, Qt::CaseInsensitive)) {
      const std::vector<fx::ModuleFrame> frames = fx::modulesOf(*program, node);
      hits.push_back({"module", name, frames.empty() ? target : text(frames.back().path), node.id, {}, 0});
    }
  }
  for (const Source& source : sources) {
    const Found found = find(*source.text->code, {typed.toStdString(), false, false}, context);
    std::size_t taken = 0;
    std::uint32_t last = 0;
    for (const FindMatch& match : found.matches) {
      if (hits.size() >= kMaxHits || taken >= kMaxHitsOfAStage) break;
      if (taken && match.line == last) continue;
      last = match.line;
      ++taken;
      const auto& nodes =
          match.line < source.text->origins.lines.size() ? source.text->origins.lines[match.line].nodes : std::vector<fx::NodeId>{};
      hits.push_back({source.title, text(source.text->code->line(match.line)).trimmed().left(400), QString("line %1").arg(match.line + 1),
                      nodes.empty() ? fx::NodeId{} : nodes.front(), source.id, match.line});
    }
  }
  return hits;
}

}  // namespace

int rank(const QString& typed, const QString& name) {
  if (typed.isEmpty()) return 1;
  const QString wanted = typed.toLower(), in = name.toLower();
  if (const qsizetype at = in.indexOf(wanted); at >= 0) {
    const bool word = at == 0 || !in[at - 1].isLetterOrNumber();
    return 10'000 - static_cast<int>(at) * 4 - static_cast<int>(in.size()) + (word ? 4'000 : 0) + (in.size() == wanted.size() ? 8'000 : 0);
  }
  int score = 1'000 - static_cast<int>(in.size());
  qsizetype at = -1;
  for (const QChar c : wanted) {
    if (c.isSpace()) continue;
    const qsizetype next = in.indexOf(c, at + 1);
    if (next < 0) return 0;
    if (at >= 0 && next == at + 1) score += 30;
    else if (next == 0 || !in[next - 1].isLetterOrNumber()) score += 20;
    else score -= static_cast<int>(next - at);
    at = next;
  }
  return std::max(1, score);
}

SearchPresenter::SearchPresenter(SessionPresenter& session, StagePresenter& stages, JobQueue& jobs, QObject* parent)
    : QObject(parent), session_(session), stages_(stages), jobs_(jobs) {}

void SearchPresenter::search(const QString& typed) {
  const fx::ProgramPtr program = session_.program();
  if (!program || typed.trimmed().size() < kMinTyped) {
    jobs_.supersede("everywhere");
    hits_.clear();
    summary_ = program ? QString("Type at least %1 letters: nodes, modules and every stage's text are searched").arg(kMinTyped)
                       : QString("No program is open");
    Q_EMIT found();
    return;
  }
  std::vector<Source> sources;
  for (const Stage& stage : stages_.stages())
    if (const auto stageText = stages_.textOf(stage.id)) sources.push_back({stage.id, stage.title, stageText});
  jobs_.submit<std::vector<Hit>>(
      "everywhere",
      [program, sources, typed = typed.trimmed()](const RunContext& context) { return searchAll(program, sources, typed, context); },
      [this](std::vector<Hit> hits) {
        hits_ = std::move(hits);
        summary_ = hits_.empty()              ? QString("Nothing found")
                   : hits_.size() >= kMaxHits ? "The first " + counted(kMaxHits, "hit")
                                              : counted(hits_.size(), "hit");
        Q_EMIT found();
      });
}

}  // namespace fxs::ui
