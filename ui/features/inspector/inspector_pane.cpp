// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/inspector/inspector_pane.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QPointer>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTimer>
#include <algorithm>

#include "features/inspector/node_presenter.h"
#include "session/selection_presenter.h"
#include "text/words.h"
#include "widgets/accessible_roles.h"
#include "widgets/mark_sign.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMaxUsersShown = 24;
constexpr int kAboveOrigin = 30, kAboveArguments = 50,
              kAllSections = 100;     ///< places of sections: see NodeSection
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
      graph_(services.get<Graphs>().program),
      selection_(services.get<SelectionPresenter>()),
      marks_(services.get<Marks>()),
      sections_(services.get<NodeSections>()) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setAccessibleRole(this, QAccessible::Pane);
  setAccessibleName("Inspector");
  setProperty("surface", true);
  connect(&node_, &NodePresenter::changed, this, &InspectorPane::rebuild);
  connect(&graph_, &GraphPresenter::treeChanged, this, &InspectorPane::rebuild);
  connect(&marks_, &Marks::changed, this, &InspectorPane::rebuildSigns);
  connect(&sections_, &NodeSections::changed, this, &InspectorPane::rebuild);
  connect(&sections_, &NodeSections::wanted, this, &InspectorPane::scrollTo);
  connect(&appearance, &Appearance::changed, this, &InspectorPane::rebuild);
  rebuild();
}

void InspectorPane::rebuild() {
  const QPointer<QWidget> typing = rescueKept();
  // Deleted later, because the handler of one of its links may be running.
  if (body_) takeWidget()->deleteLater();
  signs_ = nullptr;
  body_ = new QWidget(viewport());
  body_->setProperty("surface", true);
  column_ = makeBox<QVBoxLayout>(kGrid / 2);
  column_->setContentsMargins(2 * kGrid, kGrid, 2 * kGrid, 2 * kGrid);
  body_->setLayout(column_);
  if (selection_.current().group.valid() && graph_.tree()) buildModule(selection_.current().group);
  else if (node_.state() && node_.isCurrent()) buildNode(*node_.state());
  else buildEmpty();
  for (const NodeSection& section : sections_.all())
    if (section.kept && section.kept->parent() == this) section.make({}, this);
  column_->addStretch(1);
  setWidget(body_);
  if (typing && typing->isVisible()) typing->setFocus();
}

/// Takes the widgets that outlive the body out of it. Returns the one of them that has the focus.
QWidget* InspectorPane::rescueKept() {
  QWidget* focused = nullptr;
  for (const NodeSection& section : sections_.all()) {
    if (!section.kept) continue;
    QWidget* focus = window()->focusWidget();
    if (focus && section.kept->isAncestorOf(focus)) focused = focus;
    section.kept->setParent(this);
    section.kept->hide();  // until a node takes it
  }
  return focused;
}

void InspectorPane::buildSections(fx::NodeId node, int from, int to) {
  for (const NodeSection& section : sections_.all()) {
    if (section.rank < from || section.rank >= to) continue;
    QWidget* widget = section.make(node, body_);
    if (!widget) continue;
    if (!section.title.isEmpty()) heading(section.title, section.note);
    column_->addWidget(widget);
    widget->show();
  }
}

