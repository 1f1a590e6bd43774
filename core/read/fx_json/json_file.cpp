// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/fx_json/json_file.h"

namespace fxs::read::fx_json {

bool saysSchema(std::string_view head, std::string_view family) {
  const auto skipSpace = [&] {
    const auto at = head.find_first_not_of(" \t\r\n");
    head.remove_prefix(at == std::string_view::npos ? head.size() : at);
  };
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  skipSpace();
  if (!head.starts_with('{')) return false;
  const auto at = head.find("\"schema\"");
  if (at == std::string_view::npos) return false;
  head.remove_prefix(at + 8);
  skipSpace();
  if (!head.starts_with(':')) return false;
  head.remove_prefix(1);
  skipSpace();
  return head.starts_with("\"" + std::string(family));
}

Result<std::shared_ptr<const JsonDocument>> parseFile(const ByteSource& source,
                                                      const std::string& label,
                                                      const ReadOptions& options,
                                                      const RunContext& context) {
  if (source.size() > options.maxModelBytes)
    return fail(ErrorCode::InvalidInput, label + ": " + std::to_string(source.size()) +
                                             " bytes; the limit is " +
                                             std::to_string(options.maxModelBytes));
  spendJsonText(source.size(), label, context);
  context.spend(Resource::Unpacked, source.size(), label);
  FXS_TRY(const std::string text, source.read(0, source.size()));
  return JsonDocument::parse(text, label, {}, context);
}

Result<> expectSchema(const Json& top, std::string_view schema) {
  FXS_TRY(const Json member, top.at("schema"));
  FXS_TRY(const std::string_view text, member.asString());
  if (text == schema) return {};
  return tl::unexpected<Error>(
      Error{ErrorCode::Unsupported,
            member
                .error("'" + std::string(text) + "' is not a supported version; fxscope reads " +
                       std::string(schema))
                .message,
            {}});
}

}  // namespace fxs::read::fx_json
