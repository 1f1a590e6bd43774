// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schema_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/byte_source.h"

namespace fxs::test {

void expectSchemaFile(const std::string& name, const std::string& text) {
  const std::string file = FXS_SOURCE_DIR "/resources/schemas/" + name + ".schema.json";
  if (std::getenv("FXSCOPE_WRITE_SCHEMAS") != nullptr) {
    ASSERT_TRUE(writeWholeFile(file, text));
    return;
  }
  const auto stored = readWholeFile(file, 1 << 20);
  ASSERT_TRUE(stored);
  EXPECT_EQ(*stored, text) << file << ": FXSCOPE_WRITE_SCHEMAS=1 ./test -R Schemas writes it";
}

}  // namespace fxs::test
