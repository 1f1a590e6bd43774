// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/calls.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/number_from.h"
#include "base/sha256.h"
#include "base/take_until.h"
#include "fx/text.h"

namespace fxs::resource {
std::string_view supportCalls();
}

namespace fxs::support {
namespace {

constexpr std::string_view kOperator = "operator ";
constexpr std::size_t kSuggestions = 3;

Error wrong(std::size_t line, const std::string& message) {
  return {ErrorCode::InvalidInput,
          "calls of the support matrix: line " + std::to_string(line) + ": " + message,
          {}};
}

Result<Call> callOf(std::string_view rest, std::size_t line) {
  Call call;
  std::string_view dtypes = takeUntil('\t', rest);
  while (!dtypes.empty()) {
    const std::string_view word = takeUntil(' ', dtypes);
    const auto dtype = dtypeFromName(word);
    if (!dtype)
      return tl::unexpected<Error>(
          wrong(line, "'" + std::string(word) + "' is not an element type"));
    call.dtypes.push_back(*dtype);
  }
  const std::string_view sizes = takeUntil('\t', rest);
  if (sizes != name(Sizes::Static) && sizes != name(Sizes::Dynamic))
    return tl::unexpected<Error>(wrong(line, "expected static or dynamic"));
  call.sizes = sizes == name(Sizes::Static) ? Sizes::Static : Sizes::Dynamic;
  const auto form = numberFrom<int>(takeUntil('\t', rest));
  if (!form) return tl::unexpected<Error>(wrong(line, "expected the number of a form"));
  call.form = *form;
  if (call.dtypes.empty() || rest.empty())
    return tl::unexpected<Error>(
        wrong(line, "expected element types, sizes, a form and statements"));
  call.statements = rest;
  return call;
}

/// `statement` with the element type in place of T.
std::string withDtype(std::string_view statement, std::string_view dtype) {
  std::string out;
  for (std::size_t i = 0; i < statement.size(); ++i) {
    const bool isType = statement[i] == 'T' && i + 1 < statement.size() &&
                        statement[i + 1] == '[' && (i == 0 || !isWordChar(statement[i - 1]));
    if (isType) out += dtype;
    else out += statement[i];
  }
  return out;
}

/// Visits the types of the tensors in a value.
template <class Visit>
void forEachTensor(const fx::Value& value, Visit&& visit) {
  if (const fx::TensorMeta* tensor = value.tensor()) visit(*tensor);
  else if (const fx::ValueList* parts = value.list())
    for (const fx::Value& part : *parts) forEachTensor(part, visit);
}

}  // namespace

std::string_view name(Sizes sizes) { return sizes == Sizes::Static ? "static" : "dynamic"; }

std::size_t Operator::programs() const {
  std::size_t out = 0;
  for (const Call& call : calls) out += call.dtypes.size();
  return out;
}

Result<Calls> Calls::parse(std::string_view text) {
  Calls out;
  out.checksum_ = sha256(text);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = takeUntil('\n', text);
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with(kOperator)) {
      const std::string_view name = line.substr(kOperator.size());
      if (!out.operators_.empty() && out.operators_.back().name >= name)
        return tl::unexpected<Error>(wrong(number, "operators are not sorted"));
      out.operators_.push_back({name, {}});
      continue;
    }
    if (out.operators_.empty()) return tl::unexpected<Error>(wrong(number, "expected an operator"));
    FXS_TRY(Call call, callOf(line, number));
    out.operators_.back().calls.push_back(std::move(call));
  }
  return out;
}

const Calls& Calls::builtin() {
  static const Calls calls = [] {
    auto parsed = parse(resource::supportCalls());
    return parsed ? *std::move(parsed) : Calls();  // tests read the resource
  }();
  return calls;
}

const Operator* Calls::find(std::string_view name) const {
  const auto at =
      std::lower_bound(operators_.begin(), operators_.end(), name,
                       [](const Operator& op, std::string_view n) { return op.name < n; });
  return at != operators_.end() && at->name == name ? &*at : nullptr;
}

Result<std::vector<const Operator*>> Calls::matching(std::string_view part) const {
  if (const Operator* exact = find(part)) return std::vector{exact};
  std::vector<const Operator*> out, packet;
  std::vector<std::string_view> names;
  for (const Operator& op : operators_) {
    const std::string_view base = op.name.substr(0, op.name.rfind('.'));  // "aten.gelu"
    const std::string_view bare = base.substr(base.find('.') + 1);
    if (base == part || bare == part) packet.push_back(&op);
    if (!part.empty() && op.name.find(part) != std::string_view::npos) out.push_back(&op);
    names.push_back(op.name);
    if (names.size() < 2 || std::find(names.begin(), names.end(), bare) == names.end())
      names.push_back(bare);
  }
  if (!packet.empty()) return packet;
  if (!out.empty()) return out;
  std::string close;
  for (const std::string& name : nearest(part, names, kSuggestions))
    close += (close.empty() ? "'" : ", '") + name + "'";
  return fail(ErrorCode::Usage,
              "no measured operator has '" + std::string(part) + "' in its name" +
                  (close.empty() ? "; 'fxscope-cli support' lists the output types"
                                 : "; did you mean " + close + "?"));
}

Result<fx::ProgramPtr> programOf(const Call& call, DType dtype) {
  std::string text;
  std::string_view rest = call.statements;
  while (!rest.empty()) {
    const std::string statement = withDtype(takeUntil('\t', rest), facts(dtype).shortName);
    text += statement;
    if (statement.find(" = ") == std::string::npos && !statement.starts_with("return "))
      text += " = placeholder";
    text += "\n";
  }
  return fx::graphFrom(text);
}

DType dtypeOf(const fx::Program& program, const fx::Node& call) {
  DType out = DType::Unknown;
  const auto see = [&](const fx::TensorMeta& tensor) {
    if (out == DType::Unknown) out = tensor.dtype;
  };
  for (const fx::NodeArgument& argument : call.args)
    if (argument.name != "condition")
      fx::forEachNode(argument.value,
                      [&](fx::NodeId used) { forEachTensor(program.node(used).val, see); });
  if (out == DType::Unknown) forEachTensor(call.val, see);
  return out;
}

Sizes sizesOf(const fx::Program& program, const fx::Node& call) {
  bool dynamic = false;
  for (const fx::NodeArgument& argument : call.args)
    fx::forEachNode(argument.value, [&](fx::NodeId used) {
      forEachTensor(program.node(used).val,
                    [&](const fx::TensorMeta& tensor) { dynamic |= !tensor.isStaticShape(); });
    });
  return dynamic ? Sizes::Dynamic : Sizes::Static;
}

}  // namespace fxs::support
