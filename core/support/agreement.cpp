// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/agreement.h"

#include <algorithm>

#include "fx/text.h"

namespace fxs::support {
namespace {

/// "f32[n, ?, 1]": a size is 0, 1, another number, or dynamic, which is what lowering tells apart.
std::string formOf(const fx::TensorMeta& tensor) {
  std::string sizes;
  for (const fx::SymInt& size : tensor.sizes) {
    std::string form = size.isStatic() ? "n" : "?";
    if (size.isStatic() && size.value() < 2) form = std::to_string(size.value());
    sizes += (sizes.empty() ? "" : ", ") + form;
  }
  return std::string(facts(tensor.dtype).shortName) + "[" + sizes + "]";
}

/// The arguments of a call, with formOf() in place of a tensor: "self=f32[n, n], dim=1".
std::string formOf(const fx::Program& program, const fx::Node& call) {
  std::string out;
  for (const fx::NodeArgument& argument : call.args) {
    const fx::Argument shown = fx::mapNodes(argument.value, [&](fx::NodeId used) {
      const fx::TensorMeta* tensor = program.node(used).val.tensor();
      if (tensor == nullptr) return fx::Argument(std::string("scalar"));
      return fx::Argument(formOf(*tensor));
    });
    out += (out.empty() ? "" : ", ") + argument.name + "=" + fx::dumpArgument(program, shown);
  }
  return out;
}

/// Whether the measured call that has the form of `call` lowers; nullopt if none has it.
std::optional<bool> sameForm(const Matrix& matrix, const Operator& op, std::size_t target,
                             const std::string& form, DType dtype, Sizes sizes) {
  std::optional<bool> out;
  std::size_t program = 0;
  for (const Call& call : op.calls)
    for (const DType each : call.dtypes) {
      const Outcome outcome = matrix.at(op, program++, target);
      if (out || each != dtype || call.sizes != sizes ||
          outcome.state == Outcome::State::NotMeasured)
        continue;
      const auto measured = programOf(call, each);
      if (!measured) continue;
      for (const fx::Node& node : (*measured)->nodes)
        if (node.target == op.name && formOf(**measured, node) == form) out = outcome.lowers();
    }
  return out;
}

Agreement agreementOf(const Cell& cell, std::optional<bool> measured, bool lowers) {
  if (measured) return *measured == lowers ? Agreement::SameForm : Agreement::Differs;
  if (!cell.all() && !cell.none()) return Agreement::Undecided;
  return cell.all() == lowers ? Agreement::OtherForm : Agreement::OtherResult;
}

}  // namespace

std::string_view name(Agreement agreement) {
  switch (agreement) {
    case Agreement::SameForm: return "same-form";
    case Agreement::OtherForm: return "other-form";
    case Agreement::Undecided: return "undecided";
    case Agreement::OtherResult: return "other-result";
    case Agreement::Differs: return "differs";
  }
  return "";
}

std::vector<Compared> compare(const Matrix& matrix, const fx::Program& program,
                              const diagnose::Diagnosis& diagnosis) {
  std::vector<Compared> out;
  for (std::size_t d = 0; d < diagnosis.targets.size(); ++d) {
    const lower::OutputType& type = diagnosis.targets[d].target;
    const auto at = std::find(matrix.targets().begin(), matrix.targets().end(), lower::name(type));
    if (at == matrix.targets().end()) continue;
    const auto target = static_cast<std::size_t>(at - matrix.targets().begin());
    std::set<fx::NodeId> blocked;
    for (const diagnose::Blocked* entry : diagnosis.of(type)) {
      // What fails only in the whole program lowers by itself.
      if (entry->agreement == diagnose::Agreement::WholeOnly ||
          entry->kind == diagnose::Kind::WrongResult)
        continue;
      blocked.insert(entry->nodes.begin(), entry->nodes.end());
    }
    for (const fx::Node& node : program.nodes) {
      const Operator* op =
          node.op == fx::NodeOp::CallFunction ? matrix.calls().find(node.target) : nullptr;
      if (op == nullptr) continue;
      const auto row = std::find_if(
          diagnosis.support.begin(), diagnosis.support.end(),
          [&](const diagnose::SupportRow& each) { return each.fxTarget == node.target; });
      if (row == diagnosis.support.end() || !row->cells[d].known) continue;
      const DType dtype = dtypeOf(program, node);
      const Sizes sizes = sizesOf(program, node);
      const Cell cell = cellOf(matrix, *op, target, dtype, sizes);
      if (cell.forms == 0) continue;
      const bool lowers = !blocked.contains(node.id);
      const auto measured = sameForm(matrix, *op, target, formOf(program, node), dtype, sizes);
      out.push_back({node.id, std::string(lower::name(type)), lowers, cell,
                     agreementOf(cell, measured, lowers)});
    }
  }
  return out;
}

}  // namespace fxs::support
