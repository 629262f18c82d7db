// Distributed test bench under QEMU: box <board.elf> plant|controller <steps> <permille of each fault>. The board
// closes a control loop with this program over a serial line, and every byte must equal that of a run without a
// board. Exit codes: 0 bytes equal; 3 bytes differ; 1 any other failure.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "test_benches/box/works.hpp"

namespace {

using namespace moreau::bench;
using Bytes = std::vector<std::uint8_t>;

// Corrupts frames of one direction, at reproducible random.
class Faults {
 public:
  int flipped = 0, shortened = 0, lost = 0, doubled = 0;
  Faults(int permille, std::uint32_t seed) : permille_(permille), random_(seed) {}

  Bytes through(Bytes frame) {
    if (happens() && ++flipped) frame[next() % frame.size()] ^= std::uint8_t(1u << next() % 8);
    if (happens() && ++shortened) frame.erase(frame.begin() + long(next() % frame.size()));
    if (happens() && ++lost) return {};
    if (happens() && ++doubled) {
      const Bytes once = frame;
      frame.insert(frame.end(), once.begin(), once.end());
    }
    return frame;
  }
  bool each_was_there() const { return flipped > 0 && shortened > 0 && lost > 0 && doubled > 0; }

 private:
  std::uint32_t next() {
    random_ ^= random_ << 13, random_ ^= random_ >> 17, random_ ^= random_ << 5;
    return random_;
  }
  bool happens() { return int(next() % 1000) < permille_; }
  int permille_;
  std::uint32_t random_;
};

// QEMU's serial line: a socket, and a process that ends with this object.
class Board {
 public:
  Faults to, from;

