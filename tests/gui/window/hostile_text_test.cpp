// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of a stranger whose every name tries to be something else: markup that reads a file
// when it is shown, controls, characters that turn the order of a line around, a key's mark in a
// menu. Everything that the window shows is looked at.
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QHelpEvent>
#include <QMenu>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextEdit>
#include <QToolTip>

#include "base/byte_source.h"
#include "base/json.h"
#include "base/safe_text.h"
#include "notes/notes.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

/// In every hostile name, so that a look can tell that it saw one.
constexpr const char* kWord = "octopus";
const std::string kName =
    "octopus<img src=\"file:///dev/zero\">\x1b[2J\r\nFORGED\t&\x7f\xc2\x9b\xe2\x80\xae"
    "gnp.\xe2\x81\xa6\xe2\x80\x8b\xe2\x80\xa8`|";
/// The same for what is read as a path, a stack of modules or a line of Python.
const std::string kPart =
    "octopus<img src=x>\x1b[2J&\xc2\x9b\xe2\x80\xae"
    "gnp";

/// Everything that a widget, an action or a model shows, judged one text at a time.
class Look {
 public:
  void at(const QWidget& window) {
    QList<QWidget*> widgets = window.findChildren<QWidget*>();
    widgets << const_cast<QWidget*>(&window);
    for (QWidget* widget : widgets) at(widget);
    for (const QAction* action : window.findChildren<QAction*>()) {
      mnemonic("action", action->text());
      for (const QString& text :
           {action->toolTip(), action->statusTip(), action->whatsThis(), action->iconText()})
        judge("action", text);
    }
  }
  void model(const QString& where, const QAbstractItemModel& model, const QModelIndex& parent = {},
             int depth = 0) {
    if (depth > 6) return;
    for (int column = 0; column < model.columnCount(parent); ++column) {
      judge(where + " header", model.headerData(column, Qt::Horizontal).toString());
      judge(where + " header",
            model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
      for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, column, parent);
        for (const int role :
             {Qt::DisplayRole, Qt::ToolTipRole, Qt::StatusTipRole, Qt::WhatsThisRole,
              Qt::AccessibleTextRole, Qt::AccessibleDescriptionRole, Qt::EditRole})
          if (const QVariant value = index.data(role); value.typeId() == QMetaType::QString)
            judge(where, value.toString());
        if (column == 0) this->model(where, model, index, depth + 1);
      }
    }
  }
  void judge(const QString& where, const QString& text) {
    if (!text.contains(kWord)) return;
    ++seen_[where];
    const std::string utf8 = text.toStdString();
    EXPECT_EQ(printableLines(utf8), utf8) << where.toStdString();
    for (const QString& line : text.split('\n'))
      EXPECT_FALSE(line.startsWith("FORGED")) << where.toStdString() << ": " << utf8;
  }
  const std::map<QString, int>& seen() const { return seen_; }

 private:
  /// Where one & marks a key, those of names are doubled.
  void mnemonic(const QString& where, QString text) {
    judge(where, text);
    if (text.contains(kWord)) {
      EXPECT_FALSE(text.replace("&&", "").contains('&'))
          << where.toStdString() << ": " << text.toStdString();
    }
  }
  /// Rich text that we made: links of ours and nothing else.
  void rich(const QString& where, const QString& html) {
    QTextDocument document;
    document.setHtml(html);
    judge(where + " (rich)", document.toPlainText());
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
      for (auto at = block.begin(); !at.atEnd(); ++at) {
        const QTextCharFormat format = at.fragment().charFormat();
        EXPECT_FALSE(format.isImageFormat()) << where.toStdString() << ": " << html.toStdString();
        if (format.isAnchor()) {
          EXPECT_TRUE(QStringList({"x", "stage", "choose"}).contains(format.anchorHref()))
              << html.toStdString();
        }
      }
  }
  void at(QWidget* widget) {
    const QString where = widget->metaObject()->className();
    for (const QString& text :
         {widget->toolTip(), widget->statusTip(), widget->whatsThis(), widget->accessibleName(),
          widget->accessibleDescription(), widget->windowTitle(), widget->windowIconText()})
      judge(where, text);
    if (auto* label = qobject_cast<QLabel*>(widget)) {
      label->ensurePolished();
      if (label->textFormat() == Qt::RichText) return rich(where, label->text());
      EXPECT_EQ(label->textFormat(), Qt::PlainText)
          << where.toStdString() << ": " << label->text().toStdString();
      judge(where, label->text());
    }
    if (const auto* button = qobject_cast<QAbstractButton*>(widget))
      mnemonic(where, button->text());
    if (const auto* edit = qobject_cast<QLineEdit*>(widget)) judge(where, edit->placeholderText());
    if (const auto* menu = qobject_cast<QMenu*>(widget)) mnemonic(where, menu->title());
    if (const auto* tabs = qobject_cast<QTabBar*>(widget))
      for (int i = 0; i < tabs->count(); ++i) {
        mnemonic(where, tabs->tabText(i));
        judge(where, tabs->tabToolTip(i));
      }
    if (const auto* box = qobject_cast<QComboBox*>(widget)) model(where, *box->model());
    if (const auto* view = qobject_cast<QAbstractItemView*>(widget); view && view->model())
      model(where, *view->model());
    if (const auto* edit = qobject_cast<QTextEdit*>(widget)) {
      judge(where, edit->toPlainText());
      EXPECT_FALSE(edit->toPlainText().contains(QChar::ObjectReplacementCharacter))
          << "an image in " << where.toStdString();
    }
    if (auto* code = qobject_cast<CodeView*>(widget)) {
      code->selectAll();
      judge(where, code->selectedText());
    }
  }

  std::map<QString, int> seen_;  ///< what showed a hostile name, and how often
};

