#include "node_lab/compose.h"

#include <algorithm>
#include <map>

#include "node_lab/inline.h"
#include "node_lab/node_program.h"

namespace fxs::node_lab {
namespace {

constexpr const char* kMain = "main";
constexpr std::string_view kGetitem = "_operator.getitem";
constexpr std::size_t kNodesBetweenStops = 256;

/// A node, a constant, the arguments or the output, each by itself.
struct Piece {
  fx::NodeId node;  ///< of the program
  NodeProgram alone;
  std::string raw;                    ///< "" when it could not be imported
  std::vector<fx::Finding> findings;  ///< why not
};

class Composer {
 public:
  Composer(const fx::ProgramPtr& program, const fx::Program& user, const ComposeOptions& options)
      : source_(program), program_(*program), user_(user), options_(options) {}

  Result<> takeApart(const RunContext& context) {
    if (std::any_of(program_.inputs.begin(), program_.inputs.end(),
                    [&](const fx::InputSpec& spec) { return isArgument(spec, program_.node(spec.node)); }))
      FXS_CHECK(add(arguments_, program_.inputs.front().node, argumentProgramOf(source_), context));
    const auto users = fx::usersOf(program_);
    for (const fx::InputSpec& spec : program_.inputs)
      if (isWeight(spec) && !users[spec.node.index()].empty())
        FXS_CHECK(add(constants_[spec.node], spec.node, constantProgramOf(source_, spec.node), context));
    std::size_t done = 0;
    for (const fx::NodeId id : program_.main().nodes) {
      if (++done % kNodesBetweenStops == 0 && context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
      const fx::Node& node = program_.node(id);
      if (node.op != fx::NodeOp::CallFunction || isPart(node)) continue;
      if (std::holds_alternative<fx::NoneValue>(node.val) && users[id.index()].empty()) leftOut(node);
      else FXS_CHECK(add(calls_[id], id, programOf(source_, id), context));
    }
    return add(output_, program_.output(program_.main().id).id, outputProgramOf(source_), context);
  }

  Result<std::vector<Composed>> run(const lower::Engine& engine, CommandRunner& runner, const RunContext& context) {
    std::vector<std::string> modules;
    for (const Piece& piece : pieces_)
      if (!piece.raw.empty()) modules.push_back(piece.raw);
    std::vector<lower::OutputType> targets = options_.targets;
    std::erase(targets, lower::OutputType::Raw);
    std::vector<std::vector<lower::BatchResult>> results;
    if (!targets.empty()) {
      FXS_TRY(results, lower::lowerBatch(modules, targets, user_, engine, options_.lower, runner, context));
    }
    std::vector<Composed> out;
    for (const lower::OutputType target : options_.targets) {
      const auto at = std::find(targets.begin(), targets.end(), target);
      const std::vector<lower::BatchResult>* lowered =
          at == targets.end() ? nullptr : &results[static_cast<std::size_t>(at - targets.begin())];
      FXS_TRY(Composed one, composed(target, lowered));
      out.push_back(std::move(one));
    }
    return out;
  }

 private:
  static bool isPart(const fx::Node& node) {
    const fx::NodeArgument* of = node.find("a");
    return node.target == kGetitem && of != nullptr && of->value.node() != nullptr;
  }

  Result<> add(std::size_t& place, fx::NodeId node, Result<NodeProgram> alone, const RunContext& context) {
    place = pieces_.size();
    Piece& piece = pieces_.emplace_back();
    piece.node = node;
    if (!alone) {
      piece.findings.push_back(finding(node, fx::Severity::Error, "not-alone", alone.error().message));
      return {};
    }
    piece.alone = *std::move(alone);
    import::ImportOptions importing = options_.import;
    importing.functionName = kMain;
    FXS_TRY(const auto imported, import::importProgram(*piece.alone.program, importing, context));
    for (const fx::Finding& one : imported->findings)
      if (one.severity == fx::Severity::Error) piece.findings.push_back(one);
    if (piece.findings.empty()) piece.raw = imported->text;
    return {};
  }

  fx::NodeId usersNode(fx::NodeId id) const { return program_.original ? program_.node(id).origin : id; }

  fx::Finding finding(fx::NodeId id, fx::Severity severity, std::string kind, std::string message) const {
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
    leftOut_.push_back(finding(node.id, fx::Severity::Note, "left-out",
                               "node '" + node.name + "' gives no value: it is left out of what is put together node by node"));
  }

  std::string locationOf(fx::NodeId id) const {
    const fx::Node& node = user_.node(usersNode(id));
    return "\"" + node.name + "\"(\"fx\":" + std::to_string(node.id.index()) + ":0)";
  }

  /// `lowered`: of the pieces that have RAW, in order; null for RAW itself.
  Result<Composed> composed(lower::OutputType target, const std::vector<lower::BatchResult>* lowered) {
    Composed out;
    out.target = target;
    out.pieces = pieces_.size();
    std::vector<const std::string*> texts(pieces_.size(), nullptr);
    std::size_t next = 0;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      out.findings.insert(out.findings.end(), piece.findings.begin(), piece.findings.end());
      if (piece.raw.empty()) continue;
      const lower::BatchResult* result = lowered == nullptr ? nullptr : &(*lowered)[next++];
      if (result != nullptr && !result->ok()) {
        out.findings.insert(out.findings.end(), result->findings.begin(), result->findings.end());
        if (result->findings.empty())
          out.findings.push_back(finding(piece.node, fx::Severity::Error, "not-lowered",
                                         "node '" + program_.node(piece.node).name + "' does not lower by itself: " +
                                             (result->words.empty() ? std::string(lower::name(result->status)) : result->words)));
        continue;
      }
      texts[i] = result == nullptr ? &piece.raw : &result->text;
      ++out.lowered;
    }
    out.findings.insert(out.findings.end(), leftOut_.begin(), leftOut_.end());
    if (out.lowered < out.pieces) return out;
    auto text = inlined(texts);
    if (!text)
      out.findings.push_back(
          finding(failedAt_, fx::Severity::Error, "not-inlined", "node '" + program_.node(failedAt_).name + "': " + text.error().message));
    else out.text = *std::move(text);
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
          arguments.push_back({program_.node(id).name, signature.arguments[arguments.size()], locationOf(id)});
    }
    Composition composition(options_.import.functionName, arguments);
    std::size_t next = 0;
    for (const fx::NodeId id : argumentNodes())
      if (next < arguments.size()) values_[{id, 0}] = composition.arguments()[next++];
    for (const fx::NodeId id : program_.main().nodes) {
      const fx::Node& node = program_.node(id);
      if (isPart(node)) {
        const auto* index = node.find("b") != nullptr ? node.find("b")->value.integer() : nullptr;
        const auto found = index == nullptr || *index < 0 ? values_.end()
                                                          : values_.find({*node.find("a")->value.node(), static_cast<std::size_t>(*index)});
        if (found != values_.end()) values_.emplace(PartOf{id, 0}, TypedValue(found->second));
        continue;
      }
      const auto call = calls_.find(id);
      if (call == calls_.end()) continue;
      FXS_TRY(const auto results, inlinePiece(composition, pieces_[call->second], *texts[call->second], texts));
      for (std::size_t i = 0; i < results.size(); ++i) values_[{id, pieces_[call->second].alone.results[i]}] = results[i];
    }
    const Piece& output = pieces_[output_];
    FXS_TRY(const auto results, inlinePiece(composition, output, *texts[output_], texts));
    return std::move(composition).finish(results, locationOf(output.node));
  }

