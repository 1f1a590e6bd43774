// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of layers: JSON and CSV.
#include <cmath>

#include "base/json.h"
#include "base/known_members.h"
#include "base/number_from.h"
#include "base/safe_text.h"
#include "layer/layer.h"

namespace fxs::layer {
namespace {

using Row = std::vector<std::string>;

Result<Entry> entryFrom(const Json& value) {
  Entry out;
  if (value.isObject()) {
    FXS_CHECK(checkMembers(value, std::initializer_list<std::string_view>{"value", "text"}));
    FXS_TRY(out.number, value.floatAt("value"));
    out.text = value.textOrEmpty("text");
  } else if (const auto number = value.asFloat(); number || !value.isString()) {
    FXS_TRY(out.number, value.asFloat());
  } else {
    FXS_TRY(out.text, value.asString());
  }
  out.text = printable(out.text);
  return out;
}

Result<Entries> entriesOf(const Json& layer, std::string_view member) {
  Entries out;
  const std::optional<Json> values = layer.find(member);
  if (!values) return out;
  FXS_TRY(const Json object, values->asObject());
  for (const Json each : object) {
    FXS_TRY(out[std::string(each.key())], entryFrom(each));
  }
  return out;
}

Result<Scale> scaleOf(const Json& layer) {
  const std::optional<Json> scale = layer.find("scale");
  if (!scale) return Scale::Automatic;
  FXS_TRY(const std::string_view word, scale->asString());
  if (word == "linear") return Scale::Linear;
  if (word == "log") return Scale::Logarithmic;
  return tl::unexpected<Error>(
      scale->error("expected 'linear' or 'log', got " + printableName(word)));
}

Result<std::vector<Layer>> fromJson(std::string_view text, const std::string& label) {
  FXS_TRY(const auto document, JsonDocument::parse(text, label, {kMaxLayerBytes, 8}));
  const Json root = document->root();
  FXS_TRY(const std::string_view schema, root.stringAt("schema"));
  if (schema != kLayerSchema)
    return tl::unexpected<Error>(root.at("schema")->error("expected " + std::string(kLayerSchema) +
                                                          ", got " + printableName(schema)));
  FXS_CHECK(checkMembers(root, std::initializer_list<std::string_view>{
                                   "schema", "title", "unit", "scale", "nodes", "operators"}));
  Layer layer;
  FXS_TRY(const std::string_view title, root.stringAt("title"));
  layer.title = printable(title);
  layer.unit = printable(root.textOrEmpty("unit"));
  FXS_TRY(layer.scale, scaleOf(root));
  FXS_TRY(layer.nodes, entriesOf(root, "nodes"));
  FXS_TRY(layer.operators, entriesOf(root, "operators"));
  if (!root.find("nodes") && !root.find("operators"))
    return tl::unexpected<Error>(root.error("has neither 'nodes' nor 'operators'"));
  return std::vector{std::move(layer)};
}

/// The cells of the next line; quoted cells hold commas, line ends, and quotes that are doubled.
Row nextRow(std::string_view text, std::size_t& at) {
  Row row{{}};
  bool isQuoted = false;
  while (at < text.size()) {
    const char c = text[at++];
    if (isQuoted) {
      const bool isDoubled = c == '"' && at < text.size() && text[at] == '"';
      if (c == '"' && !isDoubled) {
        isQuoted = false;
        continue;
      }
      if (isDoubled) ++at;
      row.back() += c;
    } else if (c == '"' && row.back().empty()) {
      isQuoted = true;
    } else if (c == ',') {
      row.emplace_back();
    } else if (c == '\n') {
      break;
    } else if (c != '\r') {
      row.back() += c;
    }
  }
  return row;
}

bool isBlank(const Row& row) { return row.size() == 1 && row.front().empty(); }

/// Which column has the names, and whether they are of operators.
struct Names {
  std::size_t column = 0;
  bool areOperators = false;
};
Names namesIn(const Row& titles) {
  for (std::size_t i = 0; i < titles.size(); ++i)
    if (titles[i] == "node" || titles[i] == "name" || titles[i] == "operator")
      return {i, titles[i] == "operator"};
  return {};
}

Error rowError(const std::string& label, std::size_t row, const std::string& message) {
  return {ErrorCode::InvalidInput, label + ": row " + std::to_string(row) + ": " + message, {}};
}

Result<std::vector<Layer>> fromCsv(std::string_view text, const std::string& label) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::size_t at = 0, rows = 1;
  const Row titles = nextRow(text, at);
  if (titles.size() < 2)
    return tl::unexpected<Error>(
        rowError(label, 1,
                 "expected titles of columns such as node,time, or a JSON object with the schema " +
                     std::string(kLayerSchema)));
  if (titles.size() > kMostLayers + 1)
    return tl::unexpected<Error>(rowError(label, 1,
                                          std::to_string(titles.size()) +
                                              " columns are more than the limit of " +
                                              std::to_string(kMostLayers + 1)));
  const Names names = namesIn(titles);
  std::vector<Layer> columns(titles.size());
  while (at < text.size()) {
    ++rows;
    const Row row = nextRow(text, at);
    if (isBlank(row)) continue;
    if (row.size() != titles.size())
      return tl::unexpected<Error>(rowError(label, rows,
                                            "expected " + std::to_string(titles.size()) +
                                                " cells as in the first row, " + "got " +
                                                std::to_string(row.size())));
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == names.column || row[i].empty()) continue;
      Layer& layer = columns[i];
      Entry& entry = (names.areOperators ? layer.operators : layer.nodes)[row[names.column]];
      entry = {};
      if (const auto number = numberFrom<double>(row[i])) entry.number = number;
      else entry.text = printable(row[i]);
    }
  }
  std::vector<Layer> out;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    columns[i].title = printable(titles[i]);
    if (i != names.column) out.push_back(std::move(columns[i]));
  }
  return out;
}

}  // namespace

Result<std::vector<Layer>> parse(std::string_view text, const std::string& label) {
  if (text.size() > kMaxLayerBytes)
    return fail(ErrorCode::InvalidInput, label + ": " + std::to_string(text.size()) +
                                             " bytes are more than the limit of " +
                                             std::to_string(kMaxLayerBytes));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? fromJson(text, label)
                                                               : fromCsv(text, label);
}

}  // namespace fxs::layer
