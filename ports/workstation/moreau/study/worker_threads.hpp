// Threads that compute the blocks of a part of a study.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "moreau/study/block_file.hpp"
#include "moreau/study/program.hpp"

namespace moreau::study {

// Blocks index - 1, index - 1 + parts, ...: every part gets early and late blocks.
struct Part {
  std::uint64_t index = 1, parts = 1;
  bool has(std::uint64_t block) const { return block % parts == index - 1; }
};

// Ctrl-C and SIGTERM request an end after the blocks in progress. A second Ctrl-C ends the program at once, which is
// safe.
class Stop {
 public:
  static void listen() {
    struct sigaction action = {};
    action.sa_handler = [](int) { asked_ = 1; };
    ::sigaction(SIGTERM, &action, nullptr);
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, nullptr);
  }
  static bool asked() { return asked_ != 0; }
  static_assert(std::atomic<int>::is_always_lock_free);

 private:
  static inline std::atomic<int> asked_{0};  // lock-free: a signal handler may set it
};

class Progress {
  using Clock = std::chrono::steady_clock;

 public:
  Progress(const Folder& folder, std::uint64_t todo_runs)
      : folder_(folder), todo_(todo_runs), records_(folder.records()), terminal_(::isatty(STDERR_FILENO) != 0) {}

  std::atomic<std::uint64_t> runs{0};  // computed so far by all threads

  // Prints progress: one line that is overwritten on a terminal, otherwise an occasional new line.
  void show(bool last) {
    const double now = seconds();
    if (!last && now < next_) return;
    next_ = now + (terminal_ ? 0.5 : 30);
    const double done = double(runs), pace = now > 0 ? done / now : 0;
    const Layout& all = folder_.layout();
    const double whole = double(all.runs), block = double(all.block_size);
    if (last || now >= next_glance_) {  // rarely: on a cluster many processes query one file server
      glance_ = folder_.records();
      next_glance_ = now + 15;
    }
    const double present = std::min(whole, double(records_) * block);
    const double there = std::min(whole, std::max(double(glance_) * block, present + done));
    const double pace_of_all = now > 0 ? (there - present) / now : 0;
    std::fprintf(stderr, "%s%5.1f %% of this part, %.0f runs/s, %s left; all parts %.1f %%, %s left%s",
                 terminal_ ? "\r" : "", todo_ > 0 ? 100 * done / double(todo_) : 100.0, pace,
                 time((double(todo_) - done) / pace).c_str(), 100 * there / whole,
                 time((whole - there) / pace_of_all).c_str(), terminal_ && !last ? "\033[K" : "\n");
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  static std::string time(double s) {
    if (!(s < 1e9)) return "?";
    char text[40];
    if (s < 120)
      std::snprintf(text, sizeof text, "%.0f s", s);
    else if (s < 7200)
      std::snprintf(text, sizeof text, "%.0f min", s / 60);
    else
      std::snprintf(text, sizeof text, "%.1f h", s / 3600);
    return text;
  }

  const Folder& folder_;
  std::uint64_t todo_, records_, glance_ = 0;  // records at the start and at the last query
  bool terminal_;
  double next_ = 1, next_glance_ = 15;
  Clock::time_point begin_ = Clock::now();
};

class Workers {
 public:
  Workers(const Program& program, const Folder& folder, const std::vector<std::uint64_t>& todo)
      : program_(program),
        folder_(folder),
        todo_(todo),
        attempt_(folder),
        progress_(folder, runs_of(folder.layout(), todo)) {}

  // Returns when all blocks are written or a stop is requested; rethrows an error of any thread.
  void run(unsigned threads) {
    std::vector<std::thread> team;
    std::unique_lock<std::mutex> lock(mutex_);
    for (unsigned i = 0; i < threads; ++i) {
      try {
        team.emplace_back([this] { work(); });
        ++busy_;
      } catch (const std::system_error&) {
        if (team.empty()) throw;
        break;  // the machine provides no more threads: continue with fewer
      }
    }
    while (busy_ > 0) {
      ended_.wait_for(lock, std::chrono::milliseconds(200));
      if (busy_ == 0 || trouble_) continue;
      lock.unlock();
      try {
        progress_.show(false);
      } catch (...) {
        lock.lock();
        give_up();
        continue;
      }
      lock.lock();
    }
    lock.unlock();
    for (auto& thread : team) thread.join();
    if (trouble_) std::rethrow_exception(trouble_);
    attempt_.finish();
    progress_.show(true);
  }

 private:
  static std::uint64_t runs_of(const Layout& layout, const std::vector<std::uint64_t>& blocks) {
    std::uint64_t sum = 0;
    for (const auto block : blocks) sum += layout.count(block);
    return sum;
  }

  void work() {
    try {
      const auto evaluate = program_.worker();
      Draws draws(program_.description.design());
      std::vector<double> rows(folder_.layout().numbers());
      for (std::uint64_t i = next_++; i < todo_.size() && !Stop::asked() && !halted_; i = next_++) {
        compute(todo_[i], evaluate, draws, rows);
        if (halted_) break;
        const std::lock_guard<std::mutex> guard(mutex_);
        attempt_.append(todo_[i], rows);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> guard(mutex_);
      give_up();
    }
    const std::lock_guard<std::mutex> guard(mutex_);
    --busy_;
    ended_.notify_one();
  }
  // Call with the mutex held, inside a catch block.
  void give_up() {
    if (!trouble_) trouble_ = std::current_exception();
    halted_ = true;
  }

  void compute(std::uint64_t block, const Program::Evaluate& evaluate, Draws& draws, std::vector<double>& rows) {
    const Layout& layout = folder_.layout();
    std::fill(rows.begin(), rows.end(), 0.0);
    for (std::uint64_t k = 0; k < layout.count(block) && !halted_; ++k) {
      const std::uint64_t run = layout.first(block) + k;
      evaluate(draws(run), rows.data() + k * layout.width);
      progress_.runs.fetch_add(1, std::memory_order_relaxed);
    }
  }

  const Program& program_;
  const Folder& folder_;
  const std::vector<std::uint64_t>& todo_;
  Attempt attempt_;
  Progress progress_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> halted_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  unsigned busy_ = 0;
  std::exception_ptr trouble_;
};

}  // namespace moreau::study
