// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/linked_stages.h"

#include <algorithm>

#include "contract/beyond_outputs.h"
#include "mlir/text/document.h"
#include "session/importing.h"
#include "session/session.h"

namespace fxs::session {
namespace {

const lower::OutputType* typeNamed(const std::vector<lower::OutputType>& path,
                                   std::string_view name) {
  const auto at = std::find_if(path.begin(), path.end(), [&](const lower::OutputType& each) {
    return lower::name(each) == name;
  });
  return at == path.end() ? nullptr : &*at;
}

/// A later text has the breaches of an earlier one too.
void addIfNew(contract::Breach breach, std::vector<contract::Breach>& known) {
  if (std::none_of(known.begin(), known.end(),
                   [&](const contract::Breach& each) { return contract::isSame(each, breach); }))
    known.push_back(std::move(breach));
}

}  // namespace

LinkedStages::LinkedStages(const fx::Program& user, const fx::Program& program, import::Mode mode,
                           const lower::OutputType& target, const std::string* raw,
                           const RunContext& context)
    : user_(user), program_(program), mode_(mode), path_(lower::pathTo(target)), imported_(raw) {
  context_.budget = context.budget;  // after a stop request, the stages that ended are still kept
}

LinkedStages::~LinkedStages() = default;

void LinkedStages::add(const lower::StageResult& stage) {
  auto document = std::make_unique<const mlir::Document>(stage.ir(), std::vector<std::string>{},
                                                         stage.irForm());
  const mlir::Document& own = *document;
  origins_.push_back(trace::originsOf(own, context_));
  if (stage.status != lower::StageStatus::Ok || stage.form != mlir::TextForm::Mlir) return;
  const lower::OutputType* type = typeNamed(path_, stage.id);
  if (type == nullptr) return;
  const bool isRaw = !(*type)->after;
  // What the program promises is what the importer wrote, not what an engine made of it.
  const bool isImported = isRaw && (imported_ == nullptr || *imported_ == stage.text);
  if (!promise_ && (imported_ != nullptr || isImported)) {
    raw_ = isImported ? std::move(document) : std::make_unique<const mlir::Document>(*imported_);
    promise_ = std::make_unique<const contract::Promise>(*raw_);
  }
  if (!promise_) return;
  const contract::Text text = contract::textOf(own);
  const lower::OutputTypeSpec& spec = *type->operator->();
  if (*type == path_.back() && lower::keepsFunction(spec))
    notes_ = contract::beyondOutputs(program_, mode_, spec, text);
  for (contract::Breach& breach : contract::check(spec, *promise_, text, user_))
    addIfNew(std::move(breach), breaches_);
}

std::vector<fx::Finding> LinkedStages::findings() const {
  std::vector<fx::Finding> out;
  for (const contract::Breach& breach : breaches_) out.push_back(breach.finding);
  out.insert(out.end(), notes_.begin(), notes_.end());
  return out;
}

void LinkedStages::explain(const trace::Trace& trace) {
  std::vector<contract::Breach> explained;
  for (contract::Breach& breach : breaches_) {
    if (breach.finding.severity == fx::Severity::Error) {
      const lower::OutputType* type = typeNamed(path_, breach.finding.stage);
      if (auto origin = contract::passOf(breach, *type->operator->(), *promise_, user_, trace))
        breach = std::move(origin->breach);
    }
    addIfNew(std::move(breach), explained);
  }
  breaches_ = std::move(explained);
}

std::vector<fx::Finding> breachesIn(const trace::Trace& trace, const std::string& raw,
                                    const fx::Program& user, const lower::OutputType& target) {
  const mlir::Document document(raw);
  const contract::Promise promise(document);
  std::vector<contract::Breach> known;
  for (const lower::OutputType& type : lower::pathTo(target)) {
    const lower::OutputTypeSpec& spec = *type.operator->();
    const auto& stages = trace.passes().stages;
    const bool ended =
        std::any_of(stages.begin(), stages.end(), [&](const lower::StageResult& stage) {
          return stage.id == spec.stage.id && stage.status == lower::StageStatus::Ok;
        });
    const int last = trace.passes().lastOf(spec.stage.id);
    if (!ended || last < 0) continue;
    for (contract::Breach& breach :
         contract::checkSnapshot(spec, promise, trace, static_cast<std::size_t>(last), user)) {
      auto origin = breach.finding.severity == fx::Severity::Error
                        ? contract::passOf(breach, spec, promise, user, trace)
                        : std::nullopt;
      if (origin) breach = std::move(origin->breach);
      else breach.finding.pass.clear();
      addIfNew(std::move(breach), known);
    }
  }
  std::vector<fx::Finding> out;
  for (contract::Breach& breach : known) out.push_back(std::move(breach.finding));
  return out;
}

Result<> linkStages(Snapshot& s, const RunContext& context) {
  const std::vector<lower::StageResult>& stages = s.lowering->stages;
  std::shared_ptr<const import::Imported> imported = s.imported;
  const std::vector<lower::OutputType> path = lower::pathTo(s.lowering->target);
  const bool hasRaw = !stages.empty() && stages.front().id == lower::name(path.front());
  const bool hasContract = std::any_of(
      stages.begin(), stages.end(),
      [&](const lower::StageResult& stage) { return typeNamed(path, stage.id) != nullptr; });
  if (hasContract && !hasRaw && !imported) {
    import::ImportOptions options = importOptionsOf(s, context);
    options.mode = import::Mode::Lowering;
    FXS_TRY(imported,
            import::importProgram(s.rewritten ? *s.rewritten->program : *s.capture->program,
                                  options, context));
  }
  LinkedStages linked(*s.capture->program,
                      s.rewritten ? *s.rewritten->program : *s.capture->program,
                      s.request.import.mode, s.lowering->target,
                      hasRaw || !imported ? nullptr : &imported->text, context);
  for (const lower::StageResult& stage : stages) linked.add(stage);
  s.origins = linked.takeOrigins();
  s.contract = linked.findings();
  return {};
}

}  // namespace fxs::session
