// DAQ lists of an XCP slave (bench/xcp.hpp): configuration by the master, and the packets that are due after a step.
//
//   list    packets (ODTs), a prescaler, selected or running
//   ODT     number | time stamp of 4 bytes in the first ODT of a list | entries of 8 bytes
//   entry   a variable of the bench
//
// A running list is complete: it starts only if every entry has a variable, and it is not changed while it runs.
#pragma once

#include <cstdint>

namespace moreau::bench {

struct XcpSizes {
  static constexpr int packet = 128;  // bytes of a command, a response and a DAQ packet
  static constexpr int lists = 4, odts = 16, entries = 128;
};

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

namespace detail {

inline unsigned xcp_half(const std::uint8_t* p) { return p[0] | unsigned(p[1]) << 8; }
inline std::uint32_t xcp_word(const std::uint8_t* p) { return xcp_half(p) | std::uint32_t(xcp_half(p + 2)) << 16; }
inline void xcp_put(std::uint8_t* p, std::uint32_t v) {
  for (int i = 0; i < 4; ++i) p[i] = static_cast<std::uint8_t>(v >> 8 * i);
}
inline int xcp_no(XcpError code, std::uint8_t* r) { return r[0] = 0xfe, r[1] = static_cast<std::uint8_t>(code), 2; }

}  // namespace detail

template <class Sizes>
class XcpLists {
  using Byte = std::uint8_t;
  static constexpr int entry_size = 8, head = 5;  // bytes
  static constexpr int entries_of_odt = (Sizes::packet - head) / entry_size;
  static_assert(Sizes::packet >= 16 && Sizes::packet <= 255 && Sizes::odts <= 252);

 public:
  bool running() const {
    for (int l = 0; l < lists_; ++l)
      if (list_[l].running) return true;
    return false;
  }
  void stop() {
    for (List& list : list_) list.running = list.selected = false;
  }

