// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include "features/numbers/numbers_page.h"
#include "features/numbers/numbers_section.h"
#include "features/numbers/times_presenter.h"
#include "session/arrangement_presenter.h"
#include "session/numbers_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "widgets/banner_bar.h"
#include "widgets/node_sections.h"
#include "widgets/wrapped_label.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

constexpr int kNumbersSection = 30, kTimeSection = 40;

void showFirst(Host& host, NumbersPage* page) {
  Services& services = host.services();
  if (services.get<NumbersPresenter>().targets().empty())
    return host.showMessage("Compare first (F9)");
  const ComparedTarget* now = services.get<NumbersPresenter>().different();
  if (!now) return host.showMessage("No node is known to differ");
  host.showPage("numbers");
  page->showTarget(now->target->to);
  services.get<SelectionPresenter>().selectNode(now->target->first->node, Origin::Command);
  const StageId stage(text(now->target->first->stage));
  if (now->target->to == services.get<SessionPresenter>().target() && host.texts().has(stage))
    host.texts().showStage(stage);
}

void addNumberSections(Host& host) {
  auto& sections = host.services().get<NodeSections>();
  auto& numbers = host.services().get<NumbersPresenter>();
  auto& times = host.services().get<TimesPresenter>();
  sections.add({kNumbersSection, "Numbers", "what it computes",
                [&host, &numbers](fx::NodeId node, QWidget* parent) -> QWidget* {
                  return node.valid() ? makeNumbersSection(host.appearance(), numbers, node, parent)
                                      : nullptr;
                }});
  sections.add(
      {kTimeSection, "Time", {}, [&host, &times](fx::NodeId node, QWidget* parent) -> QWidget* {
         const QString time = node.valid() ? times.textOf(node) : QString();
         if (time.isEmpty()) return nullptr;
         return new WrappedLabel(host.appearance(), time, TextSize::Small, {}, parent);
       }});
  QObject::connect(&numbers, &NumbersPresenter::changed, &sections, &NodeSections::changed);
  QObject::connect(&times, &TimesPresenter::changed, &sections, [&times, &sections] {
    if (!times.state().running) Q_EMIT sections.changed();
  });
}

/// In the arrangement that makes the page large.
void showNumbers(Host& host) {
  host.services().get<ArrangementPresenter>().choose(Arrangement::Numbers);
  host.showPage("numbers");
}

QWidget* makeNumbersPage(Host& host, QWidget* parent) {
  Services& services = host.services();
  Actions& actions = host.actions();
  NumbersPresenter& numbers = services.get<NumbersPresenter>();
  auto* page =
      new NumbersPage(host.appearance(), numbers, services.get<SelectionPresenter>(), parent);
  actions.add({"first-difference", {"Go", 284}, "First difference", "Shift+F9", {}, [&host, page] {
                 showFirst(host, page);
               }});
  QAction* compare = actions.add(
      {"compare", {"Run", 200}, "Run and compare what it computes", "F9", {}, [&host, &numbers] {
         showNumbers(host);
         numbers.compare();
       }});
  QAction* all = actions.add({"compare-all",
                              {"Run", 210},
                              "Run and compare every output type",
                              "Ctrl+F9",
                              {},
                              [&host, &numbers] {
                                showNumbers(host);
                                numbers.compareAll();
                              }});
  compare->setIconText("Compare numbers");
  QAction* fetch = actions.add(
      {"fetch-executors", {"Run", 220}, "Install IREE", "Ctrl+Alt+F9", {}, [&host, &numbers] {
         host.showPage("numbers");
         numbers.fetchExecutors();
       }});
  actions.add(
      {"choose-python", {"Run", 230}, "Choose a Python …", "Ctrl+Shift+F9", {}, [&host, page] {
         host.showPage("numbers");
         page->choosePython();
       }});
  const auto enable = [compare, all, fetch, &numbers] {
    compare->setEnabled(numbers.possible());
    all->setEnabled(numbers.possible());
    fetch->setEnabled(!numbers.missing().isEmpty() && !numbers.state().running);
  };
  QObject::connect(&numbers, &NumbersPresenter::stateChanged, compare, enable);
  enable();
  QObject::connect(page->compareButton(), &QToolButton::clicked, page, [compare, &numbers] {
    if (numbers.state().running) numbers.cancel();
    else compare->trigger();
  });
  QObject::connect(page->messageButton(), &QPushButton::clicked, page, [&numbers, compare, fetch] {
    (numbers.missing().isEmpty() ? compare : fetch)->trigger();
  });
  QObject::connect(page->bundleButton(), &QToolButton::clicked, page,
                   [&actions] { actions["export-bundle"]->trigger(); });
  QObject::connect(page->allButton(), &QToolButton::clicked, all, &QAction::trigger);
  QObject::connect(&numbers, &NumbersPresenter::changed, page, [&host, &numbers] {
    std::size_t wrong = 0;
    for (const ComparedTarget& each : numbers.targets())
      wrong += severity(each.target->verdict) > tensor::Verdict::Suspicious ? 1 : 0;
    host.setPageTitle("numbers", wrong ? QString("Numbers  %1").arg(wrong) : QString("Numbers"));
  });
  PythonConsent& consent = numbers.consent();
  host.addSetting({"numbersPython", [&consent] { return exact(consent.python()); },
                   [&consent](const QVariant& kept) {
                     if (consent.python().empty()) consent.setPython(kept.toString().toStdString());
                   }});
  QObject::connect(&consent, &PythonConsent::changed, page, [&host, &consent] {
    host.banners().show("python-numbers", BannerKind::Info, consent.question(),
                        {{"Run Python for this file", [&consent] { consent.agree(); }},
                         {"Do not run", [&consent] { consent.decline(); }}});
  });
  return page;
}

}  // namespace

void registerNumbers(Features& features) {
  features.present<NumbersPresenter>();
  features.present<TimesPresenter>();
  features.parts.push_back(addNumberSections);
  features.pages.push_back(
      {"numbers",
       "Numbers",
       35,
       {"show-numbers", {"Go/Results", 258}, "What it computes", "Ctrl+Shift+Y"},
       makeNumbersPage});
}

}  // namespace fxs::ui
