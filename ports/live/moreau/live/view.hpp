// Live view of a running program: a page on the loopback interface that draws the machine while it runs.
//
//   moreau::live::View<Model> view(model, "Slider-crank", {8080});   // before a real-time priority is requested
//   view(stepper.state, report);                                     // a recorder: after every step
//   view(sample, lost);                                              // or a sample of a board, lost ones before it
//
//   loop thread     sums steps to samples, and pushes each into a lock-free queue of fixed size     no lock, allocation,
//                   a full queue drops the sample and counts it                                     or system call
//   view's thread   20 times per second: samples -> frames of the report -> one event for the browsers
//   server          server.hpp
//
// A sample covers `every` steps: its percussions are sums, its contact states unions, its report the worst one. The
// last `kept` samples can be saved at any moment, as a table or as a report page.
#pragma once
#include <etl/queue_spsc_atomic.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <moreau/workstation/report.hpp>
#include <moreau/workstation/state_log.hpp>

#include "moreau/live/server.hpp"

namespace moreau::live {

#ifndef MOREAU_LIVE_FILES
#define MOREAU_LIVE_FILES "ports"
#endif

struct Options {
  int port = 8080;   // 0: any free one, see View::port()
  int every = 1;     // steps per sample
  int kept = 30000;  // samples that can be saved
};

namespace detail {

// Some steps as one: the last state with summed percussions, and the worst report.
template <class Model>
struct LiveSample {
  State<Model> state;
  StepReport<typename Traits<Model>::Real> report;
  std::uint32_t lost = 0;  // samples that are missing before this one

  // Adds the step after it.
  void append(const LiveSample& later) {
    using T = Traits<Model>;
    State<Model> sum = later.state;
    for (std::size_t i = 0; i < std::size_t(T::contacts); ++i) {
      const bool closed = state.sigma_N[i] == 0, stuck = closed && state.sigma_T[i] == 0;
      const bool stuck_later = sum.sigma_N[i] == 0 && sum.sigma_T[i] == 0;
      if (closed) sum.sigma_N[i] = 0;
      if (sum.sigma_N[i] == 0) sum.sigma_T[i] = stuck || stuck_later ? 0 : 1;
    }
    if constexpr (T::contacts > 0) sum.P_N += state.P_N;
    if constexpr (T::contacts > 0 && T::tangents > 0) sum.P_T += state.P_T;
    if constexpr (T::frictions > 0) sum.P_F += state.P_F;
    state = sum;
    if (later.report.status >= report.status) report = later.report;
  }
};

}  // namespace detail

template <class Model>
class View {
  using Sample = detail::LiveSample<Model>;
  using Report = workstation::Report<Model>;
  static constexpr std::size_t room = 4096;  // samples of the queue

 public:
  using Real = typename Traits<Model>::Real;
  std::string why;  // empty if the page is served

  // describe(report) sets the names and outputs of the pages (workstation/report.hpp).
  View(
      const Model& model, std::string title, const Options& options = {},
      std::function<void(Report&)> describe = [](Report&) {})
      : model_(model),
        title_(std::move(title)),
        every_(std::max(1, options.every)),
        describe_(std::move(describe)),
        queue_(std::make_unique<Queue>()),
        kept_(std::size_t(std::max(1, options.kept))) {
    std::string page;
    if (const auto made = make_page(page); !made.ok) {
      why = made.why;
      return;
    }
    server_ = std::make_unique<Server>(options.port, std::move(page), events_,
                                       [this](const std::string& format, std::int64_t first, std::int64_t last) {
                                         return record(format, first, last);
                                       });
    why = server_->why;
    thread_ = std::thread([this] {
      leave_real_time();
      for (; !ended_; std::this_thread::sleep_for(std::chrono::milliseconds(50))) drain();
    });
  }
  ~View() {
    ended_ = true;
    if (thread_.joinable()) thread_.join();
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  int port() const { return server_ ? server_->port() : -1; }
  int browsers() const { return server_ ? server_->streams() : 0; }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port()); }
  std::uint32_t dropped() const { return dropped_; }  // samples for which the queue had no room

  // For the loop thread: adds a step. A rejected step is a sample of its own, without percussions.
  void operator()(const State<Model>& state, const StepReport<Real>& report) {
    if (!report.advanced()) {
      if (steps_ > 0) push(sum_);
      steps_ = 0;
      return push({state, report, 0});
    }
    if (steps_ == 0)
      sum_.state = state, sum_.report = report;
    else
      sum_.append({state, report, 0});
    if (++steps_ < every_) return;
    steps_ = 0;
    push(sum_);
  }
  // For the thread that reads the line of a board: adds a sample, with the number of samples lost before it.
  void operator()(const moreau::Sample<Model>& sample, std::uint32_t lost) {
    StepReport<Real> report;
    report.status = sample.status;
    push({workstation::state_of(sample), report, lost});
  }

 private:
  using Queue = etl::queue_spsc_atomic<Sample, room, etl::memory_model::MEMORY_MODEL_LARGE>;

