// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/compose.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "node_lab/inline.h"
#include "node_lab/node_program.h"

namespace fxs::node_lab {
namespace {

constexpr std::size_t kNodesBetweenStops = 256;

/// A separately lowered part: a node, a constant, the arguments or the output.
struct Piece {
  fx::NodeId node;  ///< of the program
  NodeProgram extracted;
  std::string raw;                    ///< "" when it could not be imported
  std::vector<fx::Finding> findings;  ///< why not
  LocationPattern pattern;            ///< of `raw`
  std::size_t lowered = 0;  ///< the piece lowered in its place: itself, or an earlier one that
                            ///< differs only in locations
};

class Composer {
 public:
  /// `constantsInside`: constants that are not separate pieces, but part of the nodes that use
  /// them.
  Composer(const fx::ProgramPtr& program, const fx::Program& user, const ComposeOptions& options,
           std::set<fx::NodeId> constantsInside)
      : source_(program),
        program_(*program),
        user_(user),
        options_(options),
        inside_(std::move(constantsInside)) {}

  Result<> takeApart(const RunContext& context) {
    if (std::any_of(program_.inputs.begin(), program_.inputs.end(), [&](const fx::InputSpec& spec) {
          return isArgument(spec, program_.node(spec.node));
        }))
      FXS_CHECK(add(arguments_, program_.inputs.front().node, argumentProgramOf(source_), context));
    const auto users = fx::usersOf(program_);
    for (const fx::InputSpec& spec : program_.inputs)
      if (isWeight(spec.kind) && !users[spec.node.index()].empty() && !inside_.contains(spec.node))
        FXS_CHECK(
            add(constants_[spec.node], spec.node, constantProgramOf(source_, spec.node), context));
    std::size_t done = 0;
    for (const fx::NodeId id : program_.main().nodes) {
      if (++done % kNodesBetweenStops == 0 && context.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "cancelled");
      const fx::Node& node = program_.node(id);
      if (node.op != fx::NodeOp::CallFunction || isPart(node)) continue;
      const std::optional<std::set<std::size_t>> parts = usedParts(node, users);
      if (users[id.index()].empty() || (parts && parts->empty())) leftOut(node);
      else
        FXS_CHECK(add(calls_[id], id, programOf(source_, id, {parts ? &*parts : nullptr, &inside_}),
                      context));
    }
    return add(output_, program_.output(program_.main().id).id,
               outputProgramOf(source_, {nullptr, &inside_}), context);
  }

  Result<std::vector<Composed>> run(const lower::Engine& engine, CommandRunner& runner,
                                    const RunContext& context) {
    std::vector<std::string> modules;
    std::vector<std::size_t> whose;
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      if (!pieces_[i].raw.empty() && pieces_[i].lowered == i) {
        modules.push_back(pieces_[i].raw);
        whose.push_back(i);
      }
    std::vector<lower::OutputType> targets = options_.targets;
    std::erase_if(targets, [](const lower::OutputType& target) { return !target->after; });
    std::vector<std::vector<lower::BatchResult>> results;
    if (!targets.empty()) {
      FXS_TRY(results,
              lower::lowerBatch(modules, targets, user_, engine, options_.lower, runner, context));
    }
    std::vector<Composed> out;
    for (const lower::OutputType& target : options_.targets) {
      const auto at = std::find(targets.begin(), targets.end(), target);
      std::vector<const lower::BatchResult*> lowered;
      if (at != targets.end()) {
        lowered.resize(pieces_.size());
        for (std::size_t i = 0; i < whose.size(); ++i)
          lowered[whose[i]] = &results[static_cast<std::size_t>(at - targets.begin())][i];
      }
      for (const auto& [constant, piece] : constants_)
        if (!lowered.empty() && !pieces_[piece].raw.empty() &&
            !lowered[pieces_[piece].lowered]->ok())
          failedConstants_.insert(constant);
      FXS_TRY(Composed one, composed(target, lowered));
      out.push_back(std::move(one));
    }
    return out;
  }

  /// Constants that do not lower by themselves.
  const std::set<fx::NodeId>& failedConstants() const { return failedConstants_; }

 private:
  /// The used parts of a tuple or list; nullopt if all are used, or if it is neither.
  std::optional<std::set<std::size_t>> usedParts(
      const fx::Node& node, const std::vector<std::vector<fx::NodeId>>& users) const {
    if (node.val.list() == nullptr) return std::nullopt;
    std::set<std::size_t> out;
    for (const fx::NodeId id : users[node.id.index()]) {
      const fx::Node& user = program_.node(id);
      const std::int64_t* index =
          isPart(user) && user.find("b") != nullptr ? user.find("b")->value.integer() : nullptr;
      if (index == nullptr) return std::nullopt;
      if (!users[id.index()].empty() && *index >= 0) out.insert(static_cast<std::size_t>(*index));
    }
    return out;
  }

  static bool isPart(const fx::Node& node) {
    const fx::NodeArgument* of = node.find("a");
    return node.target == fx::kGetitem && of != nullptr && of->value.node() != nullptr;
  }

