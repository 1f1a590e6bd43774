// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>
#include <QTimer>
#include <memory>
#include <utility>

#include "features/problems/blocked_section.h"
#include "features/problems/problems_page.h"
#include "features/problems/problems_presenter.h"
#include "features/problems/reduce_presenter.h"
#include "session/diagnosis_presenter.h"
#include "session/node_markdown.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "text/markdown.h"
#include "text/words.h"
#include "widgets/banner_bar.h"
#include "widgets/node_sections.h"

namespace fxs::ui {
namespace {

constexpr int kProblemSection = 20;
constexpr int kFindingLines = 20, kBlockedLines = 50;  ///< places in the Markdown of a node

void addProblemActions(Host& host, ProblemsPage* page) {
  Actions& actions = host.actions();
  Services& services = host.services();
  const auto step = [&host, &services, page](int direction) {
    if (services.get<ProblemsPresenter>().problems().empty())
      return host.showMessage(services.get<ProblemsPresenter>().emptyText());
    host.raisePage("problems");
    page->step(direction);
  };
  actions.add({"next-problem", {"Go", 280}, "Next problem", "F8", {}, [step] { step(1); }});
  actions.add(
      {"previous-problem", {"Go", 282}, "Previous problem", "Shift+F8", {}, [step] { step(-1); }});
  QAction* diagnose = actions.add({"diagnose",
                                   {"Run", 100},
                                   "Find what blocks the program",
                                   "Ctrl+Shift+D",
                                   "diagnose",
                                   [&host, &services] {
                                     host.showPage("problems");
                                     services.get<DiagnosisPresenter>().diagnose();
                                   }});
  const auto enable = [diagnose, &services] {
    diagnose->setEnabled(services.get<DiagnosisPresenter>().possible());
  };
  QObject::connect(&services.get<DiagnosisPresenter>(), &DiagnosisPresenter::stateChanged, diagnose,
                   enable);
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::stateChanged, diagnose,
                   enable);
  enable();
}

void addReduceAction(Host& host) {
  Services& services = host.services();
  QAction* reduce = host.actions().add(
      {"reduce",
       {"Run", 110},
       "Reduce to the smallest program that fails in the same way",
       "Ctrl+Shift+R",
       {},
       [&services] {
         const Problem* problem = services.get<ProblemsPresenter>().problem(
             services.get<SelectionPresenter>().current().problem);
         const fx::NodeId selected = services.get<SelectionPresenter>().current().node();
         // The selected problem or node if it stops the program, else the first that does.
         const bool stops = problem ? problem->severity() == fx::Severity::Error
                                    : services.get<ProblemsPresenter>().blocks(selected);
         services.get<ReducePresenter>().start(stops ? selected : fx::NodeId{});
       }});
  reduce->setIconText("Reduce");
  const auto refresh = [reduce, &services] {
    const QString obstacle = services.get<SessionPresenter>().noFailure();
    reduce->setEnabled(obstacle.isEmpty() && !services.get<ReducePresenter>().state().running);
    reduce->setToolTip(
        obstacle.isEmpty()
            ? QString("Opens the smallest program that fails in the same way (Ctrl+Shift+R)")
            : obstacle);
  };
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::stateChanged, reduce,
                   refresh);
  QObject::connect(&services.get<ReducePresenter>(), &ReducePresenter::changed, reduce, refresh);
  refresh();
  auto& reducing = services.get<ReducePresenter>();
  host.keepOutOfRecent([&reducing] { return reducing.showsReduced(); });
  BannerBar* banners = &host.banners();
  QObject::connect(&reducing, &ReducePresenter::changed, banners,
                   [&host, &reducing] { host.showWork(reducing.state()); });
  QObject::connect(&services.get<ReducePresenter>(), &ReducePresenter::failed, banners,
                   [banners](const QString& reason) {
                     banners->show("reduce", BannerKind::Error, "Not reduced: " + reason);
                   });
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::programChanged, banners,
                   [banners, &services] {
                     banners->dismiss("reduce");
                     const QString original =
                         shown(QFileInfo(services.get<ReducePresenter>().original()).fileName());
                     banners->show(
                         "reduced", BannerKind::Info,
                         services.get<ReducePresenter>().showsReduced()
                             ? original + ": " + services.get<ReducePresenter>().statement()
                             : QString(),
                         {{withoutMnemonic("Back to " + original),
                           [&services] { services.get<ReducePresenter>().back(); }}});
                   });
}

