// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/colour_presenter.h"

#include <algorithm>
#include <cmath>

#include "query/find.h"
#include "session/next_node.h"
#include "session/session_presenter.h"
#include "summary/values.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

/// Inputs and calls; parameters and constants are no results.
bool hasResult(const fx::Program& program, const fx::Node& node) {
  if (node.op == fx::NodeOp::Output || node.op == fx::NodeOp::GetAttr) return false;
  const fx::InputSpec* input =
      node.op == fx::NodeOp::Placeholder ? program.inputOf(node.id) : nullptr;
  return !input || input->kind == fx::InputKind::UserInput;
}

}  // namespace

ColourPresenter::ColourPresenter(OpGraphPresenter& operations, Services& services)
    : session_(services.get<SessionPresenter>()),
      operations_(operations),
      colourings_(services.get<Colourings>()),
      marks_(services.get<Marks>()),
      colouring_(services, WorkFor::View) {
  const auto again = [this] { refresh(); };
  connect(&session_, &SessionPresenter::programChanged, this, again);
  connect(&operations, &OpGraphPresenter::chosenChanged, this, again);
  connect(&operations.graph(), &GraphPresenter::treeChanged, this, again);
  connect(&marks_, &Marks::changed, this, again);
  connect(&colourings_, &Colourings::changed, this, again);
}

void ColourPresenter::mark(const query::Query& query) {
  query_ = query;
  queryText_ = text(query.text);
  choose(query.terms.empty() ? kByKind : kByQuery);
}

void ColourPresenter::choose(const QString& by) {
  by_ = by;
  const Colouring* colouring = colourings_.find(by);
  if (colouring && colouring->prepare) colouring->prepare();
  refresh();
  Q_EMIT chosen();
}

void ColourPresenter::adopt(const ColourPresenter& other) {
  by_ = other.by_;
  query_ = other.query_;
  queryText_ = other.queryText_;
  refresh();
}

QString ColourPresenter::obstacle(const QString& by) const {
  if (by == kByQuery && query_.terms.empty())
    return "Search with Ctrl+Shift+F first, and mark the matches";
  const Colouring* colouring = colourings_.find(by);
  return colouring && colouring->obstacle ? colouring->obstacle() : QString();
}

ColourPresenter::Subject ColourPresenter::subject() const {
  Subject subject;
  subject.user = subject.shown = session_.program();
  if (operations_.chosen() && operations_.operations().program) {
    subject.shown = operations_.operations().program;
    subject.origins = operations_.operations().fxNodesOf;
  }
  const std::size_t count = subject.user->nodes.size();
  const Colouring* colouring = colourings_.find(by_);
  if (colouring && colouring->colours) subject.ofUser = colouring->colours();
  subject.ofUser.shades.resize(count, subject.ofUser.least);
  if (subject.ofUser.textOf) subject.ofUser.values.resize(count, 0);
  subject.problems = query::problemsOf(*subject.user, session_.snapshot()->findings());
  for (std::size_t i = 0; i < std::min(subject.problems.size(), marks_.all().size()); ++i)
    if (subject.problems[i].empty()) subject.problems[i] = marks_.all()[i].status.tip.toStdString();
  return subject;
}

ColourPresenter::Coloured ColourPresenter::coloured(const Subject& subject, const QString& by,
                                                    const query::Query& query,
                                                    const RunContext& context) {
  if (by == kByQuery) return byQuery(subject, query, context);
  return by == kBySize ? bySize(subject) : byFeature(subject);
}

