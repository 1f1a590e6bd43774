// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop nests of a kernel, one for each root graph, and the tiles of their blocks.
#include <algorithm>

#include "registry/kernel/kernel_lowering.h"
#include "registry/linalg/arith.h"
#include "registry/linalg/slices.h"

namespace fxs::registry {
namespace {

const std::string kIndexType = "index";

}  // namespace

/// The root graphs that the file names behind main.
KernelLowering::Reason KernelLowering::findRoots() {
  roots_.push_back({&program_.main(), kernel_.grid, 0});
  Reason reason;
  for (const fx::KernelRoot& more : kernel_.more) {
    const auto graph = std::find_if(program_.graphs.begin(), program_.graphs.end(),
                                    [&](const fx::Graph& each) { return each.name == more.graph; });
    if (more.graph.empty())
      reason =
          "the file does not say which blocks a root graph runs over; capture the kernel with "
          "fxscope_capture.py";
    else if (graph == program_.graphs.end())
      reason = "root graph '" + more.graph + "' is not in the file";
    else roots_.push_back({&*graph, more.grid, 0});
  }
  return reason;
}

/// Whether the iterations of the grid are independent, as far as the text of scf.forall can say it:
/// each output is written by one store of the root graph, at a place of its own, and is not read.
bool KernelLowering::canRunInParallel() const {
  std::set<std::size_t> written;
  std::size_t stores = 0;
  for (const fx::NodeId id : root_.graph->nodes) {
    const fx::Node& node = program_.node(id);
    if (!calls(node, "memory_ops.store")) continue;
    HostTensor* host = const_cast<KernelLowering*>(this)->hostOf(argument(node, 0));
    if (host == nullptr || host->isRead || isGather(node, 3) ||
        !written.insert(static_cast<std::size_t>(host - hosts_.data())).second)
      return false;
    ++stores;
    std::set<std::int64_t> used;
    if (const fx::ArgumentList* indices = argument(node, 1).list())
      for (const fx::Argument& index : *indices) {
        if (const auto block = blockOf(index)) used.insert(*block);
      }
    for (const std::int64_t block : root_.grid)
      if (!used.contains(block)) return false;
  }
  return stores > 0 && stores == root_.stores;
}

KernelLowering::Tile KernelLowering::tileOf(std::int64_t block, const Value& offset,
                                            std::int64_t begin, std::int64_t end,
                                            const Value& endValue) {
  const std::int64_t size = *plan_.tiles[static_cast<std::size_t>(block)];
  Tile out;
  out.offset = offset;
  out.valid = size;
  if (!isSymbolic(begin) && !isSymbolic(end)) {
    out.end = end;
    const std::int64_t extent = std::max(minus(end, begin), std::int64_t{0});
    if (extent < size) out.valid = extent;
    if (extent % size == 0 || extent < size) {
      out.full = out.valid == size || extent == 0;
      return out;
    }
  }
  const linalg::Arith arith(emit_, DType::Int64);
  const Value rest = arith.sub(endValue, offset), full = emit_.index(size);
  out.valid = emit_.symbol(arith.minimum(rest, full));
  out.full = false;
  return out;
}

KernelLowering::Reason KernelLowering::writeParallelGrid(const std::vector<HostTensor*>& outputs) {
  std::vector<Value> operands;
  std::vector<std::string> types, arguments(root_.grid.size(), kIndexType);
  Sizes begins(Sizes::Base(root_.grid.size(), 0)), ends, steps;
  for (const std::int64_t block : root_.grid) {
    ends.push_back(symbols_.of(*kernel_.blocks[static_cast<std::size_t>(block)].extent));
    steps.push_back(*plan_.tiles[static_cast<std::size_t>(block)]);
  }
  std::vector<Value> endValues;
  for (const std::int64_t end : ends) endValues.push_back(emit_.index(end));
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (isSymbolic(ends[i])) operands.push_back(endValues[i]);
  const std::size_t bounds = operands.size();
  for (HostTensor* output : outputs) {
    operands.push_back(output->now);
    types.push_back(output->now.type);
  }
  arguments.insert(arguments.end(), types.begin(), types.end());
  auto open = emit_.begin("scf.forall", operands, types,
                          "operandSegmentSizes = array<i32: 0, " + std::to_string(bounds) +
                              ", 0, " + std::to_string(outputs.size()) +
                              ">, staticLowerBound = " + linalg::staticSizes(begins) +
                              ", staticStep = " + linalg::staticSizes(steps) +
                              ", staticUpperBound = " + linalg::staticSizes(ends));
  const std::vector<Value> inside = emit_.beginRegion(open, arguments);
  for (std::size_t i = 0; i < root_.grid.size(); ++i)
    tiles_[static_cast<std::size_t>(root_.grid[i])] =
        tileOf(root_.grid[i], inside[i], 0, ends[i], endValues[i]);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i]->now = inside[root_.grid.size() + i];
  std::vector<Insert> inserts;
  parallel_ = &inserts;
  lowerRoot();
  parallel_ = nullptr;
  const fx::Node& output = program_.output(root_.graph->id);
  locate(output);
  auto together = emit_.begin("scf.forall.in_parallel", {}, {});
  emit_.beginRegion(together, {});
  if (inserts.empty())
    emit_.lines("      ^bb0:\n", 0);  // a region has a block, even if every store is refused
  for (const Insert& insert : inserts) {
    locate(*insert.store);
    linalg::overwrittenInParallel(emit_, insert.part, insert.host->now, insert.offsets,
                                  insert.sizes);
  }
  locate(output);
  emit_.endRegion(together);
  emit_.finish(together);
  emit_.endRegion(open);
  const std::vector<Value> results = emit_.finish(open);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i]->now = results[i];
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::checkGrid(const std::vector<std::int64_t>& grid) const {
  for (const std::int64_t block : grid) {
    const fx::KernelBlock& runs = kernel_.blocks[static_cast<std::size_t>(block)];
    if (!runs.extent)
      return "the file does not say how far the grid runs over block '" + runs.symbol +
             "'; capture the kernel with fxscope_capture.py";
    if (!plan_.tiles[static_cast<std::size_t>(block)]) return sizeUnknown(runs);
  }
  return std::nullopt;
}

