// Identification of a machine on a board: an adaptive run on an STM32F405 under QEMU, whose samples arrive over the
// serial line and pass quantised sensors.
#include <moreau/identify/fit.hpp>
#include <moreau/identify/telemetry.hpp>

#include <cstdio>

#include "identification/woodpecker.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau::identify;
using Machine = identification::Woodpecker;

void test_a_record_over_the_serial_line(void) {
  auto d = Machine::description();
  d.channel_of[0].sensor = resolution(2e-5), d.channel_of[1].sensor = encoder(1024);
  FILE* const qemu = popen(
      "exec qemu-system-arm -M netduinoplus2 -display none -monitor none -no-reboot -serial stdio "
      "-kernel " IDENTIFICATION_BOARD " </dev/null",
      "r");
  CHECK(qemu != nullptr);
  const auto record = read_telemetry(d, fileno(qemu), {300, 60});
  pclose(qemu);
  CHECK_EQUAL(2000u, record.rows.size());
  CHECK(record.notes.empty());
  constexpr int members = 60;
  FitOptions o;
  o.chains = 2, o.trials = 9, o.threads = 2;
  const auto fit = moreau::identify::fit<members>(d, record.rows, o);
  const auto truth = Machine::usual();
  for (std::size_t p = 0; p < truth.size(); ++p) {
    const ParameterFit& one = fit.parameters[p];
    std::printf("%s %g: %g, %g to %g\n", d.parameter_of[p].name, truth[p], one.value, one.low, one.high);
    CHECK(one.low < truth[p] && truth[p] < one.high);
    CHECK(one.found == Found::found);
  }
  CHECK(fit.explained());
}

}  // namespace

TEST_MAIN(TEST(test_a_record_over_the_serial_line))