  Result<> add(std::size_t& position, fx::NodeId node, Result<NodeProgram> extracted,
               const RunContext& context) {
    position = pieces_.size();
    Piece& piece = pieces_.emplace_back();
    piece.node = node;
    if (!extracted) {
      piece.findings.push_back(
          finding(node, fx::Severity::Error, "not-alone", extracted.error().message));
      return {};
    }
    piece.extracted = *std::move(extracted);
    import::ImportOptions importing = options_.import;
    importing.functionName = kMain;
    FXS_TRY(const auto imported,
            import::importProgram(*piece.extracted.program, importing, context));
    for (const fx::Finding& one : imported->findings)
      if (one.severity == fx::Severity::Error) piece.findings.push_back(one);
    if (!piece.findings.empty()) return {};
    piece.raw = imported->text;
    piece.pattern = locationPattern(piece.raw);
    piece.lowered = byPattern_.emplace(piece.pattern.key, position).first->second;
    return {};
  }

  fx::NodeId usersNode(fx::NodeId id) const {
    return program_.original ? program_.node(id).origin : id;
  }

  fx::Finding finding(fx::NodeId id, fx::Severity severity, std::string kind,
                      std::string message) const {
    fx::Finding out;
    const fx::Node& node = user_.node(usersNode(id));
    out.severity = severity;
    out.kind = std::move(kind);
    out.node = node.id;
    out.nodeName = node.name;
    out.target = node.target;
    out.message = std::move(message);
    return out;
  }

  void leftOut(const fx::Node& node) {
    leftOut_.push_back(finding(
        node.id, fx::Severity::Note, "left-out",
        "node '" + node.name + "' has no used results and is omitted from the composed module"));
  }

  std::string locationOf(fx::NodeId id) const {
    const fx::Node& node = user_.node(usersNode(id));
    return "\"" + node.name + "\"(\"fx\":" + std::to_string(node.id.index()) + ":0)";
  }

  /// Moves the findings of the lowered piece to the nodes of `piece`.
  std::vector<fx::Finding> findingsAt(const Piece& piece, std::vector<fx::Finding> findings) const {
    const fx::NodeId there = usersNode(pieces_[piece.lowered].node);
    const fx::Node& here = user_.node(usersNode(piece.node));
    for (fx::Finding& one : findings) {
      if (one.node != there) continue;
      one.node = here.id;
      one.nodeName = here.name;
      one.target = here.target;
    }
    return findings;
  }

  void addFailure(const Piece& piece, const lower::BatchResult& result, Composed& out) const {
    for (fx::Finding& one : findingsAt(piece, result.findings))
      out.findings.push_back(std::move(one));
    if (result.findings.empty())
      out.findings.push_back(finding(
          piece.node, fx::Severity::Error, "not-lowered",
          "node '" + program_.node(piece.node).name + "' does not lower by itself: " +
              (result.message.empty() ? std::string(lower::name(result.status)) : result.message)));
    if (result.isKnown()) out.status = lower::StageStatus::Failed;
    else if (out.status == lower::StageStatus::Ok) out.status = result.status;
  }

  /// `lowered`: by lowered piece; empty for RAW.
  Result<Composed> composed(const lower::OutputType& target,
                            const std::vector<const lower::BatchResult*>& lowered) {
    Composed out;
    out.target = target;
    out.pieces = pieces_.size();
    std::vector<const std::string*> texts(pieces_.size(), nullptr);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      out.findings.insert(out.findings.end(), piece.findings.begin(), piece.findings.end());
      if (piece.raw.empty()) {
        if (!piece.findings.empty()) out.status = lower::StageStatus::Failed;
        continue;
      }
      const lower::BatchResult* result = lowered.empty() ? nullptr : lowered[piece.lowered];
      if (result != nullptr && !result->ok()) {
        addFailure(piece, *result, out);
        continue;
      }
      texts[i] = result == nullptr ? &piece.raw : &result->text;
      ++out.lowered;
    }
    out.findings.insert(out.findings.end(), leftOut_.begin(), leftOut_.end());
    if (out.lowered < out.pieces) return out;
    auto text = inlined(texts);
    if (!text) {
      out.status = lower::StageStatus::Failed;
      out.findings.push_back(
          finding(failedAt_, fx::Severity::Error, "not-inlined",
                  "node '" + program_.node(failedAt_).name + "': " + text.error().message));
    } else out.text = *std::move(text);
    return out;
  }