QWidget* makeProblemsOf(Host& host, fx::NodeId node, std::shared_ptr<OpenParts> open,
                        QWidget* parent) {
  auto& problems = host.services().get<ProblemsPresenter>();
  auto* box = new QWidget(parent);
  auto* column = makeBox<QVBoxLayout>(kGrid / 2);
  auto* blocked =
      new BlockedSection(host.appearance(), problems, host.services().get<DiagnosisPresenter>(),
                         node, std::move(open), box);
  QObject::connect(blocked, &BlockedSection::nodeRequested, box, [&host](fx::NodeId other) {
    host.services().get<SelectionPresenter>().selectNode(other, Origin::Inspector);
  });
  QObject::connect(blocked, &BlockedSection::copyRequested, box, [&host](const QString& copied) {
    QGuiApplication::clipboard()->setText(copied);
    host.showMessage("Copied");
  });
  QObject::connect(blocked, &BlockedSection::fixRequested, box, [&host] {
    QAction* fix = host.actions()["export-fixed"];
    if (fix->isEnabled()) fix->trigger();
    else host.showMessage(fix->toolTip());
  });
  column->addWidget(blocked);
  for (const ProblemPart* part : problems.at(node)) {
    if (part->blocked >= 0) continue;
    QWidget* card = problemCard(host.appearance(), part->icon, part->severity, box);
    card->layout()->addWidget(
        new WrappedLabel(host.appearance(), part->message, TextSize::Body, {}, card));
    column->addWidget(card);
  }
  box->setLayout(column);
  return box;
}

QWidget* makeConclusions(Host& host, QWidget* parent) {
  const QStringList lines = host.services().get<ProblemsPresenter>().conclusions();
  if (lines.isEmpty()) return nullptr;
  auto* box = new QWidget(parent);
  auto* column = makeBox<QVBoxLayout>(kGrid / 2);
  for (const QString& line : lines)
    column->addWidget(new WrappedLabel(host.appearance(), line, TextSize::Body, {}, box));
  box->setLayout(column);
  return box;
}

QStringList messagesAt(Services& services, fx::NodeId node) {
  QStringList messages;
  for (const ProblemPart* part : services.get<ProblemsPresenter>().at(node))
    messages << part->message;
  return messages;
}

void addProblemSections(Host& host) {
  Services& services = host.services();
  auto& sections = services.get<NodeSections>();
  auto& problems = services.get<ProblemsPresenter>();
  sections.add({kProblemSection,
                {},
                {},
                [&host, open = std::make_shared<OpenParts>()](fx::NodeId node, QWidget* parent) {
                  return node.valid() ? makeProblemsOf(host, node, open, parent) : nullptr;
                }});
  sections.add({kProblemSection, "Diagnosis", "of the whole program",
                [&host](fx::NodeId node, QWidget* parent) {
                  return node.valid() ? nullptr : makeConclusions(host, parent);
                }});
  // The list of what was tried follows the diagnosis by itself.
  QObject::connect(&problems, &ProblemsPresenter::changed, &sections,
                   [&services, &sections, shown = QStringList()]() mutable {
                     const Selection& selected = services.get<SelectionPresenter>().current();
                     if (selected.group.valid()) return;
                     const QStringList now = messagesAt(services, selected.node());
                     if (selected.node().valid() && now == std::exchange(shown, now)) return;
                     Q_EMIT sections.changed();
                   });
  auto& markdown = services.get<NodeMarkdown>();
  markdown.addOfProgram(kFindingLines, [&problems] { return problems.markdown(); });
  markdown.add(kFindingLines, [&problems](fx::NodeId node) {
    QString out;
    for (const ProblemPart* part : problems.at(node))
      if (part->blocked < 0) out += "- **problem:** " + markdownText(part->message) + '\n';
    return out;
  });
  markdown.add(kBlockedLines, [&problems](fx::NodeId node) {
    QString out;
    for (const ProblemPart* part : problems.at(node))
      if (part->blocked >= 0)
        out += '\n' + problems.markdown(static_cast<std::size_t>(part->blocked));
    return out;
  });
}

