// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/upper_bounds.h"

#include <algorithm>
#include <set>

#include "diagnose/masked_rows.h"
#include "diagnose/row_operators.h"
#include "diagnose/static_sizes.h"
#include "rewrite/decompose.h"

namespace fxs::diagnose {
namespace {

using rewrite::Emitter;
using rewrite::Results;
using rewrite::Tensor;
using Symbols = std::vector<std::string>;
using Dims = std::vector<std::size_t>;

/// Sizes that make no rows: arguments that are shapes and bounds.
bool isShape(const std::string& argument) {
  static const std::set<std::string> names{"size", "shape", "length", "end", "sizes"};
  return names.contains(argument);
}

class Bounder {
 public:
  Bounder(const fx::Program& symbolic, const SizeBounds& sizes, bool inPlace,
          BoundedResults results)
      : symbolic_(symbolic), sizes_(sizes), rows_(sizes, inPlace), inPlace_(inPlace) {
    for (const fx::OutputSpec& output : symbolic.outputs)
      if (const fx::NodeId* id = output.value.node(); id != nullptr && isBounded(*id)) {
        results_.insert(*id);
        if (results == BoundedResults::Refused || inPlace)
          reason_ = "result '" + symbolic.node(*id).name + "' has a size known only at run time";
      }
  }

  Result<fx::ProgramPtr> run(const fx::ProgramPtr& numbered, const fx::ProgramPtr& user,
                             const RunContext& context) {
    for (const fx::Node& node : symbolic_.nodes) checkNumbers(node);
    for (const fx::Node& node : numbered->nodes)
      if (node.target == trueAssertions().target && !node.args.empty() &&
          node.args.front().value == fx::Argument(false))
        refuse(node);
    if (!reason_.empty()) return fail(ErrorCode::Unsupported, reason_);
    std::set<std::string> targets;
    for (const fx::Node& node : symbolic_.nodes)
      if (node.op == fx::NodeOp::CallFunction && involves(node)) targets.insert(node.target);
    std::vector<rewrite::Rule> rules;
    for (const std::string& target : targets)
      if (target != fx::kGetitem)
        rules.push_back({target, "", false, [this](Emitter& e) { return apply(e); }, "bounds"});
    std::vector<const rewrite::Rule*> all{&trueAssertions()};
    for (const rewrite::Rule& rule : rules)
      if (rule.target != trueAssertions().target) all.push_back(&rule);
    rewrite::Report report;
    FXS_TRY(fx::Program draft, rewrite::decompose(*numbered, all, report, context));
    if (!reason_.empty()) return fail(ErrorCode::Unsupported, reason_);
    return rewrite::finish(std::move(draft), user, context);
  }

 private:
  bool isBounded(fx::NodeId id) const { return dependsOn(symbolic_.node(id).val, sizes_); }
  bool involves(const fx::Node& node) const {
    bool any = dependsOn(node.val, sizes_);
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) { any |= isBounded(id); });
    return any;
  }
  /// A size that is computed with, as a number, would be the bound.
  void checkNumbers(const fx::Node& node) {
    if (node.op == fx::NodeOp::Output || node.val.symbol() != nullptr ||
        rowEffectOf(node.target) == RowEffect::OnSizes)
      return;
    for (const fx::NodeArgument& argument : node.args) {
      if (isShape(argument.name)) continue;
      fx::forEachNode(argument.value, [&](fx::NodeId id) {
        if (symbolic_.node(id).val.symbol() != nullptr && isBounded(id)) refuse(node);
      });
    }
  }
  void refuse(const fx::Node& node) {
    if (reason_.empty())
      reason_ = node.target + ": not known to compute the same of the greatest size ('" +
                node.name + "')";
  }

  Results apply(Emitter& e) {
    const fx::NodeId id = e.matched().id;
    if (!id.valid() || !involves(symbolic_.node(id))) return std::nullopt;  // made by a rule
    node_ = &symbolic_.node(id);
    try {
      Results out = replaced(e);
      if (!results_.contains(id)) return out;
      if (!out) out = e.call(node_->target, e.matched().args, e.matched().val);
      e.require(out->size() == 1);
      const Tensor x{out->front(), *e.context().tensor(out->front())};
      return rewrite::one(rows_.masked(e, x, symbolsOf(node_->val), allOf(x), Neutral::Zero));
    } catch (const rewrite::Misfit&) {
      refuse(*node_);
      throw;
    }
  }
  static Dims allOf(const Tensor& x) { return rewrite::allDims(x); }

