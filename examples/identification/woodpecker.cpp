// Identification of the woodpecker toy: play, restitution, friction and spring from height and angle.
//
//   woodpecker record woodpecker.csv       record of 0.6 s of a simulated toy
//   woodpecker check woodpecker.csv
//   woodpecker fit woodpecker.csv
#include "woodpecker.hpp"

#include <moreau/identify/commands.hpp>

#include "adaptive_record.hpp"

int main(int count, char** words) {
  const auto description = identification::woodpecker();
  if (count == 3 && std::string(words[1]) == "record") {
    const identification::Toy toy;
    const std::vector<double> truth{toy.r_M, toy.eps_beak, toy.mu, toy.c_phi};
    const auto start = models::state_at<identification::Toy>(toy.start());
    const auto still = [](const auto&) { return 0.0; };
    const auto rows = identification::adaptive_record(description, truth, start, {0.6, 2e-4, 0.2}, 1, still);
    identification::write_record(description, rows, words[2]);
    return 0;
  }
  return moreau::identify::commands(description, count, words);
}
