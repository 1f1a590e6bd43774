// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/text_form.h"

#include <array>

namespace fxs::mlir {
namespace {

constexpr std::array<TextForm, 5> kForms{TextForm::Mlir, TextForm::LlvmIr, TextForm::Assembly,
                                         TextForm::Ptx, TextForm::Plain};

}  // namespace

std::string_view name(TextForm form) {
  switch (form) {
    case TextForm::Mlir: return "mlir";
    case TextForm::LlvmIr: return "llvm-ir";
    case TextForm::Assembly: return "assembly";
    case TextForm::Ptx: return "ptx";
    case TextForm::Plain: break;
  }
  return "text";
}

std::string_view extension(TextForm form) {
  switch (form) {
    case TextForm::Mlir: return ".mlir";
    case TextForm::LlvmIr: return ".ll";
    case TextForm::Assembly: return ".s";
    case TextForm::Ptx: return ".ptx";
    case TextForm::Plain: break;
  }
  return ".txt";
}

std::optional<TextForm> textFormFrom(std::string_view wanted) {
  for (const TextForm form : kForms)
    if (name(form) == wanted) return form;
  return std::nullopt;
}

TextForm textFormOfFile(std::string_view file) {
  for (const TextForm form : kForms)
    if (file.ends_with(extension(form))) return form;
  return TextForm::Mlir;
}

}  // namespace fxs::mlir
