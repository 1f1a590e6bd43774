// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A read-only text view with line numbers, syntax colours and folding, for texts of any size: only
// the visible rows are processed. Every character has the same width. Marks the lines of the
// selected nodes, dotted if their origin is inferred, and, in the margin, lines that differ from
// another text; beside that text, rows without a line (fillers) let the lines of both face each
// other. Lines are 0-based.
#include <QAbstractScrollArea>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "session/marks.h"
#include "text/code_text.h"
#include "text/facing_lines.h"
#include "text/folded_lines.h"
#include "text/line_marks.h"
#include "theme/appearance.h"

namespace fxs::ui {

struct CodePosition {
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< UTF-16 units
  friend auto operator<=>(const CodePosition&, const CodePosition&) = default;
};

class CodeView final : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit CodeView(Appearance& appearance, QWidget* parent = nullptr);

  /// Replaces the text and clears folds and marks. Keeps cursor and scroll position if the line
  /// count is the same.
  void setCode(CodeTextPtr text);
  const CodeTextPtr& code() const { return text_; }
  /// Marks the lines of the selected nodes. `lines` must ascend; `inferred` are those whose origin
  /// is not their own location.
  void setRelated(std::vector<std::uint32_t> lines, std::set<std::uint32_t> inferred);
  const std::vector<std::uint32_t>& related() const { return related_; }
  void setMatches(std::vector<FindMatch> matches);
  void setCurrentMatch(int index);
  /// Highlights the definition and uses of the value under the cursor; ascending.
  void setOccurrences(std::vector<FindMatch> occurrences);
  const std::vector<FindMatch>& occurrences() const { return occurrences_; }
  /// Draws the signs of nodes beside their lines.
  void setNodeMarks(MarksByLine marks);
  const MarksByLine& nodeMarks() const { return nodeMarks_; }
  /// Differences from another text; may be null.
  void setMarks(std::shared_ptr<const LineMarks> marks);
  const LineMarks* marks() const { return marks_.get(); }
  /// Keeps the top line in place if it stays visible.
  void setFolds(std::vector<Fold> folds);
  const FoldedLines& folded() const { return folded_; }
  void setFolded(int fold, bool folded);
  void setAllFolded(FoldKind kind, bool folded);
  /// Folds as the text beside this one; see FoldedLines::follow().
  void followFolds(const FoldedLines& beside);
  /// What is shown of the text, without fillers.
  ShownLines shownLines() const;
  /// Is lost when the shape changes; see shapeChanged().
  void setFillers(Fillers fillers);
  /// The tool tip for a position; "" for none.
  void setTip(std::function<QString(CodePosition)> tip) { tip_ = std::move(tip); }
  /// The tip may have changed: if the pointer still rests where it was asked for, it is shown anew.
  void refreshTip();

  /// Shows prose: no line numbers, no syntax colours.
  void setPlain(bool on);
  void setWrap(bool on);
  /// Font size in pixels, kMinZoom..kMaxZoom.
  void setZoom(int pixels);
  int zoom() const { return zoom_; }
  static constexpr int kMinZoom = 7, kMaxZoom = 32, kDefaultZoom = 12;

  CodePosition cursorPosition() const { return cursor_; }
  void setCursorPosition(CodePosition to) { moveCursor(to, false); }
  /// Converts between positions and byte offsets in the text.
  std::size_t offsetOf(CodePosition) const;
  CodePosition positionOf(std::size_t offset) const;
  void goToLine(std::uint32_t line);
  void goTo(CodePosition);
  /// Scrolls the line to a third from the top if it is not in view; unfolds what hides it.
  void showLine(std::uint32_t line);
  bool isLineVisible(std::uint32_t line) const;
  /// Characters of a line that are in view at once.
  int columnsInView() const;
  /// Where a line is drawn, in viewport pixels; may be outside of the viewport.
  QRect lineRect(std::uint32_t line) const;
  /// The line at `y` pixels from the top of the viewport; scrollLineTo() scrolls a line to `y`.
  std::uint32_t lineAtHeight(int y) const;
  void scrollLineTo(std::uint32_t line, int y);
  QString selectedText() const;
  bool hasSelection() const { return cursor_ != anchor_; }