void addHelpAction(Host& host) {
  host.actions().add(
      {"what-helps", {"Go", 320}, "Find fixes for the node", "Ctrl+Shift+H", {}, [&host] {
         Services& services = host.services();
         const Selection& now = services.get<SelectionPresenter>().current();
         if (!services.get<ProblemsPresenter>().blocks(now.node()))
           return host.showMessage("Select a blocked node first (F8)");
         auto* blocked = host.mainWindow().findChild<BlockedSection*>();
         if (!blocked) return;
         auto& sections = services.get<NodeSections>();
         Q_EMIT sections.wanted(blocked, 0);
         // Its heights are known after the next layout.
         QTimer::singleShot(0, blocked, [&sections, blocked] {
           if (blocked->helpTop() >= 0) Q_EMIT sections.wanted(blocked, blocked->helpTop());
         });
       }});
  host.services().get<OpCommands>().addRow(host.actions().rowCommand(500, "what-helps"));
}

QWidget* makeProblemsPage(Host& host, QWidget* parent) {
  Services& services = host.services();
  auto* page = new ProblemsPage(host.appearance(), services.get<ProblemsPresenter>(),
                                services.get<DiagnosisPresenter>(),
                                services.get<SelectionPresenter>(), parent);
  addProblemActions(host, page);
  addReduceAction(host);
  QToolButton* apply = page->addToBar(host.actions()["export-fixed"]);
  page->setSecondary(apply);
  page->setSecondary(page->addToBar(host.actions()["reduce"]));
  page->setSecondary(page->addToBar(host.actions()["export-bundle"]));
  page->setSecondary(page->surveyButton());
  QObject::connect(page->diagnoseButton(), &QToolButton::clicked, page, [&host, &services] {
    if (services.get<DiagnosisPresenter>().state().running)
      services.get<DiagnosisPresenter>().cancel();
    else host.actions()["diagnose"]->trigger();
  });
  QObject::connect(page->surveyButton(), &QToolButton::clicked, page,
                   [&host] { host.actions()["survey-all"]->trigger(); });
  QObject::connect(
      &services.get<ProblemsPresenter>(), &ProblemsPresenter::changed, page, [&host, &services] {
        const std::size_t count = services.get<ProblemsPresenter>().problems().size();
        host.setPageTitle("problems",
                          count ? QString("Problems  %1").arg(count) : QString("Problems"));
      });
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::runFinished, page,
                   [&host, &services] {
                     if (services.get<ProblemsPresenter>().errors()) host.suggestPage("problems");
                   });
  PythonConsent& consent = services.get<DiagnosisPresenter>().consent();
  QObject::connect(&consent, &PythonConsent::changed, page, [&host, &consent] {
    host.banners().show("python", BannerKind::Info, consent.question(),
                        {{"Run Python for this file", [&consent] { consent.agree(); }},
                         {"Do not run", [&consent] { consent.decline(); }}});
  });
  return page;
}

}  // namespace

void registerProblems(Features& features) {
  features.present<ProblemsPresenter>();
  features.parts.push_back(addProblemSections);
  features.parts.push_back(addHelpAction);
  features.pages.push_back(
      {"problems",
       "Problems",
       30,
       {"show-problems", {"Go/Results", 250}, "List of problems", "Ctrl+Shift+M"},
       makeProblemsPage});
}

}  // namespace fxs::ui
