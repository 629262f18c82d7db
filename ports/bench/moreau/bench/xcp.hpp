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

namespace moreau::bench {

struct XcpSizes {
  static constexpr int packet = 128;  // bytes of a command, a response and a DAQ packet
  static constexpr int lists = 4, odts = 16, entries = 128;
};
constexpr std::uint32_t xcp_epk_address = 0x10000000;

// Codes of negative responses.
enum class XcpError : std::uint8_t {
  synch = 0x00,
  daq_active = 0x11,
  unknown = 0x20,
  syntax = 0x21,
  out_of_range = 0x22,
  write_protected = 0x23,
  access_denied = 0x24,
  sequence = 0x29,
  daq_config = 0x2a,
  memory = 0x30
};

template <class Bench, class Sizes = XcpSizes>
class XcpSlave {
  using Table = bench::Table<Bench>;
  using Byte = std::uint8_t;
  static constexpr int odt_entry_size = 8, odt_head = 5;  // bytes; head: number, time stamp of the first packet
  static constexpr int entries_of_odt = (Sizes::packet - odt_head) / odt_entry_size;
  static_assert(Sizes::packet >= 16 && Sizes::packet <= 255 && Sizes::odts <= 252);

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
    return answer_daq(c, r);
  }

  // Passes the packets of all running lists that are due: send(bytes, size).
  template <class Send>
  void sample(std::uint32_t clock, const Send& send) {
    for (int l = 0; l < lists_; ++l) {
      List& list = list_[l];
      if (!list.running || --list.left > 0) continue;
      list.left = list.prescaler;
      for (int o = list.first; o < list.first + list.odts; ++o) {
        Byte packet[Sizes::packet];
        int n = 0;
        packet[n++] = static_cast<Byte>(o);
        if (o == list.first) put(packet + n, clock), n += 4;
        for (int e = odt_[o].first; e < odt_[o].first + odt_[o].count; ++e, n += odt_entry_size)
          put_value(entry_[e], packet + n);
        send(packet, n);
      }
    }
  }

 private:
  struct Odt {
    std::uint16_t first = 0, count = 0;  // of the entries
  };
  struct List {
    int first = 0, odts = 0, prescaler = 1, left = 1;
    bool selected = false, running = false;
  };
  static constexpr std::int16_t open = -1;  // an entry without a variable

  static unsigned half(const Byte* p) { return p[0] | unsigned(p[1]) << 8; }
  static std::uint32_t word(const Byte* p) { return half(p) | std::uint32_t(half(p + 2)) << 16; }
  static void put(Byte* p, std::uint32_t v) {
    for (int i = 0; i < 4; ++i) p[i] = static_cast<Byte>(v >> 8 * i);
  }
  static int no(XcpError code, Byte* r) { return r[0] = 0xfe, r[1] = static_cast<Byte>(code), 2; }
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
        stop_all();
        r[1] = 0x05, r[2] = 0x80, r[3] = Sizes::packet, r[4] = Sizes::packet, r[6] = r[7] = 1;
        return 8;
      case 0xfe:  // DISCONNECT
        connected_ = false;
        stop_all();
        return 1;
      case 0xfd:
        r[1] = running() ? 0x40 : 0;
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

  bool running() const {
    for (int l = 0; l < lists_; ++l)
      if (list_[l].running) return true;
    return false;
  }
  void stop_all() {
    for (List& list : list_) list.running = list.selected = false;
  }

  int answer_daq(const Byte* c, Byte* r) {
    switch (c[0]) {
      case 0xda:  // GET_DAQ_PROCESSOR_INFO: dynamic lists, prescaler, time stamps; one event
        r[1] = 0x13, r[2] = static_cast<Byte>(lists_), r[4] = 1;
        return 8;
      case 0xd9:  // GET_DAQ_RESOLUTION_INFO: entries of 8 bytes, always a time stamp of 4 bytes in us
        r[1] = r[2] = odt_entry_size, r[5] = 0x3c, r[6] = 1;
        return 8;
      case 0xd7:  // GET_DAQ_EVENT_INFO: event 0, "step"
        if (half(c + 2) != 0) return no(XcpError::out_of_range, r);
        set_text("step");
        r[1] = 0x04, r[2] = Sizes::lists, r[3] = 4;
        return 7;
      case 0xde:
        return start_list(c, r);
      case 0xdd:
        return start_selected(c[1], r);
      case 0xdf:
        return half(c + 2) < unsigned(lists_) ? get_mode(list_[half(c + 2)], r) : no(XcpError::out_of_range, r);
      case 0xd6:
      case 0xd5:
      case 0xd4:
      case 0xd3:
      case 0xe2:
      case 0xe1:
      case 0xe0:
        return running() ? no(XcpError::daq_active, r) : configure(c, r);
      default:
        return no(XcpError::unknown, r);
    }
  }
  int get_mode(const List& list, Byte* r) const {
    r[1] = static_cast<Byte>(0x10 | (list.running ? 0x40 : 0) | (list.selected ? 1 : 0));
    r[6] = static_cast<Byte>(list.prescaler);
    return 8;
  }
  int start_list(const Byte* c, Byte* r) {
    const unsigned l = half(c + 2);
    if (l >= unsigned(lists_) || c[1] > 2) return no(XcpError::out_of_range, r);
    List& list = list_[l];
    if (c[1] != 0 && !whole(list)) return no(XcpError::daq_config, r);
    if (c[1] == 2) list.selected = true;
    if (c[1] != 2) list.running = c[1] == 1, list.left = 1;
    r[1] = static_cast<Byte>(list.first);
    return 2;
  }
  int start_selected(int mode, Byte* r) {
    if (mode > 2) return no(XcpError::out_of_range, r);
    for (int l = 0; l < lists_; ++l) {
      List& list = list_[l];
      if (mode == 0) list.running = false;
      if (mode != 0 && list.selected) list.running = mode == 1, list.left = 1;
      list.selected = false;
    }
    return 1;
  }
  // True if every entry of the list has a variable.
  bool whole(const List& list) const {
    if (list.odts == 0) return false;
    for (int o = list.first; o < list.first + list.odts; ++o) {
      if (odt_[o].count == 0) return false;
      for (int e = odt_[o].first; e < odt_[o].first + odt_[o].count; ++e)
        if (entry_[e] == open) return false;
    }
    return true;
  }

