// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/colour_presenter.h"

#include <algorithm>
#include <cmath>

#include "query/find.h"
#include "session/next_node.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

Shade level(std::size_t index) {
  return static_cast<Shade>(static_cast<std::size_t>(Shade::Level1) + std::min(index, kLevels - 1));
}

/// Bytes of the tensors in a value; 0 if there are none or a size is symbolic.
double bytesOf(const fx::Value& value) {
  double bytes = 0;
  std::vector<const fx::Value*> pending{&value};
  while (!pending.empty()) {
    const fx::Value& each = *pending.back();
    pending.pop_back();
    if (const fx::TensorMeta* meta = each.tensor()) {
      if (!meta->isStaticShape()) return 0;
      double of = facts(meta->dtype).bytes;
      for (const fx::SymInt& size : meta->sizes) of *= static_cast<double>(size.value());
      bytes += of;
    }
    if (const fx::ValueList* list = each.list())
      for (const fx::Value& element : *list) pending.push_back(&element);
  }
  return bytes;
}

/// Inputs and calls; parameters and constants are no results.
bool hasResult(const fx::Program& program, const fx::Node& node) {
  if (node.op == fx::NodeOp::Output || node.op == fx::NodeOp::GetAttr) return false;
  const fx::InputSpec* input =
      node.op == fx::NodeOp::Placeholder ? program.inputOf(node.id) : nullptr;
  return !input || input->kind == fx::InputKind::UserInput;
}

}  // namespace

QString name(ColourBy by) {
  constexpr const char* kNames[] = {"kind", "query", "problem", "size", "time", "error"};
  return kNames[static_cast<std::size_t>(by)];
}

QString title(ColourBy by) {
  constexpr const char* kTitles[] = {"Kind of node",       "Query",         "Problems",
                                     "Size of the result", "Time it takes", "Error of the values"};
  return kTitles[static_cast<std::size_t>(by)];
}

ColourPresenter::ColourPresenter(std::string job, SessionPresenter& session,
                                 OpGraphPresenter& operations, ProblemsPresenter& problems,
                                 NumbersPresenter& numbers, TimesPresenter& times, JobQueue& jobs,
                                 QObject* parent)
    : QObject(parent),
      job_(std::move(job)),
      session_(session),
      operations_(operations),
      problems_(problems),
      numbers_(numbers),
      times_(times),
      jobs_(jobs) {
  const auto again = [this] { refresh(); };
  connect(&session, &SessionPresenter::programChanged, this, again);
  connect(&operations, &OpGraphPresenter::chosenChanged, this, again);
  connect(&operations.graph(), &GraphPresenter::treeChanged, this, again);
  connect(&problems, &ProblemsPresenter::changed, this, again);
  connect(&numbers, &NumbersPresenter::changed, this, again);
  connect(&times, &TimesPresenter::changed, this, again);
}

void ColourPresenter::mark(const query::Query& query) {
  query_ = query;
  queryText_ = text(query.text);
  choose(query.terms.empty() ? ColourBy::Kind : ColourBy::Query);
}

void ColourPresenter::choose(ColourBy by) {
  by_ = by;
  if (by == ColourBy::Time) times_.measure();
  refresh();
  Q_EMIT chosen();
}

void ColourPresenter::adopt(const ColourPresenter& other) {
  by_ = other.by_;
  query_ = other.query_;
  queryText_ = other.queryText_;
  refresh();
}

QString ColourPresenter::obstacle(ColourBy by) const {
  if (by == ColourBy::Query && query_.terms.empty())
    return "Search with Ctrl+Shift+F first, and mark the matches";
  const ComparedTarget* compared = numbers_.different() ? numbers_.different() : numbers_.current();
  if (by == ColourBy::Error && (!compared || compared->target->nodes.empty()))
    return "Compare the values of the nodes first (F9)";
  return {};
}

std::vector<Shade> ColourPresenter::shadesOfUser() const {
  std::vector<Shade> out(session_.program()->nodes.size(),
                         by_ == ColourBy::Problem ? Shade::Dimmed : Shade::None);
  if (by_ == ColourBy::Problem)
    for (std::size_t i = 0; i < std::min(out.size(), problems_.standings().size()); ++i)
      if (const Standing standing = problems_.standings()[i]; standing != Standing::Neutral)
        out[i] = standing == Standing::Blocked ? Shade::Blocked : Shade::Suspicious;
  const ComparedTarget* compared = numbers_.different() ? numbers_.different() : numbers_.current();
  if (by_ == ColourBy::Error && compared)
    for (const compare::NodeComparison& node : compared->target->nodes)
      if (node.node.valid() && node.node.index() < out.size())
        out[node.node.index()] =
            level(static_cast<std::size_t>(errorFraction(node.difference) * kLevels));
  return out;
}

