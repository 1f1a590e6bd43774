#include "session/job_queue.h"

#include <QMetaObject>
#include <QObject>

namespace fxs::ui {

struct EventLoopExecutor::Target : QObject {};

EventLoopExecutor::EventLoopExecutor() : target_(std::make_unique<Target>()) {}
EventLoopExecutor::~EventLoopExecutor() = default;
void EventLoopExecutor::post(std::function<void()> call) {
  QMetaObject::invokeMethod(target_.get(), std::move(call), Qt::QueuedConnection);
}

JobQueue::JobQueue(Executor& executor, unsigned workers) : executor_(executor) {
  for (unsigned i = 0; i < workers; ++i) workers_.emplace_back([this](std::stop_token stop) { loop(std::move(stop)); });
}

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(mutex_);
    for (auto& [key, ticket] : tickets_) {
      ticket->current = false;
      ticket->stop.request_stop();
    }
    jobs_.clear();
  }
  for (std::jthread& worker : workers_) worker.request_stop();
  workers_.clear();
}

std::shared_ptr<JobQueue::Ticket> JobQueue::begin(const std::string& key) {
  auto ticket = std::make_shared<Ticket>();
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Ticket>& slot = tickets_[key];
  if (slot) {
    slot->current = false;
    slot->stop.request_stop();
  }
  slot = ticket;
  return ticket;
}

void JobQueue::enqueue(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  ready_.notify_one();
}

void JobQueue::cancel(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (const auto found = tickets_.find(key); found != tickets_.end()) found->second->stop.request_stop();
}

void JobQueue::supersede(const std::string& key) { begin(key); }

void JobQueue::loop(std::stop_token stop) {
  for (;;) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      if (!ready_.wait(lock, stop, [this] { return !jobs_.empty(); })) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

}  // namespace fxs::ui
