#pragma once
// `{-# dialect_resources: { builtin: { key: "0x..", .. } } #-}` of one text, and those of a module that is put together from several.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::node_lab {

/// Data of `dense_resource` handles by key; views of the text. Other sections of the metadata are left out.
std::map<std::string_view, std::string_view> resourcesOf(std::string_view moduleText);

/// Keys given out so that equal data under one name are shared and different ones are not.
class Resources {
 public:
  /// The key to write for a handle; `data` is nothing where the text has none for it.
  std::string add(std::string_view key, std::optional<std::string_view> data);
  /// The section, or "" when no handle has data.
  std::string text() const;

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const std::string> data;  ///< null for none; shared, so that copies are cheap
  };
  std::vector<Entry> entries_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> byName_;  ///< by the key as it came
  std::map<std::string, std::size_t, std::less<>> byKey_;                ///< by the key as written
};

}  // namespace fxs::node_lab