void InspectorPane::rebuildSigns() {
  if (!signs_ || !node_.state()) return;
  qDeleteAll(signs_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  const NodeMarks& marks = marks_.at(node_.state()->node);
  for (const Mark* mark : {&marks.flag, &marks.status}) {
    if (mark->emphasis == Emphasis::None || mark->icon.isEmpty()) continue;
    auto* sign = new QLabel(signs_);
    sign->setPixmap(pixmap(appearance_, mark->icon, roleOf(mark->emphasis), 14, this));
    sign->setToolTip(mark->tip);
    signs_->layout()->addWidget(sign);
  }
}

void InspectorPane::scrollTo(QWidget* part, int top) {
  Q_EMIT opened();
  // New sections get their heights in the next layout.
  QTimer::singleShot(0, this, [this, part = QPointer(part), top] {
    if (part && body_->isAncestorOf(part))
      verticalScrollBar()->setValue(part->mapTo(body_, QPoint(0, top)).y() - kGrid);
  });
}

void InspectorPane::buildEmpty() {
  QLabel* hint =
      makeLabel(appearance_, "Select a node, a line, a problem or a module to inspect it",
                TextSize::Body, "muted", body_);
  hint->setWordWrap(true);
  hint->setAlignment(Qt::AlignCenter);
  column_->addSpacing(4 * kGrid);
  column_->addWidget(hint);
  buildSections({}, 0, kAllSections);
}

void InspectorPane::heading(const QString& title, const QString& count) {
  column_->addSpacing(kGrid);
  auto* row = makeBox<QHBoxLayout>(kGrid);
  row->addWidget(makeHeading(appearance_, title, body_));
  if (!count.isEmpty())
    row->addWidget(
        makeElided(count, appearance_.sans(TextSize::Small), "muted", body_, Qt::ElideRight));
  row->addStretch(1);
  column_->addLayout(row);
}

LinkButton* InspectorPane::link(const QString& shown, fx::NodeId node) {
  auto* button = new LinkButton(appearance_.mono(), shown, "Go to node " + shown, body_);
  connect(button, &QPushButton::clicked, this,
          [this, node] { selection_.selectNode(node, Origin::Inspector); });
  return button;
}

void InspectorPane::buildModule(layout::GroupId id) {
  const layout::Group& group = graph_.tree()->group(id);
  const QFont titleFont = appearance_.sans(TextSize::Title, QFont::DemiBold);
  column_->addWidget(makeElided(
      group.path.empty() ? QString("the whole program") : text(group.path), titleFont, {}, body_));
  column_->addWidget(
      makeElided(text(group.type), appearance_.sans(TextSize::Body), "muted", body_));
  heading("Holds");
  column_->addWidget(new WrappedLabel(appearance_,
                                      counted(group.totalNodes, "node") + ", " +
                                          counted(group.children.size(), "module") +
                                          " directly inside",
                                      TextSize::Body, {}, body_));
  std::size_t blocked = 0;
  const std::vector<fx::NodeId> nodes = graph_.nodesIn(id);
  for (const fx::NodeId node : nodes) blocked += marks_.at(node).status.emphasis == Emphasis::Error;
  if (blocked == 0) return;
  heading("Blocked inside", counted(blocked, "node"));
  const fx::ProgramPtr program = graph_.graph().program;
  std::size_t shown = 0;
  for (const fx::NodeId node : nodes)
    if (program && marks_.at(node).status.emphasis == Emphasis::Error && ++shown <= kMaxUsersShown)
      column_->addWidget(link(text(program->node(node).name), node));
  if (shown > kMaxUsersShown)
    column_->addWidget(makeLabel(appearance_, QString("and %1 more").arg(shown - kMaxUsersShown),
                                 TextSize::Body, "muted", body_));
}

void InspectorPane::buildNode(const NodeState& state) {
  auto* head = makeBox<QHBoxLayout>(kGrid / 2);
  head->addWidget(
      makeElided(state.name, appearance_.sans(TextSize::Title, QFont::DemiBold), {}, body_), 1);
  signs_ = new QWidget(body_);
  signs_->setLayout(makeBox<QHBoxLayout>(kGrid / 2));
  head->addWidget(signs_);
  rebuildSigns();
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
  if (state.python) buildPython(*state.python);
  buildSections(state.node, 0, kAboveOrigin);
  if (!state.boundTo.isEmpty())
    column_->addWidget(new WrappedLabel(appearance_, "Represents " + state.boundTo, TextSize::Body,
                                        "muted", body_));
  buildSections(state.node, kAboveOrigin, kAboveArguments);
  buildArguments(state);
  if (!state.module.isEmpty()) {
    heading("Module");
    column_->addWidget(makeElided(state.module + "  ·  " + state.moduleType,
                                  appearance_.sans(TextSize::Body), {}, body_));
  }
  if (state.python) buildPythonAround(*state.python);
  buildSections(state.node, kAboveArguments, kAllSections);
  buildMetadata(state);
  buildUsers(state);
}

void InspectorPane::buildArguments(const NodeState& state) {
  if (state.arguments.empty()) return;
  heading("Arguments");
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
  if (!python.code.isEmpty())
    column_->addWidget(makeElided(python.code, appearance_.mono(), {}, body_, Qt::ElideRight));
}

void InspectorPane::buildPythonAround(const PythonLine& python) {
  if (python.around.join("").isEmpty()) return;
  heading("Python");
  auto* block = new QWidget(body_);
  block->setAttribute(Qt::WA_StyledBackground);
  block->setProperty("banner", "info");
  auto* stack = makeBox<QVBoxLayout>(2, kGrid);
  for (qsizetype i = 0; i < python.around.size(); ++i)
    stack->addWidget(
        makeElided(QString("%1  %2").arg(python.firstAround + i, 4).arg(python.around[i]),
                   appearance_.mono(TextSize::Small),
                   python.firstAround + i == python.line ? "" : "muted", block, Qt::ElideRight));
  block->setLayout(stack);
  column_->addWidget(block);
}

void InspectorPane::buildMetadata(const NodeState& state) {
  if (state.metadata.empty()) return;
  const auto changed = std::count_if(state.metadata.begin(), state.metadata.end(),
                                     [](const MetadataRow& row) { return row.changed; });
  heading("Metadata", counted(static_cast<std::size_t>(changed), "change") + " by normalization");
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
  heading("Users", QString::number(state.users.size()));
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
