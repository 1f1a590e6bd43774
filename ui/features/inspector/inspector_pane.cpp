// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/inspector/inspector_pane.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTimer>
#include <algorithm>

#include "features/alone/alone_presenter.h"
#include "features/alone/alone_section.h"
#include "features/graph/graphs_presenter.h"
#include "features/inspector/node_presenter.h"
#include "features/notes/note_section.h"
#include "features/notes/notes_presenter.h"
#include "features/numbers/numbers_presenter.h"
#include "features/numbers/numbers_section.h"
#include "features/numbers/times_presenter.h"
#include "features/passes/history_presenter.h"
#include "features/passes/pattern_presenter.h"
#include "features/problems/blocked_section.h"
#include "features/problems/diagnosis_presenter.h"
#include "features/problems/problems_presenter.h"
#include "session/selection_presenter.h"
#include "text/words.h"
#include "widgets/accessible_roles.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMaxUsersShown = 24;
constexpr std::size_t kMaxHistoryShown = 60;
constexpr std::size_t kMaxPatternsShown = 40;
constexpr double kTwoColumns = 1.25;  ///< text scale up to which names are in a column of their own

/// Draws unchanged rows muted, to emphasize the changes by normalization.
class MetadataDelegate final : public QStyledItemDelegate {
 public:
  MetadataDelegate(Appearance& appearance, QObject* parent)
      : QStyledItemDelegate(parent), appearance_(appearance) {}

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool changed = index.data(MetadataModel::kChangedRole).toBool();
    option->textElideMode = Qt::ElideRight;
    option->font = index.column() == MetadataModel::Before || index.column() == MetadataModel::After
                       ? appearance_.mono(TextSize::Small)
                       : appearance_.sans(TextSize::Small);
    const bool accent = changed && (index.column() == MetadataModel::After ||
                                    index.column() == MetadataModel::RuleColumn);
    const Role plain =
        changed || index.column() == MetadataModel::Key ? Role::Text : Role::TextMuted;
    option->palette.setColor(QPalette::Text, appearance_.color(accent ? Role::Accent : plain));
  }

 private:
  Appearance& appearance_;
};

}  // namespace

InspectorPane::InspectorPane(Appearance& appearance, Services& services, QWidget* parent)
    : QScrollArea(parent),
      appearance_(appearance),
      node_(services.get<NodePresenter>()),
      problems_(services.get<ProblemsPresenter>()),
      diagnosis_(services.get<DiagnosisPresenter>()),
      history_(services.get<HistoryPresenter>()),
      patterns_(services.get<PatternPresenter>()),
      alone_(services.get<AlonePresenter>()),
      numbers_(services.get<NumbersPresenter>()),
      times_(services.get<TimesPresenter>()),
      graph_(services.get<Graphs>().program),
      selection_(services.get<SelectionPresenter>()) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setAccessibleRole(this, QAccessible::Pane);
  setAccessibleName("Inspector");
  setProperty("surface", true);
  note_ = new NoteSection(appearance, services.get<NotesPresenter>(), this);
  connect(note_, &NoteSection::toggled, this, &InspectorPane::bookmarkRequested);
  connect(&node_, &NodePresenter::changed, this, &InspectorPane::rebuild);
  connect(&node_, &NodePresenter::becomesChanged, this, &InspectorPane::rebuildBecomes);
  connect(&history_, &HistoryPresenter::changed, this, &InspectorPane::rebuildHistory);
  connect(&patterns_, &PatternPresenter::changed, this, &InspectorPane::rebuildHistory);
  connect(&graph_, &GraphPresenter::treeChanged, this, &InspectorPane::rebuild);
  connect(&numbers_, &NumbersPresenter::changed, this, &InspectorPane::rebuild);
  connect(&times_, &TimesPresenter::changed, this, [this] {
    if (!times_.state().running) rebuild();
  });
  connect(&problems_, &ProblemsPresenter::changed, this, [this] {
    if (!node_.state() && !selection_.current().group.valid()) rebuild();
  });
  connect(&appearance, &Appearance::changed, this, &InspectorPane::rebuild);
  rebuild();
}

