// The XCP service of an FMU: off by default, configured by its parameters, served during a run on loopback; values are
// bit-identical to those of the FMI calls, and calibration changes the run.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <moreau/bench/xcp_transport.hpp>
#include <vector>

#include "test_benches/reference.hpp"
//
#include FMU_CALLS

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr unsigned enable = unsigned(List::count), port = enable + 1;
constexpr double h = 1e-3;  // s, communication step

#if FMU_VERSION == 3
using Boolean = bool;
using Port = std::uint16_t;
int set_boolean(C c, Vr vr, const Boolean* value) {
  return function<fmi3Status(C, Vr, N, const Boolean*, N)>("fmi3SetBoolean")(c, vr, 1, value, 1);
}
int get_boolean(C c, Vr vr, Boolean* value) {
  return function<fmi3Status(C, Vr, N, Boolean*, N)>("fmi3GetBoolean")(c, vr, 1, value, 1);
}
int set_port(C c, Vr vr, const Port* value) {
  return function<fmi3Status(C, Vr, N, const Port*, N)>("fmi3SetUInt16")(c, vr, 1, value, 1);
}
int get_port(C c, Vr vr, Port* value) {
  return function<fmi3Status(C, Vr, N, Port*, N)>("fmi3GetUInt16")(c, vr, 1, value, 1);
}
#else
using Boolean = int;
using Port = int;
using Set = fmi2Status(C, Vr, std::size_t, const int*);
using Get = fmi2Status(C, Vr, std::size_t, int*);
int set_boolean(C c, Vr vr, const Boolean* value) { return function<Set>("fmi2SetBoolean")(c, vr, 1, value); }
int get_boolean(C c, Vr vr, Boolean* value) { return function<Get>("fmi2GetBoolean")(c, vr, 1, value); }
int set_port(C c, Vr vr, const Port* value) { return function<Set>("fmi2SetInteger")(c, vr, 1, value); }
int get_port(C c, Vr vr, Port* value) { return function<Get>("fmi2GetInteger")(c, vr, 1, value); }
#endif

int connected_to(std::uint16_t number) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(number);
  const int one = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(one, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0) return one;
  close(one);
  return -1;
}
std::uint16_t free_port() {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  const int one = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(bind(one, reinterpret_cast<const sockaddr*>(&at), size) == 0);
  CHECK(getsockname(one, reinterpret_cast<sockaddr*>(&at), &size) == 0);
  close(one);
  return ntohs(at.sin_port);
}

class Master {
 public:
  std::vector<Bytes> recorded;

  explicit Master(std::uint16_t number) : line_(connected_to(number)) { CHECK(line_ >= 0); }
  ~Master() { close(line_); }

  // Sends a command and returns its response; packets of lists are recorded.
  Bytes ask(const Bytes& command) {
    std::uint8_t frame[256];
    const int n = out_.encode(command.data(), int(command.size()), frame);
    CHECK(send(line_, frame, std::size_t(n), 0) == n);
    for (Bytes packet;;) {
      CHECK(receive(packet, 5000));
      if (packet[0] >= 0xfe) return packet;
      recorded.push_back(packet);
    }
  }
  void record_rest() {
    for (Bytes packet; receive(packet, 200);) recorded.push_back(packet);
  }
  bool receive(Bytes& packet, int milliseconds) {
    for (pollfd one{line_, POLLIN, 0}; poll(&one, 1, milliseconds) > 0;) {
      std::uint8_t byte = 0;
      if (recv(line_, &byte, 1, 0) != 1) return false;
      if (!in_.take(byte)) continue;
      packet.assign(in_.packet(), in_.packet() + in_.size());
      return true;
    }
    return false;
  }

 private:
  int line_;
  moreau::bench::XcpEthernet<> in_, out_;
};

void put(Bytes& bytes, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(std::uint8_t(value >> 8 * i));
}
Bytes with_address(Bytes head, int variable) { return put(head, 8u * unsigned(variable), 4), head; }
double number_in(const Bytes& packet, std::size_t at) {
  double value = 0;
  CHECK(packet.size() >= at + sizeof value);
  std::memcpy(&value, packet.data() + at, sizeof value);
  return value;
}
double uploaded(Master& master, int variable) {
  const Bytes answer = master.ask(with_address({0xf4, 8, 0, 0}, variable));
  CHECK_EQUAL(0xff, int(answer[0]));
  return number_in(answer, 1);
}
double got(C c, int variable) {
  const unsigned vr = unsigned(variable);
  double value = 0;
  CHECK_EQUAL(ok, get_real(c, &vr, 1, &value));
  return value;
}

