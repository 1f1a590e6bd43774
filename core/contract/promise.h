// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a RAW torch module promises about the texts lowered from it: the types of the function's
// arguments and results and of the values at each node.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/argument_use.h"
#include "fx/argument.h"
#include "mlir/text/document.h"
#include "mlir/text/function_types.h"

namespace fxs::contract {

using mlir::kDynamic;
using mlir::Signature;

/// Whether a text may write a program's element type so: signs of integers are dropped (`si64` is
/// `i64`), and types that only the torch dialect has (`!torch.qint8`) may become any.
bool isSameElement(std::string_view program, std::string_view text);

/// Refers to a document, which must outlive it.
class Promise {
 public:
  /// `raw`: what the importer wrote, with locations. Its first function with a body is the
  /// program's.
  explicit Promise(const mlir::Document& raw);

  const mlir::Module& module() const { return raw_.module; }
  const std::string& functionName() const { return name_; }
  const Signature& signature() const { return signature_; }
  /// The node of an argument or result; invalid if not known.
  fx::NodeId argumentNode(std::size_t index) const { return argumentNodes_[index]; }
  fx::NodeId resultNode(std::size_t index) const { return resultNodes_[index]; }
  /// Whether a result may depend on an argument: false only where it cannot.
  bool mayUse(std::size_t result, std::size_t argument) const;
  /// Whether the node takes or returns tensors of this rank, and the dimension is `?` in all of
  /// them.
  bool isSymbolic(fx::NodeId node, std::size_t rank, std::size_t dimension) const;

 private:
  const mlir::Document& raw_;
  std::string name_;
  Signature signature_;
  std::vector<fx::NodeId> argumentNodes_, resultNodes_;
  /// The operations of each node, made when first asked for, which is rare.
  mutable std::vector<std::vector<mlir::OpId>> opsOf_;
  mutable bool indexed_ = false;
  mutable std::optional<ArgumentUse> used_;  ///< made when first asked for
};

}  // namespace fxs::contract