void InspectorPane::rebuild() {
  const bool isTyping = note_->field()->hasFocus();
  note_->setParent(this);
  note_->hide();  // until a node takes it
  // Deleted later, because the handler of one of its links may be running.
  if (body_) takeWidget()->deleteLater();
  becomes_ = passes_ = nullptr;
  blocked_ = nullptr;
  body_ = new QWidget;
  body_->setProperty("surface", true);
  column_ = makeBox<QVBoxLayout>(kGrid / 2);
  column_->setContentsMargins(2 * kGrid, kGrid, 2 * kGrid, 2 * kGrid);
  body_->setLayout(column_);
  if (selection_.current().group.valid() && graph_.tree()) buildModule(selection_.current().group);
  else if (node_.state()) buildNode(*node_.state());
  else buildEmpty();
  if (note_->parent() == this) note_->setNode({});
  column_->addStretch(1);
  setWidget(body_);
  if (isTyping && note_->isVisible()) note_->field()->setFocus();
}

void InspectorPane::buildEmpty() {
  QLabel* hint =
      makeLabel(appearance_, "Select a node, a line, a problem or a module to inspect it",
                TextSize::Body, "muted", body_);
  hint->setWordWrap(true);
  hint->setAlignment(Qt::AlignCenter);
  column_->addSpacing(4 * kGrid);
  column_->addWidget(hint);
  buildConclusions();
}

void InspectorPane::buildConclusions() {
  const QStringList lines = problems_.conclusions();
  if (lines.isEmpty()) return;
  section("Diagnosis", "of the whole program");
  for (const QString& line : lines) {
    column_->addWidget(new WrappedLabel(appearance_, line, TextSize::Body, {}, body_));
  }
}

void InspectorPane::buildProblems(const NodeState& state) {
  blocked_ = new BlockedSection(appearance_, problems_, diagnosis_, state.node, body_);
  connect(blocked_, &BlockedSection::nodeRequested, this,
          [this](fx::NodeId node) { selection_.selectNode(node, Place::Inspector); });
  connect(blocked_, &BlockedSection::copyRequested, this, &InspectorPane::copyRequested);
  connect(blocked_, &BlockedSection::fixRequested, this, &InspectorPane::fixRequested);
  column_->addWidget(blocked_);
  for (const ProblemPart* part : problems_.at(state.node)) {
    if (part->blocked >= 0) continue;
    QWidget* card = problemCard(appearance_, part->icon, part->severity, body_);
    card->layout()->addWidget(
        new WrappedLabel(appearance_, part->message, TextSize::Body, {}, card));
    column_->addWidget(card);
  }
}

QVBoxLayout* InspectorPane::section(const QString& title, const QString& count) {
  column_->addSpacing(kGrid);
  auto* row = makeBox<QHBoxLayout>(kGrid);
  row->addWidget(makeHeading(appearance_, title, body_));
  if (!count.isEmpty())
    row->addWidget(
        makeElided(count, appearance_.sans(TextSize::Small), "muted", body_, Qt::ElideRight));
  row->addStretch(1);
  column_->addLayout(row);
  return column_;
}

LinkButton* InspectorPane::link(const QString& shown, fx::NodeId node) {
  auto* button = new LinkButton(appearance_.mono(), shown, "Go to node " + shown, body_);
  connect(button, &QPushButton::clicked, this,
          [this, node] { selection_.selectNode(node, Place::Inspector); });
  return button;
}

