// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the parts of one open program share, and how they find each other. Every presenter is made
// from this alone, when it is first asked for, after those that it asks for itself; they are
// destroyed in reverse. Needs no display.
#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <typeindex>
#include <vector>

#include "layout/graph_layout.h"
#include "session/job_queue.h"
#include "session/session.h"

namespace fxs::ui {

class Services {
 public:
  /// `environment.runner` also runs the layout worker. `python`: an interpreter with PyTorch,
  /// "auto" for python3, or "" for none.
  explicit Services(session::Environment environment, layout::LayoutWorker worker = {},
                    std::string python = {});
  ~Services();
  Services(const Services&) = delete;
  Services& operator=(const Services&) = delete;

  /// The T of this program, constructed from these services, or by default, at its first use.
  template <class T>
  T& get() {
    std::shared_ptr<void>& slot = slots_[typeid(T)];
    if (!slot) slot = make<T>();
    return *static_cast<T*>(slot.get());
  }
  /// Sets what get<T>() returns; before its first use. Of an interface, a T that the caller owns.
  template <class T>
  void set(std::shared_ptr<T> service) {
    assert(!slots_[typeid(T)]);
    slots_[typeid(T)] = keep(std::move(service));
  }
  /// Sets what chosen() returns, such as a test double of what a job does.
  template <class F>
  void choose(F function) {
    if (function) set(std::make_shared<F>(std::move(function)));
  }
  /// The F that was chosen, else `standard`.
  template <class F>
  F chosen(F standard) const {
    const auto found = slots_.find(typeid(F));
    return found == slots_.end() ? standard : *static_cast<F*>(found->second.get());
  }

  const session::Environment environment;
  const layout::LayoutWorker worker;
  const std::string python;
  EventLoopExecutor executor;
  JobQueue jobs;  ///< joins its threads before the executor is destroyed

 private:
  template <class T>
  std::shared_ptr<void> make() {
    if constexpr (std::is_constructible_v<T, Services&>) return keep(std::make_shared<T>(*this));
    else return keep(std::make_shared<T>());
  }
  std::shared_ptr<void> keep(std::shared_ptr<void> service);

  std::map<std::type_index, std::shared_ptr<void>> slots_;
  std::vector<std::shared_ptr<void>> made_;  ///< in order of construction
};

}  // namespace fxs::ui
