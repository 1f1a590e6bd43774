// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/op_origin_section.h"

#include <algorithm>

#include "text/words.h"
#include "widgets/controls.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMostHops = 20;

}  // namespace

OpOriginSection::OpOriginSection(Appearance& appearance, OpOriginPresenter& origin, QWidget* parent)
    : QWidget(parent), appearance_(appearance), origin_(origin) {
  connect(&origin, &OpOriginPresenter::changed, this, &OpOriginSection::rebuild);
  rebuild();
}

void OpOriginSection::rebuild() {
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  delete layout();
  auto* list = makeBox<QVBoxLayout>(2);
  if (!origin_.name().isEmpty()) {
    auto* name = new WrappedLabel(appearance_, origin_.name(), TextSize::Body, {}, this);
    name->setFont(appearance_.mono(TextSize::Body));
    list->addWidget(name);
  }
  list->addWidget(new WrappedLabel(appearance_, origin_.message(), TextSize::Body,
                                   origin_.name().isEmpty() ? "muted" : QString(), this));
  if (!origin_.name().isEmpty()) {
    addHops(list, "Comes from", origin_.cameFrom(), "no other operation");
    addHops(list, "Goes to", origin_.wentTo(), "the end as it is");
  }
  setLayout(list);
}

void OpOriginSection::addHops(QVBoxLayout* list, const QString& title,
                              const std::vector<OpHop>& hops, const QString& none) {
  list->addSpacing(kGrid / 2);
  list->addWidget(makeHeading(appearance_, title, this));
  const auto addText = [&](const QString& text, const QString& ink, bool isCode) {
    auto* label = new WrappedLabel(appearance_, text, TextSize::Small, ink, this);
    if (isCode) label->setFont(appearance_.mono(TextSize::Small));
    label->setIndent(2 * kGrid, 0);
    list->addWidget(label);
  };
  if (hops.empty()) addText(none, "muted", false);
  for (std::size_t i = 0; i < std::min(hops.size(), kMostHops); ++i) {
    const OpHop& hop = hops[i];
    auto* link = new LinkButton(appearance_.sans(TextSize::Body), hop.title,
                                "Show the operation at " + hop.title, this);
    connect(link, &QPushButton::clicked, this, [this, hop] { Q_EMIT hopRequested(hop); });
    list->addWidget(link);
    addText(hop.message, {}, true);
    if (!hop.node.isEmpty()) addText(hop.node, "muted", false);
  }
  if (hops.size() > kMostHops)
    addText(QString("and %1 more").arg(hops.size() - kMostHops), "muted", false);
}

}  // namespace fxs::ui