void InspectorPane::buildModule(layout::GroupId id) {
  const layout::Group& group = graph_.tree()->group(id);
  const QFont titleFont = appearance_.sans(TextSize::Title, QFont::DemiBold);
  column_->addWidget(makeElided(
      group.path.empty() ? QString("the whole program") : text(group.path), titleFont, {}, body_));
  column_->addWidget(
      makeElided(text(group.type), appearance_.sans(TextSize::Body), "muted", body_));
  section("Holds");
  column_->addWidget(new WrappedLabel(appearance_,
                                      counted(group.totalNodes, "node") + ", " +
                                          counted(group.children.size(), "module") +
                                          " directly inside",
                                      TextSize::Body, {}, body_));
  std::size_t blocked = 0;
  const std::vector<fx::NodeId> nodes = graph_.nodesIn(id);
  for (const fx::NodeId node : nodes) blocked += problems_.blocks(node);
  if (blocked == 0) return;
  section("Blocked inside", counted(blocked, "node"));
  const fx::ProgramPtr program = graph_.graph().program;
  std::size_t shown = 0;
  for (const fx::NodeId node : nodes)
    if (program && problems_.blocks(node) && ++shown <= kMaxUsersShown)
      column_->addWidget(link(text(program->node(node).name), node));
  if (shown > kMaxUsersShown)
    column_->addWidget(makeLabel(appearance_, QString("and %1 more").arg(shown - kMaxUsersShown),
                                 TextSize::Body, "muted", body_));
}

void InspectorPane::buildNode(const NodeState& state) {
  auto* head = makeBox<QHBoxLayout>(kGrid / 2);
  head->addWidget(
      makeElided(state.name, appearance_.sans(TextSize::Title, QFont::DemiBold), {}, body_), 1);
  auto* copy = new IconButton(appearance_, "copy", "Copy as Markdown (Ctrl+Shift+C)", body_);
  connect(copy, &QToolButton::clicked, this, &InspectorPane::copyMarkdownRequested);
  head->addWidget(copy);
  column_->addLayout(head);
  ElidedLabel* target =
      makeElided(state.op == "call_function" ? state.target : state.op + "  " + state.target,
                 appearance_.mono(), "muted", body_);
  if (!state.schema.isEmpty()) target->setToolTip(state.schema);
  column_->addWidget(target);
  if (!state.result.isEmpty())
    column_->addWidget(makeElided(state.result, appearance_.mono(), {}, body_, Qt::ElideRight));
  column_->addWidget(note_);
  note_->setNode(state.node);
  note_->show();
  buildProblems(state);
  if (!state.boundTo.isEmpty())
    column_->addWidget(new WrappedLabel(appearance_, "Represents " + state.boundTo, TextSize::Body,
                                        "muted", body_));
  if (QWidget* numbers = makeNumbersSection(appearance_, numbers_, state.node, body_)) {
    section("Numbers", "what it computes");
    column_->addWidget(numbers);
  }
  if (const QString time = times_.textOf(state.node); !time.isEmpty()) {
    section("Time");
    column_->addWidget(new WrappedLabel(appearance_, time, TextSize::Small, {}, body_));
  }
  buildArguments(state);
  if (!state.module.isEmpty()) {
    section("Module");
    column_->addWidget(makeElided(state.module + "  ·  " + state.moduleType,
                                  appearance_.sans(TextSize::Body), {}, body_));
  }
  if (state.python) buildPython(*state.python);
  section("Becomes");
  becomes_ = new QWidget(body_);
  column_->addWidget(becomes_);
  rebuildBecomes();
  if (state.op == "call_function") {
    section("This node by itself");
    auto* alone = new AloneSection(appearance_, alone_, body_);
    connect(alone, &AloneSection::textRequested, this, &InspectorPane::aloneRequested);
    column_->addWidget(alone);
  }
  section("History", "pass by pass");
  passes_ = new QWidget(body_);
  column_->addWidget(passes_);
  rebuildHistory();
  buildMetadata(state);
  buildUsers(state);
}

