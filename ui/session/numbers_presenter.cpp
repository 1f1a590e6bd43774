// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/numbers_presenter.h"

#include <algorithm>
#include <cmath>

namespace fxs::ui {
namespace {

constexpr int kNumberMarks = 20;  ///< their place among the marks of a node

bool isNonfinite(const tensor::Difference& difference) {
  return difference.kind == tensor::Kind::Nan || difference.kind == tensor::Kind::Infinity;
}

}  // namespace

QString sizesText(const compare::Sizes& sizes) {
  QStringList out;
  for (const auto& [symbol, size] : sizes) out << text(symbol) + "=" + QString::number(size);
  return out.join(" ");
}

QString title(tensor::Verdict verdict) {
  return verdict == tensor::Verdict::DiffersAtNonfinite ? QString("differs in NaN or infinity")
                                                        : text(tensor::name(verdict));
}

QString title(compare::TargetVerdict verdict) {
  switch (verdict) {
    case compare::TargetVerdict::NotCompared: return "not compared";
    case compare::TargetVerdict::DiffersAtNonfinite:
      return title(tensor::Verdict::DiffersAtNonfinite);
    default: return text(compare::name(verdict));
  }
}

tensor::Verdict severity(compare::TargetVerdict verdict) {
  switch (verdict) {
    case compare::TargetVerdict::Suspicious: return tensor::Verdict::Suspicious;
    case compare::TargetVerdict::DiffersAtNonfinite: return tensor::Verdict::DiffersAtNonfinite;
    case compare::TargetVerdict::Differs: return tensor::Verdict::Differs;
    default: return tensor::Verdict::Same;
  }
}

QString errorText(const tensor::Difference& difference) {
  if (isNonfinite(difference)) return difference.kind == tensor::Kind::Nan ? "NaN" : "infinity";
  if (difference.kind == tensor::Kind::Shape || difference.kind == tensor::Kind::Type) return {};
  if (difference.units > 0 && std::isfinite(difference.units))
    return QString::number(difference.units, 'g', 3) + " eps";
  if (difference.wrong > 0) return text(std::to_string(difference.wrong)) + " wrong";
  return difference.l2 > 0 ? QString::number(difference.l2, 'g', 3) : QString("exact");
}

double errorFraction(const tensor::Difference& difference) {
  if (isNonfinite(difference) ||
      (difference.verdict >= tensor::Verdict::DiffersAtNonfinite && !(difference.units > 0)))
    return 1;
  if (!std::isfinite(difference.units)) return 1;
  return std::clamp(std::log10(1 + difference.units) / kMostDecades, 0.0, 1.0);
}

NumbersPresenter::NumbersPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      comparer_(services.chosen(sessionComparer(services.environment))),
      missing_(services.chosen(ExecutorCheck(missingExecutors))(services.environment)),
      fetcher_(services.chosen(sessionExecutorFetcher(services.environment))),
      consent_(services.python, PythonConsent::kCompute),
      target_(session_.target()),
      comparing_(services, WorkFor::Answer, CancelBy::Button),
      fetching_(services, WorkFor::Answer, CancelBy::Button) {
  auto& marks = services.get<Marks>();
  auto& colourings = services.get<Colourings>();
  connect(&comparing_, &Work::changed, this, &NumbersPresenter::stateChanged);
  connect(&fetching_, &Work::changed, this, &NumbersPresenter::stateChanged);
  marks.add({kNumberMarks, [this] { return this->marks(); }});
  connect(this, &NumbersPresenter::changed, &marks, &Marks::refresh);
  const auto obstacle = [this] {
    const bool isKnown = coloured() && !coloured()->target->nodes.empty();
    return isKnown ? QString() : QString("Compare the values of the nodes first (F9)");
  };
  colourings.add({60,
                  "error",
                  "Error of the values",
                  obstacle,
                  {},
                  [this] { return colours(); },
                  [] { return QString("Error of the values, up to:"); }});
  connect(this, &NumbersPresenter::changed, &colourings, &Colourings::changed);
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    consent_.setFile(session_.state().file);
    drop();
  });
  connect(&session_, &SessionPresenter::runStarted, this, [this] {
    // A second run with the same output type is a request of the user; the engine may have changed.
    if (target_ == session_.target()) drop();
    target_ = session_.target();
    if (!targets_.empty()) Q_EMIT changed();
  });
  connect(&session_, &SessionPresenter::stateChanged, this, [this] {
    if (session_.state().changedOnDisk && (comparing_.running() || !targets_.empty())) drop();
    else Q_EMIT stateChanged();
  });
  connect(&consent_, &PythonConsent::agreed, this, [this] {
    if (!requested_.empty()) start(requested_);
  });
}

