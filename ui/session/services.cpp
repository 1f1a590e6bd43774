// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/services.h"

namespace fxs::ui {
namespace {

/// A lowering, layout, trace and diagnosis may each occupy a worker for long; the others serve
/// texts and searches.
constexpr unsigned kWorkers = 6;

}  // namespace

Services::Services(session::Environment environment_, layout::LayoutWorker worker_,
                   std::string python_)
    : environment(std::move(environment_)),
      worker(std::move(worker_)),
      python(std::move(python_)),
      jobs(executor, kWorkers) {}

Services::~Services() {
  slots_.clear();
  while (!made_.empty()) made_.pop_back();
}

std::shared_ptr<void> Services::keep(std::shared_ptr<void> service) {
  made_.push_back(service);
  return service;
}

}  // namespace fxs::ui
