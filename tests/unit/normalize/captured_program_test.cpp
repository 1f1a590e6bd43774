// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A JSON dump of an exported program and its .pt2 are one program: the same graph, the same
// normalized metadata. tests/unit/read/captures holds dumps of three samples, which
// captures/make.py made.
#include <gtest/gtest.h>

#include "fx/text.h"
#include "normalize/normalize.h"
#include "normalized_program.h"
#include "read/read.h"

namespace fxs::normalize {
namespace {

fx::ProgramPtr opened(const std::string& path) {
  auto capture = read::openCapture(std::string(FXS_SOURCE_DIR) + "/" + path, {}, {});
  if (!capture) throw std::runtime_error(toString(capture.error()));
  return capture->program;
}

/// The graph and every metadata string of a normalized program; "normalized" says what was read,
/// which differs by what was found.
std::string wholeText(const fx::ProgramPtr& program) {
  const auto normalized = normalize(program, {});
  const fx::ProgramPtr out = test::normalizedProgram(**normalized);
  std::string text = fx::dump(*out);
  for (const fx::Node& node : out->nodes) {
    std::vector<std::string> lines;
    for (const fx::MetaString& m : node.meta)
      if (out->text(m.key) != "normalized")
        lines.push_back(node.name + " " + out->text(m.key) + ": " + out->text(m.text) + "\n");
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) text += line;
  }
  for (const std::string& name : out->inputNames) text += "input " + name + "\n";
  for (const std::string& guard : out->guards) text += "guard " + guard + "\n";
  for (const fx::Weight& w : out->weights) {
    text += "weight " + w.fqn + (w.isParameter ? " parameter" : "") +
            (w.constant ? " constant " : " ") + std::string(facts(w.dtype).torchName);
    for (const std::int64_t size : w.sizes) text += " " + std::to_string(size);
    for (const std::int64_t stride : w.strides) text += ", " + std::to_string(stride);
    text += "\n";
  }
  return text + out->dialect + " " + out->torchVersion;
}

class CapturedProgram : public testing::TestWithParam<const char*> {};
TEST_P(CapturedProgram, IsThatOfTheArchive) {
  const std::string name = GetParam();
  EXPECT_EQ(wholeText(opened("tests/unit/read/captures/" + name + ".json")),
            wholeText(opened("samples/" + name + ".pt2")));
}
INSTANTIATE_TEST_SUITE_P(Normalize, CapturedProgram,
                         testing::Values("buffer_mutation", "control_flow", "decoder_dynamic"));

}  // namespace
}  // namespace fxs::normalize