ColourPresenter::Subject ColourPresenter::subject() const {
  Subject subject;
  subject.user = subject.shown = session_.program();
  if (operations_.chosen() && operations_.operations().program) {
    subject.shown = operations_.operations().program;
    subject.origins = operations_.operations().fxNodesOf;
  }
  subject.ofUser = shadesOfUser();
  subject.problems = query::problemsOf(*subject.user, problems_.findings());
  for (std::size_t i = 0; i < std::min(subject.problems.size(), problems_.reasons().size()); ++i)
    if (subject.problems[i].empty()) subject.problems[i] = problems_.reasons()[i].toStdString();
  subject.timeShares = times_.shares();
  subject.timeShares.resize(subject.user->nodes.size(), 0);
  return subject;
}

ColourPresenter::Coloured ColourPresenter::coloured(const Subject& subject, ColourBy by,
                                                    const query::Query& query,
                                                    const RunContext& context) {
  switch (by) {
    case ColourBy::Kind: return {};
    case ColourBy::Query: return byQuery(subject, query, context);
    case ColourBy::Problem: {
      Coloured out;
      out.shades = shadesOfShown(subject, Shade::Dimmed);
      out.legend = {{Shade::Blocked, "stops the program"}, {Shade::Suspicious, "warning"}};
      return out;
    }
    case ColourBy::Error: return byError(subject);
    case ColourBy::Time: return scaled(timesOf(subject), shareText);
    case ColourBy::Size: break;
  }
  const std::vector<fx::Node>& nodes = subject.shown->nodes;
  std::vector<double> bytes(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (hasResult(*subject.shown, nodes[i])) bytes[i] = bytesOf(nodes[i].val);
  return scaled(
      bytes, [](double size) { return bytesText(static_cast<std::uint64_t>(std::llround(size))); });
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

ColourPresenter::Coloured ColourPresenter::byError(const Subject& subject) {
  Coloured out;
  out.shades = shadesOfShown(subject, Shade::None);
  for (std::size_t i = 0; i < kLevels; ++i) {
    const double most = std::pow(10, kMostDecades * static_cast<double>(i + 1) / kLevels);
    out.legend.push_back(
        {level(i), i + 1 == kLevels ? QString("more") : QString("%1 eps").arg(most, 0, 'g', 2)});
  }
  return out;
}

std::vector<Shade> ColourPresenter::shadesOfShown(const Subject& subject, Shade least) {
  if (!subject.isOperations()) return subject.ofUser;
  const std::vector<fx::Node>& nodes = subject.shown->nodes;
  std::vector<Shade> out(nodes.size(), least);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op != fx::NodeOp::CallFunction) continue;
    for (const fx::NodeId id : subject.origins[i])
      out[i] = std::max(out[i], subject.ofUser[id.index()]);
  }
  return out;
}

std::vector<double> ColourPresenter::timesOf(const Subject& subject) {
  std::vector<double> out;
  for (const fx::Node& node : subject.shown->nodes) {
    out.push_back(0);
    if (!subject.isOperations()) out.back() = subject.timeShares[node.id.index()];
    else if (node.op == fx::NodeOp::CallFunction)
      for (const fx::NodeId id : subject.origins[node.id.index()])
        out.back() = std::max(out.back(), subject.timeShares[id.index()]);
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
          range > 0 ? level(static_cast<std::size_t>(kLevels * std::log(values[i] / least) / range))
                    : Shade::Level3;
  if (range > 0)
    for (std::size_t i = 0; i < kLevels; ++i)
      out.legend.push_back(
          {level(i), textOf(least * std::exp(range * static_cast<double>(i + 1) / kLevels))});
  else if (most > 0) out.legend = {{Shade::Level3, textOf(most)}};
  return out;
}

void ColourPresenter::refresh() {
  if (!session_.program() || by_ == ColourBy::Kind) {
    jobs_.supersede(job_);
    busy_ = false;
    result_ = {};
    Q_EMIT changed();
    return;
  }
  // The operations of the chosen text are on their way: what is drawn until then keeps its colours.
  busy_ = true;
  const ColourBy by = by_;
  jobs_.submit<Coloured>(
      job_,
      [subject = subject(), by, query = query_](const RunContext& context) {
        return coloured(subject, by, query, context);
      },
      [this](Coloured made) {
        busy_ = false;
        result_ = std::move(made);
        Q_EMIT changed();
      });
}

fx::NodeId ColourPresenter::next(fx::NodeId from, int direction) const {
  return nextNode(result_.matches, from, direction);
}

QString ColourPresenter::summary() const {
  if (by_ == ColourBy::Kind || !session_.program()) return {};
  if (by_ == ColourBy::Time)
    return QString("Time, %1").arg(times_.summary()) + (times_.known() ? ", up to:" : "");
  if (by_ == ColourBy::Size || by_ == ColourBy::Error) return title(by_) + ", up to:";
  if (by_ != ColourBy::Query) return title(by_) + ":";
  return QString("%1 of %2 %3 %4")
      .arg(result_.matches.size())
      .arg(counted(result_.shades.size(), "node"),
           result_.matches.size() == 1 ? "matches" : "match", queryText_);
}

}  // namespace fxs::ui
