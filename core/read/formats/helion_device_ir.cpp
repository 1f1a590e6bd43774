// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "helion-device-ir/1": the Device IR of a bound Helion kernel, as fxscope_capture.helion writes
// it.
#include "fx/builder.h"
#include "read/format.h"
#include "read/fx_json/json_file.h"
#include "read/fx_json/signature.h"
#include "read/helion/device_ir.h"
#include "read/helion/kernel.h"
#include "read/pt2/one_of.h"

namespace fxs::read {

namespace {

constexpr std::string_view kHelionIrSchema = "helion-device-ir/1",
                           kHelionIrFamily = "helion-device-ir/";

bool sniffHelionDeviceIr(const Sniffed& sniffed, const RunContext&) {
  return fx_json::saysSchema(sniffed.head, kHelionIrFamily);
}

Result<std::string> titleOf(const Json& top) {
  std::string out = "Helion Device IR (" + std::string(kHelionIrSchema);
  for (const std::string_view member : {"kernel", "helion", "torch"}) {
    const auto at = pt2::present(top, member);
    if (!at) continue;
    FXS_TRY(const std::string_view text, at->asString());
    out += ", " + std::string(member) + " " + std::string(text);
  }
  return out + ")";
}

Result<Capture> readHelionDeviceIr(std::shared_ptr<const ByteSource> source, const Sniffed&,
                                   std::string label, const ReadOptions& options,
                                   const RunContext& context) {
  Capture capture;
  fx::Builder builder(context);
  {
    FXS_TRY(const auto document, fx_json::parseFile(*source, label, options, context));
    const Json top = document->root();
    FXS_CHECK(fx_json::expectSchema(top, kHelionIrSchema));
    FXS_TRY(capture.format, titleOf(top));
    FXS_CHECK(helion::readSizes(top, builder, capture.notes));
    helion::DeviceIrReader reader(builder, capture.notes, context);
    FXS_CHECK(reader.read(top));
    FXS_TRY(capture.kernel, helion::readKernel(top, reader.graphNames(), context));
    FXS_CHECK(fx_json::plainSignature(builder));
    if (auto torch = pt2::present(top, "torch")) {
      FXS_TRY(builder.program().torchVersion, torch->asString());
    }
  }
  capture.weights = fx_json::storedWeights(label, {});
  return fx_json::finished(std::move(capture), std::move(builder), std::move(label), *source);
}

}  // namespace

void registerHelionDeviceIr(FormatRegistry& registry) {
  registry.add({"helion_device_ir", "Device IR of a Helion kernel (helion-device-ir/1)",
                sniffHelionDeviceIr, readHelionDeviceIr});
}

}  // namespace fxs::read