QLabel* shownToolTip() {
  for (QWidget* each : QApplication::topLevelWidgets())
    if (each->inherits("QTipLabel") && each->isVisible()) return qobject_cast<QLabel*>(each);
  return nullptr;
}

class HostileTextTest : public WindowTest {
 protected:
  /// A capture: in an exported program such names are refused.
  QString hostileFile() {
    const std::string value =
        R"({"kind": "FakeTensor", "shape": [2, 8], "stride": [8, 1], "dtype": "float32", "device": "cpu"})";
    const std::string meta =
        ", \"meta\": {\"val\": " + value + ", \"stack_trace\": " +
        jsonQuote("File \"/srv/" + kPart + ".py\", line 3, in f" + kPart + "\n    " + kPart) +
        ", \"custom\": " + jsonQuote(kName) + ", \"nn_module_stack\": " +
        jsonQuote("0,L['self']." + kPart + ",Block" + kPart + ";1,L['self']." + kPart + ".inner," +
                  kPart) +
        "}}";
    std::string nodes;
    const auto add = [&](const std::string& op, const std::string& name, const std::string& target,
                         const std::vector<std::string>& operands) {
      nodes += R"({"op": ")" + op + R"(", "name": )" + jsonQuote(name + kName) + R"(, "target": )" +
               jsonQuote(target);
      if (op == "call_function") {
        nodes += R"(, "args": [)";
        for (const std::string& operand : operands)
          nodes += (&operand == &operands.front() ? "" : ", ") +
                   (R"({"node": )" + jsonQuote(operand + kName) + "}");
        nodes += "]";
      }
      nodes += meta + ",\n";
    };
    add("placeholder", "x", "x" + kName, {});
    add("get_attr", "p", "weight." + kName, {});
    add("call_function", "gelu0", "aten.gelu.default", {"x"});
    add("call_function", "gelu1", "aten.add.Tensor", {"gelu0", "p"});
    add("call_function", "gelu2", "aten.erfinv.default", {"gelu1"});
    add("call_function", "own", "acme." + kPart + ".default", {"gelu2"});
    const QString path = folder_.filePath(QString::fromStdString(kPart) + ".json");
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(
        R"({"schema": "fxscope-fx/1", "torch": )" + jsonQuote("2.13.0 " + kPart) +
        R"(, "graphs": [{"name": "main", "nodes": [)" + nodes +
        R"({"op": "output", "name": "output", "target": "output", "args": [{"tuple": [{"node": )" +
        jsonQuote("own" + kName) + R"(}]}]}]}], "attributes": [{"name": )" +
        jsonQuote("weight." + kName) + R"(, "kind": "parameter", "val": )" + value + "}]}"));
    return path;
  }
  /// Beside the file: notes on a node of it, and on one that is gone.
  void writeNotes(const QString& file) {
    const std::string version(64, '1'), time = "2026-11-25T15:00:12Z";
    std::string words = "note " + kName;
    words.erase(words.find('\n'), 1);  // a note may have lines
    const notes::Notes notes{{{"", "gelu0" + kName}, {words, "aten.gelu.default", time, version}},
                             {{"", "gelu1" + kName}, {words, "was." + kName, time, version}},
                             {{kPart, "gone" + kName}, {words, "aten." + kName, time, version}}};
    EXPECT_TRUE(writeWholeFile(notes::fileBeside(file.toStdString()), notes::print(notes)));
  }
  fx::NodeId nodeBeginning(const char* begin) const {
    for (const fx::Node& each : bench_->get<SessionPresenter>().program()->nodes)
      if (each.name.starts_with(begin)) return each.id;
    ADD_FAILURE() << begin;
    return {};
  }
};