  Board(const char* elf, int permille) : to(permille, 2463534242u), from(permille, 88675123u) {
    char folder[] = "/tmp/moreau_box_XXXXXX";
    folder_ = mkdtemp(folder);
    const std::string path = folder_ + "/line", serial = "unix:" + path + ",server=on,wait=on";
    process_ = fork();
    if (process_ == 0) {
      execlp("qemu-system-arm", "qemu-system-arm", "-M", "netduinoplus2", "-display", "none", "-monitor", "none",
             "-serial", serial.c_str(), "-kernel", elf, nullptr);
      _exit(127);
    }
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    line_ = socket(AF_UNIX, SOCK_STREAM, 0);
    // Waits until QEMU listens or has ended; the limit of 300 s only ends a hanging test.
    bool runs = true;
    for (int i = 0; i < 15000 && runs && !connected_; ++i) {
      connected_ = connect(line_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
      runs = waitpid(process_, nullptr, WNOHANG) == 0;
      if (!connected_) usleep(20000);
    }
    if (!runs) process_ = 0;
  }
  ~Board() { end(); }
  Board(const Board&) = delete;
  bool connected() const { return connected_; }

  void send(const std::uint8_t* bytes, std::size_t n) {
    const Bytes damaged = to.through(Bytes(bytes, bytes + n));
    if (!damaged.empty() && write(line_, damaged.data(), damaged.size()) < 0) {
      std::puts("QEMU has closed the line");
      end();
      std::exit(1);
    }
  }
  // Returns the next complete frame, or false after a period without data.
  bool receive(Frame& frame) {
    constexpr int patience = 25;  // ms; a request to a slow board is repeated, which only costs time
    while (true) {
      while (at_ < arrived_.size())
        if (decoder_.take(arrived_[at_++], frame)) return true;
      arrived_.clear();
      at_ = 0;
      pollfd one = {line_, POLLIN, 0};
      if (poll(&one, 1, patience) <= 0) return false;
      std::uint8_t bytes[256];
      const long n = read(line_, bytes, sizeof bytes);
      if (n <= 0) return false;
      for (long i = 0; i < n; ++i) {  // faults affect complete frames
        pending_.push_back(bytes[i]);
        if (bytes[i] != 0) continue;
        const Bytes damaged = from.through(pending_);
        arrived_.insert(arrived_.end(), damaged.begin(), damaged.end());
        pending_.clear();
      }
    }
  }
  std::uint32_t damaged() const { return decoder_.damaged; }

 private:
  void end() {
    close(line_);
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    unlink((folder_ + "/line").c_str());
    rmdir(folder_.c_str());
  }

  std::string folder_;
  int process_ = 0, line_ = -1;
  bool connected_ = false;
  Decoder decoder_;
  Bytes arrived_, pending_;
  std::size_t at_ = 0;
};

// Requests to one half and its replies, step by step.
struct Trace {
  std::vector<Bytes> asked, answered;
  void add(const Frame& request, const Frame& answer) {
    asked.emplace_back(request.payload, request.payload + request.size);
    answered.emplace_back(answer.payload, answer.payload + answer.size);
  }
};

constexpr int speed = 3;  // index in the plant's answer
float as_input(bool of_plant, const Frame& answer) { return number_at(answer, of_plant ? 0 : speed); }

// The loop: the half `own` runs here, the other one behind ask(request, answer). false: the line has failed.
template <class Own, class Ask>
bool loop(bool board_is_plant, int steps, Own& own, const Ask& ask, Trace& trace) {
  Frame here, request, answer;
  request.kind = FrameKind::begin;
  request.payload[request.size++] = board_is_plant ? 0 : 1;
  own.begin(request, here);
  if (!ask(request, answer)) return false;
  for (int n = 0; n < steps; ++n) {
    // The plant's last answer is the controller's input, and the controller's answer is the plant's input.
    Frame own_request, own_answer;
    request = Frame{};
    request.kind = FrameKind::step;
    if (board_is_plant) {
      put_number(own_request, as_input(false, answer));
      own.step(own_request, own_answer);
      put_number(request, as_input(true, own_answer));
    } else {
      put_number(request, as_input(false, here));
    }
    if (!ask(request, answer)) return false;
    if (!board_is_plant) {
      put_number(own_request, as_input(true, answer));
      here = Frame{};
      own.step(own_request, here);
    }
    trace.add(request, answer);
  }
  return true;
}

template <class Own>
int run(const char* elf, bool board_is_plant, int steps, int permille) {
  Trace wanted, got;
  Own own;
  box::EitherWork alone;
  Server<box::EitherWork> server(alone);
  std::uint16_t sequence = 0;
  const auto at_hand = [&](Frame& request, Frame& answer) {
    request.sequence = ++sequence;
    answer = server.answer(request);
    return answer.kind == FrameKind::done;
  };
  if (!loop(board_is_plant, steps, own, at_hand, wanted)) return std::puts("the loop without a board ended early"), 1;

  Board board(elf, permille);
  if (!board.connected()) return std::puts("no line to QEMU"), 1;
  Client<Board> client(board);
  constexpr int attempts = 10000;  // 250 s without an answer, which only end a hanging test
  const auto ask = [&](Frame& request, Frame& answer) { return client.ask(request, answer, attempts); };
  own = Own{};
  const bool whole = loop(board_is_plant, steps, own, ask, got);
  Frame question, counters;
  question.kind = FrameKind::counters;
  if (!whole || !ask(question, counters)) return std::puts("the board stopped answering"), 1;
  const auto count = [&](int i) { return int(number_at(counters, i)); };
  std::printf("%d steps; to the board flipped %d, shortened %d, lost %d, doubled %d; from it %d, %d, %d, %d\n", steps,
              board.to.flipped, board.to.shortened, board.to.lost, board.to.doubled, board.from.flipped,
              board.from.shortened, board.from.lost, board.from.doubled);
  std::printf(
      "repeated requests %u, stale answers %u, damaged answers %u; board: repeated %d, rejected %d, dropped %d; cycles "
      "of an "
      "answer %d\n",
      client.sent_again, client.stale, board.damaged(), count(0), count(1), count(2), count(3));
  const std::size_t a_step = got.asked[0].size() + got.answered[0].size() + 2 * (frame_overhead + 2),
                    bits = 10 * a_step;
  for (const std::size_t baud : {115200u, 921600u})
    std::printf("a line of %zu baud carries at most %zu steps a second\n", baud, baud / bits);
  if (wanted.answered.front() == wanted.answered.back()) return std::puts("the mechanism does not move"), 1;
  if (wanted.asked != got.asked || wanted.answered != got.answered) return std::puts("bytes differ"), 3;
  std::printf("%zu bytes of replies, equal to those of the run without a board\n",
              got.answered.size() * got.answered[0].size());
  const bool faults_were_there = board.to.each_was_there() && board.from.each_was_there() && client.sent_again > 0 &&
                                 client.stale > 0 && board.damaged() > 0 && count(0) > 0 && count(2) > 0;
  if (permille > 0 && !faults_were_there) return std::puts("one kind of fault did not occur"), 1;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::puts("box <board.elf> plant|controller <steps> <permille of each fault>"), 2;
  signal(SIGPIPE, SIG_IGN);
  const int steps = std::atoi(argv[3]), permille = std::atoi(argv[4]);
  return std::string(argv[2]) == "plant" ? run<box::ControllerWork>(argv[1], true, steps, permille)
                                         : run<box::PlantWork>(argv[1], false, steps, permille);
}
