// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A file beside a program that keeps what users say of it: it is read, changed and replaced
// atomically while the program's file is locked, so that what several windows write is kept. A file
// that cannot be read is left as it is. What it holds, and how changes of others are merged, is up
// to its component.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace fxs {

/// "model.pt2" and ".fxscope.json" give "model.pt2.fxscope.json"; the path of a folder may end in
/// '/'.
std::string pathBeside(std::string program, std::string_view suffix);
/// Until it is closed, others wait; a process that ends releases it. On a file system without
/// locks, or without the program, they do not wait. Io if another holds it for a second.
Result<Fd> lockForChange(const std::string& program, std::string_view title);
/// Replaces the file, or removes it without a text. Io; InvalidInput if it would be too large.
Result<> replaceFile(const std::string& file, const std::optional<std::string>& text,
                     std::uint64_t maxBytes);
/// Nothing if there is no such file. Io, InvalidInput.
Result<std::optional<std::string>> readIfThere(const std::string& file, std::uint64_t maxBytes);

/// The file of a T, which has empty() and ==: an empty one has no file.
template <class T>
struct FileBeside {
  std::string_view suffix;  ///< of its name
  std::string_view title;   ///< of what it holds: "notes"
  std::uint64_t maxBytes;
  Result<T> (*parse)(std::string_view text, const std::string& label);
  std::string (*print)(const T&);

  std::string pathOf(const std::string& program) const { return pathBeside(program, suffix); }

  Result<T> read(const std::string& program) const {
    const std::string file = pathOf(program);
    FXS_TRY(const auto text, readIfThere(file, maxBytes));
    return text ? parse(*text, file) : T();
  }

  /// `edit` changes what the file holds now, and may fail. Returns what it holds then; on an error
  /// it is unchanged.
  template <class Edit>
  Result<T> change(const std::string& program, const Edit& edit) const {
    FXS_TRY(const Fd lock, lockForChange(program, title));
    FXS_TRY(T value, read(program));
    const T before = value;
    FXS_CHECK(edit(value));
    if (value == before) return value;
    std::optional<std::string> text;
    if (!value.empty()) text = print(value);
    FXS_CHECK(replaceFile(pathOf(program), text, maxBytes));
    return value;
  }
};

}  // namespace fxs