void InspectorPane::buildArguments(const NodeState& state) {
  if (state.arguments.empty()) return;
  section("Arguments");
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(2 * kGrid);
  grid->setVerticalSpacing(kGrid / 2);
  grid->setColumnStretch(1, 1);
  int at = 0;
  // Two columns of large text do not fit.
  const bool stacked = appearance_.textScale() > kTwoColumns;
  for (const ArgumentRow& row : state.arguments) {
    grid->addWidget(makeElided(row.name, appearance_.sans(TextSize::Body), "muted", body_), at, 0,
                    Qt::AlignTop);
    at += stacked;
    auto* cell = makeBox<QHBoxLayout>(kGrid);
    if (row.nodes.size() == 1 && !row.type.isEmpty()) {
      cell->addWidget(link(row.value, row.nodes.front()), 1);
      ElidedLabel* type =
          makeElided(row.type, appearance_.mono(TextSize::Small), "muted", body_, Qt::ElideRight);
      type->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
      cell->addWidget(type);
    } else {
      cell->addWidget(makeElided(row.value, appearance_.mono(), row.isDefault ? "muted" : "", body_,
                                 Qt::ElideRight),
                      1);
      if (row.isDefault)
        cell->addWidget(makeLabel(appearance_, "default", TextSize::Small, "muted", body_));
    }
    if (stacked) cell->setContentsMargins(2 * kGrid, 0, 0, 0);
    grid->addLayout(cell, at++, stacked ? 0 : 1, 1, stacked ? 2 : 1);
  }
  column_->addLayout(grid);
}

void InspectorPane::buildPython(const PythonLine& python) {
  section("Python");
  auto* row = makeBox<QHBoxLayout>(kGrid / 2);
  const QString where = QString("%1:%2%3")
                            .arg(shown(python.file))
                            .arg(python.line)
                            .arg(python.function.isEmpty() ? QString() : " in " + python.function);
  row->addWidget(
      makeElided(where, appearance_.mono(TextSize::Small), "muted", body_, Qt::ElideLeft), 1);
  if (python.fileExists) {
    auto* open = new IconButton(appearance_, "open", "Open at this line (Ctrl+Shift+O)", body_);
    connect(open, &QToolButton::clicked, this, [this, file = python.file, line = python.line] {
      Q_EMIT openPythonRequested(file, line);
    });
    row->addWidget(open);
  }
  column_->addLayout(row);
  const QStringList lines = python.around.isEmpty() ? QStringList{python.code} : python.around;
  if (lines.join("").isEmpty()) return;
  auto* block = new QWidget(body_);
  block->setAttribute(Qt::WA_StyledBackground);
  block->setProperty("banner", "info");
  auto* stack = makeBox<QVBoxLayout>(2, kGrid);
  for (qsizetype i = 0; i < lines.size(); ++i) {
    const bool own = python.around.isEmpty() || python.firstAround + i == python.line;
    const QString line = python.around.isEmpty()
                             ? lines[i]
                             : QString("%1  %2").arg(python.firstAround + i, 4).arg(lines[i]);
    stack->addWidget(makeElided(line, appearance_.mono(TextSize::Small), own ? "" : "muted", block,
                                Qt::ElideRight));
  }
  block->setLayout(stack);
  column_->addWidget(block);
}