bool NumbersPresenter::possible() const {
  return missing_.isEmpty() && !comparing_.running() && session_.hasProgram() &&
         session_.state().activity == Activity::Idle && !session_.state().changedOnDisk &&
         session_.snapshot()->imported && session_.snapshot()->engine.has_value();
}

void NumbersPresenter::compare() {
  if (possible()) start({session_.target()});
}

void NumbersPresenter::compareAll() {
  std::vector<lower::OutputType> targets{session_.target()};
  for (const lower::OutputType& each : session_.outputTypes().backends())
    if (each != session_.target()) targets.push_back(each);
  if (possible()) start(std::move(targets));
}

void NumbersPresenter::start(std::vector<lower::OutputType> targets) {
  if (!session_.hasProgram()) return;
  requested_ = targets;
  comparing_.start(
      "comparing",
      [this, targets, python = consent_.request().path, snapshot = session_.snapshot(),
       comparer = comparer_](const RunContext& context, const Work::Post& post) {
        const auto onPart = [this, &post](const compare::ComparisonPtr& part) {
          post([this, part] { take(part); });
        };
        return comparer(snapshot, targets, python, onPart, context);
      },
      [this](const Result<compare::ComparisonPtr>& result) {
        if (result) take(*result);
      });
}

void NumbersPresenter::take(const compare::ComparisonPtr& part) {
  if (!part) return;
  for (const compare::TargetComparison& target : part->targets) {
    std::erase_if(targets_,
                  [&](const ComparedTarget& each) { return each.target->to == target.to; });
    targets_.push_back({part, &target});
  }
  std::stable_sort(targets_.begin(), targets_.end(),
                   [](const ComparedTarget& a, const ComparedTarget& b) {
                     return a.target->to->rank < b.target->to->rank;
                   });
  Q_EMIT changed();
}

void NumbersPresenter::fetchExecutors() {
  if (missing_.isEmpty() || !fetcher_ || fetching_.running()) return;
  fetching_.start("fetching the executors", fetcher_, [this](const Result<std::string>& folder) {
    if (folder) missing_.clear();
  });
}

void NumbersPresenter::cancel() {
  if (fetching_.running()) fetching_.cancel();
  else comparing_.cancel();
}

void NumbersPresenter::drop() {
  targets_.clear();
  requested_.clear();
  comparing_.supersede();
  Q_EMIT changed();
}

const ComparedTarget* NumbersPresenter::ofSession() const {
  const auto found = std::find_if(targets_.begin(), targets_.end(), [&](const auto& each) {
    return each.target->to == session_.target();
  });
  return found == targets_.end() ? nullptr : &*found;
}

const ComparedTarget* NumbersPresenter::current() const {
  if (const ComparedTarget* now = ofSession()) return now;
  return targets_.empty() ? nullptr : &targets_.front();
}

const ComparedTarget* NumbersPresenter::different() const {
  const auto differs = [](const ComparedTarget& each) {
    return each.target->first && each.target->first->node.valid();
  };
  if (const ComparedTarget* now = current(); now && differs(*now)) return now;
  const auto found = std::find_if(targets_.begin(), targets_.end(), differs);
  return found == targets_.end() ? nullptr : &*found;
}

QString NumbersPresenter::summary() const {
  const ComparedTarget* now = current();
  if (!now) return {};
  const compare::Comparison& made = *now->comparison;
  const bool none = made.reference.empty() || made.reference == "none";
  QStringList out{
      none ? QString("nothing to compare with") : "compared with " + text(made.reference),
      listed(made.executors)};
  QStringList sizes;
  for (const compare::Inputs& inputs : made.inputs)
    if (const QString each = sizesText(inputs.sizes); !each.isEmpty() && !sizes.contains(each))
      sizes << each;
  if (!sizes.isEmpty()) out << sizes.join(", ");
  return out.join("  ·  ");
}

QStringList NumbersPresenter::notes() const {
  const ComparedTarget* now = current();
  if (!now) return {};
  QStringList out;
  if (!now->target->scope.sets.empty()) out << "Compared for " + text(now->target->scope.message());
  for (const std::string& note : now->comparison->notes) out << text(note);
  for (const compare::Inputs& inputs : now->comparison->inputs)
    for (const std::string& note : inputs.notes)
      if (const QString line = text(note); !out.contains(line)) out << line;
  return out;
}

