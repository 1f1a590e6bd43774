// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMainWindow>
#include <QPointer>
#include <algorithm>

#include "features/variants/editor_pane.h"
#include "features/variants/pass_list_dialog.h"
#include "features/variants/variants_page.h"
#include "fx/text.h"
#include "import/import.h"
#include "session/op_commands.h"
#include "session/selection_presenter.h"
#include "text/words.h"
#include "widgets/banner_bar.h"
#include "widgets/save_file.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

constexpr int kEditCommand = 40;  ///< place in the menu of an operation
/// Larger texts are for an editor that does not look at all of it with every key.
constexpr std::size_t kMaxEdited = std::size_t{8} << 20;

/// Names of operations that the pinned engine has, and of those in the texts of the program.
std::vector<std::string> knownOperations(Services& services) {
  const auto& pinned = import::pinnedRegisteredOps();
  std::vector<std::string> out(pinned.begin(), pinned.end());
  const auto& stages = services.get<StagePresenter>();
  const auto add = [&](const std::vector<Stage>& list) {
    for (const Stage& stage : list)
      if (const auto text = stages.textOf(stage.id); text && text->module)
        for (std::uint32_t i = 0; i < text->module->names.size(); ++i)
          out.emplace_back(text->module->names[i]);
  };
  add(stages.stages());
  add(stages.others());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// The editor, while there is one.
struct Editing {
  QPointer<EditorPane> pane;
  ShownText shown;
  trace::TracePtr trace;  ///< that `shown` is of, if it is a snapshot
};

class EditActions final : public QObject {
 public:
  EditActions(Host& host, VariantsPage* page)
      : QObject(page),
        host_(host),
        edit_(host.services().get<EditPresenter>()),
        variants_(host.services().get<VariantsPresenter>()),
        passes_(host.services().get<PassPresenter>()),
        list_(host.services().get<PassListPresenter>()) {
    add();
    host_.actions()["export-variant"]->setEnabled(false);
    connect(&passes_, &PassPresenter::traceChanged, this, [this] {
      if (!edit_.source() || !editing_.trace) return;
      if (isOfTrace()) open();
      else host_.texts().replaceText(editing_.shown, nullptr);
    });
    connect(&edit_, &EditPresenter::sourceChanged, this, &EditActions::refresh);
    connect(&edit_, &EditPresenter::problemsChanged, this, &EditActions::refresh);
    connect(&variants_, &VariantsPresenter::ready, this, [this](int id) { show(id); });
    connect(page, &VariantsPage::nameRefused, this, [this](const QString& name) {
      host_.showMessage("Another variant is called " + shown(name));
    });
    connect(page->messageButton(), &QPushButton::clicked, this, &EditActions::begin);
    connect(page->passesButton(), &QToolButton::clicked, this,
            [this, page] { variants_.tracePasses(page->currentId()); });
    connect(page->exportButton(), &QToolButton::clicked, this,
            [this, page] { exportVariant(page->currentId()); });
    connect(&variants_, &VariantsPresenter::testMade, this,
            [this](const QString& file, const std::string& text) { save(file, text); });
    connect(
        &variants_, &VariantsPresenter::bundleMade, this, [this](const bundle::BundleResult& made) {
          host_.banners().show("variant", made.reproduces ? BannerKind::Info : BannerKind::Warning,
                               "Saved " + text(made.path) + ": " + text(made.statement));
        });
    connect(&variants_, &VariantsPresenter::exportFailed, this, [this](const QString& message) {
      host_.banners().show("variant", BannerKind::Error, message);
    });
    const auto title = [this] {
      const std::size_t count = variants_.all().size();
      host_.setPageTitle("variants", count ? QString("Variants  %1").arg(count) : "Variants");
      const auto current = variants_.find(variants_.current());
      host_.actions()["export-variant"]->setEnabled(current && current->lowered);
    };
    connect(&variants_, &VariantsPresenter::changed, this, title);
    refresh();
  }

 private:
  void add() {
    Actions& actions = host_.actions();
    actions.add(
        {"edit-text", {"Edit", 300}, "Edit the text in the current pane", "Ctrl+I", {}, [this] {
           begin();
         }});
    actions.add(
        {"continue", {"Edit", 310}, "Continue from the edited text", "Ctrl+Return", "run", [this] {
           continueEdit();
         }});
    actions.add(
        {"discard-edit", {"Edit", 320}, "Discard the edit", "Ctrl+Shift+Return", {}, [this] {
           edit_.discard();
         }});
    actions.add(
        {"next-edit-error", {"Edit", 330}, "Next error of the edited text", "Ctrl+F8", {}, [this] {
           if (editing_.pane) editing_.pane->goToProblem();
         }});
    actions.add(
        {"skip-pass", {"Passes", 300}, "Lower without the selected pass", "Ctrl+Alt+K", {}, [this] {
           skip();
         }});
    actions.add({"export-variant", {"File", 115}, "Export the variant …", "Ctrl+Alt+S", {}, [this] {
                   exportVariant(variants_.current());
                 }});
    actions.add({"edit-passes",
                 {"Passes", 310},
                 "Change the passes of the stage …",
                 "Ctrl+Alt+I",
                 {},
                 [this] { editPasses(); }});
    addNodeActions();
    actions.needProgram(
        {"edit-text", "skip-pass", "edit-passes", "set-argument", "decompose-node", "keep-node"});
    auto& commands = host_.services().get<OpCommands>();
    commands.addRow(actions.rowCommand(320, "skip-pass", "passes"));
    commands.addRow(actions.rowCommand(330, "edit-passes", "passes"));
    commands.addRow(actions.rowCommand(300, "export-variant", "variants"));
    for (const char* id : {"set-argument", "decompose-node", "keep-node"})
      commands.addRow(actions.rowCommand(340, id));
    actions.addKeys({"Edited text",
                     {{"Complete an operation or a value", "Ctrl+Space"},
                      {"Undo, redo", "Ctrl+Z, Ctrl+Shift+Z"}}});
    actions.addKeys({"List of variants", {{"Rename", "Enter"}, {"Drop", "Del"}}});
    commands.add(
        {kEditCommand, "Edit this text",
         [this](const TextOp& op) { return variants_.sourceOf(resolved(op.text)).has_value(); },
         [this](const TextOp& op) {
           host_.texts().showStage(resolved(op.text));
           begin();
           if (editing_.pane && editing_.shown == resolved(op.text))
             editing_.pane->editor()->goTo(op.line, 0);
         }});
  }

  void addNodeActions() {
    const auto add = [this](ActionSpec spec, void (EditActions::*run)(const fx::Node&)) {
      spec.run = [this, run] {
        Services& services = host_.services();
        const fx::ProgramPtr program = services.get<SessionPresenter>().program();
        const fx::NodeId node = services.get<SelectionPresenter>().current().inspected();
        if (!program || !node.valid()) return host_.showMessage("Select a node first");
        if (services.get<SessionPresenter>().snapshot()->capture->module)
          return host_.showMessage("A module has no arguments and decompositions of PyTorch");
        (this->*run)(program->node(node));
      };
      host_.actions().add(std::move(spec));
    };
    add({"set-argument", {"Edit", 340}, "Set an argument of the node …", "Ctrl+Alt+U"},
        &EditActions::setArgument);
    add({"decompose-node", {"Edit", 350}, "Decompose this node", "Ctrl+Alt+D"},
        &EditActions::decompose);
    add({"keep-node", {"Edit", 360}, "Keep this node", "Ctrl+Alt+F"}, &EditActions::keep);
  }

  void decompose(const fx::Node& node) {
    variants_.addNodeChange({NodeChange::Kind::Decompose, node.name});
  }
  void keep(const fx::Node& node) { variants_.addNodeChange({NodeChange::Kind::Keep, node.name}); }

  /// Asks for `dim=0`, beginning with an argument as it is.
  void setArgument(const fx::Node& node) {
    QStringList arguments;
    const fx::ProgramPtr program = host_.services().get<SessionPresenter>().program();
    for (const fx::NodeArgument& argument : node.args) {
      bool isOfNodes = argument.name.empty();
      fx::forEachNode(argument.value, [&](fx::NodeId) { isOfNodes = true; });
      if (!isOfNodes)
        arguments << text(argument.name) + '=' + text(fx::dumpArgument(*program, argument.value));
    }
    if (arguments.isEmpty())
      return host_.showMessage(text(node.name) + " has no argument of a fixed value");
    auto* dialog = new QInputDialog(&host_.mainWindow());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle("Set an argument");
    dialog->setLabelText("An argument of " + text(node.name) +
                         " and its value; the types recorded in the program stay");
    dialog->setComboBoxItems(arguments);
    dialog->setComboBoxEditable(true);
    dialog->setOkButtonText("Lower");
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, name = node.name](const QString& typed) { lowerWith(name, typed); });
    dialog->open();
  }
  void lowerWith(const std::string& node, const QString& typed) {
    const qsizetype equals = typed.indexOf('=');
    const QString value = typed.mid(equals + 1).trimmed();
    if (equals < 1 || value.isEmpty())
      return host_.showMessage("Expected ARGUMENT=VALUE, such as dim=0");
    variants_.addNodeChange({NodeChange::Kind::SetArgument, node,
                             typed.left(equals).trimmed().toStdString(), value.toStdString()});
  }

  ShownText resolved(const ShownText& text) const {
    return host_.services().get<StagePresenter>().resolved(text);
  }

  void begin() {
    const ShownText shown = host_.texts().current();
    if (edit_.source() && editing_.shown == shown && isOfTrace())
      return editing_.pane ? editing_.pane->setFocus() : open();
    if (edit_.isChanged())
      return host_.showMessage("Continue or discard the edit of " + edit_.source()->title +
                               " first");
    Result<EditSource> source = variants_.sourceOf(shown);
    if (!source) return host_.showMessage(text(source.error().message));
    const auto content = host_.services().get<StagePresenter>().textOf(shown);
    if (!content) return host_.showMessage("The text is not there yet");
    if (content->code->all().size() > kMaxEdited)
      return host_.showMessage(QString("The text has more than %1; save it (Ctrl+S) and edit the "
                                       "file")
                                   .arg(bytesText(kMaxEdited)));
    edit_.discard();  // which may be open elsewhere, unchanged
    edit_.setOperations(knownOperations(host_.services()));
    edit_.begin(*std::move(source), std::string(content->code->all()));
    editing_.shown = shown;
    editing_.trace = std::holds_alternative<PassSnapshot>(shown) ? passes_.trace() : nullptr;
    open();
  }

  /// Whether the text is that of the edit: snapshots of each trace are numbered alike.
  bool isOfTrace() const { return !editing_.trace || editing_.trace == passes_.trace(); }

  void open() {
    auto* pane = new EditorPane(host_.appearance(), host_.services(), &host_.mainWindow());
    pane->hide();
    connect(pane, &EditorPane::continueRequested, this, &EditActions::continueEdit);
    connect(pane, &EditorPane::discardRequested, &edit_, &EditPresenter::discard,
            Qt::QueuedConnection);  // the button is in the pane
    editing_.pane = pane;
    host_.texts().replaceText(editing_.shown, pane);
    pane->setFocus();
  }

  void continueEdit() {
    const EditSource* source = edit_.source();
    if (!source) return host_.showMessage("Edit a text first (Ctrl+I)");
    if (!edit_.isChanged()) return host_.showMessage("Nothing was edited");
    if (edit_.firstError() && !edit_.checking()) {
      host_.showMessage("The tool does not read the text");
      if (editing_.pane)
        editing_.pane->editor()->goTo(edit_.firstError()->line, edit_.firstError()->column);
      return;
    }
    variants_.addEdit(*source, edit_.begun(), edit_.text());
    // After this: the editor's own button may be what was pressed.
    QMetaObject::invokeMethod(&edit_, &EditPresenter::discard, Qt::QueuedConnection);
  }

  void skip() {
    const auto pass = variants_.passAt(passes_.pass());
    if (!pass) return host_.showMessage(text(pass.error().message));
    variants_.addSkip(pass->first, pass->second,
                      passes_.passes()[static_cast<std::size_t>(passes_.pass())].name);
  }

  /// Of the stage of the selected pass, else of the last one.
  void editPasses() {
    std::pair<int, lower::StagePass> at{
        -1, {std::string(lower::name(host_.services().get<SessionPresenter>().target())), 0}};
    if (passes_.pass() >= 0) {
      const auto selected = variants_.passAt(passes_.pass());
      if (!selected) return host_.showMessage(text(selected.error().message));
      at = *selected;
    }
    const session::SnapshotPtr lowering = variants_.loweringOf(at.first);
    if (!lowering || !lowering->lowering) return host_.showMessage("Nothing was lowered yet (F5)");
    const lower::EditPtr& edit = lowering->lowering->edit;
    if (edit && edit->pass && edit->stage == at.second.stage)
      return host_.showMessage(
          "The variant continues within this stage: change the passes of a later one");
    if (!dialog_) makeDialog();
    list_.load(at.first, lowering, at.second.stage);
    dialog_->start(static_cast<int>(at.second.pass));
  }

  void makeDialog() {
    dialog_ = new PassListDialog(host_.appearance(), list_, &host_.mainWindow());
    connect(dialog_, &PassListDialog::lowerRequested, this, [this] {
      variants_.addPipeline(list_.variant(), list_.stage().stage, list_.pipeline(), list_.change());
    });
    connect(dialog_, &PassListDialog::saveRequested, this, &EditActions::saveOutputType);
  }

  void saveOutputType() {
    const QString file = QFileDialog::getSaveFileName(dialog_, "Save as output type",
                                                      text(list_.stage().stage) + "-changed.json",
                                                      "Output types (*.json)");
    const session::SnapshotPtr lowering = variants_.loweringOf(list_.variant());
    if (file.isEmpty() || !lowering) return;
    std::string after;
    for (const lower::OutputType& type : lower::pathTo(lowering->request.lower.target)) {
      if (type->stage.id == list_.stage().stage) break;
      after = lower::name(type);
    }
    const auto content = list_.outputTypeFile(QFileInfo(file).completeBaseName(), after);
    if (content) save(file, *content);
    else
      host_.banners().show("save", BannerKind::Error,
                           "Not saved: " + text(content.error().message));
  }

  void exportVariant(int id) {
    const std::optional<VariantState> state = variants_.find(id);
    if (!state || !state->lowered)
      return host_.showMessage("Select a variant first (Ctrl+Shift+V)");
    const auto [content, ending] = variants_.fileOf(id);
    const QFileInfo open(host_.services().get<SessionPresenter>().state().file);
    const QString last = "Last text of the variant (*" + ending + ")";
    const QString test = "Lit test of the passes after the change (*.mlir)";
    const QString bundle = "Reproducer bundle (*.zip)";
    QString filter = last;
    const QString file = QFileDialog::getSaveFileName(
        &host_.mainWindow(), "Export the variant",
        open.completeBaseName() + '.' + exact(state->spec.name).replace('/', '-') + ending,
        last + ";;" + test + (state->lowered->lowering->ok() ? QString() : ";;" + bundle), &filter);
    if (file.isEmpty()) return;
    if (filter == test) variants_.makeTest(id, file);
    else if (filter == bundle) variants_.makeBundle(id, file);
    else save(file, content);
  }

  void save(const QString& file, const std::string& content) {
    const QString problem = saveFile(file, QByteArray::fromStdString(content));
    if (problem.isEmpty()) host_.showMessage("Saved " + shown(file));
    else host_.banners().show("save", BannerKind::Error, "Could not save " + shown(problem));
  }

  /// The variant beside the original.
  void show(int id) {
    if (variants_.compare(id)) host_.texts().showHandles();
    else host_.showMessage("The variant has the texts of the original");
    host_.suggestPage("variants");
  }

  void refresh() {
    Actions& actions = host_.actions();
    const bool isEditing = edit_.source() != nullptr;
    if (!isEditing) {
      if (editing_.pane) host_.texts().replaceText(editing_.shown, nullptr);
      editing_ = {};
    }
    for (const char* id : {"continue", "discard-edit"}) actions[id]->setEnabled(isEditing);
    actions["next-edit-error"]->setEnabled(!edit_.problems().empty());
  }

  Host& host_;
  EditPresenter& edit_;
  VariantsPresenter& variants_;
  PassPresenter& passes_;
  PassListPresenter& list_;
  PassListDialog* dialog_ = nullptr;
  Editing editing_;
};

QWidget* makeVariantsPage(Host& host, QWidget* parent) {
  auto* page =
      new VariantsPage(host.appearance(), host.services().get<VariantsPresenter>(), parent);
  new EditActions(host, page);
  auto& commands = host.services().get<OpCommands>();
  const auto selects = [page] { return page->currentId() >= 0; };
  commands.addRow(
      {310, "Rename the variant", "Enter", "variants", selects, [page] { page->renameCurrent(); }});
  commands.addRow(
      {320, "Drop the variant", "Del", "variants", selects, [page] { page->dropCurrent(); }});
  return page;
}

}  // namespace

void registerVariants(Features& features) {
  features.present<VariantsPresenter>();
  features.pages.push_back(
      {"variants",
       "Variants",
       52,
       {"show-variants", {"Go/Results", 268}, "Variants of the lowering", "Ctrl+Shift+V"},
       makeVariantsPage});
}

}  // namespace fxs::ui
