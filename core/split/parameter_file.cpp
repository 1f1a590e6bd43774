// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split/parameter_file.h"

#include <algorithm>

#include "base/byte_source.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/new_file.h"

namespace fxs::split {
namespace {

constexpr std::uint64_t kPart = std::uint64_t{16} << 20;  // bytes copied at a time
constexpr std::size_t kLengthBytes = 8;

std::uint64_t bytesOf(const execute::Argument& argument) {
  const auto* held = std::get_if<std::string>(&argument.elements);
  return held != nullptr ? held->size() : std::get<execute::StoredBytes>(argument.elements).bytes;
}

Result<> put(NewFile& out, std::string_view bytes) {
  if (const int code = writeAll(out.fd(), bytes); code != 0)
    return tl::unexpected<Error>(writeError(out.path(), code));
  return {};
}

}  // namespace

Result<> writeParameters(const std::string& file, const std::vector<std::string>& names,
                         numbers::WeightFile& weights, const RunContext& context) {
  std::vector<execute::Argument> arguments;
  JsonWriter header;
  header.beginObject();
  std::uint64_t offset = 0;
  for (const std::string& name : names) {
    FXS_TRY(execute::Argument argument, weights.at(name));
    const std::uint64_t bytes = bytesOf(argument);
    context.spend(Resource::Disk, bytes, "the weights of the program");
    header.key(name).beginObject().member("dtype", "U8");
    header.member("shape", std::vector<std::uint64_t>{bytes});
    header.member("data_offsets", std::vector<std::uint64_t>{offset, offset + bytes}).endObject();
    offset += bytes;
    arguments.push_back(std::move(argument));
  }
  const std::string text = header.endObject().take();
  std::string length(kLengthBytes, '\0');
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    length[i] = static_cast<char>((static_cast<std::uint64_t>(text.size()) >> (8 * i)) & 0xff);
  NewFile out(file);
  FXS_CHECK(out.open());
  FXS_CHECK(put(out, length + text));
  for (const execute::Argument& argument : arguments) {
    if (const auto* held = std::get_if<std::string>(&argument.elements)) {
      FXS_CHECK(put(out, *held));
      continue;
    }
    const auto& stored = std::get<execute::StoredBytes>(argument.elements);
    FXS_TRY(const auto source, openFile(stored.file));
    for (std::uint64_t at = 0; at < stored.bytes; at += kPart) {
      FXS_TRY(const std::string part,
              source->read(stored.offset + at, std::min(kPart, stored.bytes - at)));
      FXS_CHECK(put(out, part));
    }
  }
  return out.keepAs(file);
}

}  // namespace fxs::split