void InspectorPane::rebuildBecomes() {
  if (!becomes_) return;
  qDeleteAll(becomes_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  delete becomes_->layout();
  auto* grid = new QGridLayout;
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(2 * kGrid);
  grid->setVerticalSpacing(2);
  grid->setColumnStretch(0, 3);
  grid->setColumnStretch(1, 2);
  int at = 0;
  for (const BecomesRow& row : node_.becomes()) {
    auto* button = new LinkButton(appearance_.sans(TextSize::Body), row.title,
                                  "Show in " + row.title, becomes_);
    connect(button, &QPushButton::clicked, this,
            [this, id = row.stage] { Q_EMIT stageRequested(id); });
    grid->addWidget(button, at, 0);
    QString left = "–";
    if (row.known) left = row.ops ? counted(row.ops, "line") : QString("nothing left");
    const QString ink = row.known && row.ops ? QString() : QString("muted");
    grid->addWidget(makeLabel(appearance_, left, TextSize::Body, ink, becomes_), at++, 1);
  }
  becomes_->setLayout(grid);
}

void InspectorPane::rebuildHistory() {
  if (!passes_) return;
  qDeleteAll(passes_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  delete passes_->layout();
  auto* list = makeBox<QVBoxLayout>(2);
  if (const QString why = history_.emptyText(); !why.isEmpty()) {
    QLabel* words = makeLabel(appearance_, why, TextSize::Body, "muted", passes_);
    words->setWordWrap(true);
    list->addWidget(words);
  }
  for (std::size_t i = 0; i < std::min(history_.rows().size(), kMaxHistoryShown); ++i) {
    const HistoryRow& row = history_.rows()[i];
    auto* title = new LinkButton(appearance_.sans(TextSize::Body), row.title,
                                 "Show the changes of pass " + row.title, passes_);
    connect(title, &QPushButton::clicked, this,
            [this, pass = row.pass] { Q_EMIT passRequested(pass); });
    list->addWidget(title);
    auto* what = new WrappedLabel(appearance_, row.what, TextSize::Small, {}, passes_);
    what->setFont(appearance_.mono(TextSize::Small));
    what->setIndent(2 * kGrid, kGrid / 2);
    list->addWidget(what);
    const QStringList by = patterns_.effective(row.stage, row.name);
    // The patterns name the pass only; with two passes of one name it is ambiguous.
    const auto sameName =
        std::count_if(history_.rows().begin(), history_.rows().end(), [&](const HistoryRow& other) {
          return other.stage == row.stage && other.name == row.name;
        });
    if (by.isEmpty() || sameName > 1) continue;
    auto* pattern =
        new WrappedLabel(appearance_, "by " + by.join(", "), TextSize::Small, "success", passes_);
    pattern->setIndent(2 * kGrid, kGrid / 2);
    list->addWidget(pattern);
  }
  if (history_.rows().size() > kMaxHistoryShown)
    list->addWidget(makeLabel(
        appearance_, QString("and %1 more passes").arg(history_.rows().size() - kMaxHistoryShown),
        TextSize::Body, "muted", passes_));
  buildPatterns(list);
  passes_->setLayout(list);
}

void InspectorPane::showHistory() {
  if (!passes_) return;
  // New sections get their heights in the next layout.
  QTimer::singleShot(0, this, [this] {
    if (passes_) verticalScrollBar()->setValue(passes_->y() - 5 * kGrid);
  });
}

void InspectorPane::editNote() {
  note_->field()->setFocus();
  ensureWidgetVisible(note_);
}

void InspectorPane::showHelp() {
  QTimer::singleShot(0, this, [this] {
    if (blocked_ && blocked_->helpTop() >= 0)
      verticalScrollBar()->setValue(blocked_->y() + blocked_->helpTop() - kGrid);
  });
}

void InspectorPane::buildPatterns(QVBoxLayout* list) {
  if (!patterns_.asked()) {
    QToolButton* ask = makeBoxed(
        patterns_.asking() ? "Running the engine …" : "Patterns tried",
        "Run the engine on this node and list the rewrite patterns that it tries (Ctrl+Alt+T)",
        passes_);
    ask->setEnabled(!patterns_.asking());
    // Queued, because ask() rebuilds this list with its button.
    connect(ask, &QToolButton::clicked, &patterns_, &PatternPresenter::ask, Qt::QueuedConnection);
    list->addSpacing(kGrid / 2);
    list->addWidget(ask, 0, Qt::AlignLeft);
    return;
  }
  list->addSpacing(kGrid / 2);
  list->addWidget(makeHeading(appearance_, "Patterns", passes_));
  const auto words = [&](const QString& text, const QString& ink) {
    list->addWidget(new WrappedLabel(appearance_, text, TextSize::Small, ink, passes_));
  };
  for (const QString& stop : patterns_.stops()) words(stop, "error");
  // The patterns that took effect; if none did, those that were refused.
  std::size_t took = 0, shown = 0;
  for (const PatternRow& row : patterns_.rows()) took += row.took;
  for (const PatternRow& row : patterns_.rows()) {
    if (row.took != (took > 0)) continue;
    if (++shown > kMaxPatternsShown) break;
    const QString became = row.became.isEmpty() ? QString() : " → " + row.became;
    words(QString("%1 %2 on %3, in %4%5")
              .arg(row.took ? "✓" : "·", row.pattern, row.op, row.pass, became),
          row.took ? QString() : QString("muted"));
    if (!row.took) words("    " + row.effect, "muted");
  }
  const std::size_t rest = patterns_.rows().size() - std::min(shown, kMaxPatternsShown);
  if (rest > 0)
    words(QString("%1 more were tried; fxscope-cli trace --node … --patterns lists them all")
              .arg(rest),
          "muted");
  words(patterns_.how(), "muted");
  if (!patterns_.rewrites()) return;
  QToolButton* step = makeBoxed(
      QString("Step through its %1")
          .arg(counted(patterns_.rewrites()->passes().passes.size(), "rewrite")),
      "Lists them instead of the passes, with the module before and after each (Ctrl+Alt+R)",
      passes_);
  connect(step, &QToolButton::clicked, this, &InspectorPane::rewritesRequested,
          Qt::QueuedConnection);
  list->addSpacing(kGrid / 2);
  list->addWidget(step, 0, Qt::AlignLeft);
}

void InspectorPane::buildMetadata(const NodeState& state) {
  if (state.metadata.empty()) return;
  const auto changed = std::count_if(state.metadata.begin(), state.metadata.end(),
                                     [](const MetadataRow& row) { return row.changed; });
  section("Metadata", counted(static_cast<std::size_t>(changed), "change") + " by normalization");
  metadata_.setRows(state.metadata);
  auto* table = new QTableView(body_);
  table->setModel(&metadata_);
  table->setAccessibleName("Metadata before and after normalization");
  table->setItemDelegate(new MetadataDelegate(appearance_, table));
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setMinimumSectionSize(0);
  table->verticalHeader()->setDefaultSectionSize(appearance_.scaled(kRowHeight));
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setHighlightSections(false);
  table->setTabKeyNavigation(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->ensurePolished();
  table->setFixedHeight(static_cast<int>(state.metadata.size()) * appearance_.scaled(kRowHeight) +
                        table->horizontalHeader()->sizeHint().height() + 2 * table->frameWidth());
  column_->addWidget(table);
}

void InspectorPane::buildUsers(const NodeState& state) {
  if (state.op == "output") return;
  section("Users", QString::number(state.users.size()));
  if (state.users.empty())
    column_->addWidget(makeLabel(appearance_, "No uses", TextSize::Body, "muted", body_));
  for (std::size_t i = 0; i < std::min(state.users.size(), kMaxUsersShown); ++i) {
    auto* row = makeBox<QHBoxLayout>(kGrid);
    row->addWidget(link(state.users[i].name, state.users[i].node), 1);
    row->addWidget(makeElided(state.users[i].target, appearance_.mono(TextSize::Small), "muted",
                              body_, Qt::ElideRight));
    column_->addLayout(row);
  }
  if (state.users.size() > kMaxUsersShown)
    column_->addWidget(new WrappedLabel(appearance_,
                                        QString("and %1 more; filter the node list to see them")
                                            .arg(state.users.size() - kMaxUsersShown),
                                        TextSize::Body, "muted", body_));
}

QString InspectorPane::plainText() const {
  QStringList lines;
  for (const QWidget* each : body_->findChildren<QWidget*>()) {
    if (const auto* wrapped = qobject_cast<const WrappedLabel*>(each))
      lines << wrapped->toPlainText();
    if (const auto* link = qobject_cast<const LinkButton*>(each)) lines << link->fullText();
    const auto* label = qobject_cast<const QLabel*>(each);
    if (!label) continue;
    const auto* elided = qobject_cast<const ElidedLabel*>(label);
    const QString shown = elided ? elided->fullText() : label->text();
    if (!shown.isEmpty()) lines << shown;
  }
  return lines.join('\n');
}

}  // namespace fxs::ui
