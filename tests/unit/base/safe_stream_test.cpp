// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/safe_stream.h"

#include <gtest/gtest.h>

#include <ostream>
#include <sstream>

namespace fxs {
namespace {

struct Written {
  std::ostringstream to;
  SafeStreamBuffer buffer{*to.rdbuf()};
  std::ostream out{&buffer};

  std::string take() {
    out.flush();
    buffer.finish();
    return to.str();
  }
};

TEST(SafeStream, WhatIsWrittenIsEscapedAsLines) {
  Written w;
  w.out << "a\x1b[2J\r\n" << '\x07' << "\tb\xff" << 12 << "\xe2\x80\xae\n";
  EXPECT_EQ(w.take(), "a\\x1b[2J\\r\n\\x07\tb\\xff12\\u{202e}\n");
}

TEST(SafeStream, ACharacterMayComeInPieces) {
  const std::string text =
      "gr\xc3\xb6\xc3\x9f"
      "e \xe6\xa8\xa1 \xf0\x9f\x98\x80 \xc2\x9b end";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Written w;
    w.out << text.substr(0, cut) << std::flush << text.substr(cut);
    EXPECT_EQ(w.take(),
              "gr\xc3\xb6\xc3\x9f"
              "e \xe6\xa8\xa1 \xf0\x9f\x98\x80 \\u{009b} end")
        << cut;
  }
  Written bytes;
  for (const char c : text) bytes.out.put(c);
  EXPECT_EQ(bytes.take(),
            "gr\xc3\xb6\xc3\x9f"
            "e \xe6\xa8\xa1 \xf0\x9f\x98\x80 \\u{009b} end");
}

TEST(SafeStream, ACharacterThatNeverEndsIsShownAsBytes) {
  Written w;
  w.out << "x\xf0\x9f\x98";
  EXPECT_EQ(w.take(), "x\\xf0\\x9f\\x98");
}

TEST(SafeStream, MegabytesOfPlainTextPassAsTheyAre) {
  std::string text;
  while (text.size() < 1'000'000)
    text += "  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2,3],f32>\n";
  Written plain;
  plain.out << text;
  EXPECT_EQ(plain.take(), text);
  Written odd;
  odd.out << text << "\x1b" << text;
  EXPECT_EQ(odd.take(), text + "\\x1b" + text);
}

class Full final : public std::streambuf {};

TEST(SafeStream, AFullDiskIsAnError) {
  Full full;
  SafeStreamBuffer buffer(full);
  std::ostream out(&buffer);
  out << "x";
  EXPECT_FALSE(out);
}

}  // namespace
}  // namespace fxs
