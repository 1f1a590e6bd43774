#pragma once
// A read-only text with line numbers that opens at any size: only the rows on screen are looked at, coloured and drawn. Columns
// stand on a grid of one character's width. Lines of the selected nodes are marked, dotted where the link is inferred; parts of
// the text fold away; lines that differ from another text carry a sign in the margin.
#include <QAbstractScrollArea>
#include <functional>
#include <memory>
#include <set>

#include "text/code_text.h"
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

  /// Keeps the place in the text when `text` is the same again with other contents. Folds and marks of the old text go.
  void setCode(CodeTextPtr text);
  const CodeTextPtr& code() const { return text_; }
  /// Ascending lines; `inferred` are those of them whose link to the node is not its own location.
  void setRelated(std::vector<std::uint32_t> lines, std::set<std::uint32_t> inferred);
  const std::vector<std::uint32_t>& related() const { return related_; }
  void setMatches(std::vector<FindMatch> matches);
  void setCurrentMatch(int index);
  /// Where the value under the cursor stands; ascending.
  void setOccurrences(std::vector<FindMatch> occurrences);
  const std::vector<FindMatch>& occurrences() const { return occurrences_; }
  /// Null for none.
  void setMarks(std::shared_ptr<const LineMarks> marks);
  const LineMarks* marks() const { return marks_.get(); }
  /// Keeps the line at the top where it is, as far as it still shows.
  void setFolds(std::vector<Fold> folds);
  const FoldedLines& folded() const { return folded_; }
  void setFolded(int fold, bool folded);
  void setAllFolded(FoldKind kind, bool folded);
  /// What to say about a place on hover; "" for nothing.
  void setTip(std::function<QString(CodePosition)> tip) { tip_ = std::move(tip); }

  /// Words, not code: no line numbers, no colours.
  void setPlain(bool on);
  void setWrap(bool on);
  /// In pixels of the font, kMinZoom..kMaxZoom.
  void setZoom(int pixels);
  int zoom() const { return zoom_; }
  static constexpr int kMinZoom = 7, kMaxZoom = 32, kDefaultZoom = 12;

  CodePosition cursor() const { return cursor_; }
  void setCursor(CodePosition to) { moveCursor(to, false); }
  /// Byte offset in the text; the other way round, the place of a byte.
  std::size_t offsetOf(CodePosition) const;
  CodePosition positionOf(std::size_t offset) const;
  void goToLine(std::uint32_t line);
  void goTo(CodePosition);
  /// Brings the line into view, a third from the top, when it is not there already; unfolds what hides it.
  void showLine(std::uint32_t line);
  bool isLineVisible(std::uint32_t line) const;
  /// Where a line is drawn, in the viewport; may lie outside of it.
  QRect lineRect(std::uint32_t line) const;
  /// The line at a height of the viewport, and the scroll that brings a line to a height.
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

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  void focusInEvent(QFocusEvent*) override;
  void focusOutEvent(QFocusEvent*) override;
  bool viewportEvent(QEvent*) override;

 private:
  struct Row {
    std::uint32_t line;
    std::uint32_t firstColumn;
  };
  void measure();
  void layOut();
  void refold(const std::function<void()>& change);
  std::size_t rowCount() const;
  Row rowAt(std::size_t row) const;
  std::size_t rowOf(CodePosition) const;
  CodePosition positionAt(QPoint) const;
  int foldSignAt(QPoint) const;
  QString lineText(std::uint32_t line) const;
  void moveCursor(CodePosition to, bool select);
  void revealCursor();
  void paintRow(QPainter& painter, Row row, int top);
  void paintMargin(QPainter& painter, Row row, int top, bool strong);
  double paintText(QPainter& painter, Row row, int top);
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
  int currentMatch_ = -1;
  std::function<QString(CodePosition)> tip_;
  bool plain_ = false;
  bool wrap_ = false;
  int zoom_ = kDefaultZoom;
  QFont font_;
  double charWidth_ = 8;
  int lineHeight_ = 18;
  int gutter_ = 40;
  std::vector<std::uint32_t> rowStart_;  ///< when wrapping: first row of each line on show; empty otherwise
  std::uint32_t wrapColumns_ = 80;
  CodePosition cursor_, anchor_;
  bool dragging_ = false, dragged_ = false;
};

}  // namespace fxs::ui
