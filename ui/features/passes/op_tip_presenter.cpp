// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/op_tip_presenter.h"

#include "text/words.h"

namespace fxs::ui {

OpTipPresenter::OpTipPresenter(Services& services)
    : origins_(services.get<OpOriginPresenter>()),
      docs_(services.get<PassDocsPresenter>()),
      tips_(services.get<OpTips>()),
      finding_(services, WorkFor::View) {
  tips_.add([this](const TextOp& op) { return tip(op); });
  connect(&docs_, &PassDocsPresenter::changed, &tips_, &OpTips::changed);
}

Result<OpTipPresenter::Made> OpTipPresenter::madeIn(const trace::Trace& trace, int snapshot,
                                                    std::uint32_t line, const RunContext& context) {
  const auto index = static_cast<std::size_t>(snapshot);
  FXS_TRY(const auto module, trace.open(index));
  const mlir::OpId op = module->module->opOfLine(line);
  Made out;
  if (!op.valid()) return out;
  FXS_TRY(const std::vector<trace::MadeIn> made, trace::madeIn(trace, index, {op}, context));
  const lower::PassTrace& passes = trace.passes();
  out.message = text(trace::madeInText(passes, made.front()));
  const int pass = passes.snapshots[static_cast<std::size_t>(made.front().made)].pass;
  if (pass < 0) return out;
  const lower::PassRun& run = passes.passes[static_cast<std::size_t>(pass)];
  out.stage = text(run.stage);
  out.pass = text(run.pass);
  return out;
}

QString OpTipPresenter::madeText() {
  if (made_.message.isEmpty()) return {};
  QString out = made_.message;
  out[0] = out[0].toUpper();
  if (made_.pass.isEmpty()) return out;
  const QString does = docs_.of(made_.stage, made_.pass);
  return does.isEmpty() ? out : out + '\n' + made_.pass + ": " + does;
}

QString OpTipPresenter::tip(const TextOp& op) {
  const trace::TracePtr trace = origins_.traceOf(op.text);
  const int snapshot = origins_.snapshotOf(op.text);
  if (!trace || snapshot < 0) return {};
  if (trace == trace_ && op.text == asked_.text && op.line == asked_.line) return madeText();
  asked_ = op;
  trace_ = trace;
  made_ = {};
  finding_.start([trace, snapshot, line = op.line](
                     const RunContext& context) { return madeIn(*trace, snapshot, line, context); },
                 [this](Result<Made> found) {
                   if (!found) return;
                   made_ = *std::move(found);
                   Q_EMIT tips_.changed();
                 });
  return {};
}

}  // namespace fxs::ui
