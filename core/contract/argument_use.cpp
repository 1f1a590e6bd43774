// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/argument_use.h"

#include <string_view>

namespace fxs::contract {
namespace {

/// A set of arguments, and whether it is all that is to be said.
struct Used {
  std::vector<std::uint64_t> words;
  bool isKnown = true;
  void add(const Used& other) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
    isKnown = isKnown && other.isKnown;
  }
  void add(std::size_t argument) { words[argument / 64] |= std::uint64_t{1} << (argument % 64); }
  bool has(std::size_t argument) const {
    return (words[argument / 64] >> (argument % 64) & 1U) != 0;
  }
};

bool isTensors(std::string_view type) { return type.find("tensor<") != std::string_view::npos; }

/// Whether an operation reads the sizes of its operands only.
bool isOfSizes(std::string_view name) {
  return name.starts_with("shape.") || name.ends_with(".dim") ||
         name.ends_with("get_dimension_size");
}

class Reader {
 public:
  Reader(const mlir::Module& module, const mlir::Function& function, Use use)
      : module_(module),
        function_(function),
        use_(use),
        none_{std::vector<std::uint64_t>((function.argumentValues.size() + 63) / 64)} {}

  ArgumentUse run() {
    ofValue_.resize(module_.values.size());
    ofOp_.resize(module_.ops.size());
    for (std::size_t i = 0; i < function_.argumentValues.size(); ++i)
      if (const mlir::ValueId value = function_.argumentValues[i]; value.valid()) {
        auto& used = ofValue_[value.index()].emplace(none_);
        used.add(i);
      }
    // An operation comes before those in its regions, and all of them before its users.
    for (std::size_t i = function_.op.index() + 1; i < module_.ops.size(); ++i)
      if (const mlir::OpId id(static_cast<std::uint32_t>(i)); isInside(id)) read(id);
      else break;
    ArgumentUse out;
    for (const mlir::ValueId value : function_.resultValues) {
      const Used used = value.valid() ? usedBy(value) : unknown();
      if (!used.isKnown) {
        out.emplace_back();
        continue;
      }
      std::vector<bool>& flags = out.emplace_back().emplace(function_.argumentValues.size());
      for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = used.has(i);
    }
    return out;
  }

 private:
  bool isInside(mlir::OpId id) const {
    return module_.op(id).text.begin < module_.op(function_.op).text.end;
  }
  Used unknown() const {
    Used out = none_;
    out.isKnown = false;
    return out;
  }

  void read(mlir::OpId id) {
    Used used = none_;
    if (!isOfSizes(module_.nameOf(id)) || use_ == Use::Possible)
      for (const mlir::Operand& operand : module_.operandsOf(id))
        used.add(operand.value.valid() ? usedBy(operand.value) : unknown());
    // Which of several results an operand is for is in its regions, or known to its dialect.
    const mlir::Op& op = module_.op(id);
    if (use_ == Use::Certain && op.results.size() > 1) used.isKnown = false;
    // What its regions use, it uses.
    for (mlir::OpId around = op.parent; around.valid() && around != function_.op;
         around = module_.op(around).parent)
      if (ofOp_[around.index()]) ofOp_[around.index()]->add(used);
    ofOp_[id.index()] = std::move(used);
  }

  Used usedBy(mlir::ValueId id) const {
    const mlir::Value& value = module_.value(id);
    if (use_ == Use::Certain && !isTensors(module_.typeOf(id).of(module_.text))) return none_;
    if (ofValue_[id.index()]) return *ofValue_[id.index()];
    // An argument of a region: of an operation that has its operands itself.
    if (value.kind == mlir::ValueKind::Argument) return none_;
    return ofOp_[value.op.index()] ? *ofOp_[value.op.index()] : unknown();
  }

  const mlir::Module& module_;
  const mlir::Function& function_;
  const Use use_;
  const Used none_;
  std::vector<std::optional<Used>> ofValue_, ofOp_;
};

}  // namespace

ArgumentUse argumentUse(const mlir::Module& module, const mlir::Function& function, Use use) {
  return Reader(module, function, use).run();
}

}  // namespace fxs::contract
