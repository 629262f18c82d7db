// Frames on a serial line: a frame arrives unchanged or is dropped, and a server makes every step exactly once.
#include <moreau/bench/line.hpp>

#include "chip.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau::bench;

Frame example(int size) {
  Frame frame;
  frame.kind = FrameKind::step;
  frame.sequence = 0x0100;
  for (int i = 0; i < size; ++i) frame.payload[frame.size++] = static_cast<std::uint8_t>(i % 3 == 0 ? 0 : i * 37);
  return frame;
}
bool same(const Frame& a, const Frame& b) {
  if (a.kind != b.kind || a.sequence != b.sequence || a.size != b.size) return false;
  for (std::size_t i = 0; i < a.size; ++i)
    if (a.payload[i] != b.payload[i]) return false;
  return true;
}
int take_all(Decoder& decoder, const std::uint8_t* bytes, std::size_t n, Frame& last) {
  int whole = 0;
  for (std::size_t i = 0; i < n; ++i) whole += decoder.take(bytes[i], last);
  return whole;
}

void test_frames_arrive_unchanged(void) {
  for (int size = 0; size <= int(most_payload); ++size) {
    const Frame frame = example(size);
    std::uint8_t bytes[most_bytes];
    const std::size_t n = encode(frame, bytes);
    CHECK_EQUAL(std::size_t(size) + frame_overhead + 2, n);
    for (std::size_t i = 0; i + 1 < n; ++i) CHECK(bytes[i] != 0);
    CHECK_EQUAL(0, bytes[n - 1]);
    Decoder decoder;
    Frame out;
    CHECK_EQUAL(1, take_all(decoder, bytes, n, out));
    CHECK(same(frame, out));
    CHECK_EQUAL(0u, decoder.damaged);
  }
}

void test_damage_is_detected_and_next_frame_is_found(void) {
  const Frame frame = example(28);
  std::uint8_t good[most_bytes], bad[most_bytes];
  const std::size_t n = encode(frame, good);
  for (std::size_t bit = 0; bit < 8 * (n - 1); ++bit) {
    for (std::size_t i = 0; i < n; ++i) bad[i] = good[i];
    bad[bit / 8] = static_cast<std::uint8_t>(bad[bit / 8] ^ (1u << bit % 8));
    Decoder decoder;
    Frame out;
    CHECK_EQUAL(0, take_all(decoder, bad, n, out));
    CHECK(decoder.damaged > 0);
    CHECK_EQUAL(1, take_all(decoder, good, n, out));
    CHECK(same(frame, out));
  }
  for (std::size_t lost = 0; lost < n - 1; ++lost) {
    Decoder decoder;
    Frame out;
    CHECK_EQUAL(0, take_all(decoder, good, lost, out));
    CHECK_EQUAL(0, take_all(decoder, good + lost + 1, n - lost - 1, out));
    CHECK_EQUAL(1, take_all(decoder, good, n, out));
  }
}

void test_endless_noise_is_dropped(void) {
  Decoder decoder;
  Frame out;
  for (int i = 0; i < 10000; ++i) CHECK(!decoder.take(static_cast<std::uint8_t>(1 + i % 255), out));
  CHECK(!decoder.take(0, out));
  CHECK_EQUAL(1u, decoder.damaged);
  for (int i = 0; i < 100; ++i) CHECK(!decoder.take(0, out));
  std::uint8_t bytes[most_bytes];
  CHECK_EQUAL(1, take_all(decoder, bytes, encode(example(8), bytes), out));
}