TEST_F(HostileTextTest, NothingOfTheWindowIsMarkupOrHidesWhatItIs) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  const QString file = hostileFile();
  writeNotes(file);
  openSettled(file);
  ASSERT_EQ(bench_->get<NotesPresenter>().all().size(), 3u);
  bench_->get<Graphs>().program.openAll();
  waitUntil(
      [&] {
        return settled(*bench_) && !bench_->get<DiagnosisPresenter>().state().running &&
               !bench_->get<PassPresenter>().counting();
      },
      "all is known");
  Look look;
  for (const char* begin : {"gelu0", "gelu1", "gelu2", "own", "x", "p"}) {
    bench_->get<SelectionPresenter>().selectNode(nodeBeginning(begin), Origin::List);
    waitUntil(
        [&] {
          return settled(*bench_) && !bench_->get<HistoryPresenter>().busy() &&
                 !bench_->get<PatternPresenter>().asking();
        },
        "the node is shown");
    look.at(*window_);
    window_->actions()["copy-markdown"]->trigger();
    look.judge("clipboard", QApplication::clipboard()->text());
  }
  for (const QString& page : part<DockFrame>("results")->pages()) {
    part<DockFrame>("results")->setCurrentPage(page);
    QApplication::processEvents();
    look.at(*window_);
  }
  for (const QString& stage : {QString("fx"), QString("rewritten"), QString("raw")}) {
    bench_->get<StagePresenter>().setPanes({stage});
    waitUntil([&] { return settled(*bench_); }, "the stage is shown");
    look.at(*window_);
  }
  window_->actions()["export-bundle"]->trigger();
  look.at(*part<BundleDialog>());
  part<BundleDialog>()->reject();
  window_->actions()["export-fixed"]->trigger();
  look.at(*part<FixDialog>());
  part<FixDialog>()->reject();
  window_->actions()["palette"]->trigger();
  part<SearchPopup>()->edit()->setText(kWord);
  QApplication::processEvents();
  EXPECT_GT(part<SearchPopup>()->rowCount(), 0);
  look.at(*window_);
  part<SearchPopup>()->dismiss();

  const QString broken = folder_.filePath(QString::fromStdString("broken " + kPart) + ".pt2");
  ASSERT_TRUE(QFile(broken).open(QIODevice::WriteOnly));
  window_->openFile(broken);
  waitUntil([&] { return part<BannerBar>()->text("open").contains(kWord); }, "the banner");
  look.at(*window_);

  // The look saw what it is for.
  for (const char* where :
       {"fxs::ui::ElidedLabel", "QLabel", "fxs::ui::LinkButton", "fxs::ui::WrappedLabel",
        "QTreeView", "QListView", "QToolButton", "action", "fxs::ui::CodeView",
        "fxs::ui::MainWindow", "QComboBox", "clipboard"})
    EXPECT_GT(look.seen().count(where), 0U) << where;
}