C configured(std::uint16_t number, bool on) {
  const C c = make();
  CHECK(c != nullptr);
  Boolean is_on = true;
  const Boolean wanted = on;
  Port is_port = 0;
  const Port wanted_port = number;
  CHECK_EQUAL(ok, get_boolean(c, &enable, &is_on));
  CHECK_EQUAL(ok, get_port(c, &port, &is_port));
  CHECK(!is_on && is_port == 5555);
  CHECK_EQUAL(ok, set_boolean(c, &enable, &wanted));
  CHECK_EQUAL(ok, set_port(c, &port, &wanted_port));
  const unsigned beyond = port + 1;
  CHECK_EQUAL(error, set_port(c, &beyond, &wanted_port));
  CHECK_EQUAL(error, set_boolean(c, &beyond, &wanted));
  return c;
}
void connect_to_slave(Master& master) { CHECK_EQUAL(0xff, int(master.ask({0xff, 0})[0])); }

}  // namespace

void test_service_is_off_by_default(void) {
  const std::uint16_t number = free_port();
  const C c = configured(number, false);
  CHECK_EQUAL(ok, begin(c, 0, false, 0));
  CHECK(connected_to(number) < 0);
  free_instance(c);
}

void test_values_and_calibration(void) {
  const std::uint16_t number = free_port();
  const C c = configured(number, true);
  CHECK(connected_to(number) < 0);
  CHECK_EQUAL(ok, begin(c, 0, false, 0));
  Master master(number);
  connect_to_slave(master);
  const Boolean off = false;
  CHECK_EQUAL(error, set_boolean(c, &enable, &off));  // fixed after the initialization has begun
  CHECK_EQUAL(ok, int(exit_initialization(c)));
  const C second = configured(number, true);
  CHECK_EQUAL(error, begin(second, 0, false, 0));  // the port is in use
  free_instance(second);

  CHECK_EQUAL(0xff, int(master.ask(with_address({0xf6, 0, 0, 0}, input))[0]));
  const double torque = 0.25;  // N m
  Bytes download{0xf0, 8, 0, 0, 0, 0, 0, 0, 0, 0};
  std::memcpy(download.data() + 2, &torque, sizeof torque);
  CHECK_EQUAL(0xff, int(master.ask(download)[0]));
  CHECK(same(torque, got(c, input)));

  constexpr int omega = List::find("crank.omega");  // one list with one variable
  const std::vector<Bytes> commands = {{0xd6},
                                       {0xd5, 0, 1, 0},
                                       {0xd4, 0, 0, 0, 1},
                                       {0xd3, 0, 0, 0, 0, 1},
                                       {0xe2, 0, 0, 0, 0, 0},
                                       with_address({0xe1, 0xff, 8, 0}, omega),
                                       {0xe0, 0x10, 0, 0, 0, 0, 1, 0},
                                       {0xde, 1, 0, 0}};
  for (const Bytes& command : commands) CHECK_EQUAL(0xff, int(master.ask(command)[0]));
  Reference reference;
  std::vector<double> expected;
  for (int n = 0; n < 50; ++n) {
    CHECK_EQUAL(ok, do_step(c, n * h, h));
    for (int k = 0; k < int(h / Bench::dt + 0.5); ++k) CHECK(reference.step_with(torque));
    expected.push_back(got(c, omega));
    CHECK(same(expected.back(), uploaded(master, omega)));
    reference.each_value([&](const char* name, double value) {
      const int i = List::find(name);
      CHECK(List::of(i).whole || same(value, got(c, i)));
    });
  }
  master.record_rest();
  CHECK_EQUAL(expected.size(), master.recorded.size());
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const Bytes& packet = master.recorded[n];  // number of the packet, time stamp, value
    CHECK(same(expected[n], number_in(packet, 5)));
    CHECK_EQUAL(1000 * unsigned(n + 1), unsigned(packet[1] | packet[2] << 8 | packet[3] << 16 | packet[4] << 24));
  }
  CHECK_EQUAL(ok, int(terminate(c)));
  CHECK(connected_to(number) < 0);
  CHECK_EQUAL(ok, int(reset(c)));
  CHECK_EQUAL(ok, begin(c, 0, false, 0));  // the options remain
  Master again(number);
  connect_to_slave(again);
  free_instance(c);
  CHECK(connected_to(number) < 0);
}

TEST_MAIN({
  TEST(test_service_is_off_by_default);
  TEST(test_values_and_calibration);
})
