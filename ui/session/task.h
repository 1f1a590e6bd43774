// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Work in the background: a presenter has a Task for each kind of work that it starts.
//
//   Task<Result<Times>> measuring_{services, WorkFor::Answer, CancelBy::Button};
//   measuring_.start("measuring", [..](const RunContext& context) -> Result<Times> { .. },
//                    [this](Result<Times> made) { .. });
//
// The work runs on a worker and touches nothing of the window; `done` runs on the thread of the
// window. A Task runs one at a time: starting it again supersedes what it was doing, whose `done`
// never runs, and so does destroying it. From its construction to its destruction it is in the
// WorkList, so that it can be waited for, and cancelled.
#include <QObject>
#include <functional>
#include <memory>
#include <type_traits>

#include "base/result.h"
#include "session/work_list.h"
#include "session/work_state.h"

namespace fxs::ui {

class JobQueue;
class Services;

/// A Task, whatever its result.
class Work : public QObject {
  Q_OBJECT
 public:
  /// Runs a call on the thread of the window, unless the work was superseded by then: for results
  /// that are there before the end.
  using Post = std::function<void(std::function<void()>)>;

  ~Work() override;

  /// `message` is that of the error, if the last result was one.
  const WorkState& state() const { return state_; }
  bool running() const { return state_.running; }
  WorkFor purpose() const { return purpose_; }
  CancelBy cancelBy() const { return cancelBy_; }

  /// Asks what runs to stop. Its `done` does run, usually with Cancelled. `message` is the step
  /// shown from now on; "" keeps it.
  void cancel(const QString& message = {});
  /// Stops what runs, whose `done` never runs, and resets state(), but for `message`.
  void supersede(QString reason = {});
  /// To be called by `done`, which knows better why there is no result.
  void setMessage(const QString& message) { state_.message = message; }

 Q_SIGNALS:
  /// state() changed: work began, went on, was superseded, or ended, after its `done`.
  void changed();

 protected:
  /// Runs on a worker. What it returns runs on the thread of the window.
  using Job = std::function<std::function<void()>(const RunContext&, const Post&)>;

  Work(Services& services, WorkFor purpose, CancelBy cancelBy);
  Work(JobQueue& jobs, WorkList& list, WorkFor purpose, CancelBy cancelBy);
  void begin(const QString& message, Job job);
  /// `error`: of the result; null if it is none.
  void end(const Error* error, const std::function<void()>& done);

 private:
  struct Run;
  void stop();
  void notify();

  JobQueue& jobs_;
  WorkList& list_;
  const WorkFor purpose_;
  const CancelBy cancelBy_;
  std::shared_ptr<Run> run_;  ///< the last; null before the first
  WorkState state_;
};

template <class T>
class Task final : public Work {
 public:
  explicit Task(Services& services, WorkFor purpose = WorkFor::Answer,
                CancelBy cancelBy = CancelBy::Owner)
      : Work(services, purpose, cancelBy) {}
  Task(JobQueue& jobs, WorkList& list, WorkFor purpose = WorkFor::Answer,
       CancelBy cancelBy = CancelBy::Owner)
      : Work(jobs, list, purpose, cancelBy) {}

  /// `work` returns a T from a const RunContext&, or from that and a const Post&. If it throws, the
  /// result is the error if T is a Result, else a default T. `message` is its first step.
  template <class F>
  void start(const QString& message, F work, std::function<void(T)> done) {
    begin(message, [this, work = std::move(work), done = std::move(done)](const RunContext& context,
                                                                          const Post& post) {
      auto result = std::make_shared<T>(resultOf(work, context, post));
      return [this, done, result] {
        const Error* error = nullptr;
        if constexpr (requires { result->error(); })
          if (!*result) error = &result->error();
        end(error, [&] { done(std::move(*result)); });
      };
    });
  }
  template <class F>
  void start(F work, std::function<void(T)> done) {
    start(QString(), std::move(work), std::move(done));
  }

 private:
  template <class F>
  static T resultOf(const F& work, const RunContext& context, const Post& post) {
    try {
      if constexpr (std::is_invocable_v<const F&, const RunContext&, const Post&>)
        return work(context, post);
      else return work(context);
    } catch (...) {
      auto error = abandoned("this step");
      if constexpr (std::is_constructible_v<T, tl::unexpected<Error>>) return error;
      else return T{};
    }
  }
};

}  // namespace fxs::ui
