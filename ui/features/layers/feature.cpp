// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that others know of the nodes: files of layers, as colours of the graph, a table, and a
// part of the inspector.
#include "window/feature.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include "features/layers/layers_page.h"
#include "features/layers/layers_presenter.h"
#include "widgets/banner_bar.h"
#include "widgets/node_sections.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

constexpr int kLayersSection = 35;
constexpr qint64 kHeadBytes = 256;  // that show the schema of a JSON file

void addLayerSection(Host& host) {
  auto& sections = host.services().get<NodeSections>();
  auto& layers = host.services().get<LayersPresenter>();
  sections.add({kLayersSection,
                "Layers",
                {},
                [&host, &layers](fx::NodeId node, QWidget* parent) -> QWidget* {
                  const QString values = node.valid() ? layers.textOf(node) : QString();
                  if (values.isEmpty()) return nullptr;
                  return new WrappedLabel(host.appearance(), values, TextSize::Small, {}, parent);
                }});
  QObject::connect(&layers, &LayersPresenter::changed, &sections, &NodeSections::changed);
}

/// JSON that says that it is a layer, or CSV.
bool isLayer(const QString& file) {
  if (QFileInfo(file).suffix().compare("csv", Qt::CaseInsensitive) == 0) return true;
  QFile json(file);
  if (QFileInfo(file).suffix().compare("json", Qt::CaseInsensitive) != 0 ||
      !json.open(QIODevice::ReadOnly))
    return false;
  return json.read(kHeadBytes)
      .contains(QByteArray::fromStdString(std::string(layer::kLayerSchema)));
}

bool openLayer(Services& services, const QString& file) {
  if (!services.get<SessionPresenter>().hasProgram() || !isLayer(file)) return false;
  services.get<LayersPresenter>().open({file});
  return true;
}

QWidget* makeLayersPage(Host& host, QWidget* parent) {
  Services& services = host.services();
  Actions& actions = host.actions();
  auto& layers = services.get<LayersPresenter>();
  auto* page = new LayersPage(host.appearance(), layers, services.get<SessionPresenter>(),
                              services.get<SelectionPresenter>(), parent);
  QAction* open = actions.add(
      {"open-layer", {"File", 85}, "Open a layer …", "Ctrl+Shift+F7", {}, [&host, &layers] {
         const QFileInfo program(host.services().get<SessionPresenter>().state().file);
         const QStringList files = QFileDialog::getOpenFileNames(
             &host.mainWindow(), "Open layers", program.path(), "Layers (*.json *.csv)");
         if (!files.isEmpty()) layers.open(files);
       }});
  QAction* close =
      actions.add({"close-layer", {"File", 86}, "Close the layer", "Ctrl+Alt+F7", {}, [&layers] {
                     layers.close(layers.shown());
                   }});
  for (QAbstractButton* button : {static_cast<QAbstractButton*>(page->openButton()),
                                  static_cast<QAbstractButton*>(page->messageButton())})
    QObject::connect(button, &QAbstractButton::clicked, open, &QAction::trigger);
  QObject::connect(page->closeButton(), &QToolButton::clicked, close, &QAction::trigger);
  const auto colour = [&actions] { actions["colour-layer"]->trigger(); };
  QObject::connect(page, &LayersPage::colourRequested, page, colour);
  QObject::connect(&layers, &LayersPresenter::opened, page, colour);
  const auto refresh = [&host, &layers, close] {
    const std::size_t count = layers.all().size();
    close->setEnabled(count > 0);
    host.setPageTitle("layers", count ? QString("Layers  %1").arg(count) : QString("Layers"));
    host.banners().show("layers", BannerKind::Error,
                        layers.problem().isEmpty() ? QString() : "Layer: " + layers.problem());
  };
  QObject::connect(&layers, &LayersPresenter::changed, page, refresh);
  close->setEnabled(false);
  return page;
}

}  // namespace

void registerLayers(Features& features) {
  features.present<LayersPresenter>();
  features.parts.push_back(addLayerSection);
  features.openers.push_back(openLayer);
  features.pages.push_back({"layers",
                            "Layers",
                            57,
                            {"show-layers", {"Go/Results", 275}, "Values of layers", "Ctrl+F7"},
                            makeLayersPage});
}

}  // namespace fxs::ui
