// XCP slave of a program on a workstation, on one TCP and one UDP port of the loopback interface (bench/xcp.hpp). Linux.
//
//   XcpServer server(5555);                    // 0: any free port; server.why is empty if both ports are open
//   server.poll(xcp, clock);                   // between periods: accepts a master and executes its commands
//   xcp.sample(clock, [&](const std::uint8_t* packet, int n) { server.send(packet, n); });
//
// No call waits. A packet that the system does not take at once is dropped and counted, so a slow or absent master never
// delays the loop. One master at a time: the last one that sent CONNECT.
#pragma once
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <moreau/bench/xcp.hpp>
#include <moreau/bench/xcp_transport.hpp>
#include <string>

namespace moreau::workstation {

class XcpServer {
  using Transport = bench::XcpEthernet<>;

 public:
  std::string why;            // reason of a failure to open the ports
  std::uint32_t dropped = 0;  // packets

  // udp: opens the UDP port besides the TCP port.
  explicit XcpServer(std::uint16_t port, bool udp = true) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons(port);
    listener_ = open_at(SOCK_STREAM, at);
    socklen_t size = sizeof at;
    if (listener_ >= 0) (void)getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
    port_ = ntohs(at.sin_port);
    if (udp) datagrams_ = open_at(SOCK_DGRAM, at);
    if (listener_ >= 0 && listen(listener_, 1) != 0) why = std::strerror(errno);
  }
  ~XcpServer() {
    for (const int one : {listener_, datagrams_, stream_})
      if (one >= 0) close(one);
  }
  XcpServer(const XcpServer&) = delete;
  XcpServer& operator=(const XcpServer&) = delete;

  std::uint16_t port() const { return port_; }

  // Answers at most 16 commands, so that its time is bounded.
  template <class Slave>
  void poll(Slave& slave, std::uint32_t clock) {
    int left = 16;
    accept_master();
    std::uint8_t bytes[512];
    for (ssize_t n; left > 0 && stream_ >= 0 && (n = recv(stream_, bytes, 64, MSG_DONTWAIT)) >= 0;) {
      for (ssize_t i = 0; i < n; ++i)
        if (from_stream_.take(bytes[i])) answer(slave, from_stream_, clock, true), --left;
      if (n == 0 || from_stream_.broken()) drop_master(slave);
    }
    sockaddr_in from{};
    socklen_t size = sizeof from;
    for (ssize_t n; left > 0 && datagrams_ >= 0 &&
                    (n = recvfrom(datagrams_, bytes, sizeof bytes, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&from),
                                  &size)) >= 0;) {
      from_datagram_.idle();
      peer_ = from;
      --left;
      for (ssize_t i = 0; i < n; ++i)
        if (from_datagram_.take(bytes[i])) answer(slave, from_datagram_, clock, false);
    }
  }

  void send(const std::uint8_t* packet, int n) {
    std::uint8_t frame[Transport::most_frame];
    const int size = out_.encode(packet, n, frame);
    const ssize_t sent = by_stream_ ? ::send(stream_, frame, std::size_t(size), MSG_DONTWAIT | MSG_NOSIGNAL)
                                    : sendto(datagrams_, frame, std::size_t(size), MSG_DONTWAIT,
                                             reinterpret_cast<const sockaddr*>(&peer_), sizeof peer_);
    if (sent == size) return;
    ++dropped;
    if (by_stream_ && sent > 0) shutdown(stream_, SHUT_RDWR);  // a part of a frame: the stream has lost its frames
  }

 private:
  int open_at(int kind, const sockaddr_in& at) {
    const int made = socket(AF_INET, kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    if (made >= 0) (void)setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (made < 0 || bind(made, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) why = std::strerror(errno);
    return made;
  }
  void accept_master() {
    const int made = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
    if (made < 0) return;
    if (stream_ >= 0) close(stream_);
    stream_ = made;
    from_stream_ = Transport{};
    (void)setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  template <class Slave>
  void drop_master(Slave& slave) {
    close(stream_);
    stream_ = -1;
    const std::uint8_t disconnect = 0xfe;
    std::uint8_t unused[bench::XcpSizes::packet];
    if (by_stream_) (void)slave.answer(&disconnect, 1, 0, unused);
  }
  template <class Slave>
  void answer(Slave& slave, const Transport& from, std::uint32_t clock, bool by_stream) {
    if (from.packet()[0] == 0xff) by_stream_ = by_stream;
    if (by_stream != by_stream_) return;
    std::uint8_t response[bench::XcpSizes::packet];
    const int n = slave.answer(from.packet(), from.size(), clock, response);
    if (n > 0) send(response, n);
  }

  int listener_ = -1, datagrams_ = -1, stream_ = -1;
  std::uint16_t port_ = 0;
  Transport from_stream_, from_datagram_, out_;
  sockaddr_in peer_{};
  bool by_stream_ = false;
};

}  // namespace moreau::workstation