  // Passes the packets of all running lists that are due: value(i, bytes) writes variable i, send(bytes, size).
  template <class Value, class Send>
  void sample(std::uint32_t clock, const Value& value, const Send& send) {
    for (int l = 0; l < lists_; ++l) {
      List& list = list_[l];
      if (!list.running || --list.left > 0) continue;
      list.left = list.prescaler;
      for (int o = list.first; o < list.first + list.odts; ++o) {
        Byte packet[Sizes::packet];
        int n = 0;
        packet[n++] = static_cast<Byte>(o);
        if (o == list.first) detail::xcp_put(packet + n, clock), n += 4;
        for (int e = odt_[o].first; e < odt_[o].first + odt_[o].count; ++e, n += entry_size)
          value(entry_[e], packet + n);
        send(packet, n);
      }
    }
  }
  // Returns the size of the response to a command for lists. count: number of variables.
  int answer(const Byte* c, Byte* r, int count) {
    switch (c[0]) {
      case 0xda:  // GET_DAQ_PROCESSOR_INFO: dynamic lists, prescaler, time stamps; one event
        r[1] = 0x13, r[2] = static_cast<Byte>(lists_), r[4] = 1;
        return 8;
      case 0xd9:  // GET_DAQ_RESOLUTION_INFO: entries of 8 bytes, always a time stamp of 4 bytes in us
        r[1] = r[2] = entry_size, r[5] = 0x3c, r[6] = 1;
        return 8;
      case 0xde:
        return start_list(c, r);
      case 0xdd:
        return start_selected(c[1], r);
      case 0xdf:
        return detail::xcp_half(c + 2) < unsigned(lists_) ? get_mode(list_[detail::xcp_half(c + 2)], r)
                                                          : detail::xcp_no(XcpError::out_of_range, r);
      case 0xd6:
      case 0xd5:
      case 0xd4:
      case 0xd3:
      case 0xe2:
      case 0xe1:
      case 0xe0:
        return running() ? detail::xcp_no(XcpError::daq_active, r) : configure(c, r, count);
      default:
        return detail::xcp_no(XcpError::unknown, r);
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

  int get_mode(const List& list, Byte* r) const {
    r[1] = static_cast<Byte>(0x10 | (list.running ? 0x40 : 0) | (list.selected ? 1 : 0));
    r[6] = static_cast<Byte>(list.prescaler);
    return 8;
  }
  int start_list(const Byte* c, Byte* r) {
    const unsigned l = detail::xcp_half(c + 2);
    if (l >= unsigned(lists_) || c[1] > 2) return detail::xcp_no(XcpError::out_of_range, r);
    List& list = list_[l];
    if (c[1] != 0 && !whole(list)) return detail::xcp_no(XcpError::daq_config, r);
    if (c[1] == 2) list.selected = true;
    if (c[1] != 2) list.running = c[1] == 1, list.left = 1;
    r[1] = static_cast<Byte>(list.first);
    return 2;
  }
  int start_selected(int mode, Byte* r) {
    if (mode > 2) return detail::xcp_no(XcpError::out_of_range, r);
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
  int configure(const Byte* c, Byte* r, int count) {
    const int l = c[0] == 0xd6 || c[0] == 0xe1 ? 0 : int(detail::xcp_half(c + 2));
    if (c[0] == 0xd6) return free_lists(), 1;  // FREE_DAQ
    if (c[0] == 0xd5) {                        // ALLOC_DAQ
      if (lists_ + odts_ + entries_ > 0) return detail::xcp_no(XcpError::sequence, r);
      if (l > Sizes::lists) return detail::xcp_no(XcpError::memory, r);
      return lists_ = l, 1;
    }
    if (c[0] == 0xe1) return write_entry(c, r, count);
    if (l >= lists_) return detail::xcp_no(XcpError::out_of_range, r);
    List& list = list_[l];
    if (c[0] == 0xd4) {  // ALLOC_ODT
      if (list.odts > 0 || entries_ > 0) return detail::xcp_no(XcpError::sequence, r);
      if (odts_ + c[4] > Sizes::odts) return detail::xcp_no(XcpError::memory, r);
      list.first = odts_, list.odts = c[4], odts_ += c[4];
      return 1;
    }
    if (c[0] == 0xe0) {  // SET_DAQ_LIST_MODE: event 0; direction to the master
      if ((c[1] & 0x02) != 0 || detail::xcp_half(c + 4) != 0 || c[6] == 0)
        return detail::xcp_no(XcpError::out_of_range, r);
      return list.prescaler = c[6], 1;
    }
    if (c[4] >= list.odts) return detail::xcp_no(XcpError::out_of_range, r);
    Odt& odt = odt_[list.first + c[4]];
    if (c[0] == 0xd3) {  // ALLOC_ODT_ENTRY
      if (odt.count > 0) return detail::xcp_no(XcpError::sequence, r);
      if (c[5] > entries_of_odt || entries_ + c[5] > Sizes::entries) return detail::xcp_no(XcpError::memory, r);
      odt.first = static_cast<std::uint16_t>(entries_), odt.count = c[5];
      for (int e = 0; e < c[5]; ++e) entry_[entries_++] = open;
      return 1;
    }
    if (c[5] >= odt.count) return detail::xcp_no(XcpError::out_of_range, r);  // SET_DAQ_PTR
    at_ = odt.first + c[5], end_ = odt.first + odt.count;
    return 1;
  }
  int write_entry(const Byte* c, Byte* r, int count) {  // WRITE_DAQ
    const std::uint32_t a = detail::xcp_word(c + 4);
    if (at_ >= end_) return detail::xcp_no(XcpError::sequence, r);
    const bool variable = a % 8 == 0 && a / 8 < std::uint32_t(count);
    if (c[1] != 0xff || c[2] != entry_size || !variable) return detail::xcp_no(XcpError::out_of_range, r);
    entry_[at_++] = static_cast<std::int16_t>(a / 8);
    return 1;
  }
  void free_lists() {
    lists_ = odts_ = entries_ = at_ = end_ = 0;
    for (List& list : list_) list = List{};
    for (Odt& odt : odt_) odt = Odt{};
  }

  List list_[Sizes::lists];
  Odt odt_[Sizes::odts];
  std::int16_t entry_[Sizes::entries] = {};
  int lists_ = 0, odts_ = 0, entries_ = 0, at_ = 0, end_ = 0;  // at_, end_: of WRITE_DAQ
};

}  // namespace moreau::bench
