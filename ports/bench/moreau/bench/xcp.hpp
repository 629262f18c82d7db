// XCP slave of a bench (ASAM MCD-1 XCP, protocol layer 1): measurement by polling and by DAQ lists with time stamps, and
// calibration within the ranges of the variables. Independent of the transport (bench/xcp_transport.hpp).
//
//   XcpSlave<CrankBench> xcp(plant, "crank");
//   n = xcp.answer(command, size, clock, response);          // between steps; n bytes, 0: no response
//   xcp.sample(clock, [](const std::uint8_t* packet, int n) { ... });   // after a step: packets of the running lists
//
// Variable i of the bench is a double at address 8 i, whatever the scalar of the model. Text at epk_address: identity of
// the list of variables as 8 hexadecimal digits, which the A2L file of the same list contains as its EPK. clock: 1 us.
//
// No heap and no waiting. The number of operations per call is bounded by the sizes below. A write is rejected as the
// plant rejects it: out of range or non-finite, or read-only.
#pragma once

#include "moreau/bench/plant.hpp"
#include "moreau/bench/xcp_lists.hpp"

namespace moreau::bench {

constexpr std::uint32_t xcp_epk_address = 0x10000000;

template <class Bench, class Sizes = XcpSizes>
class XcpSlave {
  using Table = bench::Table<Bench>;
  using Byte = std::uint8_t;
  static constexpr auto half = detail::xcp_half;
  static constexpr auto word = detail::xcp_word;
  static constexpr auto put = detail::xcp_put;
  static constexpr auto no = detail::xcp_no;

 public:
  XcpSlave(Plant<Bench>& plant, const char* name) : plant_(plant), name_(name) {
    for (int i = 0; i < 8; ++i) epk_[i] = "0123456789abcdef"[Table::identity() >> 4 * (7 - i) & 15];
  }

  bool connected() const { return connected_; }

  // Writes the response to a command, at most Sizes::packet bytes, and returns its size.
  int answer(const Byte* c, int size, std::uint32_t clock, Byte* r) {
    if (size < 1 || size > Sizes::packet || (!connected_ && c[0] != 0xff)) return 0;
    for (int i = 0; i < 8; ++i) r[i] = 0;
    r[0] = 0xff;
    if (size < least_size(c[0])) return no(XcpError::syntax, r);
    if (c[0] == 0xf0) return size < 2 + c[1] ? no(XcpError::syntax, r) : download(c[1], c + 2, r);
    if (c[0] > 0xf0) return answer_standard(c, r);
    if (c[0] == 0xed) return size < 8 + c[1] ? no(XcpError::syntax, r) : write(word(c + 4), c[1], c + 8, r);
    if (c[0] == 0xdc) return put(r + 4, clock), 8;
    if (c[0] == 0xd7) return event_info(c, r);
    return lists_.answer(c, r, Table::count);
  }

  // Passes the packets of all running lists that are due: send(bytes, size).
  template <class Send>
  void sample(std::uint32_t clock, const Send& send) {
    lists_.sample(
        clock, [this](int i, Byte* out) { put_value(i, out); }, send);
  }

 private:
  void put_value(int i, Byte* out) const {
    double value = 0;
    (void)plant_.get(i, value);
    moreau::detail::ByteWriter write{out};
    write(value);
  }

  // Size of a command with all its fixed fields.
  static int least_size(Byte command) {
    switch (command) {
      case 0xf6:
      case 0xf4:
      case 0xed:
      case 0xe1:
      case 0xe0:
        return 8;
      case 0xe2:
      case 0xd3:
        return 6;
      case 0xd4:
        return 5;
      case 0xd5:
      case 0xde:
      case 0xdf:
      case 0xd7:
        return 4;
      case 0xfa:
      case 0xf5:
      case 0xf0:
      case 0xdd:
        return 2;
      default:
        return 1;
    }
  }

