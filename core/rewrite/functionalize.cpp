#include "rewrite/functionalize.h"

namespace fxs::rewrite {
bool needsFunctionalization(const fx::Program&) { return false; }
Result<fx::Program> functionalize(const fx::Program&, Report&, const RunContext&) { return fail(ErrorCode::Internal, ""); }
}  // namespace fxs::rewrite
