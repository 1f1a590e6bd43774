#pragma once
// One text pane of the stage strip: a header that chooses the stage and says how it stands, find, and the text. Without a text it
// says why there is none.
#include <QComboBox>
#include <QStackedWidget>

#include "features/stages/stage_presenter.h"
#include "session/selection_presenter.h"
#include "text/code_structure.h"
#include "widgets/code_view.h"
#include "widgets/find_bar.h"

namespace fxs::ui {

class CodePane final : public QWidget {
  Q_OBJECT
 public:
  CodePane(Appearance& appearance, JobQueue& jobs, StagePresenter& stages, SelectionPresenter& selection, QWidget* parent = nullptr);

  /// As StagePresenter::panes() holds it.
  void setPane(const ShownText& pane);
  const ShownText& pane() const { return pane_; }
  ShownText stageId() const { return stages_.resolved(pane_); }
  CodeView* view() const { return view_; }
  FindBar* findBar() const { return find_; }
  QComboBox* chooser() const { return chooser_; }
  /// What stands in place of the text; "" when the text is shown.
  QString message() const;
  void setClosable(bool on);
  /// Null while there is none.
  std::shared_ptr<const StageText> stageText() const { return stages_.textOf(stageId()); }
  /// The value under the cursor; nothing when there is none, or the text is not MLIR.
  std::optional<ValuePlaces> valueUnderCursor() const;
  /// Goes to where the value under the cursor is defined; false when there is none.
  bool goToDefinition();

 Q_SIGNALS:
  void paneChosen(const fxs::ui::ShownText& shown);
  void closeRequested();

 private:
  void refreshChooser();
  void refreshText();
  void refreshMarks();
  void refreshSelection(bool scroll);
  void lineClicked(std::uint32_t line);
  void cursorMoved();
  QString tip(CodePosition at) const;

  Appearance& appearance_;
  StagePresenter& stages_;
  SelectionPresenter& selection_;
  ShownText pane_;
  QComboBox* chooser_;
  QLabel* mark_;
  ElidedLabel* note_;
  IconButton* closeButton_;
  FindBar* find_;
  QStackedWidget* body_;
  QWidget* textPage_;
  CodeView* view_;
  QLabel* message_;
  bool shown_ = false;  ///< the view holds the stage's text
};

}  // namespace fxs::ui
