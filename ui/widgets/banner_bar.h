#pragma once
// One line above the graph for what concerns the whole program: the engine is missing, the file changed, a file could not be
// opened. It says what still works and offers the way out.
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

  /// One banner a key: a newer one replaces it, an empty text takes it away.
  void show(const QString& key, BannerKind kind, const QString& text, std::vector<BannerAction> actions = {});
  void dismiss(const QString& key);
  /// Its text, or "".
  QString text(const QString& key) const;

 private:
  struct Banner {
    QWidget* widget;
    QString text;
  };
  Appearance& appearance_;
  QVBoxLayout* column_;
  std::map<QString, Banner> banners_;
  std::map<QString, QString> closed_;  ///< what the user closed: not shown again until it says something else
};

}  // namespace fxs::ui