void test_checksum_equals_ethernet(void) {
  const std::uint8_t text[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  CHECK_EQUAL(0xcbf43926u, detail::checksum(text, sizeof text));
}

struct Counting {
  int begun = 0, steps = 0;
  void begin(const Frame&, Frame&) { ++begun; }
  void step(const Frame&, Frame& answer) { put_number(answer, static_cast<float>(++steps)); }
};

Frame request(FrameKind kind, int sequence) {
  Frame frame;
  frame.kind = kind;
  frame.sequence = static_cast<std::uint16_t>(sequence);
  return frame;
}

void test_server_makes_every_step_once(void) {
  Counting work;
  Server<Counting> server(work);
  CHECK(server.answer(request(FrameKind::step, 1)).kind == FrameKind::refused);  // not started
  int sequence = 65500;
  CHECK(server.answer(request(FrameKind::begin, sequence)).kind == FrameKind::done);
  for (int n = 1; n < 100; ++n) {
    ++sequence;  // continues beyond 65535
    CHECK(server.answer(request(FrameKind::step, sequence + 1)).kind == FrameKind::refused);
    CHECK(server.answer(request(FrameKind::refused, sequence)).kind == FrameKind::refused);
    for (int again = 0; again < 3; ++again) {
      const Frame& answer = server.answer(request(FrameKind::step, sequence));
      CHECK(answer.kind == FrameKind::done && answer.sequence == std::uint16_t(sequence));
      CHECK_EQUAL(float(n), number_at(answer, 0));
    }
    CHECK(server.answer(request(FrameKind::step, sequence - 1)).kind == FrameKind::refused);
    CHECK_EQUAL(n, work.steps);
  }
  CHECK_EQUAL(1, work.begun);
  CHECK_EQUAL(2u * 99u, server.repeated);
  CHECK_EQUAL(1u + 3u * 99u, server.refused);
  const Frame& counters = server.answer(request(FrameKind::counters, 7));
  CHECK_EQUAL(198.0f, number_at(counters, 0));
  CHECK(server.answer(request(FrameKind::step, sequence + 1)).kind == FrameKind::done);
}

// A line with late, duplicated and lost replies.
struct Line {
  Counting work;
  Server<Counting> server{work};
  Decoder decoder;
  Frame waiting[8];
  int count = 0, sent = 0;
  void send(const std::uint8_t* bytes, std::size_t n) {
    Frame frame;
    if (take_all(decoder, bytes, n, frame) == 0 || ++sent % 3 == 0) return;  // every third is lost
    waiting[count++] = server.answer(frame);
    if (sent % 2 == 0) waiting[count++] = server.answer(frame);  // every second arrives twice
  }
  bool receive(Frame& frame) {
    if (count == 0) return false;
    frame = waiting[0];
    --count;
    for (int i = 0; i < count; ++i) waiting[i] = waiting[i + 1];
    return true;
  }
};

void test_client_receives_every_answer_in_order(void) {
  Line line;
  Client<Line> client(line);
  Frame begin = request(FrameKind::begin, 0), answer;
  CHECK(client.ask(begin, answer));
  for (int n = 1; n <= 1000; ++n) {
    Frame step = request(FrameKind::step, 0);
    CHECK(client.ask(step, answer));
    CHECK_EQUAL(float(n), number_at(answer, 0));
  }
  CHECK_EQUAL(1000, line.work.steps);
  CHECK(client.sent_again > 0 && client.stale > 0 && line.server.repeated > 0);
}

void test_baud_rates(void) {
  using namespace moreau::stm32f405;
  CHECK_EQUAL(139u, divider(internal_hz, 115200));
  CHECK_EQUAL(729u, divider(full_hz / 2, 115200));
  constexpr std::uint32_t bearable = 20;  // permille; one of ten bits is shifted by a fifth of its width
  for (const std::uint32_t baud : {9600u, 115200u, 921600u}) CHECK(off_by_permille(full_hz / 2, baud) < bearable);
  CHECK(off_by_permille(internal_hz, 115200) < bearable);
  CHECK(off_by_permille(internal_hz, 921600) >= bearable);  // requires the crystal
}

}  // namespace

TEST_MAIN({
  TEST(test_frames_arrive_unchanged);
  TEST(test_damage_is_detected_and_next_frame_is_found);
  TEST(test_endless_noise_is_dropped);
  TEST(test_checksum_equals_ethernet);
  TEST(test_server_makes_every_step_once);
  TEST(test_client_receives_every_answer_in_order);
  TEST(test_baud_rates);
})