  Result<std::string> inlined(const std::vector<const std::string*>& texts) {
    values_.clear();
    std::vector<Argument> arguments;
    failedAt_ = program_.main().nodes.front();
    if (arguments_ != kNoPiece) {
      FXS_TRY(const Signature signature, signatureOf(*texts[arguments_], kMain));
      for (const fx::NodeId id : argumentNodes())
        if (arguments.size() < signature.arguments.size())
          arguments.push_back(
              {program_.node(id).name, signature.arguments[arguments.size()], locationOf(id)});
    }
    Composition composition(options_.import.functionName, arguments);
    std::size_t next = 0;
    for (const fx::NodeId id : argumentNodes())
      if (next < arguments.size()) values_[{id, 0}] = composition.arguments()[next++];
    for (const fx::NodeId id : program_.main().nodes) {
      const fx::Node& node = program_.node(id);
      if (isPart(node)) {
        addPart(node);
        continue;
      }
      const auto call = calls_.find(id);
      if (call == calls_.end()) continue;
      FXS_TRY(const auto results,
              inlinePiece(composition, pieces_[call->second], *texts[call->second], texts));
      for (std::size_t i = 0; i < results.size(); ++i)
        values_[{id, pieces_[call->second].extracted.results[i]}] = results[i];
    }
    const Piece& output = pieces_[output_];
    FXS_TRY(const auto results, inlinePiece(composition, output, *texts[output_], texts));
    return std::move(composition).finish(results, locationOf(output.node));
  }

  /// An element of a tuple is a value that is known already.
  void addPart(const fx::Node& node) {
    const fx::NodeArgument* b = node.find("b");
    const std::int64_t* index = b == nullptr ? nullptr : b->value.integer();
    if (index == nullptr || *index < 0) return;
    const auto found =
        values_.find({*node.find("a")->value.node(), static_cast<std::size_t>(*index)});
    if (found != values_.end()) values_.emplace(PartOf{node.id, 0}, TypedValue(found->second));
  }

  Result<std::vector<TypedValue>> inlinePiece(Composition& composition, const Piece& piece,
                                              const std::string& text,
                                              const std::vector<const std::string*>& texts) {
    std::vector<TypedValue> operands;
    for (const PartOf& operand : piece.extracted.operands) {
      if (const auto constant = constants_.find(operand.node);
          constant != constants_.end() && !values_.contains(operand)) {
        const Piece& weight = pieces_[constant->second];
        FXS_TRY(auto made, inlinePiece(composition, weight, *texts[constant->second], texts));
        if (made.size() == 1) values_[operand] = made.front();
      }
      failedAt_ = piece.node;
      const auto found = values_.find(operand);
      if (found == values_.end())
        return fail(ErrorCode::InvalidInput,
                    "its operand from '" + program_.node(operand.node).name + "' was not emitted");
      operands.push_back(found->second);
    }
    failedAt_ = piece.node;
    Call call{text, kMain, program_.node(piece.node).name, locationOf(piece.node), {}};
    if (&text != &piece.raw)
      call.locations = relocation(pieces_[piece.lowered].pattern, piece.pattern);
    FXS_TRY(auto results, composition.inlineCall(call, operands));
    if (results.size() != piece.extracted.results.size())
      return fail(ErrorCode::InvalidInput,
                  "it was lowered to a function of " + std::to_string(results.size()) +
                      " results instead of " + std::to_string(piece.extracted.results.size()));
    return results;
  }

  std::vector<fx::NodeId> argumentNodes() const {
    std::vector<fx::NodeId> out;
    for (const fx::InputSpec& spec : program_.inputs)
      if (isArgument(spec, program_.node(spec.node))) out.push_back(spec.node);
    return out;
  }

  static constexpr std::size_t kNoPiece = static_cast<std::size_t>(-1);

  const fx::ProgramPtr source_;
  const fx::Program& program_;
  const fx::Program& user_;
  const ComposeOptions& options_;
  const std::set<fx::NodeId> inside_;
  std::set<fx::NodeId> failedConstants_;
  std::vector<Piece> pieces_;
  std::vector<fx::Finding> leftOut_;
  std::size_t arguments_ = kNoPiece, output_ = kNoPiece;
  std::map<fx::NodeId, std::size_t> constants_, calls_;
  std::unordered_map<std::string, std::size_t> byPattern_;
  std::map<PartOf, TypedValue> values_;  // while it is put together
  fx::NodeId failedAt_;
};

}  // namespace

Result<std::vector<Composed>> compose(const fx::ProgramPtr& program, const fx::Program& user,
                                      const ComposeOptions& options, const lower::Engine& engine,
                                      CommandRunner& runner, const RunContext& context) {
  Composer composer(program, user, options, {});
  FXS_CHECK(composer.takeApart(context));
  FXS_TRY(std::vector<Composed> out, composer.run(engine, runner, context));
  if (composer.failedConstants().empty()) return out;
  // A constant may lower as part of its users but not by itself.
  ComposeOptions again = options;
  std::erase_if(again.targets, [&](const lower::OutputType& target) {
    return std::any_of(out.begin(), out.end(),
                       [&](const Composed& one) { return one.target == target && one.complete(); });
  });
  Composer second(program, user, again, composer.failedConstants());
  FXS_CHECK(second.takeApart(context));
  FXS_TRY(std::vector<Composed> others, second.run(engine, runner, context));
  for (Composed& other : others)
    for (Composed& one : out)
      if (one.target == other.target) {
        one = std::move(other);
        break;
      }
  return out;
}

}  // namespace fxs::node_lab