 public Q_SLOTS:
  void copy();
  void selectAll();

 Q_SIGNALS:
  void lineClicked(std::uint32_t line);
  void definitionRequested(fxs::ui::CodePosition at);
  void zoomRequested(int pixels);
  void cursorMoved();
  /// shownLines() changed; a text beside this one may set the fillers anew.
  void shapeChanged();
  void menuRequested(fxs::ui::CodePosition at, const QPoint& globalPosition);

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  void contextMenuEvent(QContextMenuEvent*) override;
  void focusInEvent(QFocusEvent*) override;
  void focusOutEvent(QFocusEvent*) override;
  bool viewportEvent(QEvent*) override;

 private:
  struct Row {
    std::uint32_t line;  ///< of a filler, the line above it
    std::uint32_t firstColumn;
    bool isFiller = false;
  };
  void measure();
  void layOut();
  void placeRows();
  std::uint32_t heightOf(std::size_t shown) const;
  void refold(const std::function<void()>& change);
  std::size_t rowCount() const;
  Row rowAt(std::size_t row) const;
  Row rowAtHeight(int y) const;
  bool isOnLine(int y) const;
  std::size_t rowOf(CodePosition) const;
  CodePosition positionAt(QPoint) const;
  int foldSignAt(QPoint) const;
  QString lineText(std::uint32_t line) const;
  void moveCursor(CodePosition to, bool select);
  void revealCursor();
  void paintRow(QPainter& painter, Row row, int top);
  void paintFiller(QPainter& painter, int top);
  void paintMoved(QPainter& painter, Row row, int top);
  void paintMargin(QPainter& painter, Row row, int top, bool strong);
  /// `hasMark`: a mark of the line's node is where the sign would be.
  void paintDiffSign(QPainter& painter, std::uint32_t line, int top, bool hasMark);
  /// False if the line has none.
  bool paintNodeMarks(QPainter& painter, std::uint32_t line, int top);
  /// Of the column of signs: what became of the line, or the mark of its node.
  int signWidth() const;
  int nodeSignSide() const;
  int nodeSignWidth() const;  ///< of all signs that a line has; 0 if no line has one
  double paintText(QPainter& painter, Row row, int top);
  struct TextRow;
  TextRow textRowOf(Row row, int top) const;
  void fillColumns(QPainter&, const TextRow&, qsizetype from, qsizetype to, Role);
  void paintMatches(QPainter&, const TextRow&, const std::vector<FindMatch>& all, Role);
  void underline(QPainter&, const TextRow&, const std::vector<FindMatch>& words);
  void paintSelection(QPainter&, const TextRow&);
  void paintTokens(QPainter&, const TextRow&);
  std::optional<Role> groundOf(std::uint32_t line) const;
  void paintFoldLabel(QPainter& painter, const Fold& fold, double left, int top);
  void paintTicks(QPainter& painter);
  bool isRelated(std::uint32_t line) const;

  Appearance& appearance_;
  CodeTextPtr text_;
  FoldedLines folded_;
  std::vector<std::uint32_t> related_;
  std::set<std::uint32_t> inferred_;
  std::vector<FindMatch> matches_, occurrences_;
  std::shared_ptr<const LineMarks> marks_;
  MarksByLine nodeMarks_;
  int currentMatch_ = -1;
  std::function<QString(CodePosition)> tip_;
  std::optional<QPoint> tipAt_;  ///< in the viewport, where the pointer rests
  bool plain_ = false;
  bool wrap_ = false;
  int zoom_ = kDefaultZoom;
  QFont font_;
  double charWidth_ = 8;
  int lineHeight_ = 18;
  int gutter_ = 40;
  Fillers fillers_;  ///< by visible line; empty if there are none
  std::vector<std::uint32_t>
      rowStart_;  ///< when wrapping or with fillers: first row of each visible line; else empty
  std::uint32_t wrapColumns_ = 80;
  CodePosition cursor_, anchor_;
  bool dragging_ = false, dragged_ = false;
};

}  // namespace fxs::ui