  /// nullopt: the call is right as it is, for the rows that there are.
  Results replaced(Emitter& e) {
    const std::string_view packet = rewrite::packetOf(node_->target);
    if (node_->target == "aten.nonzero.default") return positions(e);
    if (packet == "bincount") return counted(e);
    if (packet == "item" || packet == "_local_scalar_dense") return number(e);
    if (node_->val.symbol() != nullptr) return std::nullopt;
    if (node_->target.starts_with("_operator.")) throw rewrite::Misfit{};
    switch (rowEffectOf(node_->target)) {
      case RowEffect::Pointwise: return pointwise();
      case RowEffect::Reshaped: return reshaped();
      case RowEffect::Moved:
      case RowEffect::Filled:
      case RowEffect::OnSizes: return std::nullopt;
      case RowEffect::Other: break;
    }
    if (const RowReduction* reduction = rowReductionOf(packet)) return reduced(e, *reduction);
    if (const RowProduct* product = rowProductOf(packet)) return multiplied(e, *product);
    return other(e, packet);
  }
  Results other(Emitter& e, std::string_view packet) {
    if (packet == "arange") return ranged();
    if (packet == "expand") return expanded();
    if (packet == "slice" || packet == "narrow") return sliced();
    if (packet == "select") return selected();
    if (packet == "cat") return concatenated(e);
    if (packet == "linear") return keptIf(lastIsFixed("input", 1) && isFixed("weight"));
    if (packet == "layer_norm" || packet == "rms_norm" || packet == "native_layer_norm")
      return keptIf(lastIsFixed("input", e.integers("normalized_shape").size()));
    if (packet == "index_select") return indexSelected(e);
    if (packet == "dropout") return keptIf(!e.flag("train"));
    if (packet == "embedding") return guarded(e, "indices");
    if (packet == "gather") return gathered(e);
    if (packet == "index") return indexed(e);
    if (packet == "index_put") return written(e);
    if (packet == "scaled_dot_product_attention") return attended(e);
    throw rewrite::Misfit{};
  }
  static Results keptIf(bool isRight) {
    Emitter::require(isRight);
    return std::nullopt;
  }

  // The symbols of dimensions.
  Symbols symbolsOf(const fx::Value& value) const {
    const fx::TensorMeta* tensor = value.tensor();
    Symbols out = tensor == nullptr ? Symbols() : sizeSymbols(*tensor);
    for (std::string& symbol : out)
      if (!rows_.has(symbol)) symbol.clear();
    return out;
  }
  Symbols symbolsOf(const fx::Argument& argument) const {
    const fx::NodeId* id = argument.node();
    return id == nullptr ? Symbols() : symbolsOf(symbolic_.node(*id).val);
  }
  Symbols symbolsAt(std::string_view argument) const {
    const fx::NodeArgument* found = node_->find(argument);
    return found == nullptr ? Symbols() : symbolsOf(found->value);
  }
  static bool isFixed(const Symbols& symbols) {
    return std::all_of(symbols.begin(), symbols.end(), [](const auto& s) { return s.empty(); });
  }
  bool isFixed(std::string_view argument) const { return isFixed(symbolsAt(argument)); }
  bool lastIsFixed(std::string_view argument, std::size_t count) const {
    const Symbols symbols = symbolsAt(argument);
    return count <= symbols.size() &&
           isFixed(Symbols(symbols.end() - static_cast<std::ptrdiff_t>(count), symbols.end()));
  }
  bool areInOrder(const Symbols& symbols) const {
    return std::all_of(symbols.begin(), symbols.end(),
                       [&](const std::string& s) { return s.empty() || rows_.isInOrder(s); });
  }

  // Sources.
  Results positions(Emitter& e) {
    const Symbols symbols = symbolsOf(node_->val);
    Emitter::require(symbols.size() == 2 && !symbols[0].empty());
    return rewrite::one(rows_.positionsOf(e, e.tensor("self"), symbols[0]));
  }
  Results number(Emitter& e) {
    const fx::SymValue* symbol = node_->val.symbol();
    Emitter::require(symbol != nullptr && symbol->expr != nullptr);
    if (symbol->expr->kind == fx::SymExpr::Kind::Symbol)
      rows_.setNumber(symbol->expr->name, e.tensor("self"));
    return std::nullopt;
  }
  /// How many elements each number is equal to.
  Results counted(Emitter& e) {
    const Tensor self = e.tensor("self");
    const std::string symbol = symbolsOf(node_->val).front();
    Emitter::require(!symbol.empty() && self.rank() == 1 && e.fixed(self, 0) > 0 &&
                     e.argument("weights").isNone());
    const auto most = rewrite::Size::of(sizes_.bounds.at(symbol).most);
    const Tensor isEqual =
        e.compare("eq", e.cast(self, DType::Int64), e.unsqueeze(e.arange(most), 1));
    const Tensor end = e.add(e.amax(e.cast(self, DType::Int64), {0}, false), 1);
    rows_.setNumber(symbol, e.clamp(end, static_cast<double>(e.integer("minlength")), {}));
    return rewrite::one(e.sum(e.cast(isEqual, DType::Int64), {1}, false));
  }
  Results ranged() const { return keptIf(areInOrder(symbolsOf(node_->val))); }