  int answer_standard(const Byte* c, Byte* r) {
    switch (c[0]) {
      case 0xff:  // CONNECT: calibration and DAQ, little-endian, byte addresses, GET_COMM_MODE_INFO
        connected_ = true;
        lists_.stop();
        r[1] = 0x05, r[2] = 0x80, r[3] = Sizes::packet, r[4] = Sizes::packet, r[6] = r[7] = 1;
        return 8;
      case 0xfe:  // DISCONNECT
        connected_ = false;
        lists_.stop();
        return 1;
      case 0xfd:
        r[1] = lists_.running() ? 0x40 : 0;
        return 6;  // GET_STATUS
      case 0xfc:
        return no(XcpError::synch, r);  // SYNCH
      case 0xfb:
        r[7] = 0x10;
        return 8;   // GET_COMM_MODE_INFO
      case 0xfa: {  // GET_ID: name as text, or as the name of the A2L file
        set_text(c[1] <= 1 ? name_ : "");
        put(r + 4, static_cast<std::uint32_t>(std::strlen(text_)));
        return 8;
      }
      case 0xf6:
        text_ = nullptr, address_ = word(c + 4);
        return 1;  // SET_MTA
      case 0xf5:
        return upload(c[1], r);  // UPLOAD
      case 0xf4:
        text_ = nullptr, address_ = word(c + 4);
        return upload(c[1], r);  // SHORT_UPLOAD
      default:
        return no(XcpError::unknown, r);
    }
  }

  int event_info(const Byte* c, Byte* r) {  // GET_DAQ_EVENT_INFO: event 0, "step"
    if (half(c + 2) != 0) return no(XcpError::out_of_range, r);
    set_text("step");
    r[1] = 0x04, r[2] = Sizes::lists, r[3] = 4;
    return 7;
  }
  void set_text(const char* text) { text_ = text, address_ = 0; }
  int upload(int n, Byte* r) {
    if (n > Sizes::packet - 1) return no(XcpError::out_of_range, r);
    const std::uint32_t length = text_ != nullptr ? static_cast<std::uint32_t>(std::strlen(text_)) : 0;
    for (int k = 0; k < n; ++k) {
      const std::uint32_t a = address_ + static_cast<std::uint32_t>(k);
      if (text_ != nullptr ? a >= length : !readable(a)) return no(XcpError::out_of_range, r);
    }
    Byte value[8] = {};
    int held = -1;
    for (int k = 0; k < n; ++k, ++address_) {
      if (text_ != nullptr) {
        r[1 + k] = static_cast<Byte>(text_[address_]);
      } else if (address_ >= xcp_epk_address) {
        r[1 + k] = static_cast<Byte>(epk_[address_ - xcp_epk_address]);
      } else {
        if (int(address_ / 8) != held) put_value(held = int(address_ / 8), value);
        r[1 + k] = value[address_ % 8];
      }
    }
    return 1 + n;
  }
  bool readable(std::uint32_t a) const {
    return a < 8u * std::uint32_t(Table::count) || (a >= xcp_epk_address && a - xcp_epk_address < 8);
  }
  int download(int n, const Byte* in, Byte* r) {
    if (text_ != nullptr) return no(XcpError::access_denied, r);
    const int size = write(address_, n, in, r);
    if (size == 1) address_ += 8;
    return size;
  }
  // A value is written at once, as 8 bytes.
  int write(std::uint32_t a, int n, const Byte* in, Byte* r) {
    if (!readable(a)) return no(XcpError::out_of_range, r);
    if (a >= xcp_epk_address) return no(XcpError::write_protected, r);
    if (a % 8 != 0 || n != 8) return no(XcpError::access_denied, r);
    double value = 0;
    moreau::detail::ByteReader read{in};
    read(value);
    const Answer answer = plant_.set(int(a / 8), value);
    if (answer == Answer::not_settable) return no(XcpError::write_protected, r);
    return answer == Answer::ok ? 1 : no(XcpError::out_of_range, r);
  }

  Plant<Bench>& plant_;
  const char *name_, *text_ = nullptr;  // text_: uploaded text, null for variables
  char epk_[8];
  bool connected_ = false;
  std::uint32_t address_ = 0;
  XcpLists<Sizes> lists_;
};

}  // namespace moreau::bench
