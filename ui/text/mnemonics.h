// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Chooses the mnemonics of a menu: the letter after an & that chooses an entry. An entry that has
// one keeps it; the others get letters from their words, no two the same.
#include <QString>
#include <QStringList>

namespace fxs::ui {

/// The letter after the first single &, in lower case; null if there is none.
QChar mnemonicOf(const QString& entry);
/// The entries in order, as QAction::text(): what follows a tab is a key and has none. Initials of
/// words come first; earlier entries choose first and give way where a later one would have none.
/// Letters of `taken` (lower case) are not used. An entry is left as it is where its letters do not
/// suffice.
QStringList withMnemonics(const QStringList& entries, const QString& taken = {});

}  // namespace fxs::ui
