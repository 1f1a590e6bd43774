// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The section `{-# dialect_resources: { builtin: { key: "0x..", .. } } #-}`: reads that of one
// text, and merges those of several modules.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::mlir {

/// Whether a name needs no quotes in MLIR.
bool isBare(std::string_view name);
/// The data of `dense_resource` handles by key, as views into the text. Other sections of the
/// metadata are ignored.
std::map<std::string_view, std::string_view> resourcesOf(std::string_view moduleText);

/// Merges resources: equal data under the same key is shared, different data gets a new key.
class Resources {
 public:
  /// Returns the key to write for a handle; `data` is nullopt if the text has none.
  std::string add(std::string_view key, std::optional<std::string_view> data);
  /// The merged section, or "" if no handle has data.
  std::string text() const;

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const std::string> data;  ///< null for none; shared, so that copies are cheap
  };
  std::vector<Entry> entries_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> byName_;  ///< by original key
  std::map<std::string, std::size_t, std::less<>> byKey_;                ///< by new key
};

}  // namespace fxs::mlir