  // Rows stay apart.
  /// Each operand broadcasts to the result, and a dimension with a symbol only meets its own.
  Results pointwise() const {
    const Symbols out = symbolsOf(node_->val);
    for (const fx::NodeArgument& argument : node_->args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) {
        const fx::TensorMeta* meta = symbolic_.node(id).val.tensor();
        if (meta == nullptr) return;
        const Symbols own = symbolsOf(symbolic_.node(id).val);
        Emitter::require(own.size() <= out.size());
        for (std::size_t d = 0; d < own.size(); ++d) {
          const std::string& into = out[out.size() - own.size() + d];
          Emitter::require(own[d] == into || (own[d].empty() && meta->sizes[d] == fx::SymInt(1)));
        }
      });
    return std::nullopt;
  }
  Results expanded() const {
    const Symbols in = symbolsAt("self"), out = symbolsOf(node_->val);
    Emitter::require(in.size() <= out.size());
    for (std::size_t d = 0; d < in.size(); ++d)
      Emitter::require(in[d].empty() || in[d] == out[out.size() - in.size() + d]);
    return std::nullopt;
  }
  /// As many elements before each such dimension as there were.
  Results reshaped() const {
    const fx::TensorMeta* out = node_->val.tensor();
    const fx::NodeId* self = node_->args.front().value.node();
    Emitter::require(out != nullptr && self != nullptr);
    const fx::TensorMeta* in = symbolic_.node(*self).val.tensor();
    Emitter::require(in != nullptr);
    const auto rowsOf = [&](const fx::TensorMeta& tensor) {
      std::vector<std::pair<std::string, fx::SymInt>> rows;
      fx::SymInt before = 1;
      for (const fx::SymInt& size : tensor.sizes) {
        if (!size.isStatic()) rows.emplace_back(size.text(), before);
        else before = before * size;
      }
      return rows;
    };
    return keptIf(rowsOf(*in) == rowsOf(*out));
  }
  Results sliced() const {
    const Symbols in = symbolsAt("self"), out = symbolsOf(node_->val);
    Emitter::require(in.size() == out.size());
    for (std::size_t d = 0; d < in.size(); ++d)
      Emitter::require(in[d] == out[d] || (in[d].empty() && areInOrder({out[d]})));
    return std::nullopt;
  }
  Results selected() const {
    const Symbols in = symbolsAt("self");
    const fx::NodeArgument *dim = node_->find("dim"), *index = node_->find("index");
    const std::int64_t* along = dim == nullptr ? nullptr : dim->value.integer();
    const std::int64_t* at = index == nullptr ? nullptr : index->value.integer();
    Emitter::require(along != nullptr && !in.empty());
    const std::string& symbol = in[static_cast<std::size_t>(
        *along < 0 ? *along + static_cast<std::int64_t>(in.size()) : *along)];
    return keptIf(symbol.empty() || (at != nullptr && *at >= 0 && rows_.isInOrder(symbol)));
  }
  Results concatenated(Emitter& e) const {
    const Symbols out = symbolsOf(node_->val);
    return keptIf(out[e.dimOf(e.integer("dim"), out.size())].empty());
  }

  // Rows become one.
  Results reduced(Emitter& e, const RowReduction& reduction) {
    const Tensor x = e.tensor("self");
    const Symbols symbols = symbolsAt("self");
    const Dims dims = node_->find("dim") == nullptr ? allOf(x) : e.dims("dim", x);
    Symbols mixed;
    for (const std::size_t d : dims)
      if (!symbols[d].empty()) mixed.push_back(symbols[d]);
    if (mixed.empty()) return std::nullopt;
    Emitter::require(!reduction.findsPositions || node_->val.tensor() == nullptr ||
                     reduction.packet == "max" || reduction.packet == "min" || areInOrder(mixed));
    Emitter::require(node_->val.tensor() != nullptr || areInOrder(mixed));
    // Without a dimension, they are positions in all of the elements.
    const bool isOfAll = reduction.findsPositions && reduction.packet.starts_with("arg") &&
                         (node_->find("dim") == nullptr || e.argument("dim").isNone());
    Emitter::require(!isOfAll || (mixed.size() == 1 && !symbols.front().empty()));
    const Tensor masked = rows_.masked(e, x, symbols, dims, reduction.neutral);
    if (reduction.packet == "mean") return averaged(e, masked, dims, mixed);
    return with(e, {{"self", masked.value}});
  }
  Results averaged(Emitter& e, const Tensor& masked, const Dims& dims, const Symbols& mixed) {
    const DType dtype = e.result().dtype;
    Emitter::require(isFloating(dtype) && e.argument("dtype").isNone());
    std::int64_t fixed = 1;
    const Symbols symbols = symbolsAt("self");
    for (const std::size_t d : dims)
      if (symbols[d].empty()) fixed *= e.fixed(masked, d);
    std::optional<Tensor> count;
    for (const std::string& symbol : mixed) {
      const Tensor own = e.cast(rows_.countOf(e, symbol), dtype);
      count = count ? e.mul(*count, own) : own;
    }
    if (fixed != 1) count = e.mul(*count, static_cast<double>(fixed));
    const bool keeps = node_->find("keepdim") != nullptr && e.flag("keepdim");
    return rewrite::one(e.div(e.sum(masked, dims, keeps), *count));
  }
  Results multiplied(Emitter& e, const RowProduct& product) {
    const Tensor a = e.tensor(product.a), b = e.tensor(product.b);
    const Symbols as = symbolsAt(product.a), bs = symbolsAt(product.b);
    Emitter::require(!as.empty() && !bs.empty());
    const std::size_t ad = as.size() - 1, bd = bs.size() == 1 ? 0 : bs.size() - 2;
    Emitter::require(as[ad] == bs[bd]);
    if (as[ad].empty()) return std::nullopt;
    return with(e, {{product.a, rows_.masked(e, a, as, {ad}, Neutral::Zero).value},
                    {product.b, rows_.masked(e, b, bs, {bd}, Neutral::Zero).value}});
  }
  Results attended(Emitter& e) {
    const Tensor key = e.tensor("key"), value = e.tensor("value");
    const Symbols keys = symbolsAt("key"), values = symbolsAt("value");
    Emitter::require(keys.size() >= 2 && values.size() == keys.size());
    const std::size_t d = keys.size() - 2;
    Emitter::require(keys.back().empty() && values.back().empty() && keys[d] == values[d]);
    if (keys[d].empty()) return std::nullopt;
    Emitter::require(node_->find("attn_mask") == nullptr || e.argument("attn_mask").isNone());
    Emitter::require(node_->find("is_causal") == nullptr || !e.flag("is_causal"));
    const Tensor mask = e.unsqueeze(rows_.validOf(e, keys[d]), 0);
    Results out = with(e, {{"value", rows_.masked(e, value, values, {d}, Neutral::Zero).value},
                           {"attn_mask", mask.value}});
    return out;
  }

  // Indices.
  /// With 0 for the rows beyond the size, whose indices may be out of range.
  Tensor inRange(Emitter& e, const Tensor& index, const Symbols& symbols) {
    if (rows_.columnOf(e, index.value)) return index;
    return rows_.masked(e, index, symbols, allOf(index), Neutral::Zero);
  }
  Results guarded(Emitter& e, std::string_view name) {
    return with(e, {{name, inRange(e, e.tensor(name), symbolsAt(name)).value}});
  }
  Results indexSelected(Emitter& e) {
    const Tensor self = e.tensor("self"), index = e.tensor("index");
    const std::size_t dim = e.dim(e.integer("dim"), self);
    Emitter::require(areInOrder({symbolsAt("self")[dim]}));
    const auto column = rows_.columnOf(e, index.value);
    const bool isAll = inPlace_ && column && column->shape.size() == 1 &&
                       self.meta.sizes[dim].isStatic() &&
                       self.meta.sizes[dim].value() == sizes_.bounds.at(column->symbol).most;
    if (isAll) return rewrite::one(self);
    return guarded(e, "index");
  }
  Results gathered(Emitter& e) {
    const Tensor self = e.tensor("self");
    Emitter::require(areInOrder({symbolsAt("self")[e.dim(e.integer("dim"), self)]}));
    return guarded(e, "index");
  }
  /// Indices of the given dimensions, as arguments.
  fx::ArgumentList inRange(Emitter& e, const std::vector<std::optional<Tensor>>& indices) {
    const fx::ArgumentList& given = *node_->find("indices")->value.list();
    const Symbols self = symbolsAt("self");
    fx::ArgumentList out;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i]) {
        Emitter::require(i < self.size() && areInOrder({self[i]}) &&
                         isIntegral(indices[i]->dtype()) && indices[i]->dtype() != DType::UInt8);
        out.push_back(inRange(e, *indices[i], symbolsOf(given[i])).value);
      } else {
        out.emplace_back(fx::None{});
      }
    }
    return out;
  }
  Results indexed(Emitter& e) {
    const std::vector<std::optional<Tensor>> indices = e.optionalTensors("indices");
    const auto column = columnOfFirst(e, indices);
    if (column && isFixed("self")) return rewrite::one(repeated(e, e.tensor("self"), *column));
    return with(e, {{"indices", inRange(e, indices)}});
  }

  /// Where the only index is a column of a mask's positions that are in place, which has each index
  /// of the first dimension of `self` as often as the mask has elements there.
  std::optional<MaskedRows::Column> columnOfFirst(
      Emitter& e, const std::vector<std::optional<Tensor>>& indices) {
    if (!inPlace_ || indices.size() != 1 || !indices.front()) return std::nullopt;
    auto column = rows_.columnOf(e, indices.front()->value);
    const Tensor self = e.tensor("self");
    const bool fits = column && self.rank() > 0 && self.meta.sizes[0].isStatic() &&
                      self.meta.sizes[0].value() == column->shape[column->dim];
    return fits ? column : std::nullopt;
  }
  static rewrite::Sizes withRest(const std::vector<std::int64_t>& first,
                                 const rewrite::Sizes& sizes) {
    rewrite::Sizes out = rewrite::sizesOf(first);
    out.insert(out.end(), sizes.begin() + 1, sizes.end());
    return out;
  }
  static Tensor repeated(Emitter& e, const Tensor& self, const MaskedRows::Column& column) {
    if (column.shape.size() == 1) return self;
    const rewrite::Sizes sizes = e.sizes(self);
    std::vector<std::int64_t> one(column.shape.size(), 1);
    one[column.dim] = column.shape[column.dim];
    const rewrite::Sizes all = withRest(column.shape, sizes);
    const Tensor wide = e.expand(e.reshape(self, withRest(one, sizes)), all);
    rewrite::Sizes rows(all.begin() + static_cast<std::ptrdiff_t>(column.shape.size()), all.end());
    rows.insert(rows.begin(), e.product(rewrite::sizesOf(column.shape)));
    return e.reshape(wide, rows);
  }

  // Writes.
  Results written(Emitter& e) {
    const Tensor self = e.tensor("self"), values = e.tensor("values");
    const std::vector<std::optional<Tensor>> indices = e.optionalTensors("indices");
    Emitter::require(isFixed("self") && !indices.empty());
    if (std::optional<Tensor> mask = maskOf(e, self, indices)) return chosen(e, *mask);
    if (e.flag("accumulate"))
      if (const auto column = columnOfFirst(e, indices)) return added(e, *column);
    const fx::ArgumentList& given = *node_->find("indices")->value.list();
    Symbols rows;
    for (std::size_t i = 0; i < indices.size(); ++i)
      for (const std::string& symbol : indices[i] ? symbolsOf(given[i]) : Symbols())
        if (!symbol.empty()) rows.push_back(symbol);
    Emitter::require(e.flag("accumulate") && !rows.empty());
    const Symbols symbols = symbolsAt("values");
    // What is added is zero; a value for all rows would be added as often as there are any.
    Emitter::require(!isFixed(symbols));
    return with(e,
                {{"indices", inRange(e, indices)},
                 {"values", rows_.masked(e, values, symbols, allOf(values), Neutral::Zero).value}});
  }
  /// What each row of `self` gets, summed over the other dimensions of the mask.
  Results added(Emitter& e, const MaskedRows::Column& column) {
    const Tensor self = e.tensor("self"), values = e.tensor("values");
    const Symbols symbols = symbolsAt("values");
    Emitter::require(values.rank() == self.rank() && symbols.front() == column.symbol &&
                     isFixed(Symbols(symbols.begin() + 1, symbols.end())));
    for (std::size_t d = 1; d < self.rank(); ++d)
      Emitter::require(self.meta.sizes[d] == values.meta.sizes[d]);
    Tensor sum = e.reshape(rows_.masked(e, values, symbols, {0}, Neutral::Zero),
                           withRest(column.shape, e.sizes(self)));
    Dims others;
    for (std::size_t d = 0; d < column.shape.size(); ++d)
      if (d != column.dim) others.push_back(d);
    if (!others.empty()) sum = e.sum(sum, others, false);
    return rewrite::one(e.add(self, e.cast(sum, self.dtype())));
  }
  /// Where the elements are written: at the true ones of a mask of the first dimensions, each once
  /// and in order; nullopt for other indices.
  std::optional<Tensor> maskOf(Emitter& e, const Tensor& self,
                               const std::vector<std::optional<Tensor>>& indices) {
    const Symbols values = symbolsAt("values");
    if (!inPlace_ || !indices.front() || e.flag("accumulate")) return std::nullopt;
    std::string symbol;
    std::size_t rank = 0;
    if (indices.front()->dtype() == DType::Bool) {
      if (indices.size() != 1 || values.empty() || values.front().empty()) return std::nullopt;
      symbol = values.front();
      rank = indices.front()->rank();
      Emitter::require(rows_.isMask(e, symbol, indices.front()->value));
    } else {
      for (std::size_t d = 0; d < indices.size(); ++d) {
        const auto column = indices[d] ? rows_.columnOf(e, indices[d]->value) : std::nullopt;
        if (!column || column->dim != d || column->shape.size() != indices.size())
          return std::nullopt;
        if (d > 0 && column->symbol != symbol) return std::nullopt;
        symbol = column->symbol;
      }
      rank = indices.size();
    }
    Emitter::require(rank <= self.rank() &&
                     isFixed(Symbols(values.begin() + !values.empty(), values.end())));
    rewrite::Sizes shape = e.sizes(self);
    std::int64_t count = 1;
    for (std::size_t d = 0; d < rank; ++d) count *= e.fixed(self, d);
    Emitter::require(count == sizes_.bounds.at(symbol).most);
    for (std::size_t d = rank; d < shape.size(); ++d) shape[d] = rewrite::Size::of(1);
    return e.reshape(rows_.validOf(e, symbol), shape);
  }
  Results chosen(Emitter& e, const Tensor& mask) {
    const Tensor self = e.tensor("self"), values = e.cast(e.tensor("values"), self.dtype());
    const Symbols symbols = symbolsAt("values");
    const bool hasRows = !symbols.empty() && !symbols.front().empty();
    const Tensor source = hasRows ? e.reshape(values, e.sizes(self)) : values;
    Emitter::require(hasRows || values.rank() == 0);
    return rewrite::one(e.where(mask, source, self));
  }

  /// The call with other arguments.
  static Results with(Emitter& e,
                      const std::vector<std::pair<std::string_view, fx::Argument>>& changed) {
    std::vector<fx::NodeArgument> args = e.matched().args;
    for (const auto& [name, value] : changed) {
      const auto known =
          std::find_if(args.begin(), args.end(), [&](const auto& a) { return a.name == name; });
      if (known != args.end()) known->value = value;
      else args.push_back({std::string(name), value, true});
    }
    return e.call(e.matched().target, std::move(args), e.matched().val);
  }

  const fx::Program& symbolic_;
  const SizeBounds& sizes_;
  MaskedRows rows_;
  bool inPlace_;
  std::set<fx::NodeId> results_;  // with such sizes
  std::string reason_;
  const fx::Node* node_ = nullptr;  // of symbolic_
};

}  // namespace

Result<fx::ProgramPtr> withUpperBounds(const fx::ProgramPtr& program, BoundedResults results,
                                       const fx::ProgramPtr& user, const RunContext& context) {
  FXS_TRY(const SizeBounds sizes, sizeBoundsOf(*program));
  if (sizes.bounds.empty())
    return fail(ErrorCode::Unsupported, "no size of the program is known only at run time");
  FXS_TRY(const fx::ProgramPtr numbered, withNumbers(program, sizes.numbers()));
  for (const bool inPlace : {true, false}) {
    auto bounded = Bounder(*program, sizes, inPlace, results).run(numbered, user, context);
    if (bounded || !inPlace || endsAll(bounded.error())) return bounded;
  }
  return nullptr;
}

}  // namespace fxs::diagnose
