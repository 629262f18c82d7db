// Live view: samples, events and records of a running program, through a client of its server.
#include <chrono>
#include <moreau/live/rerun.hpp>
#include <moreau/moreau.hpp>
#include <string>
#include <thread>
#include <vector>

#include "models/slider_crank.hpp"
#include "support/test.hpp"

namespace {

using Crank = models::SliderCrank<double>;
using View = moreau::live::View<Crank>;
constexpr double dt = 1e-5;                // s
constexpr double patience = 20;            // s, only ends a hanging test
constexpr int queue = 4095, any_port = 0;  // samples of the view's queue

moreau::Stepper<Crank> machine_at_start() {
  return moreau::Stepper<Crank>{Crank{}, models::state_at<Crank>(Crank{}.start_tilted())};
}

std::string got(const View& view, const std::string& path, int status = 200, const char* host = nullptr) {
  httplib::Client client("127.0.0.1", view.port());
  const auto answer = client.Get(path.c_str(), host == nullptr ? httplib::Headers{} : httplib::Headers{{"Host", host}});
  CHECK(bool(answer));
  CHECK_EQUAL(status, answer->status);
  return answer->body;
}

double number_of(const std::string& text, const std::string& key) {
  const auto at = text.find('"' + key + "\":");
  CHECK(at != std::string::npos);
  return std::strtod(text.c_str() + at + key.size() + 3, nullptr);
}

// Reads events in a thread of its own until the sample `last` has arrived.
class Browser {
 public:
  std::vector<std::string> events;

  Browser(const View& view, std::int64_t last) : thread_([this, port = view.port(), last] { read(port, last); }) {
    while (view.browsers() == 0) std::this_thread::yield();
  }
  ~Browser() {
    if (thread_.joinable()) thread_.join();
  }
  void wait() { thread_.join(); }

