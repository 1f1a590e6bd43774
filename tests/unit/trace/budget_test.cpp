// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces that somebody else made: what is kept of them is counted, and a stored one reads no file
// but its own.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/byte_source.h"
#include "trace/attribute.h"
#include "trace/provenance.h"

namespace fxs::trace {
namespace {

RunContext with(Resource resource, std::uint64_t amount) {
  RunContext context;
  BudgetLimits limits;
  limits[resource] = amount;
  context.budget = std::make_shared<const Budget>(limits);
  return context;
}

TEST(TraceBudget, EqualConstantsAreCountedForEachOfTheOthers) {
  // Each of a thousand may have come from each of a thousand before it.
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "%k" + std::to_string(i) + " = \"tosa.const\"() : () -> f32\n";
  const mlir::Module module(text);
  SnapshotOrigins stored;
  for (std::size_t i = 0; i < module.ops.size(); ++i) stored.add(Link::None, {}, {}, 1);
  std::vector<Origin> origins(module.ops.size());
  try {
    attributeToEqualConstants(module, origins, {0, module, stored}, with(Resource::Values, 10'000));
    FAIL() << "they were kept";
  } catch (const Abandoned& abandoned) {
    EXPECT_EQ(abandoned.error.message,
              "the trace: constants without locations: exceeds the limit of 10,000 values for one "
              "input; if you trust it, raise the limit "
              "with --limit values=..");
  }
}

TEST(TraceBudget, ASnapshotIsARegularFileOfTheTracesFolder) {
  const std::filesystem::path directory =
      std::filesystem::path(testing::TempDir()) / "fxscope-trace-links";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directory(directory);
  std::filesystem::create_symlink("/dev/zero", directory / "00-raw.mlir");
  auto passes = std::make_shared<lower::PassTrace>();
  passes->directory = directory.string();
  passes->snapshots.push_back({"raw", -1, "00-raw.mlir", false});
  const TracePtr trace =
      makeTrace(std::move(passes), {}, {std::make_shared<const SnapshotOrigins>()}, nullptr);
  const auto snapshot = trace->open(0);
  ASSERT_FALSE(snapshot);
  EXPECT_EQ(snapshot.error().message,
            (directory / "00-raw.mlir").string() + ": it is not a regular file; trace again");
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace fxs::trace
