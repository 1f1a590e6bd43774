// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/numbers/times_presenter.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kNamed = 4;

QString timeText(std::chrono::duration<double> time) {
  const double microseconds = time.count() * 1e6;
  return microseconds < 1e4 ? QString("%1 µs").arg(microseconds, 0, 'g', 3)
                            : QString("%1 ms").arg(microseconds / 1e3, 0, 'g', 3);
}

/// "12.3 %", of 0.123.
QString shareText(double share) {
  return QString("%1 %").arg(100 * share, 0, 'g', share < 0.1 ? 2 : 3);
}

}  // namespace

TimesPresenter::TimesPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      measurer_(services.chosen(sessionMeasurer(services.environment))),
      task_(services, WorkFor::Answer, CancelBy::Button) {
  auto& colourings = services.get<Colourings>();
  connect(&task_, &Work::changed, this, &TimesPresenter::changed);
  colourings.add({50,
                  "time",
                  "Execution time",
                  {},
                  [this] { measure(); },
                  [this] { return NodeColours{{}, Shade::None, {}, shares_, shareText}; },
                  [this] { return "Time, " + summary() + (known() ? ", up to:" : ""); }});
  connect(this, &TimesPresenter::changed, &colourings, &Colourings::changed);
  connect(&session_, &SessionPresenter::programChanged, this, &TimesPresenter::drop);
  connect(&session_, &SessionPresenter::runStarted, this, &TimesPresenter::drop);
}

void TimesPresenter::measure() {
  if (!session_.hasProgram() || task_.running() || times_) return;
  task_.start(
      "measuring",
      [snapshot = session_.snapshot(), measurer = measurer_](const RunContext& context) {
        return measurer(snapshot, context);
      },
      [this](Result<DispatchTimesPtr> made) {
        if (made) take(*std::move(made));
      });
}

void TimesPresenter::take(DispatchTimesPtr times) {
  times_ = std::move(times);
  all_ = {};
  for (const compare::Dispatch& dispatch : times_->dispatches) all_ += dispatch.measured.time;
  const fx::Program& program = *session_.program();
  shares_.assign(program.nodes.size(), 0);
  for (const compare::Dispatch& dispatch : times_->dispatches)
    for (const std::string& name : dispatch.nodes)
      if (const fx::Node* node = program.findNode(name); node && all_.count() > 0)
        shares_[node->id.index()] += dispatch.measured.time / all_;
}

void TimesPresenter::drop() {
  times_.reset();
  shares_.clear();
  task_.supersede();
}

QString TimesPresenter::summary() const {
  if (times_) return timeText(all_) + " with " + text(times_->executor);
  if (state().running) return state().step + " …";
  if (state().message.isEmpty())
    return state().cancelled ? QString("not measured: cancelled")
                             : QString("not measured; Alt+F9 measures it");
  return "not measured: " + state().message;
}

QString TimesPresenter::textOf(fx::NodeId node) const {
  const fx::ProgramPtr program = session_.program();
  if (!times_ || !program || !node.valid() || node.index() >= program->nodes.size()) return {};
  const std::string& name = program->node(node).name;
  QStringList out;
  for (const compare::Dispatch& dispatch : times_->dispatches) {
    if (std::find(dispatch.nodes.begin(), dispatch.nodes.end(), name) == dispatch.nodes.end())
      continue;
    QString line = QString("%1 of %2: %3")
                       .arg(shareText(dispatch.measured.time / all_), timeText(all_),
                            text(dispatch.measured.name));
    std::vector<std::string> others;
    for (const std::string& other : dispatch.nodes)
      if (other != name) others.push_back(other);
    const std::size_t more = others.size() > kNamed + 1 ? others.size() - kNamed : 0;
    if (more > 0) others.resize(kNamed);
    if (!others.empty())
      line +=
          ", with " + listed(others) + (more > 0 ? QString(" and %1 more").arg(more) : QString());
    out << line;
  }
  return out.join('\n');
}

}  // namespace fxs::ui
