// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a text is written in, and the ending of its file.
#include <cstdint>
#include <optional>
#include <string_view>

namespace fxs::mlir {

/// Assembly is that of a CPU, or of a GPU of AMD; Ptx that of CUDA. Plain: another text, of which
/// only the lines are known.
enum class TextForm : std::uint8_t { Mlir, LlvmIr, Assembly, Ptx, Plain };
std::string_view name(TextForm);       ///< "mlir", "llvm-ir", "assembly", "ptx", "text"
std::string_view extension(TextForm);  ///< ".mlir", ".ll", ".s", ".ptx", ".txt"
/// Of a name; std::nullopt if there is no such form.
std::optional<TextForm> textFormFrom(std::string_view name);
/// By the ending of a file's name; Mlir for any other.
TextForm textFormOfFile(std::string_view file);

}  // namespace fxs::mlir
