// A few threads that walk trees. With one thread everything runs in the caller.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace c4 {

class ThreadPool {
 public:
  // Throws std::system_error when the system gives fewer threads; those that it gave have ended then.
  explicit ThreadPool(int threads) {
    try {
      for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { Work(i); });
    } catch (const std::system_error& error) {
      const std::string made = std::to_string(size());
      Stop();
      throw std::system_error(error.code(),
                              "only " + made + " of " + std::to_string(threads) + " threads could be made");
    } catch (...) {
      Stop();
      throw;
    }
  }

  ~ThreadPool() { Stop(); }

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(first, last, thread) once for each thread, with contiguous parts of the indices below `count`. An
  // exception of any part is thrown again here, after all parts have ended.
  template <typename Body>
  void ForRanges(std::size_t count, Body&& body) {
    if (workers_.empty()) {
      body(std::size_t{0}, count, 0);
      return;
    }
    const auto threads = static_cast<std::size_t>(size());
    Run([&](int thread) {
      const auto part = static_cast<std::size_t>(thread);
      body(count * part / threads, count * (part + 1) / threads, thread);
    });
  }

  // Calls body(index, thread) for each index below `count`.
  template <typename Body>
  void ForEach(std::size_t count, Body&& body) {
    ForRanges(count, [&body](std::size_t first, std::size_t last, int thread) {
      for (std::size_t i = first; i < last; ++i) body(i, thread);
    });
  }

 private:
  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    start_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void Run(const std::function<void(int)>& job) {
    {
      const std::lock_guard lock(mutex_);
      job_ = &job;
      failure_ = nullptr;
      running_ = static_cast<int>(workers_.size());
      ++round_;
    }
    start_.notify_all();
    RunPart(job, 0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return running_ == 0; });
    job_ = nullptr;
    if (failure_) std::rethrow_exception(failure_);
  }

  void RunPart(const std::function<void(int)>& job, int thread) {
    try {
      job(thread);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  void Work(int thread) {
    std::size_t seen = 0;
    for (;;) {
      const std::function<void(int)>* job = nullptr;
      {
        std::unique_lock lock(mutex_);
        start_.wait(lock, [&] { return stopping_ || round_ != seen; });
        if (stopping_) return;
        seen = round_;
        job = job_;
      }
      RunPart(*job, thread);
      const std::lock_guard lock(mutex_);
      if (--running_ == 0) done_.notify_one();
    }
  }

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  const std::function<void(int)>* job_ = nullptr;
  std::exception_ptr failure_;
  std::size_t round_ = 0;
  int running_ = 0;
  bool stopping_ = false;
};

}  // namespace c4