 private:
  void read(int port, std::int64_t last) {
    httplib::Client client("127.0.0.1", port);
    std::string text;
    const auto begin = std::chrono::steady_clock::now();
    (void)client.Get("/events", [&](const char* data, std::size_t n) {
      text.append(data, n);
      for (std::size_t end; (end = text.find("\n\n")) != std::string::npos; text.erase(0, end + 2))
        if (text.rfind("id:", 0) == 0) events.push_back(text.substr(0, end));
      const bool hangs = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > patience;
      return !hangs && (events.empty() || number_of(events.back(), "next") < double(last));
    });
  }
  std::thread thread_;
};

std::vector<double> numbers_of_line(const std::string& line) {
  std::vector<double> all;
  for (const char* at = line.c_str(); *at != 0;) {
    char* end = nullptr;
    all.push_back(std::strtod(at, &end));
    at = *end == ',' ? end + 1 : end;
    if (end == at && *at != 0) break;
  }
  return all;
}

void wait_for(const View& view, int samples) {
  httplib::Client client("127.0.0.1", view.port());
  const std::string path = "/record.csv?from=" + std::to_string(samples - 1);
  for (int n = 0; n < 1000 && client.Get(path.c_str())->status != 200; ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

// A record has the states of the steps bit for bit, and sums of their percussions.
void test_record_is_the_run(void) {
  constexpr int steps = 4000, every = 10;
  constexpr double rounding = 1e-15;  // N s, of sums of ten percussions of at most 1e-2 N s
  View view(Crank{}, "test", {any_port, every});
  CHECK(view.why.empty());
  auto machine = machine_at_start();
  std::vector<moreau::State<Crank>> states;
  Browser browser(view, steps / every);
  for (int n = 0; n < steps; ++n) {
    const auto report = machine.step(dt);
    CHECK(report.advanced());
    view(machine.state, report);
    states.push_back(machine.state);
  }
  browser.wait();
  CHECK_EQUAL(0, int(view.dropped()));
  std::int64_t next = 0, number = -1;
  for (const auto& event : browser.events) {  // consecutive, without a gap
    CHECK_EQUAL(0, int(number_of(event, "lost_in_all")));
    CHECK(number < 0 || std::atoll(event.c_str() + 4) == number + 1);
    number = std::atoll(event.c_str() + 4);
    CHECK(next == 0 || std::int64_t(number_of(event, "begin")) == next);
    next = std::int64_t(number_of(event, "next"));
  }
  CHECK_EQUAL(steps / every, int(next));
  std::string table = got(view, "/record.csv?from=0&to=1000000");
  int rows = 0;
  double hits = 0;
  for (std::size_t end; (end = table.find('\n')) != std::string::npos; table.erase(0, end + 1)) {
    if (table[0] == 't') continue;
    const auto row = numbers_of_line(table.substr(0, end));
    ++rows;
    CHECK(rows * every <= steps);
    const auto& state = states[std::size_t(rows * every - 1)];
    CHECK(row[0] == state.time());
    for (int i = 0; i < 3; ++i) CHECK(row[std::size_t(1 + i)] == state.q(i) && row[std::size_t(4 + i)] == state.u(i));
    for (int i = 0; i < 4; ++i) {
      double sum = 0;
      for (int k = every; k > 0; --k) sum += states[std::size_t(rows * every - k)].P_N(i);
      CHECK_WITHIN(rounding, sum, row[std::size_t(7 + i)]);
      hits += sum;
    }
  }
  CHECK_EQUAL(steps / every, rows);
  CHECK(hits > 0);
  CHECK(got(view, "/record.html?from=0&to=100").find("<!DOCTYPE html>") == 0);
  CHECK(!got(view, "/record.csv?from=5000&to=6000", 404).empty());
  CHECK(!got(view, "/record.csv?from=x&to=-3", 404).empty());
}

// A loop that is faster than the view loses whole samples, and each is counted.
void test_full_queue_drops_and_counts(void) {
  constexpr int steps = 3 * queue;
  View view(Crank{}, "test", {any_port, 1});
  auto machine = machine_at_start();
  const auto report = machine.step(dt);
  for (int n = 0; n < steps; ++n) view(machine.state, report);
  const std::uint32_t dropped = view.dropped();
  CHECK(dropped > 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  Browser browser(view, steps - std::int64_t(dropped) + 1);
  view(machine.state, report);
  browser.wait();
  CHECK_EQUAL(dropped, view.dropped());
  CHECK_EQUAL(int(dropped), int(number_of(browser.events.back(), "lost_in_all")));
  CHECK_EQUAL(steps + 1, int(number_of(browser.events.back(), "next")) + int(dropped));
}

// Rejected steps, restarts, and lost samples of a board appear in the events.
void test_events_report_interruptions(void) {
  View view(Crank{}, "test", {any_port, 5});
  auto machine = machine_at_start();
  for (int n = 0; n < 12; ++n) {  // two samples, two steps of a third, and the rejected one
    const auto report = machine.step(dt);
    view(machine.state, report);
  }
  view(machine.state, machine.step(-1));
  wait_for(view, 4);
  Browser browser(view, 7);
  machine.state = machine_at_start().state;
  for (int n = 0; n < 10; ++n) view(machine.state, machine.step(dt));
  view(moreau::Sample<Crank>(machine.state, machine.step(dt)), 17);
  browser.wait();
  const auto& last = browser.events.back();
  CHECK_EQUAL(4, int(number_of(last, "restart")));
  CHECK_EQUAL(17, int(number_of(last, "lost")));
  CHECK_EQUAL(17, int(number_of(last, "lost_in_all")));
  // A report page has the samples after the restart: 0.1 ms, not 0.12 ms.
  CHECK(got(view, "/record.html").find("\"steps\":3,") != std::string::npos);
}

void test_server_serves_this_machine_only(void) {
  View view(Crank{}, "<title>", {any_port});
  CHECK(got(view, "/").find("&lt;title&gt;") != std::string::npos);
  (void)got(view, "/", 403, "example.org");
  (void)got(view, "/etc/passwd", 404);
  (void)got(view, "/record.sh", 404);
  const View other(Crank{}, "test", {view.port()});
  CHECK(!other.why.empty());
  {
    Browser first(view, 1), second(view, 1), third(view, 1), fourth(view, 1);
    while (view.browsers() < 4) std::this_thread::yield();
    (void)got(view, "/events", 503);  // one more than the view serves
    CHECK(got(view, "/").size() > 10000);
    auto machine = machine_at_start();
    view(machine.state, machine.step(dt));
  }
  while (view.browsers() > 0) std::this_thread::yield();
}

// A run of a study waits for its browser, lasts as long as declared, and loses nothing.
void test_paced_run_is_complete(void) {
  constexpr int steps = 2000;
  constexpr double seconds = 0.3;
  moreau::live::PacedView<Crank> view("test", 0, dt, steps, {seconds, 0, 1000});
  auto machine = machine_at_start();
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < steps; ++n) {
    const auto report = machine.step(dt);
    view(machine, report);
  }
  CHECK(view.why.empty());
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >= 0.9 * seconds);
  view.wait_for_end();
}

}  // namespace

TEST_MAIN({
  TEST(test_record_is_the_run);
  TEST(test_full_queue_drops_and_counts);
  TEST(test_events_report_interruptions);
  TEST(test_server_serves_this_machine_only);
  TEST(test_paced_run_is_complete);
})
