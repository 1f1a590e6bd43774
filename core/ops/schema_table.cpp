// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <memory>
#include <mutex>

#include "base/nearest.h"
#include "ops/schema.h"
#include "ops/schema_row.h"

namespace fxs::resource {
std::string_view opSchemas();
}

namespace fxs::ops {
namespace {

std::string fxSpelling(std::string_view registryName) {
  std::string out(registryName);
  std::size_t colons = out.find("::");
  out.replace(colons, 2, ".");
  if (out.find('.', colons + 1) == std::string::npos) out += ".default";
  return out;
}

/// "aten.add.Tensor", "torch.ops.aten.relu", "aten::relu.default" -> "aten::relu" and the like; ""
/// if it is not an operator name.
std::string registrySpelling(std::string_view target) {
  if (target.starts_with("torch.ops.")) target.remove_prefix(10);
  std::string out(target);
  if (out.find("::") == std::string::npos) {
    std::size_t dot = out.find('.');
    if (dot == std::string::npos) return {};
    out.replace(dot, 1, "::");
  }
  if (out.ends_with(".default")) out.resize(out.size() - 8);
  return out;
}

}  // namespace

struct SchemaTable::Impl {
  struct Row {
    std::string_view text;
    mutable std::once_flag once;
    mutable Schema schema;
  };

  std::string_view version;
  std::unique_ptr<Row[]> rows;  // sorted by rowName
  std::size_t count = 0;

  const Row* begin() const { return rows.get(); }
  const Row* end() const { return rows.get() + count; }
  const Row* lowerBound(std::string_view registryName) const {
    return std::lower_bound(begin(), end(), registryName,
                            [](const Row& r, std::string_view n) { return rowName(r.text) < n; });
  }
};

SchemaTable::SchemaTable(std::string_view text) : impl_(new Impl) {
  // "torch 2.13.0, 4434 overloads"
  std::string_view header = text.substr(0, text.find('\n'));
  std::size_t comma = header.find(',');
  impl_->version = header.substr(6, comma - 6);
  text.remove_prefix(std::min(text.size(), header.size() + 1));
  impl_->count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  impl_->rows = std::make_unique<Impl::Row[]>(impl_->count);
  for (std::size_t i = 0; i < impl_->count; ++i) {
    std::size_t end = text.find('\n');
    impl_->rows[i].text = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
}

SchemaTable::~SchemaTable() { delete impl_; }

const SchemaTable& SchemaTable::builtin() {
  static const SchemaTable table(resource::opSchemas());
  return table;
}

const Schema* SchemaTable::find(std::string_view target) const {
  const std::string wanted = registrySpelling(target);
  if (wanted.empty()) return nullptr;
  const Impl::Row* row = impl_->lowerBound(wanted);
  if (row == impl_->end() || rowName(row->text) != wanted) return nullptr;
  std::call_once(row->once, [&] { row->schema = parseRow(row->text); });
  return &row->schema;
}

bool SchemaTable::hasNamespace(std::string_view ns) const {
  const std::string prefix = std::string(ns) + "::";
  const Impl::Row* row = impl_->lowerBound(prefix);
  return row != impl_->end() && row->text.starts_with(prefix);
}

std::vector<std::string> SchemaTable::didYouMean(std::string_view target, std::size_t count) const {
  if (target.starts_with("torch.ops.")) target.remove_prefix(10);
  const std::string wanted =
      target.find("::") == std::string_view::npos ? std::string(target) : fxSpelling(target);
  const std::vector<std::string> all = names();
  const std::vector<std::string_view> views(all.begin(), all.end());
  return nearest(wanted, views, count);
}

std::size_t SchemaTable::size() const { return impl_->count; }
std::string_view SchemaTable::torchVersion() const { return impl_->version; }

std::vector<std::string> SchemaTable::names() const {
  std::vector<std::string> out;
  out.reserve(impl_->count);
  for (const Impl::Row& row : std::span(impl_->begin(), impl_->count))
    out.push_back(fxSpelling(rowName(row.text)));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace fxs::ops
