// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Pickles as torch.save writes them, opcode by opcode, for tests of what reads them.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zip_writer.h"

namespace fxs::test::pickle {

inline std::string bytesOf(std::uint32_t number) {
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}
inline std::string text(std::string_view value) {
  return "X" + bytesOf(static_cast<std::uint32_t>(value.size())) + std::string(value);
}
inline std::string number(std::int32_t value) {
  return "J" + bytesOf(static_cast<std::uint32_t>(value));
}
inline std::string global(std::string_view module, std::string_view name) {
  return "c" + std::string(module) + "\n" + std::string(name) + "\n";
}
inline std::string tuple(const std::vector<std::string>& items) {
  std::string out = "(";
  for (const std::string& item : items) out += item;
  return out + "t";
}
inline std::string numbers(const std::vector<std::int32_t>& values) {
  std::vector<std::string> items;
  for (const std::int32_t value : values) items.push_back(number(value));
  return tuple(items);
}
inline std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  return function + tuple(arguments) + "R";
}
inline std::string storage(std::string_view key, std::string_view type = "FloatStorage",
                           std::string_view device = "cpu") {
  return tuple({text("storage"), global("torch", type), text(key), text(device), number(8)}) + "Q";
}
inline std::string tensor(const std::string& storage, std::int32_t offset,
                          const std::vector<std::int32_t>& sizes,
                          const std::vector<std::int32_t>& strides) {
  return call(global("torch._utils", "_rebuild_tensor_v2"),
              {storage, number(offset), numbers(sizes), numbers(strides), "\x89",
               call(global("collections", "OrderedDict"), {})});
}
inline std::string dict(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string out = "}(";
  for (const auto& [key, value] : entries) out += text(key) + value;
  return out + "u";
}
inline std::string pickled(const std::string& value) { return "\x80\x02" + value + "."; }

/// A file of torch.save: `records` are the elements of its storages.
inline std::string saved(const std::string& pickle,
                         const std::vector<std::pair<std::string, std::string>>& records) {
  std::vector<ZipMember> members(1);
  members[0].name = "archive/data.pkl";
  members[0].bytes = pickle;
  for (const auto& [key, bytes] : records) {
    ZipMember& member = members.emplace_back();
    member.name = "archive/data/" + key;
    member.bytes = bytes;
  }
  return writeZip(members);
}

}  // namespace fxs::test::pickle
