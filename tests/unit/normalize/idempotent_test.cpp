// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalizing twice is the same as once, on every program there is: samples, Helion's Device IR,
// captures of every kind of value.
#include <gtest/gtest.h>

#include <filesystem>

#include "fx/text.h"
#include "normalize/normalize.h"
#include "normalized_program.h"
#include "read/read.h"

namespace fxs::normalize {
namespace {

std::string textOf(const std::vector<fx::SymInt>& sizes) {
  std::string out;
  for (const fx::SymInt& s : sizes) out += s.text() + " ";
  return out;
}

/// Everything of a node's metadata but the changes.
std::string textOf(const NodeMetadata& m) {
  std::string out = fx::dumpValue(m.val) + "|" + m.originalAten + "|";
  for (const TensorMetadata& t : m.tensorMeta)
    out += textOf(t.shape) + std::string(facts(t.dtype).torchName) +
           (t.requiresGrad ? " grad " : " ") + textOf(t.stride) + t.memoryFormat +
           (t.isQuantized ? " quantized|" : "|");
  for (const fx::ModuleFrame& f : m.moduleStack) out += f.key + "," + f.path + "," + f.type + ";";
  for (const fx::StackFrame& f : m.stack)
    out += f.file + ":" + std::to_string(f.line) + " " + f.function + " " + f.code + ";";
  return out + (m.userLine ? m.userLine->code : "");
}

void expectIdempotent(const fx::ProgramPtr& program) {
  const auto once = normalize(program, {});
  ASSERT_TRUE(once);
  const fx::ProgramPtr normalized = test::normalizedProgram(**once);
  ASSERT_TRUE(fx::verify(*normalized));
  const auto twice = normalize(normalized, {});
  ASSERT_TRUE(twice);
  for (const fx::Node& node : program->nodes) {
    const NodeMetadata &a = (*once)->nodes[node.id.index()], &b = (*twice)->nodes[node.id.index()];
    EXPECT_EQ(textOf(a), textOf(b)) << node.name;
    for (const MetadataChange& c : b.changes)
      ADD_FAILURE() << node.name << ": " << c.key << ": " << c.before << " -> " << c.after << " ["
                    << c.rule << "]";
    EXPECT_EQ(textOf(normalizeNode(*program, node)), textOf(a)) << node.name;
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Idempotent, OnEveryRecordedProgram) {
  std::size_t programs = 0;
  for (const char* folder : {"samples", "tests/unit/read/helion", "tests/unit/read/captures",
                             "tests/unit/read/archives"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(FXS_SOURCE_DIR) + "/" + folder)) {
      const auto capture = read::openCapture(entry.path().string(), {}, {});
      if (!capture) continue;
      SCOPED_TRACE(entry.path().filename().string());
      expectIdempotent(capture->program);
      ++programs;
    }
  EXPECT_GT(programs, 15u);
}

TEST(Idempotent, OnEveryKindOfChange) {
  const auto parsed = fx::graphFrom(
      "x: f32[s0, 3] requires_grad = placeholder\n"
      "y = aten.relu.default(x)\n"
      "t = aten.transpose.int(y, 0, 1)\n"
      "n: Sym(2*s0) = aten.sym_size.int(x, 0)\n"
      "s: (f32[1], ?, (i64[3], None, Sym(s0))) = my.op(x)\n"
      "g = getitem(s, 2)\n"
      "h = getitem(g, 0)\n"
      "u = my.other(x)\n"
      "return t, h, u\n"
      "Range constraints: {s0: VR[2, 128]}\n");
  ASSERT_TRUE(parsed) << toString(parsed.error());
  expectIdempotent(*parsed);
}

}  // namespace
}  // namespace fxs::normalize
