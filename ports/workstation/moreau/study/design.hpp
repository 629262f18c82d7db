// Parameter values of run number `index`: a function of the index alone, so any run can be repeated on any machine.
//
// All grid combinations are enumerated, the last grid fastest. Every combination has the same draws of the other
// parameters, so combinations differ only by their grids:  index = combination * samples + draw.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "moreau/study/distribution.hpp"
#include "moreau/study/latin.hpp"
#include "moreau/study/sobol.hpp"

namespace moreau::study {

// Number of draws and sampling method: random, Sobol (even in all dimensions together, best with a power of two), or
// Latin hypercube (even in each dimension alone).
struct Sampling {
  enum class Kind { random, sobol, latin };
  Kind kind = Kind::random;
  std::uint64_t samples = 1;
};
inline Sampling random(std::uint64_t samples) { return {Sampling::Kind::random, samples}; }
inline Sampling sobol(std::uint64_t samples) { return {Sampling::Kind::sobol, samples}; }
inline Sampling latin(std::uint64_t samples) { return {Sampling::Kind::latin, samples}; }

class Design {
 public:
  static constexpr std::uint64_t most_runs = std::uint64_t{1} << 52;  // the results store an index as a double

  Design(const std::vector<Distribution>& distributions, Sampling sampling, std::uint64_t seed)
      : distributions_(distributions), sampling_(sampling), seed_(seed) {
    for (const auto& d : distributions_) {
      if (d.enumerated()) {
        const std::uint64_t values = d.numbers.size();
        combinations_ = values > 0 && combinations_ > most_runs / values ? most_runs + 1 : combinations_ * values;
        continue;
      }
      const auto dimension = std::uint32_t(drawn_++);
      scrambles_.emplace_back(seed, dimension);
      permutations_.emplace_back(sampling.samples, seed, dimension);
    }
  }

  std::string fault() const {
    if (sampling_.samples < 1) return "needs at least one sample";
    if (combinations_ < 1) return "has a grid without values";
    if (sampling_.samples > most_runs / combinations_) return "has more than 2^52 runs";
    if (sampling_.kind == Sampling::Kind::sobol && drawn_ > Sobol::most_dimensions)
      return "draws " + std::to_string(drawn_) + " parameters, but the Sobol sequence has only " +
             std::to_string(Sobol::most_dimensions) + " dimensions: use latin or random";
    if (drawn_ == 0 && sampling_.samples > 1) return "draws no parameter: use one sample per combination";
    return "";
  }

  std::uint64_t runs() const { return combinations_ * sampling_.samples; }

  // Draws one number of the unit cube for each drawn parameter, in order of declaration.
  void draw(std::uint64_t index, double* u) const {
    const std::uint64_t sample = index % sampling_.samples;
    for (std::uint32_t d = 0; d < std::uint32_t(drawn_); ++d) u[d] = number(sample, d);
  }
  int drawn() const { return drawn_; }
  std::size_t parameters() const { return distributions_.size(); }

  // Maps these numbers to parameter values; grid values follow from the index.
  void values(std::uint64_t index, const double* u, double* values) const {
    std::uint64_t combination = index / sampling_.samples;
    int dimension = drawn_;
    for (std::size_t i = distributions_.size(); i-- > 0;) {
      const auto& d = distributions_[i];
      if (d.enumerated()) {
        values[i] = d.numbers[combination % d.numbers.size()];
        combination /= d.numbers.size();
      } else {
        values[i] = d.at(u[--dimension]);
      }
    }
  }

 private:
  double number(std::uint64_t sample, std::uint32_t dimension) const {
    switch (sampling_.kind) {
      case Sampling::Kind::sobol:
        return unit(scrambles_[dimension](sobol_(sample, int(dimension))));
      case Sampling::Kind::latin: {
        const double inside = unit(random_words(seed_, Use::jitter, dimension, sample)[0]);
        const double u = (double(permutations_[dimension](sample)) + inside) / double(sampling_.samples);
        return std::min(u, 1 - 0x1p-53);
      }
      case Sampling::Kind::random:
        break;
    }
    return unit(random_words(seed_, Use::sample, dimension, sample)[0]);
  }

  std::vector<Distribution> distributions_;
  Sampling sampling_;
  std::uint64_t seed_, combinations_ = 1;
  int drawn_ = 0;
  Sobol sobol_;
  std::vector<OwenScramble> scrambles_;
  std::vector<Permutation> permutations_;
};

// Parameters of consecutive runs.
class Draws {
 public:
  std::vector<double> u, values;

  explicit Draws(const Design& design) : u(std::size_t(design.drawn())), values(design.parameters()), design_(design) {}

  const double* operator()(std::uint64_t run) {
    design_.draw(run, u.data());
    return of_u(run);
  }
  // Returns the parameters after a change of u.
  const double* of_u(std::uint64_t run) {
    design_.values(run, u.data(), values.data());
    return values.data();
  }

 private:
  Design design_;
};

}  // namespace moreau::study