  // Lists are allocated in the order of the standard: all lists, then all ODTs, then all entries.
  int configure(const Byte* c, Byte* r) {
    const int l = c[0] == 0xd6 || c[0] == 0xe1 ? 0 : int(half(c + 2));
    if (c[0] == 0xd6) return free_lists(), 1;  // FREE_DAQ
    if (c[0] == 0xd5) {                        // ALLOC_DAQ
      if (lists_ + odts_ + entries_ > 0) return no(XcpError::sequence, r);
      if (l > Sizes::lists) return no(XcpError::memory, r);
      return lists_ = l, 1;
    }
    if (c[0] == 0xe1) return write_entry(c, r);
    if (l >= lists_) return no(XcpError::out_of_range, r);
    List& list = list_[l];
    if (c[0] == 0xd4) {  // ALLOC_ODT
      if (list.odts > 0 || entries_ > 0) return no(XcpError::sequence, r);
      if (odts_ + c[4] > Sizes::odts) return no(XcpError::memory, r);
      list.first = odts_, list.odts = c[4], odts_ += c[4];
      return 1;
    }
    if (c[0] == 0xe0) {  // SET_DAQ_LIST_MODE: event 0; direction to the master
      if ((c[1] & 0x02) != 0 || half(c + 4) != 0 || c[6] == 0) return no(XcpError::out_of_range, r);
      return list.prescaler = c[6], 1;
    }
    if (c[4] >= list.odts) return no(XcpError::out_of_range, r);
    Odt& odt = odt_[list.first + c[4]];
    if (c[0] == 0xd3) {  // ALLOC_ODT_ENTRY
      if (odt.count > 0) return no(XcpError::sequence, r);
      if (c[5] > entries_of_odt || entries_ + c[5] > Sizes::entries) return no(XcpError::memory, r);
      odt.first = static_cast<std::uint16_t>(entries_), odt.count = c[5];
      for (int e = 0; e < c[5]; ++e) entry_[entries_++] = open;
      return 1;
    }
    if (c[5] >= odt.count) return no(XcpError::out_of_range, r);  // SET_DAQ_PTR
    at_ = odt.first + c[5], end_ = odt.first + odt.count;
    return 1;
  }
  int write_entry(const Byte* c, Byte* r) {  // WRITE_DAQ
    const std::uint32_t a = word(c + 4);
    if (at_ >= end_) return no(XcpError::sequence, r);
    const bool variable = a % 8 == 0 && a / 8 < std::uint32_t(Table::count);
    if (c[1] != 0xff || c[2] != odt_entry_size || !variable) return no(XcpError::out_of_range, r);
    entry_[at_++] = static_cast<std::int16_t>(a / 8);
    return 1;
  }
  void free_lists() {
    lists_ = odts_ = entries_ = at_ = end_ = 0;
    for (List& list : list_) list = List{};
    for (Odt& odt : odt_) odt = Odt{};
  }

  Plant<Bench>& plant_;
  const char *name_, *text_ = nullptr;  // text_: uploaded text, null for variables
  char epk_[8];
  bool connected_ = false;
  std::uint32_t address_ = 0;
  List list_[Sizes::lists];
  Odt odt_[Sizes::odts];
  std::int16_t entry_[Sizes::entries] = {};
  int lists_ = 0, odts_ = 0, entries_ = 0, at_ = 0, end_ = 0;  // at_, end_: of WRITE_DAQ
};

}  // namespace moreau::bench