  void push(Sample sample) {
    sample.lost += lost_;
    if (queue_->push(sample)) {
      lost_ = 0;
    } else {
      lost_ = sample.lost + 1;
      dropped_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  // Moves the samples of the queue to the history and to events. An event has no gap between its samples.
  void drain() {
    Sample sample;
    std::vector<Sample> chunk;
    std::uint32_t lost = 0;
    for (std::size_t n = 0; n < room && queue_->pop(sample); ++n) {
      const double t = double(sample.state.time());
      if (!chunk.empty() && (sample.lost > 0 || t < last_time_)) {
        publish(chunk, lost);
        chunk.clear();
      }
      if (chunk.empty()) lost = sample.lost;
      if (t < last_time_) restart_ = next_;
      last_time_ = t;
      chunk.push_back(sample);
      const std::lock_guard<std::mutex> lock(mutex_);
      if (history_.size() < kept_)
        history_.push_back(sample);
      else
        history_[std::size_t(next_) % kept_] = sample;
      ++next_;
    }
    publish(chunk, lost);
  }

  void publish(const std::vector<Sample>& chunk, std::uint32_t lost) {
    constexpr int frames = 16;  // of an event, at most
    if (chunk.empty()) return;
    lost_in_all_ += lost;
    workstation::MotionRecorder<Model> motion(frames);
    for (const Sample& sample : chunk) motion(sample.state, sample.report);
    Report report(model_, motion, title_);
    describe_(report);
    const workstation::Run run = report.run();
    workstation::Json json;
    json.open('{').key("program").number(double(program_)).key("next").number(double(next_));
    json.key("begin").number(double(next_ - std::int64_t(chunk.size()))).key("lost").number(lost);
    json.key("lost_in_all").number(double(lost_in_all_)).key("restart").number(double(restart_));
    json.key("oldest").number(double(std::max<std::int64_t>(0, next_ - std::int64_t(kept_))));
    json.key("run").open('{').key("frames").number(double(run.t.size())).key("t");
    workstation::write_times(json, run.t);
    workstation::detail::write_steps(json, run);
    workstation::detail::write_bodies(json, run);
    workstation::detail::write_contacts(json, run);
    workstation::detail::write_curves(json, run);
    json.key("residual"), workstation::write_channel(json, run.residual, workstation::Coding::decade);
    json.key("seconds"), workstation::write_channel(json, run.seconds, workstation::Coding::decade);
    json.key("status"), workstation::write_channel(json, run.status, workstation::Coding::flags);
    json.close('}').close('}');
    events_.add(json.str());
  }

  workstation::Written make_page(std::string& page) const {
    const workstation::MotionRecorder<Model> none;
    Report report(model_, none, title_);
    describe_(report);
    const std::string data = report.json(), files = MOREAU_LIVE_FILES;
    const auto part = [&](const std::string& name, std::string& text) {
      if (name == "run") return text = data, true;
      if (name == "space") return text.clear(), workstation::detail::scripts_in_space({}, {data}, text).ok;
      for (const char* folder : {"/live/page/", "/playground/page/"})
        if (workstation::detail::read_file(files + folder + name, text)) return true;
      return false;
    };
    return workstation::fill_template(files + "/live/page/live.html", title_, part, page);
  }

  // Writes the record to a temporary file and reads it back: the writers of tables and reports write files.
  Record record(const std::string& format, std::int64_t first, std::int64_t last) {
    const std::vector<Sample> samples = history(first, last);
    if (samples.empty()) return {"", "no samples of these numbers: the view keeps the last " + std::to_string(kept_)};
    const std::lock_guard<std::mutex> lock(file_);
    std::string folder = (std::filesystem::temp_directory_path() / "moreau-live-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return {"", "no temporary folder"};
    const std::string path = folder + "/record." + format;
    Record made;
    made.why = format == "html" ? write_report(samples, path) : write_table(samples, path);
    if (made.why.empty() && !workstation::detail::read_file(path, made.text)) made.why = "cannot read " + path;
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return made;
  }
  std::string write_table(const std::vector<Sample>& samples, const std::string& path) const {
    workstation::StateLog<Model> table(path);
    for (const Sample& sample : samples)
      if (sample.report.advanced()) table(sample.state, sample.report);
    return table.close() ? "" : table.what();
  }
  // A report has no restarts: it contains the samples after the last one.
  std::string write_report(const std::vector<Sample>& samples, const std::string& path) const {
    std::size_t begin = 0;
    for (std::size_t i = 1; i < samples.size(); ++i)
      if (samples[i].state.time() < samples[i - 1].state.time()) begin = i;
    workstation::MotionRecorder<Model> motion;
    std::int64_t lost = 0;
    for (std::size_t i = begin; i < samples.size(); ++i) {
      motion(samples[i].state, samples[i].report);
      lost += i > begin ? samples[i].lost : 0;
    }
    Report report(model_, motion, title_);
    describe_(report);
    report.parameters.push_back({"samples lost", std::to_string(lost)});
    return report.write(path).why;
  }
  std::vector<Sample> history(std::int64_t first, std::int64_t last) {
    const std::lock_guard<std::mutex> lock(mutex_);
    first = std::max(first, std::max<std::int64_t>(0, next_ - std::int64_t(kept_)));
    last = std::min(last, next_);
    std::vector<Sample> samples;
    for (std::int64_t n = first; n < last; ++n) samples.push_back(history_[std::size_t(n) % kept_]);
    return samples;
  }

  const Model model_;
  const std::string title_;
  const int every_;
  const std::function<void(Report&)> describe_;
  const std::unique_ptr<Queue> queue_;
  // Of the loop thread.
  Sample sum_;
  int steps_ = 0;
  std::uint32_t lost_ = 0;
  std::atomic<std::uint32_t> dropped_{0};
  // Of the view's thread.
  double last_time_ = -HUGE_VAL;
  std::int64_t lost_in_all_ = 0, restart_ = 0;
  const std::int64_t program_ = std::chrono::steady_clock::now().time_since_epoch().count() % 1000000007;
  // Of the view's thread and the server.
  std::mutex mutex_, file_;
  const std::size_t kept_;
  std::vector<Sample> history_;
  std::int64_t next_ = 0;  // number of the next sample
  Events events_;
  std::atomic<bool> ended_{false};
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

}  // namespace moreau::live
