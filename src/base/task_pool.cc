#include "base/task_pool.h"

#include <algorithm>

namespace vieta {

TaskPool::TaskPool(std::size_t threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  workers_.reserve(threads - 1);
  for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this, i] { serve(i); });
}

TaskPool::~TaskPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void TaskPool::run(std::size_t pieces, const std::function<void(std::size_t, std::size_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    pieces_ = pieces;
    next_ = 0;
    finished_ = 0;
    failure_ = nullptr;
  }
  wake_.notify_all();
  take_pieces(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return finished_ == pieces_; });
  work_ = nullptr;
  if (failure_) std::rethrow_exception(failure_);
}

void TaskPool::serve(std::size_t thread) {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || (work_ != nullptr && next_ < pieces_); });
      if (stop_) return;
    }
    take_pieces(thread);
  }
}

void TaskPool::take_pieces(std::size_t thread) {
  std::unique_lock lock(mutex_);
  while (work_ != nullptr && next_ < pieces_) {
    const std::size_t piece = next_++;
    const auto* work = work_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*work)(piece, thread);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) failure_ = failure;
    if (++finished_ == pieces_) done_.notify_all();
  }
}

}  // namespace vieta
