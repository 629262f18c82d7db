// Robustness against arbitrary bytes, by libFuzzer. The first byte selects the interpretation of the others: a state,
// a contact problem, input of a serial line, arguments of a command, a study, names and units of a test bench, or
// commands of an XCP master. No access outside the buffers, no wrong answer, and rejected input changes nothing.
#include <moreau/bench/frames.hpp>
#include <moreau/bench/xcp.hpp>
#include <moreau/bench/xcp_transport.hpp>
#include <moreau/moreau.hpp>

#include "models/woodpecker.hpp"
#include "solvers/enumeration.hpp"
#include "solvers/hand_over.hpp"
#include "taken.hpp"
#include "test_benches/woodpecker.hpp"
#include "text.hpp"

namespace {

using fuzz::Bytes;
using fuzz::demand;

using Toy = models::Woodpecker<double>;
using State = moreau::State<Toy>;
using Saved = std::array<std::uint8_t, State::bytes>;

Saved saved(const State& state) {
  Saved bytes;
  state.save(bytes.data());
  return bytes;
}

// Unchanged, and as the fields of a state with correct header and checksum.
void as_state(Bytes in) {
  State state;
  const Saved before = saved(state);
  const bool whole = state.restore(in.data(), in.size()) == moreau::Status::ok;
  demand(saved(state) == before || (whole && std::memcmp(saved(state).data(), in.data(), before.size()) == 0));
  Saved fields = before;
  const std::size_t head = moreau::detail::header_size, tail = moreau::detail::checksum_size;
  const std::size_t room = fields.size() - head - tail;
  std::memcpy(fields.data() + head, in.data(), in.size() < room ? in.size() : room);
  moreau::detail::ByteWriter write{fields.data() + fields.size() - tail};
  write.raw(moreau::detail::crc32(fields.data(), fields.size() - tail));
  demand(state.restore(fields.data(), fields.size()) == moreau::Status::ok && saved(state) == fields);
  moreau::Stepper<Toy> stepper{Toy{}, state};
  const Saved first = saved(stepper.state);
  const bool advanced = stepper.step(1e-4).advanced();
  demand(advanced || saved(stepper.state) == first);
  for (int j = 0; advanced && j < Toy::dof; ++j)
    demand(std::isfinite(stepper.state.q(j)) && std::isfinite(stepper.state.u(j)));
}

template <class Real, class Solver>
void solve(const problems::PlainProblem& plain, const Solver& solver) {
  using Problem = problems::Problem<Real, 2>;
  static moreau::Workspace<Solver, Problem> work;
  static Problem problem;
  problems::hand_over<Real, 2>(plain, problem);
  typename Problem::Percussions P = Problem::Percussions::Zero();
  const moreau::Judge<Real> judge;
  moreau::Sigmas<Problem> modes;
  moreau::solve(problem, solver, work, P, judge);
  if (!evaluate(problem, P, judge, modes).exact) return;
  problems::Rows wide{};
  for (int r = 0; r < plain.rows(); ++r) wide[std::size_t(r)] = problems::Wide(P(r));
  const problems::Wide limit = problems::Wide(judge.rtol) * problems::Wide(judge.cancellation);  // of the largest |c|
  demand(problems::right(plain, wide, limit, problems::Wide(judge.rtol)));
}

// Directions, masses, velocities and friction coefficients of any size; solved in float and double.
void as_problem(Bytes in) {
  problems::PlainProblem plain;
  plain.k = 1 + in.take<std::uint8_t>() % problems::capacity;
  const int n = plain.rows(), coordinates = 1 + in.take<std::uint8_t>() % 6;
  const double unit = std::ldexp(1.0, in.take<std::int8_t>() / 4);
  float W[2 * problems::capacity][6];
  const auto number = [&in] { return float(in.take<std::int16_t>()) / 4096; };
  for (int r = 0; r < n; ++r)
    for (int j = 0; j < coordinates; ++j) W[r][j] = number();
  for (int r = 0; r < n; ++r) {
    plain.q[std::size_t(r)] = problems::Wide(number());
    for (int s = 0; s < n; ++s) {
      float sum = 0;
      for (int j = 0; j < coordinates; ++j) sum += W[r][j] * W[s][j];
      plain.G[std::size_t(r * n + s)] = problems::Wide(float(unit * double(sum)));
    }
  }
  for (int i = 0; i < plain.k; ++i) {
    const bool acts = plain.entry(2 * i + 1, 2 * i + 1) > 0;  // without a tangent there is no friction
    plain.mu[std::size_t(i)] = acts ? problems::Wide(float(in.take<std::uint8_t>()) / 64) : 0;
  }
  moreau::Psor psor;
  psor.max_iterations = 20;
  solve<float>(plain, moreau::Exact{}), solve<double>(plain, moreau::Exact{});
  solve<float>(plain, moreau::Lemke{}), solve<double>(plain, moreau::Lemke{});
  solve<float>(plain, psor), solve<double>(plain, psor);
}

bool same(const moreau::bench::Frame& a, const moreau::bench::Frame& b) {
  return a.kind == b.kind && a.sequence == b.sequence && a.size == b.size &&
         std::memcmp(a.payload, b.payload, a.size) == 0;
}

// Input of a line, and a frame made of the bytes: it is decoded unchanged, whatever precedes it.
void as_line(Bytes in) {
  using namespace moreau::bench;
  Decoder decoder;
  Frame out, frame;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (decoder.take(in.data()[i], out)) demand(out.size <= most_payload);
  frame.sequence = in.take<std::uint16_t>();
  while (in.size() > 0 && frame.size < most_payload) frame.payload[frame.size++] = in.take<std::uint8_t>();
  std::uint8_t bytes[most_bytes];
  const std::size_t n = encode(frame, bytes);
  (void)decoder.take(0, out);  // ends any earlier frame
  bool whole = false;
  for (std::size_t i = 0; i < n; ++i) whole = decoder.take(bytes[i], out);
  demand(whole && same(out, frame));
}

// Commands of an XCP master, each with its length before it, and samples in between.
void as_xcp(Bytes in) {
  using namespace moreau::bench;
  static Plant<WoodpeckerBench> plant;
  XcpSlave<WoodpeckerBench> slave(plant, "woodpecker");
  std::uint8_t response[XcpSizes::packet];
  const std::uint8_t connect[] = {0xff, 0};
  demand(slave.answer(connect, 2, 0, response) == 8);
  XcpSerial<> line;
  while (in.size() > 0) {
    std::uint8_t command[XcpSizes::packet + 4];
    int n = in.take<std::uint8_t>() % int(sizeof command);
    for (int k = 0; k < n; ++k) command[k] = in.take<std::uint8_t>();
    for (int k = 0; k < n; ++k)
      if (line.take(command[k])) demand(line.size() > 0 && line.size() <= XcpSizes::packet);
    line.idle();
    const int size = slave.answer(command, n, 1, response);
    demand(size >= 0 && size <= XcpSizes::packet);
    slave.sample(2, [](const std::uint8_t*, int bytes) { demand(bytes > 0 && bytes <= XcpSizes::packet); });
  }
  for (int i = 0; i < Table<WoodpeckerBench>::count; ++i) {
    double value = 0;
    (void)plant.get(i, value);
    const auto& v = Table<WoodpeckerBench>::of(i);
    demand(v.set == nullptr || (value >= v.min && value <= v.max));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(data, size);
  switch (in.take<std::uint8_t>() % 7) {
    case 0:
      as_state(in);
      break;
    case 1:
      as_problem(in);
      break;
    case 2:
      as_line(in);
      break;
    case 3:
      fuzz::as_command(in);
      break;
    case 4:
      fuzz::as_study(in);
      break;
    case 5:
      fuzz::as_bench(in);
      break;
    default:
      as_xcp(in);
  }
  return 0;
}
