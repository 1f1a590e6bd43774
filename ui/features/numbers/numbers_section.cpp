// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/numbers/numbers_section.h"

#include <QGridLayout>
#include <QPainter>
#include <algorithm>

#include "features/numbers/numbers_sign.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kWorstShown = 5;

/// The distribution of a value's finite elements.
class Histogram final : public QWidget {
 public:
  Histogram(const Appearance& appearance, const tensor::Statistics& of, const QString& name,
            QWidget* parent)
      : QWidget(parent),
        bins_(of.histogram),
        color_(appearance.color(Role::Accent)),
        ground_(appearance.color(Role::Border)) {
    setFixedHeight(4 * kGrid);
    setMinimumWidth(8 * kGrid);
    setAccessibleName(name);
    setToolTip(QString("%1: %2 finite elements from %3 to %4 in %5 equal steps")
                   .arg(name)
                   .arg(of.elements - of.nans - of.infinities)
                   .arg(of.min)
                   .arg(of.max)
                   .arg(tensor::Statistics::kBins));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(0, height() - 1, width(), 1, ground_);
    const std::uint64_t most = *std::max_element(bins_.begin(), bins_.end());
    if (most == 0) return;
    const int count = static_cast<int>(bins_.size());
    for (int i = 0; i < count; ++i) {
      const auto share =
          static_cast<double>(bins_[static_cast<std::size_t>(i)]) / static_cast<double>(most);
      const int left = i * width() / count, right = (i + 1) * width() / count;
      const int high = share > 0 ? std::max(1, static_cast<int>(share * (height() - 1))) : 0;
      painter.fillRect(left, height() - 1 - high, right - left - 1, high, color_);
    }
  }

 private:
  std::array<std::uint64_t, tensor::Statistics::kBins> bins_;
  QColor color_, ground_;
};

QString number(double value) { return QString::number(value, 'g', 6); }

class Section {
 public:
  Section(const Appearance& appearance, QWidget* widget)
      : appearance_(appearance), widget_(widget) {
    column_ = makeBox<QVBoxLayout>(kGrid / 2);
    widget->setLayout(column_);
  }

  void add(const NodeNumbers& numbers) {
    if (column_->count() > 0) column_->addSpacing(kGrid);
    head(numbers);
    if (!numbers.difference->message.empty())
      column_->addWidget(new WrappedLabel(appearance_, text(numbers.difference->message),
                                          TextSize::Small, "muted", widget_));
    statistics(*numbers.found, *numbers.expected);
    if (!numbers.difference->worst.empty()) worst(*numbers.difference);
  }

 private:
  QLabel* cell(const QString& title, const QString& ink = {}, bool mono = true) {
    QLabel* label = makeLabel(appearance_, title, TextSize::Small, ink, widget_);
    if (mono) {
      label->setFont(appearance_.mono(TextSize::Small));
      label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
      label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    return label;
  }

  QGridLayout* grid() {
    auto* made = new QGridLayout;
    made->setContentsMargins(0, 0, 0, 0);
    made->setHorizontalSpacing(2 * kGrid);
    made->setVerticalSpacing(2);
    made->setColumnStretch(1, 1);
    made->setColumnStretch(2, 1);
    made->setColumnMinimumWidth(0, 7 * kGrid);
    column_->addLayout(made);
    return made;
  }

  void titles(QGridLayout* rows, const QString& first) {
    rows->addWidget(cell(first, "muted", false), 0, 0);
    for (const int column : {1, 2}) {
      QLabel* title = cell(column == 1 ? "found" : "expected", "muted", false);
      title->setAlignment(Qt::AlignRight);
      rows->addWidget(title, 0, column);
    }
  }

  void head(const NodeNumbers& numbers) {
    const tensor::Verdict verdict = numbers.difference->verdict;
    auto* row = makeBox<QHBoxLayout>(kGrid);
    auto* icon = new QLabel(widget_);
    icon->setPixmap(
        pixmap(appearance_, verdictIcon(verdict), verdictRole(verdict), kSign, widget_));
    row->addWidget(icon);
    row->addWidget(makeElided(numbers.target + "  " + title(verdict),
                              appearance_.sans(TextSize::Body), {}, widget_, Qt::ElideRight),
                   1);
    QString error = errorText(*numbers.difference);
    if (numbers.inputUnits > 0)
      error += QString(", of operands %1").arg(numbers.inputUnits, 0, 'g', 3);
    if (!numbers.by.isEmpty()) error += (error.isEmpty() ? "" : "  ·  ") + numbers.by;
    row->addWidget(makeLabel(appearance_, error, TextSize::Small, "muted", widget_));
    column_->addLayout(row);
  }

  void statistics(const tensor::Statistics& found, const tensor::Statistics& expected) {
    QGridLayout* rows = grid();
    titles(rows, {});
    int at = 1;
    const auto line = [&](const QString& name, const QString& left, const QString& right) {
      const bool same = left == right;
      rows->addWidget(cell(name, "muted", false), at, 0);
      rows->addWidget(cell(left, same ? "" : "warning"), at, 1);
      rows->addWidget(cell(right), at++, 2);
    };
    line("minimum", number(found.min), number(expected.min));
    line("maximum", number(found.max), number(expected.max));
    line("mean", number(found.mean), number(expected.mean));
    line("NaN", QString::number(found.nans), QString::number(expected.nans));
    if (found.infinities + expected.infinities > 0)
      line("infinity", QString::number(found.infinities), QString::number(expected.infinities));
    rows->addWidget(new Histogram(appearance_, found, "Histogram of found", widget_), at, 1);
    rows->addWidget(new Histogram(appearance_, expected, "Histogram of expected", widget_), at, 2);
  }

  void worst(const tensor::Difference& difference) {
    QGridLayout* rows = grid();
    titles(rows, "worst at");
    for (std::size_t i = 0; i < std::min(difference.worst.size(), kWorstShown); ++i) {
      const tensor::Element& element = difference.worst[i];
      QStringList index;
      for (const std::int64_t each : element.index) index << QString::number(each);
      const int at = static_cast<int>(i) + 1;
      QLabel* where = cell("[" + index.join(", ") + "]", "muted");
      where->setAlignment(Qt::AlignLeft);
      rows->addWidget(where, at, 0);
      rows->addWidget(cell(number(element.found), "error"), at, 1);
      rows->addWidget(cell(number(element.expected)), at, 2);
    }
  }

  const Appearance& appearance_;
  QWidget* widget_;
  QVBoxLayout* column_;
};

}  // namespace

QWidget* makeNumbersSection(const Appearance& appearance, const NumbersPresenter& numbers,
                            fx::NodeId node, QWidget* parent) {
  const std::vector<NodeNumbers> known = numbers.at(node);
  if (known.empty()) return nullptr;
  auto* widget = new QWidget(parent);
  Section section(appearance, widget);
  for (const NodeNumbers& each : known) section.add(each);
  return widget;
}

}  // namespace fxs::ui
