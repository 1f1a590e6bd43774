// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Banners above the graph, one line each, about the whole program: the engine is missing, the file
// changed, a file could not be opened. A banner can offer actions.
#include <QPushButton>
#include <QWidget>
#include <functional>
#include <map>
#include <vector>

#include "widgets/controls.h"

namespace fxs::ui {

enum class BannerKind : std::uint8_t { Info, Warning, Error };

struct BannerAction {
  QString text;
  std::function<void()> run;
};

class BannerBar final : public QWidget {
  Q_OBJECT
 public:
  explicit BannerBar(Appearance& appearance, QWidget* parent = nullptr);

  /// Shows a banner, replacing the one with the same key; an empty text removes it.
  void show(const QString& key, BannerKind kind, const QString& text,
            std::vector<BannerAction> actions = {});
  void dismiss(const QString& key);
  /// The text of the banner with this key; "" if there is none.
  QString text(const QString& key) const;

 private:
  struct Banner {
    QWidget* widget;
    QString text;
  };
  Appearance& appearance_;
  QVBoxLayout* column_;
  std::map<QString, Banner> banners_;
  std::map<QString, QString>
      closed_;  ///< text of banners that the user closed: not shown again until the text changes
};

}  // namespace fxs::ui
