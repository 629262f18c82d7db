// XCP slave: a master of this test polls, calibrates and records, over packets, TCP, UDP, and the serial line of a board
// under QEMU. Values are compared bit for bit with runs of the library; hostile commands and bytes change nothing.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <moreau/bench/xcp.hpp>
#include <moreau/bench/xcp_transport.hpp>
#include <moreau/workstation/xcp_server.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "support/test.hpp"
#include "test_benches/box/works.hpp"
#include "test_benches/crank.hpp"

namespace {

using moreau::bench::Answer;
using moreau::bench::Plant;
using moreau::bench::Table;
using moreau::bench::XcpEthernet;
using moreau::bench::XcpQueue;
using moreau::bench::XcpSerial;
using moreau::bench::XcpSlave;
using moreau::workstation::XcpServer;
using Bytes = std::vector<std::uint8_t>;
using Slave = XcpSlave<CrankBench>;
using List = Table<CrankBench>;

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
std::uint8_t low(unsigned value, int byte = 0) { return std::uint8_t(value >> 8 * byte); }
double double_at(const Bytes& bytes, std::size_t at) {
  double value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
std::uint32_t word_at(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// A master: commands and their responses through any transport.
struct Master {
  std::function<Bytes(const Bytes&)> ask;

  static Bytes with_address(Bytes command, unsigned variable) {
    for (int k = 0; k < 4; ++k) command.push_back(low(8 * variable, k));
    return command;
  }
  bool connect() { return ask({0xff, 0}).size() == 8; }
  double get(int variable) {
    const Bytes r = ask(with_address({0xf4, 8, 0, 0}, unsigned(variable)));
    return r.size() == 9 && r[0] == 0xff ? double_at(r, 1) : double(NAN);
  }
  // Returns 0xff, or the error code.
  int set(int variable, double value) {
    Bytes command = with_address({0xed, 8, 0, 0}, unsigned(variable));
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    command.insert(command.end(), bytes, bytes + 8);
    const Bytes r = ask(command);
    return r.size() == 2 ? r[1] : r.size() == 1 ? r[0] : -1;
  }
  std::string text(unsigned length) {
    const Bytes r = ask({0xf5, low(length)});
    return r.empty() ? "" : std::string(r.begin() + 1, r.end());
  }
  // Starts one list with one packet of these variables.
  bool record(const std::vector<int>& variables, int prescaler) {
    const auto ok = [this](const Bytes& command) {
      const Bytes r = ask(command);
      return !r.empty() && r[0] == 0xff;
    };
    bool all = ok({0xd6}) && ok({0xd5, 0, 1, 0}) && ok({0xd4, 0, 0, 0, 1}) &&
               ok({0xd3, 0, 0, 0, 0, low(unsigned(variables.size()))}) && ok({0xe2, 0, 0, 0, 0, 0});
    for (const int variable : variables) all = all && ok(with_address({0xe1, 0xff, 8, 0}, unsigned(variable)));
    return all && ok({0xe0, 0x10, 0, 0, 0, 0, low(unsigned(prescaler)), 0}) && ok({0xde, 2, 0, 0}) && ok({0xdd, 1});
  }
};

Master direct(Slave& slave) {
  return {[&slave](const Bytes& command) {
    std::uint8_t r[moreau::bench::XcpSizes::packet];
    const int n = slave.answer(command.data(), int(command.size()), 7, r);
    return Bytes(r, r + n);
  }};
}

std::vector<double> values(const Plant<CrankBench>& plant) {
  std::vector<double> all(static_cast<std::size_t>(List::count));
  for (int i = 0; i < List::count; ++i) CHECK(plant.get(i, all[std::size_t(i)]) == Answer::ok);
  return all;
}

void test_polling_and_calibration(void) {
  Plant<CrankBench> plant;
  Slave slave(plant, "crank");
  Master master = direct(slave);
  CHECK(!(master.get(0) == master.get(0)));  // not connected
  CHECK(master.connect());
  for (int n = 0; n < 300; ++n) CHECK(plant.step() == Answer::ok);
  const auto now = values(plant);
  for (int i = 0; i < List::count; ++i) CHECK(same(now[std::size_t(i)], master.get(i)));
  CHECK(!(master.get(List::count) == master.get(List::count)));

  const int play = List::find("guide.play"), torque = List::find("motor.torque"), gap = List::find("guide.g_N");
  CHECK_EQUAL(0xff, master.set(torque, 2.5));
  CHECK_EQUAL(0xff, master.set(play, 2e-3));
  CHECK(same(2.5, master.get(torque)) && same(2e-3, master.get(play)));
  const auto set = values(plant);
  CHECK_EQUAL(0x22, master.set(play, 1));
  CHECK_EQUAL(0x22, master.set(torque, double(NAN)));
  CHECK_EQUAL(0x22, master.set(torque, double(INFINITY)));
  CHECK_EQUAL(0x23, master.set(gap, 0));
  CHECK_EQUAL(0x23, master.set(0, 1));
  CHECK_EQUAL(0x22, master.set(List::count, 1));
  Bytes half = Master::with_address({0xed, 4, 0, 0}, unsigned(torque));
  half.insert(half.end(), 4, 0);
  CHECK_EQUAL(0x24, int(master.ask(half)[1]));  // a part of a value
  const auto after = values(plant);
  for (std::size_t i = 0; i < set.size(); ++i) CHECK(same(set[i], after[i]));
  CHECK_EQUAL(0x20, int(master.ask({0xc0})[1]));
  CHECK_EQUAL(0x21, int(master.ask({0xf4, 8})[1]));
  CHECK_EQUAL(0x00, int(master.ask({0xfc})[1]));
}

// The generated A2L file has the address of every variable, and the EPK that the slave returns.
void test_a2l_file(void) {
  Plant<CrankBench> plant;
  Slave slave(plant, "crank");
  Master master = direct(slave);
  CHECK(master.connect());
  CHECK_EQUAL(8, int(master.ask({0xfa, 1}).size()));
  CHECK(master.text(5) == "crank");
  CHECK_EQUAL(1, int(master.ask({0xf6, 0, 0, 0, 0, 0, 0, 0x10}).size()));
  const std::string epk = master.text(8);
  std::ifstream file(A2L_FILE);
  std::string word, name, kind;
  int found = 0, checked = 0;
  for (std::string before; file >> word; before = word) {
    if (before == "CHARACTERISTIC" || before == "MEASUREMENT") kind = before, name = word;
    const bool address = (kind == "CHARACTERISTIC" && before == "VALUE") || before == "ECU_ADDRESS";
    if (address && ++found) {
      CHECK_EQUAL(8 * List::find(name.c_str()), int(std::stoul(word, nullptr, 16)));
      CHECK((kind == "CHARACTERISTIC") == (List::of(List::find(name.c_str())).set != nullptr));
    }
    if (before == "EPK") CHECK(word == '"' + epk + '"');
    if (before == "ADDR_EPK") CHECK(word == "0x10000000");
    checked += before == "EPK" || before == "ADDR_EPK";
  }
  CHECK_EQUAL(List::count, found);
  CHECK_EQUAL(2, checked);
}

// Packets of a list: values of their step, bit for bit, with its time; every third step by a prescaler.
void test_recorded_values(void) {
  const std::vector<int> variables = {0, List::find("guide.g_N"), List::find("crank.omega"),
                                      List::find("guide.load_y")};
  for (const int prescaler : {1, 3}) {
    Plant<CrankBench> plant, reference;
    Slave slave(plant, "crank");
    Master master = direct(slave);
    CHECK(master.connect());
    CHECK(master.record(variables, prescaler));
    CHECK_EQUAL(0x11, int(master.ask({0xd6})[1]));  // while a list runs
    int packets = 0;
    for (int n = 1; n <= 3000; ++n) {
      CHECK(plant.step() == reference.step());
      slave.sample(std::uint32_t(10 * n), [&](const std::uint8_t* packet, int size) {
        const Bytes bytes(packet, packet + size);
        CHECK_EQUAL(5 + 8 * int(variables.size()), size);
        CHECK_EQUAL(10 * n, int(word_at(bytes, 1)));
        for (std::size_t k = 0; k < variables.size(); ++k) {
          double value = 0;
          (void)reference.get(variables[k], value);
          CHECK(same(value, double_at(bytes, 5 + 8 * k)));
        }
        ++packets;
      });
    }
    CHECK_EQUAL(3000 / prescaler, packets);
    CHECK_EQUAL(1, int(master.ask({0xfe}).size()));
    slave.sample(0, [](const std::uint8_t*, int) { CHECK(false); });
  }
}

struct Random {
  std::uint32_t state = 88675123u;
  unsigned operator()(unsigned below) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return (state >> 8) % below;
  }
};

// Arbitrary commands: no access outside the slave (sanitizers), no changed output, and a valid master still works.
void test_hostile_commands(void) {
  Plant<CrankBench> plant;
  Slave slave(plant, "crank");
  Random random;
  const double start = plant.state().q[2];
  std::uint8_t command[moreau::bench::XcpSizes::packet + 8], r[moreau::bench::XcpSizes::packet];
  for (int n = 0; n < often(200000); ++n) {
    const int size = int(random(n % 3 == 0 ? sizeof command : 10));
    for (int k = 0; k < size; ++k) command[k] = std::uint8_t(random(3) == 0 ? random(256) : random(8));
    if (random(4) != 0) command[0] = std::uint8_t(0xd0 + random(0x30));
    if (n % 64 == 0) command[0] = 0xff;
    const int length = slave.answer(command, size, 0, r);
    CHECK(length >= 0 && length <= moreau::bench::XcpSizes::packet);
    if (n % 16 == 0)
      slave.sample(0, [](const std::uint8_t*, int bytes) { CHECK(bytes <= moreau::bench::XcpSizes::packet); });
  }
  CHECK(same(start, plant.state().q[2]));
  Master master = direct(slave);
  CHECK(master.connect() && master.record({0, 1}, 1) && same(0, master.get(0)));
}

// Damaged and foreign bytes on a serial line cost their frames; after a pause, the next command is answered.
void test_disturbed_line(void) {
  XcpSerial<> sender, receiver;
  Random random;
  const std::uint8_t command[] = {0xf4, 8, 0, 0, 16, 0, 0, 0};
  std::uint8_t frame[XcpSerial<>::most_frame];
  int whole = 0, wrong = 0;
  for (int n = 0; n < 20000; ++n) {
    const int size = sender.encode(command, sizeof command, frame);
    const unsigned fault = random(3);
    if (fault == 1) frame[random(unsigned(size))] ^= std::uint8_t(1u << random(8));
    for (int k = 0; k < size - (fault == 2); ++k)
      if (receiver.take(frame[k])) {
        const bool equal =
            receiver.size() == int(sizeof command) && std::memcmp(receiver.packet(), command, sizeof command) == 0;
        // The number of a frame is not part of its contents.
        ++(equal ? whole : wrong);
      }
    receiver.idle();
    if (fault == 0) CHECK_EQUAL(n + 1, whole + int(receiver.dropped) + wrong);
  }
  CHECK_EQUAL(0, wrong);
  CHECK(receiver.dropped > 10000 && whole > 6000);

  XcpQueue<100> queue;
  const std::uint8_t bytes[40] = {1, 2, 3};
  CHECK(queue.push(bytes, 40) && queue.push(bytes, 40) && !queue.push(bytes, 40));
  CHECK_EQUAL(1, int(queue.dropped));
  std::uint8_t byte = 0;
  for (int n = 0; n < 80; ++n) CHECK(queue.pop(byte) && byte == bytes[n % 40]);
  CHECK(!queue.pop(byte));
}

// A master on a socket of this process; the slave is polled between.
struct Socket {
  int made;
  XcpEthernet<> out, in;
  Socket(int kind, std::uint16_t port) : made(socket(AF_INET, kind, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons(port);
    CHECK_EQUAL(0, connect(made, reinterpret_cast<const sockaddr*>(&at), sizeof at));
  }
  ~Socket() { close(made); }
  void write(const Bytes& command) {
    std::uint8_t frame[XcpEthernet<>::most_frame];
    const int n = out.encode(command.data(), int(command.size()), frame);
    CHECK_EQUAL(n, int(send(made, frame, std::size_t(n), 0)));
  }
  std::vector<Bytes> read() {
    std::vector<Bytes> packets;
    std::uint8_t bytes[4096];
    const auto n = recv(made, bytes, sizeof bytes, MSG_DONTWAIT);
    for (int k = 0; k < n; ++k)
      if (in.take(bytes[k])) packets.emplace_back(in.packet(), in.packet() + in.size());
    return packets;
  }
};

void test_tcp_and_udp(void) {
  for (const int kind : {SOCK_STREAM, SOCK_DGRAM}) {
    Plant<CrankBench> plant, reference;
    Slave slave(plant, "crank");
    XcpServer server(0);
    CHECK(server.why.empty());
    const auto send = [&](const std::uint8_t* packet, int n) { server.send(packet, n); };
    Socket socket(kind, server.port());
    std::vector<Bytes> recorded;
    Master master{[&](const Bytes& command) {
      socket.write(command);
      for (int tries = 0; tries < 1000; ++tries) {
        server.poll(slave, 0);
        for (const Bytes& packet : socket.read()) {
          if (packet[0] >= 0xfc) return packet;
          recorded.push_back(packet);
        }
      }
      return Bytes{};
    }};
    CHECK(master.connect());
    CHECK_EQUAL(0xff, master.set(List::find("motor.torque"), 1));
    CHECK(reference.set(List::find("motor.torque"), 1) == Answer::ok);
    CHECK(master.record({0, List::find("crank.omega")}, 1));
    std::size_t seen = 0;
    for (int n = 1; n <= 100; ++n) {
      CHECK(plant.step() == reference.step());
      slave.sample(std::uint32_t(n), send);
      for (int tries = 0; tries < 1000 && recorded.size() == seen; ++tries)
        for (const Bytes& packet : socket.read()) recorded.push_back(packet);
      double omega = 0;
      (void)reference.get(List::find("crank.omega"), omega);
      CHECK_EQUAL(++seen, recorded.size());
      CHECK(same(omega, double_at(recorded.back(), 13)));
    }
    if (kind == SOCK_DGRAM) continue;
    const std::uint8_t foreign[] = "GET / HTTP/1.1";  // a length of 17735 bytes
    CHECK(::send(socket.made, foreign, sizeof foreign, 0) > 0);
    for (int tries = 0; tries < 1000; ++tries) server.poll(slave, 0);
    CHECK(!slave.connected());
    Socket again(kind, server.port());
    again.write({0xff, 0});
    std::vector<Bytes> reply;
    for (int tries = 0; tries < 1000 && reply.empty(); ++tries) server.poll(slave, 0), reply = again.read();
    CHECK_EQUAL(1, int(reply.size()));
  }
}

// The board steps 1 ms per period and sends a packet after each. Its torque is calibrated while it runs: the packets
// contain it, so the run here repeats the board's run bit for bit.
void test_board(void) {
#ifdef XCP_BOARD
  int ends[2];
  CHECK_EQUAL(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  const pid_t child = fork();
  if (child == 0) {
    (void)dup2(ends[1], 0), (void)dup2(ends[1], 1);
    execlp("qemu-system-arm", "qemu-system-arm", "-M", "netduinoplus2", "-display", "none", "-monitor", "none",
           "-no-reboot", "-serial", "stdio", "-kernel", XCP_BOARD, static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  XcpSerial<> out, in;
  std::vector<Bytes> recorded;
  const auto read = [&](int wait_ms, const auto& stop) {
    pollfd ready{ends[0], POLLIN, 0};
    while (!stop() && poll(&ready, 1, wait_ms) > 0) {
      std::uint8_t byte;
      if (::read(ends[0], &byte, 1) != 1) return;
      if (in.take(byte)) recorded.emplace_back(in.packet(), in.packet() + in.size());
    }
  };
  Master master{[&](const Bytes& command) {
    std::uint8_t frame[XcpSerial<>::most_frame];
    for (int tries = 0; tries < 20; ++tries) {
      CHECK(write(ends[0], frame, std::size_t(out.encode(command.data(), int(command.size()), frame))) > 0);
      const auto is_response = [&] { return !recorded.empty() && recorded.back()[0] >= 0xfc; };
      read(2000, is_response);
      if (!is_response()) continue;
      const Bytes response = recorded.back();
      recorded.pop_back();
      return response;
    }
    return Bytes{};
  }};
  using BoardList = Table<box::CrankBench>;
  const int torque = BoardList::find("motor.torque");
  const std::vector<int> variables = {torque,
                                      0,
                                      BoardList::find("guide.g_N"),
                                      BoardList::find("crank.omega"),
                                      BoardList::find("slider.x"),
                                      BoardList::find("guide.load_y")};
  CHECK(master.connect());
  CHECK(master.record(variables, 1));
  for (const double value : {0.5, -0.25, 7.0}) {  // the last is out of range
    CHECK_EQUAL(value > 1 ? 0x22 : 0xff, master.set(torque, value));
    const std::size_t until = recorded.size() + 300;
    read(2000, [&] { return recorded.size() >= until; });
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  CHECK(recorded.size() >= 900);

  Plant<box::CrankBench> plant;
  std::uint32_t period = 0;
  double before = 0;
  for (const Bytes& packet : recorded) {
    const std::uint32_t clock = word_at(packet, 1);
    CHECK_EQUAL(0, int(clock % 1000));
    if (period > 0) CHECK_EQUAL(period + 1, clock / 1000);  // no packet is missing
    const double drive = double_at(packet, 5);              // set before the period of this packet
    CHECK(same(before, drive) || plant.set(torque, drive) == Answer::ok);
    before = drive;
    for (; period < clock / 1000; ++period)
      for (int n = 0; n < 10; ++n) CHECK(moreau::bench::advanced(plant.step()));
    for (std::size_t k = 1; k < variables.size(); ++k) {
      double value = 0;
      (void)plant.get(variables[k], value);
      CHECK(same(value, double_at(packet, 5 + 8 * k)));
    }
  }
  CHECK(same(-0.25, before));
#else
  TEST_IGNORE_MESSAGE("no board: arm-none-eabi-g++ or qemu-system-arm is not installed");
#endif
}

}  // namespace

TEST_MAIN({
  TEST(test_polling_and_calibration);
  TEST(test_a2l_file);
  TEST(test_recorded_values);
  TEST(test_hostile_commands);
  TEST(test_disturbed_line);
  TEST(test_tcp_and_udp);
  TEST(test_board);
})
