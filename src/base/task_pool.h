// task_pool: threads that share out numbered pieces of work.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace vieta {

/// A fixed set of threads. The caller works too, so a pool of 1 starts none.
/// What a piece computes must depend on its number alone: which thread runs it is not fixed.
class TaskPool {
 public:
  /// `threads` 0 means one for every core.
  explicit TaskPool(std::size_t threads = 0);
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  std::size_t threads() const { return workers_.size() + 1; }

  /// Calls work(piece, thread) for every piece in [0, pieces) and waits; `thread` < threads() tells
  /// which scratch to use. The first exception is thrown again here. Not re-entrant.
  void run(std::size_t pieces, const std::function<void(std::size_t, std::size_t)>& work);

 private:
  void serve(std::size_t thread);
  void take_pieces(std::size_t thread);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
  std::size_t pieces_ = 0;
  std::size_t next_ = 0;
  std::size_t finished_ = 0;
  std::exception_ptr failure_;
  bool stop_ = false;
};

}  // namespace vieta