  Result<std::vector<TypedValue>> inlinePiece(Composition& composition, const Piece& piece, const std::string& text,
                                              const std::vector<const std::string*>& texts) {
    std::vector<TypedValue> operands;
    for (const PartOf& operand : piece.alone.operands) {
      if (const auto constant = constants_.find(operand.node); constant != constants_.end() && !values_.contains(operand)) {
        const Piece& weight = pieces_[constant->second];
        FXS_TRY(auto made, inlinePiece(composition, weight, *texts[constant->second], texts));
        if (made.size() == 1) values_[operand] = made.front();
      }
      failedAt_ = piece.node;
      const auto found = values_.find(operand);
      if (found == values_.end())
        return fail(ErrorCode::InvalidInput, "what it takes from '" + program_.node(operand.node).name + "' was not written");
      operands.push_back(found->second);
    }
    failedAt_ = piece.node;
    FXS_TRY(auto results, composition.inlineCall({text, kMain, program_.node(piece.node).name, locationOf(piece.node)}, operands));
    if (results.size() != piece.alone.results.size())
      return fail(ErrorCode::InvalidInput, "it was lowered to a function of " + std::to_string(results.size()) + " results instead of " +
                                               std::to_string(piece.alone.results.size()));
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
  std::vector<Piece> pieces_;
  std::vector<fx::Finding> leftOut_;
  std::size_t arguments_ = kNoPiece, output_ = kNoPiece;
  std::map<fx::NodeId, std::size_t> constants_, calls_;
  std::map<PartOf, TypedValue> values_;  // while it is put together
  fx::NodeId failedAt_;
};

}  // namespace

Result<std::vector<Composed>> compose(const fx::ProgramPtr& program, const fx::Program& user, const ComposeOptions& options,
                                      const lower::Engine& engine, CommandRunner& runner, const RunContext& context) {
  Composer composer(program, user, options);
  FXS_CHECK(composer.takeApart(context));
  return composer.run(engine, runner, context);
}

}  // namespace fxs::node_lab
