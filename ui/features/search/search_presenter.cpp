// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/search/search_presenter.h"

#include <algorithm>
#include <iterator>

#include "fx/module_path.h"
#include "query/find.h"
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

/// A node, or a module that contains it: a word that only its modules have finds the node as a part
/// of them.
Hit nodeHit(const fx::Program& program, fx::NodeId id, const query::Query& query,
            const QString& typed) {
  const fx::Node& node = program.node(id);
  const QString name = text(node.name), target = text(node.target);
  const bool isOwn = query.hasKeys || name.contains(typed, Qt::CaseInsensitive) ||
                     target.contains(typed, Qt::CaseInsensitive);
  const std::vector<fx::ModuleFrame> frames =
      isOwn ? std::vector<fx::ModuleFrame>{} : fx::modulesOf(program, node);
  return {isOwn ? "node" : "module",
          name,
          frames.empty() ? target : text(frames.back().path),
          id,
          {},
          0};
}

Hit textHit(const Source& source, std::uint32_t line) {
  const StageText& in = *source.text;
  const auto& nodes =
      line < in.origins.lines.size() ? in.origins.lines[line].nodes : std::vector<fx::NodeId>{};
  return {source.title,
          text(in.code->line(line)).trimmed().left(400),
          QString("line %1").arg(line + 1),
          nodes.empty() ? fx::NodeId{} : nodes.front(),
          source.id,
          line};
}

/// One for each line, at most `most`.
std::vector<Hit> textHits(const Source& source, const QString& typed, std::size_t most,
                          const RunContext& context) {
  std::vector<Hit> hits;
  const Found found = find(*source.text->code, {typed.toStdString(), false, false}, context);
  for (const FindMatch& match : found.matches) {
    if (hits.size() >= most) break;
    if (hits.empty() || match.line != hits.back().line) hits.push_back(textHit(source, match.line));
  }
  return hits;
}

SearchResult searchAll(const fx::ProgramPtr& program, const std::vector<Source>& sources,
                       const query::Query& query, const std::vector<std::string>& problems,
                       const QString& typed, const RunContext& context) {
  const std::vector<fx::NodeId> found =
      query::find(query, {*program, problems, nullptr, {}}, context);
  SearchResult out;
  out.nodes = found.size();
  for (std::size_t i = 0; i < std::min(found.size(), kMaxHits); ++i)
    out.hits.push_back(nodeHit(*program, found[i], query, typed));
  if (query.hasKeys) return out;
  for (const Source& source : sources) {
    const std::size_t most = std::min(kMaxHits - out.hits.size(), kMaxHitsOfAStage);
    if (most == 0) break;
    std::vector<Hit> hits = textHits(source, typed, most, context);
    std::move(hits.begin(), hits.end(), std::back_inserter(out.hits));
  }
  return out;
}

}  // namespace

int rank(const QString& typed, const QString& name) {
  if (typed.isEmpty()) return 1;
  const QString wanted = typed.toLower(), in = name.toLower();
  if (const qsizetype at = in.indexOf(wanted); at >= 0) {
    const bool word = at == 0 || !in[at - 1].isLetterOrNumber();
    return 10'000 - static_cast<int>(at) * 4 - static_cast<int>(in.size()) + (word ? 4'000 : 0) +
           (in.size() == wanted.size() ? 8'000 : 0);
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

SearchPresenter::SearchPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      stages_(services.get<StagePresenter>()),
      searching_(services) {}

void SearchPresenter::showNothing(const QString& reason) {
  searching_.supersede();
  result_ = {};
  summary_ = reason;
  Q_EMIT found();
}

void SearchPresenter::search(const QString& typed) {
  const fx::ProgramPtr program = session_.program();
  if (!program) return showNothing("No program is open");
  if (typed.trimmed().size() < kMinTyped)
    return showNothing(
        QString("Type at least %1 letters: nodes, modules and every stage's text are searched")
            .arg(kMinTyped));
  auto query = query::parse(typed.toStdString());
  if (!query) return showNothing(text(query.error().message));
  query_ = *std::move(query);
  std::vector<std::string> problems = query::problemsOf(*program, session_.snapshot()->findings());
  std::vector<Source> sources;
  for (const Stage& stage : stages_.stages())
    if (const auto stageText = stages_.textOf(stage.id))
      sources.push_back({stage.id, stage.title, stageText});
  searching_.start(
      [program, sources, query = query_, problems = std::move(problems),
       typed = typed.trimmed()](const RunContext& context) {
        return searchAll(program, sources, query, problems, typed, context);
      },
      [this](SearchResult made) {
        result_ = std::move(made);
        if (hits().empty()) summary_ = "Nothing found";
        else
          summary_ = hits().size() >= kMaxHits ? "The first " + counted(kMaxHits, "hit")
                                               : counted(hits().size(), "hit");
        Q_EMIT found();
      });
}

}  // namespace fxs::ui
