// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/marks.h"

#include <algorithm>

namespace fxs::ui {
namespace {

QString joinedTips(const QString& above, const QString& below) {
  return above.isEmpty() || below.isEmpty() ? above + below : above + '\n' + below;
}

}  // namespace

void NodeMarks::add(const Mark& mark) {
  Mark& own = mark.emphasis >= Emphasis::Changed ? status : flag;
  const QString tip = joinedTips(own.tip, mark.tip);
  if (mark.emphasis > own.emphasis) own = mark;
  own.tip = tip;
}

void NodeMarks::raise(const NodeMarks& other) {
  for (Mark NodeMarks::* each : {&NodeMarks::status, &NodeMarks::flag})
    if ((other.*each).emphasis > (this->*each).emphasis)
      this->*each = {(other.*each).emphasis, (other.*each).icon, {}};
}

QString NodeMarks::tip() const { return joinedTips(status.tip, flag.tip); }

void Marks::add(MarkSource source) {
  const auto after =
      std::upper_bound(sources_.begin(), sources_.end(), source,
                       [](const MarkSource& a, const MarkSource& b) { return a.rank < b.rank; });
  sources_.insert(after, std::move(source));
}

void Marks::refresh() {
  all_.clear();
  for (const MarkSource& source : sources_)
    for (const auto& [node, mark] : source.marks()) {
      if (!node.valid()) continue;
      if (node.index() >= all_.size()) all_.resize(node.index() + 1);
      all_[node.index()].add(mark);
    }
  Q_EMIT changed();
}

const NodeMarks& Marks::at(fx::NodeId node) const {
  static const NodeMarks kNone;
  return node.valid() && node.index() < all_.size() ? all_[node.index()] : kNone;
}

}  // namespace fxs::ui
