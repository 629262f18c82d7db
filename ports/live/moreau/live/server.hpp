// HTTP server of a live view, on the loopback interface: the page, a stream of events, and records for download.
//
//   GET /                       the page
//   GET /events                 server-sent events: one JSON object each, numbered from 0
//   GET /record.csv?from=&to=   samples of these numbers as a table; record.mcap: as an MCAP file;
//                               record.html: as a report page
//
// Requests of other sites are rejected by the name of the host that they address. Every connection has a thread of a
// pool of fixed size; a slow browser delays only its own thread, which ends after 5 s without progress.
#pragma once
#include <httplib.h>
#undef _res  // a macro of <resolv.h>, and a name in Eigen
#include <sched.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace moreau::live {

// Threads inherit a real-time priority from the thread that starts them; a thread of the view must not have one.
inline void leave_real_time() {
  const sched_param none{};
  (void)sched_setscheduler(0, SCHED_OTHER, &none);
}

// The last events, for any number of readers. A reader that is too slow misses the oldest ones.
class Events {
 public:
  static constexpr std::int64_t kept = 64;

  struct Event {
    std::int64_t number = -1;  // -1: none within the time
    std::string text;
  };

  void add(std::string text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    texts_[std::size_t(next_++ % kept)] = std::move(text);
    added_.notify_all();
  }
  // Number of the next event.
  std::int64_t next() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return next_;
  }
  // Returns event n, or the oldest one that is kept. Waits for it, at most 1 s.
  Event from(std::int64_t n) const {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!added_.wait_for(lock, std::chrono::seconds(1), [&] { return next_ > n || ended_; }) || ended_) return {};
    if (next_ - n > kept) n = next_ - kept;
    return {n, texts_[std::size_t(n % kept)]};
  }
  void end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
    added_.notify_all();
  }
  bool ended() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return ended_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable added_;
  std::array<std::string, std::size_t(kept)> texts_;
  std::int64_t next_ = 0;
  bool ended_ = false;
};

// A record of the samples first <= number < last: its text, or the error.
struct Record {
  std::string text, why;
};
using RecordOf = std::function<Record(const std::string& format, std::int64_t first, std::int64_t last)>;

class Server {
 public:
  static constexpr int most_streams = 4;  // browsers at a time
  std::string why;                        // empty if the server runs

  // port 0: any free one.
  Server(int port, std::string page, Events& events, RecordOf record)
      : page_(std::move(page)), events_(events), record_(std::move(record)) {
    http_.new_task_queue = [] { return new httplib::ThreadPool(2 * most_streams); };
    http_.set_keep_alive_max_count(1);
    http_.set_payload_max_length(1024);
    http_.set_socket_options([](socket_t one) {  // without SO_REUSEPORT: a second server on the port is an error
      const int on = 1;
      (void)setsockopt(one, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    port_ = port == 0 ? http_.bind_to_any_port("127.0.0.1") : http_.bind_to_port("127.0.0.1", port) ? port : -1;
    if (port_ < 0) {
      why = "port " + std::to_string(port) + " is not available";
      return;
    }
    route();
    thread_ = std::thread([this] {
      leave_real_time();
      (void)http_.listen_after_bind();
    });
    while (!http_.is_running()) std::this_thread::yield();
  }
  ~Server() {
    events_.end();
    http_.stop();
    if (thread_.joinable()) thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const { return port_; }
  int streams() const { return streams_; }

 private:
  void route() {
    http_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      const std::string host = request.get_header_value("Host"), end = ':' + std::to_string(port_);
      if (host == "127.0.0.1" + end || host == "localhost" + end) return httplib::Server::HandlerResponse::Unhandled;
      response.status = 403;
      return httplib::Server::HandlerResponse::Handled;
    });
    http_.Get("/", [this](const httplib::Request&, httplib::Response& response) {
      response.set_content(page_, "text/html; charset=utf-8");
    });
    http_.Get("/events", [this](const httplib::Request&, httplib::Response& response) { stream(response); });
    http_.Get(R"(/record\.(csv|mcap|html))",
              [this](const httplib::Request& request, httplib::Response& response) { download(request, response); });
  }

  void stream(httplib::Response& response) {
    if (++streams_ > most_streams) {
      --streams_;
      response.status = 503;
      return;
    }
    response.set_header("Cache-Control", "no-store");
    response.set_chunked_content_provider(
        "text/event-stream",
        [this, next = events_.next()](std::size_t, httplib::DataSink& sink) mutable {
          const Events::Event event = events_.from(next);
          if (events_.ended()) return false;
          if (event.number < 0) return sink.write(": quiet\n\n", 9);  // detects a closed connection
          next = event.number + 1;
          const std::string text = "id: " + std::to_string(event.number) + "\ndata: " + event.text + "\n\n";
          return sink.write(text.data(), text.size());
        },
        [this](bool) { --streams_; });
  }

  void download(const httplib::Request& request, httplib::Response& response) {
    const auto number = [&](const char* key, std::int64_t otherwise) {
      const std::string text = request.get_param_value(key);
      std::int64_t value = otherwise;
      (void)std::from_chars(text.data(), text.data() + text.size(), value);
      return value;
    };
    const std::string format = request.matches[1];
    const Record made = record_(format, number("from", 0), number("to", INT64_MAX));
    response.status = made.why.empty() ? 200 : 404;
    response.set_header("Content-Disposition", "attachment; filename=\"record." + format + '"');
    const char* type = !made.why.empty() || format == "csv" ? "text/plain; charset=utf-8"
                       : format == "html"                   ? "text/html; charset=utf-8"
                                                            : "application/octet-stream";
    response.set_content(made.why.empty() ? made.text : made.why + '\n', type);
  }

  const std::string page_;
  Events& events_;
  const RecordOf record_;
  httplib::Server http_;
  int port_ = -1;
  std::atomic<int> streams_{0};
  std::thread thread_;
};

}  // namespace moreau::live