void KernelLowering::lowerRoot() {
  std::vector<NodeCoverage> coverage = lowerNodes(*root_.graph);
  std::move(coverage.begin(), coverage.end(), std::back_inserter(out_->coverage));
}

KernelLowering::Reason KernelLowering::writeSerialGrid(const std::vector<HostTensor*>& outputs) {
  Values now;
  for (const HostTensor* output : outputs) now.push_back(output->now);
  ForNest nest(emit_, std::move(now));
  for (const std::int64_t block : root_.grid) {
    const auto at = static_cast<std::size_t>(block);
    const std::int64_t extent = symbols_.of(*kernel_.blocks[at].extent);
    const Value begin = emit_.index(0), end = emit_.index(extent),
                step = emit_.index(*plan_.tiles[at]);
    tiles_[at] = tileOf(block, nest.enter(begin, end, step), 0, extent, end);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i]->now = nest.now()[i];
  lowerRoot();
  now.clear();
  for (const HostTensor* output : outputs) now.push_back(output->now);
  locate(program_.output(root_.graph->id));
  now = nest.leave(std::move(now));
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i]->now = now[i];
  return std::nullopt;
}

/// Writes one loop nest; its stores are the last values of what it stores to.
KernelLowering::Reason KernelLowering::writeRoot() {
  std::vector<HostTensor*> outputs;
  if (const auto stored = storedIn_.find(root_.graph->id.index()); stored != storedIn_.end())
    for (const std::size_t host : stored->second) outputs.push_back(&hosts_[host]);
  locate(program_.output(root_.graph->id));
  return !root_.grid.empty() && canRunInParallel() ? writeParallelGrid(outputs)
                                                   : writeSerialGrid(outputs);
}

KernelLowering::Reason KernelLowering::writeGrid() {
  if (rootsMissing_) return rootsMissing_;
  for (const Root& root : roots_)
    if (const Reason reason = checkGrid(root.grid)) return reason;
  for (const std::size_t host : results_)
    if (hosts_[host].now.name.empty()) {
      locate(program_.node(hosts_[host].node));
      hosts_[host].now = linalg::empty(emit_, hosts_[host].type);
    }
  for (const Root& root : roots_) {
    root_ = root;
    if (const Reason reason = writeRoot()) return reason;
    std::fill(tiles_.begin(), tiles_.end(), std::nullopt);
  }
  return std::nullopt;
}

}  // namespace fxs::registry
