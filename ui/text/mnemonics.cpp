// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/mnemonics.h"

#include <QMap>
#include <QSet>
#include <algorithm>
#include <vector>

namespace fxs::ui {
namespace {

/// Positions in an entry by preference: initials of its words, then its other letters.
std::vector<qsizetype> candidates(const QString& entry) {
  const qsizetype tab = entry.indexOf('\t');
  const qsizetype end = tab < 0 ? entry.size() : tab;
  std::vector<qsizetype> initials, others;
  for (qsizetype i = 0; i < end; ++i) {
    if (!entry[i].isLetterOrNumber()) continue;
    const bool isInitial = i == 0 || !entry[i - 1].isLetterOrNumber();
    (isInitial ? initials : others).push_back(i);
  }
  initials.insert(initials.end(), others.begin(), others.end());
  return initials;
}

/// Letters as one side of a bipartite graph, entries as the other: Kuhn's algorithm finds a letter
/// for every entry if there is such a choice.
class Letters {
 public:
  Letters(const QStringList& entries, const QString& taken) : entries_(entries) {
    for (const QChar letter : taken) fixed_.insert(letter);
    for (const QString& entry : entries)
      if (const QChar letter = mnemonicOf(entry); !letter.isNull()) fixed_.insert(letter);
    at_.resize(static_cast<std::size_t>(entries.size()), -1);
  }

  void choose(qsizetype entry) {
    tried_.clear();
    give(entry);
  }
  /// -1 if it has none.
  qsizetype positionOf(qsizetype entry) const { return at_[static_cast<std::size_t>(entry)]; }

 private:
  /// A free letter, else that of an entry that can have another.
  bool give(qsizetype entry) {
    for (const bool isFree : {true, false})
      for (const qsizetype position : candidates(entries_[entry])) {
        const QChar letter = entries_[entry][position].toLower();
        if (fixed_.contains(letter) || owner_.contains(letter) == isFree) continue;
        if (!isFree && (tried_.contains(letter) || !moveFrom(letter))) continue;
        owner_[letter] = entry;
        at_[static_cast<std::size_t>(entry)] = position;
        return true;
      }
    return false;
  }
  bool moveFrom(QChar letter) {
    tried_.insert(letter);
    return give(owner_[letter]);
  }

  const QStringList& entries_;
  QSet<QChar> fixed_, tried_;
  QMap<QChar, qsizetype> owner_;
  std::vector<qsizetype> at_;
};

}  // namespace

QChar mnemonicOf(const QString& entry) {
  for (qsizetype i = 0; i + 1 < entry.size(); ++i) {
    if (entry[i] != '&') continue;
    if (entry[i + 1] != '&') return entry[i + 1].toLower();
    ++i;
  }
  return {};
}

QStringList withMnemonics(const QStringList& entries, const QString& taken) {
  Letters letters(entries, taken);
  for (qsizetype i = 0; i < entries.size(); ++i)
    if (mnemonicOf(entries[i]).isNull()) letters.choose(i);
  QStringList out = entries;
  for (qsizetype i = 0; i < out.size(); ++i)
    if (const qsizetype at = letters.positionOf(i); at >= 0) out[i].insert(at, '&');
  return out;
}

}  // namespace fxs::ui