TEST_F(HostileTextTest, TheWelcomePageAndTheMenusNameFilesPlainly) {
  openSettled(hostileFile());
  remake();
  Look look;
  look.at(*window_);
  EXPECT_GT(look.seen().count("action"), 0U);                // File > Open recent
  EXPECT_GT(look.seen().count("fxs::ui::ElidedLabel"), 0U);  // the list of the welcome page
}

TEST_F(HostileTextTest, TabsOfCapturesNameFilesPlainly) {
  const QString folder = folder_.filePath(QString::fromStdString(kPart));
  QDir().mkpath(folder);
  ASSERT_TRUE(
      QFile::copy(samplePath("addmm.pt2"), folder + "/a" + QString::fromStdString(kPart) + ".pt2"));
  QFile bad(folder + "/b" + QString::fromStdString(kPart) + ".json");
  ASSERT_TRUE(bad.open(QIODevice::WriteOnly));
  bad.write("{\"schema\": \"fxscope-fx/1\", \"graphs\": 3}");
  bad.close();
  window_->openFile(folder);
  waitUntil([&] { return bench_->get<SessionPresenter>().hasProgram() && settled(*bench_); },
            "the first capture");
  Look look;
  look.at(*window_);
  EXPECT_GT(look.seen().count("fxs::ui::CaptureTabs"), 0U);
}

/// What is hovered: the graph, a row of the tree, anything with a tool tip of its own.
TEST_F(HostileTextTest, ToolTipsAreText) {
  openSettled(hostileFile());
  const fx::NodeId node = nodeBeginning("gelu1");
  bench_->get<Graphs>().program.openAll();
  waitUntil(
      [&] { return settled(*bench_) && part<GraphArea>()->pane()->nodeRect(node).has_value(); },
      "laid out");
  GraphPane* pane = part<GraphArea>()->pane();
  pane->centreOn(node);
  const QPoint at = pane->nodeRect(node)->center().toPoint();
  QWidget* canvas = pane->childAt(at);
  ASSERT_NE(canvas, nullptr);
  const auto hover = [&](QWidget* over, QPoint position) {
    QHelpEvent help(QEvent::ToolTip, position, over->mapToGlobal(position));
    QApplication::sendEvent(over, &help);
  };
  hover(canvas, canvas->mapFrom(pane, at));
  ASSERT_NE(shownToolTip(), nullptr);
  EXPECT_TRUE(shownToolTip()->text().contains("<img src=")) << shownToolTip()->text().toStdString();
  EXPECT_EQ(shownToolTip()->textFormat(), Qt::PlainText);
  Look look;
  look.judge("graph", shownToolTip()->text());
  EXPECT_EQ(look.seen().count("graph"), 1U);
  QToolTip::hideText();

  QWidget own;
  own.setToolTip("<img src=\"file:///dev/zero\">");  // even where somebody forgot
  own.show();
  hover(&own, {1, 1});
  waitUntil([&] { return shownToolTip() && shownToolTip()->text() == own.toolTip(); },
            "the tool tip");
  EXPECT_EQ(shownToolTip()->textFormat(), Qt::PlainText);
  QToolTip::hideText();
}

TEST_F(HostileTextTest, ALabelIsPlainUnlessItSaysOtherwise) {
  QLabel careless("<img src=\"file:///dev/zero\">"), link;
  link.setTextFormat(Qt::RichText);
  for (QLabel* label : {&careless, &link}) label->show();
  EXPECT_EQ(careless.textFormat(), Qt::PlainText);
  EXPECT_EQ(link.textFormat(), Qt::RichText);
}

}  // namespace
}  // namespace fxs::ui
