// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/layers/layers_presenter.h"

#include <algorithm>

#include "base/byte_source.h"
#include "text/words.h"

namespace fxs::ui {

QString titleOf(const layer::Layer& layer) {
  return text(layer.title) + (layer.unit.empty() ? QString() : ", " + text(layer.unit));
}

LayersPresenter::LayersPresenter(Services& services)
    : session_(services.get<SessionPresenter>()), reading_(services, WorkFor::View) {
  auto& colourings = services.get<Colourings>();
  colourings.add(
      {70,
       "layer",
       "Layer",
       [this] { return all_.empty() ? QString("Open a layer first (Ctrl+Shift+F7)") : QString(); },
       {},
       [this] { return colours(); },
       [this] { return legend(); }});
  connect(this, &LayersPresenter::changed, &colourings, &Colourings::changed);
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    if (all_.empty()) return;
    for (OpenLayer& each : all_) {
      each.placed = {};
      each.levels = {};
    }
    Q_EMIT changed();
    start();
  });
}

LayersPresenter::Read LayersPresenter::read(const QStringList& files, std::vector<OpenLayer> open,
                                            const fx::ProgramPtr& program) {
  Read out{std::move(open), {}, {}};
  for (const QString& file : files) {
    const std::string path = file.toStdString();
    Result<std::string> bytes = readWholeFile(path, layer::kMaxLayerBytes);
    auto layers =
        bytes ? layer::parse(*bytes, path)
              : Result<std::vector<layer::Layer>>(tl::unexpected<Error>(std::move(bytes).error()));
    if (!layers) {
      out.problem = text(layers.error().message);
      continue;
    }
    std::erase_if(out.layers, [&](const OpenLayer& old) { return old.file == file; });
    out.files.push_back(file);
    for (layer::Layer& each : *layers)
      out.layers.push_back({file, std::make_shared<const layer::Layer>(std::move(each)), {}, {}});
  }
  for (OpenLayer& each : out.layers) {
    each.placed = program ? layer::placed(*each.layer, *program) : layer::PlacedLayer();
    each.levels = layer::levelsOf(*each.layer, each.placed);
  }
  return out;
}

void LayersPresenter::open(const QStringList& files) {
  wanted_ += files;
  start();
}

void LayersPresenter::start() {
  if (wanted_.isEmpty() && all_.empty()) return reading_.supersede();
  reading_.start([files = wanted_, open = all_, program = session_.program()](
                     const RunContext&) { return read(files, open, program); },
                 [this](Read made) { take(std::move(made)); });
}

void LayersPresenter::take(Read made) {
  wanted_.clear();
  problem_ = std::move(made.problem);
  all_ = std::move(made.layers);
  const auto isRead = [&](const OpenLayer& each) {
    return std::find(made.files.begin(), made.files.end(), each.file) != made.files.end();
  };
  const auto first = std::find_if(all_.begin(), all_.end(), isRead);
  if (first != all_.end()) shown_ = static_cast<std::size_t>(first - all_.begin());
  Q_EMIT changed();
  if (first != all_.end()) Q_EMIT opened();
}

void LayersPresenter::close(std::size_t index) {
  if (index >= all_.size()) return;
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index));
  if (shown_ > index || shown_ == all_.size()) shown_ = shown_ > 0 ? shown_ - 1 : 0;
  start();  // what is on its way has the layer
  Q_EMIT changed();
}

void LayersPresenter::show(std::size_t index) {
  if (index >= all_.size() || index == shown_) return;
  shown_ = index;
  Q_EMIT changed();
}

NodeColours LayersPresenter::colours() const {
  NodeColours out;
  if (shown_ >= all_.size()) return out;
  const layer::Levels& levels = all_[shown_].levels;
  const auto shade = levels.isScale ? levelOf : classOf;
  for (const std::optional<std::uint8_t>& level : levels.levels)
    out.shades.push_back(level ? shade(*level) : Shade::None);
  for (std::size_t i = 0; i < levels.legend.size(); ++i)
    out.legend.push_back({shade(i), text(levels.legend[i])});
  return out;
}

Shade LayersPresenter::shadeOf(std::size_t index, fx::NodeId node) const {
  const layer::Levels& levels = all_[index].levels;
  if (node.index() >= levels.levels.size() || !levels.levels[node.index()]) return Shade::None;
  return (levels.isScale ? levelOf : classOf)(*levels.levels[node.index()]);
}

QString LayersPresenter::textOf(fx::NodeId node) const {
  QStringList out;
  for (const OpenLayer& each : all_) {
    if (!node.valid() || node.index() >= each.placed.entries.size()) continue;
    if (const layer::Entry* entry = each.placed.entries[node.index()])
      out << text(each.layer->title) + ": " + text(layer::textOf(*each.layer, *entry));
  }
  return out.join('\n');
}

QString LayersPresenter::summary() const {
  if (shown_ >= all_.size()) return "No layer is open";
  const OpenLayer& each = all_[shown_];
  return text(each.layer->title) + ": " + text(layer::summary(each.placed));
}

QString LayersPresenter::legend() const {
  if (shown_ >= all_.size()) return "No layer is open";
  const OpenLayer& each = all_[shown_];
  return titleOf(*each.layer) + (each.levels.isScale ? ", up to:" : ":");
}

}  // namespace fxs::ui