ColourPresenter::Coloured ColourPresenter::bySize(const Subject& subject) {
  const std::vector<fx::Node>& nodes = subject.shown->nodes;
  std::vector<double> bytes(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (hasResult(*subject.shown, nodes[i]))
      bytes[i] = static_cast<double>(summary::bytesOf(nodes[i].val).value_or(0));
  return scaled(
      bytes, [](double size) { return bytesText(static_cast<std::uint64_t>(std::llround(size))); });
}

ColourPresenter::Coloured ColourPresenter::byFeature(const Subject& subject) {
  const NodeColours& ofUser = subject.ofUser;
  if (ofUser.textOf) return scaled(ofShown(subject, ofUser.values, 0.0), ofUser.textOf);
  Coloured out;
  out.shades = ofShown(subject, ofUser.shades, ofUser.least);
  out.legend = ofUser.legend;
  return out;
}

ColourPresenter::Coloured ColourPresenter::byQuery(const Subject& subject,
                                                   const query::Query& query,
                                                   const RunContext& context) {
  Coloured out;
  out.matches = query::find(query, {*subject.user, subject.problems, nullptr, {}}, context);
  out.ofProgram.resize(subject.user->nodes.size());
  for (const fx::NodeId id : out.matches) out.ofProgram[id.index()] = true;
  const std::size_t count = subject.shown->nodes.size();
  if (subject.isOperations()) {
    std::vector<std::string> problems(count);
    for (std::size_t i = 0; i < count; ++i)
      for (const fx::NodeId id : subject.origins[i]) problems[i] += subject.problems[id.index()];
    out.matches = query::find(
        query, {*subject.shown, problems, subject.user.get(), subject.origins}, context);
  }
  out.shades.assign(count, Shade::Dimmed);
  for (const fx::NodeId id : out.matches) out.shades[id.index()] = Shade::Match;
  out.legend = {{Shade::Match, "matches"}};
  return out;
}

template <class T>
std::vector<T> ColourPresenter::ofShown(const Subject& subject, const std::vector<T>& ofUser,
                                        T least) {
  if (!subject.isOperations()) return ofUser;
  const std::vector<fx::Node>& nodes = subject.shown->nodes;
  std::vector<T> out(nodes.size(), least);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op != fx::NodeOp::CallFunction) continue;
    for (const fx::NodeId id : subject.origins[i]) out[i] = std::max(out[i], ofUser[id.index()]);
  }
  return out;
}

ColourPresenter::Coloured ColourPresenter::scaled(const std::vector<double>& values,
                                                  const std::function<QString(double)>& textOf) {
  Coloured out;
  double least = 0, most = 0;
  for (const double value : values) {
    if (value <= 0) continue;
    least = least > 0 ? std::min(least, value) : value;
    most = std::max(most, value);
  }
  const double range = most > least ? std::log(most / least) : 0;
  out.shades.assign(values.size(), Shade::None);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > 0)
      out.shades[i] =
          range > 0
              ? levelOf(static_cast<std::size_t>(kLevels * std::log(values[i] / least) / range))
              : Shade::Level3;
  if (range > 0)
    for (std::size_t i = 0; i < kLevels; ++i)
      out.legend.push_back(
          {levelOf(i), textOf(least * std::exp(range * static_cast<double>(i + 1) / kLevels))});
  else if (most > 0) out.legend = {{Shade::Level3, textOf(most)}};
  return out;
}

void ColourPresenter::refresh() {
  if (!session_.program() || by_ == kByKind) {
    colouring_.supersede();
    result_ = {};
    Q_EMIT changed();
    return;
  }
  // The operations of the chosen text are on their way: what is drawn until then keeps its colours.
  colouring_.start([subject = subject(), by = by_, query = query_](
                       const RunContext& context) { return coloured(subject, by, query, context); },
                   [this](Coloured made) {
                     result_ = std::move(made);
                     Q_EMIT changed();
                   });
}

fx::NodeId ColourPresenter::next(fx::NodeId from, int direction) const {
  return nextNode(result_.matches, from, direction);
}

QString ColourPresenter::summary() const {
  if (by_ == kByKind || !session_.program()) return {};
  const Colouring* colouring = colourings_.find(by_);
  if (colouring && colouring->summary) return colouring->summary();
  if (by_ != kByQuery)
    return (colouring ? colouring->title : by_) + (by_ == kBySize ? ", up to:" : ":");
  return QString("%1 of %2 %3 %4")
      .arg(result_.matches.size())
      .arg(counted(result_.shades.size(), "node"),
           result_.matches.size() == 1 ? "matches" : "match", queryText_);
}

}  // namespace fxs::ui