QString NumbersPresenter::emptyText() const {
  if (!targets_.empty()) return {};
  if (state().running) return state().step + " …";
  if (!session_.hasProgram()) return "Open a program to compare what its lowered forms compute";
  if (session_.state().changedOnDisk)
    return "The file changed on disk; reload it (Ctrl+R) to compare";
  if (!missing_.isEmpty())
    return fetching_.state().message.isEmpty() ? "Nothing can be compared: " + missing_
                                               : "Not installed: " + fetching_.state().message;
  if (!comparing_.state().message.isEmpty()) return "Not compared: " + comparing_.state().message;
  if (comparing_.state().cancelled) return "The comparison was cancelled";
  return "Runs what the program was lowered to on this machine, and compares the results with "
         "PyTorch's or with those of other lowering "
         "paths";
}

std::vector<NodeNumbers> NumbersPresenter::at(fx::NodeId node) const {
  std::vector<NodeNumbers> out;
  for (const ComparedTarget& each : targets_) {
    const QString target = text(lower::name(each.target->to));
    // Of the runs of a result, the one that differs most.
    const compare::ResultComparison* worst = nullptr;
    QString by;
    for (const compare::Run& run : each.target->runs)
      for (const compare::ResultComparison& result : run.results) {
        if (!node.valid() || result.node != node || !result.compared) continue;
        if (worst && std::pair(result.difference.verdict, result.difference.units) <=
                         std::pair(worst->difference.verdict, worst->difference.units))
          continue;
        worst = &result;
        by = QStringList{text(run.executor), sizesText(run.sizes)}.join(" ").trimmed();
      }
    if (worst) out.push_back({target, by, &worst->difference, &worst->found, &worst->expected});
    for (const compare::NodeComparison& inner : each.target->nodes)
      if (!worst && node.valid() && inner.node == node)
        out.push_back(
            {target, {}, &inner.difference, &inner.found, &inner.expected, inner.inputUnits});
  }
  return out;
}

std::vector<std::pair<fx::NodeId, Mark>> NumbersPresenter::marks() const {
  const ComparedTarget* now = current();
  if (!now) return {};
  // Where values begin to differ is marked as an error; what follows from it, as a warning.
  const auto markOf = [](bool isError, const QString& tip) {
    return isError ? Mark{Emphasis::Error, "error", tip} : Mark{Emphasis::Warning, "warning", tip};
  };
  std::vector<std::pair<fx::NodeId, Mark>> out;
  const auto& first = now->target->first;
  if (first && first->node.valid())
    out.emplace_back(first->node, markOf(now->target->verdict > compare::TargetVerdict::Suspicious,
                                         "values begin to differ here: " + text(first->message)));
  for (const compare::NodeComparison& inner : now->target->nodes)
    if (inner.node.valid() && inner.difference.verdict != tensor::Verdict::Same &&
        !(first && first->node == inner.node))
      out.emplace_back(inner.node,
                       markOf(false, "its value differs: " + text(inner.difference.message)));
  return out;
}

NodeColours NumbersPresenter::colours() const {
  NodeColours out;
  for (std::size_t i = 0; i < kLevels; ++i) {
    const double most = std::pow(10, kMostDecades * static_cast<double>(i + 1) / kLevels);
    out.legend.push_back(
        {levelOf(i), i + 1 == kLevels ? QString("more") : QString("%1 eps").arg(most, 0, 'g', 2)});
  }
  if (!coloured()) return out;
  for (const compare::NodeComparison& each : coloured()->target->nodes) {
    if (!each.node.valid()) continue;
    if (each.node.index() >= out.shades.size()) out.shades.resize(each.node.index() + 1);
    out.shades[each.node.index()] =
        levelOf(static_cast<std::size_t>(errorFraction(each.difference) * kLevels));
  }
  return out;
}

QString NumbersPresenter::nameOf(fx::NodeId node) const {
  const fx::ProgramPtr program = session_.program();
  return program && node.valid() && node.index() < program->nodes.size()
             ? text(program->node(node).name)
             : QString();
}

QString NumbersPresenter::operatorOf(fx::NodeId node) const {
  const fx::ProgramPtr program = session_.program();
  return program && node.valid() && node.index() < program->nodes.size()
             ? text(program->node(node).target)
             : QString();
}

}  // namespace fxs::ui
