// Other methods on records of the identification: single shooting with a global optimiser, multiple shooting.
//
//   benchmarks.identification_others [truths] [csv file|-]
//
// The records of identification.cpp, begun at a known state: both methods and the filter obtain the same records, and
// single shooting obtains the exact initial state.
//
//   single    min over theta of sum ((y(theta) - z) / sigma)^2 over the record; CRS2 of NLopt, 3000 evaluations
//   multiple  Gauss-Newton over theta and the states at the beginnings of segments of five windows:
//             sum ((y - z) / sigma)^2 + sum ((x_end,k - x_k+1) / s)^2
//             s: 0.1, 0.01 and 0.001 of the deviation of the initial states, at most 25 iterations each; the best of
//             five starts, one in the middle of the ranges
//   filter    three ensembles without trials
//
// theta is the position in the range. Derivatives are finite differences with steps of 1e-3 of the range, because the
// cost is rough at smaller steps.
#include <moreau/identify/fit.hpp>

#ifdef MOREAU_NLOPT
#include <nlopt.h>
#endif

#include <Eigen/Dense>
#include <cstdio>
#include <ctime>

#include "identification/adaptive_record.hpp"
#include "identification/gear_drive.hpp"
#include "identification/slider_crank.hpp"
#include "identification/woodpecker.hpp"

namespace {

using namespace moreau::identify;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// Runs of the model over parts of a record.
template <class Machine>
class Shooting {
 public:
  using Description = typename Machine::Description;
  using Model = typename Description::Model;
  using Sample = typename Description::Sample;
  using State = moreau::State<Model>;
  static constexpr int dof = moreau::Traits<Model>::dof, most_channels = Description::most_channels;

  Shooting(const Description& d, const std::vector<Sample>& rows) : d_(d), rows_(rows), run_(d.model, {}) {}

  const Description& description() const { return d_; }
  const std::vector<Sample>& rows() const { return rows_; }

  Model model_of(const Eigen::VectorXd& theta) const {
    Model model = d_.model;
    auto sensors = d_.sensors();
    set(model, sensors, theta);
    return model;
  }
  // Returns the weighted residuals of rows first + 1 .. last, from a state at row first, and the state at row last.
  // Readings of rates settle during the first rows and have no weight there.
  bool run(const Eigen::VectorXd& theta, State& state, std::size_t first, std::size_t last, std::vector<double>& out) {
    auto sensors = d_.sensors();
    run_.model = d_.model;
    set(run_.model, sensors, theta);
    run_.state = state;
    run_.state.set_time(rows_[first].t);
    std::array<SensorMemory, std::size_t(most_channels)> memory{};
    for (int c = 0; c < d_.channels; ++c)
      memory[std::size_t(c)].begin(sensors[std::size_t(c)], d_.channel_of[std::size_t(c)].read(run_.model, state));
    moreau::identify::ImpactOfStep<Model> impact;
    constexpr std::size_t settling = 10;
    out.clear();
    for (std::size_t n = first + 1; n <= last; ++n) {
      d_.set_inputs(run_.model, rows_[n - 1], sensors);
      const double span = rows_[n].t - rows_[n - 1].t;
      const int steps = std::max(1, int(std::ceil(span / d_.dt - 1e-6)));
      for (int k = 0; k < steps; ++k) {
        impact.begin(run_.state, span / steps);
        if (!run_.step(span / steps).advanced()) return false;
        const bool hit = impact.end(run_.state, span / steps);
        for (int c = 0; c < d_.channels; ++c) {
          const Jump jump = hit ? jump_of(d_, c, run_.model, run_.state, impact) : Jump{};
          memory[std::size_t(c)].step(sensors[std::size_t(c)],
                                      d_.channel_of[std::size_t(c)].read(run_.model, run_.state), span / steps, jump);
        }
      }
      for (int c = 0; c < d_.channels; ++c) {
        const Sensor& sensor = sensors[std::size_t(c)];
        const double y = memory[std::size_t(c)].read(sensor, span), z = rows_[n].measured[std::size_t(c)];
        const bool settled = sensor.kind == Sensor::Kind::value || n > first + settling;
        const double residual = (y - z) / sensor.deviation();
        if (!(residual - residual == 0)) return false;
        out.push_back(settled ? residual : 0);
      }
    }
    state = run_.state;
    return true;
  }

 private:
  template <class Sensors>
  void set(Model& model, Sensors& sensors, const Eigen::VectorXd& theta) const {
    for (int p = 0; p < d_.parameters; ++p) {
      const Range& range = d_.parameter_of[std::size_t(p)].range;
      d_.set_value(model, sensors, p, range.low + range.width() * std::max(1e-3, std::min(0.999, theta(p))));
    }
  }

  const Description& d_;
  const std::vector<Sample>& rows_;
  moreau::Stepper<Model> run_;
};

#ifdef MOREAU_NLOPT
template <class Machine>
Eigen::VectorXd single_shooting(Shooting<Machine>& shooting, int seed) {
  const int P = shooting.description().parameters;
  const auto cost = [](unsigned n, const double* theta, double*, void* data) {
    auto& all = *static_cast<Shooting<Machine>*>(data);
    const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(theta, n);
    auto state = Machine::begin(all.model_of(x));
    std::vector<double> residuals;
    if (!all.run(x, state, 0, all.rows().size() - 1, residuals)) return 1e12;
    double sum = 0;
    for (const double r : residuals) sum += r * r;
    return sum;
  };
  nlopt_srand(unsigned(seed) + 1);
  nlopt_opt optimiser = nlopt_create(NLOPT_GN_CRS2_LM, unsigned(P));
  nlopt_set_lower_bounds1(optimiser, 0), nlopt_set_upper_bounds1(optimiser, 1);
  nlopt_set_min_objective(optimiser, cost, &shooting);
  constexpr int evaluations = 3000;
  nlopt_set_maxeval(optimiser, evaluations);
  Eigen::VectorXd theta = Eigen::VectorXd::Constant(P, 0.5);
  double least = 0;
  nlopt_optimize(optimiser, theta.data(), &least);
  nlopt_destroy(optimiser);
  return theta;
}
#endif

// Multiple shooting. Unknowns: theta, then q and u at the beginning of every segment.
template <class Machine>
class MultipleShooting {
 public:
  explicit MultipleShooting(Shooting<Machine>& shooting) : shooting_(shooting) {}

  // Returns the parameters with the least cost of several starts.
  Eigen::VectorXd solve(int seed) {
    constexpr int starts = 5;
    Eigen::VectorXd best;
    double least = std::numeric_limits<double>::infinity();
    for (int start = 0; start < starts; ++start) {
      begin(start, starts * seed + start);
      double cost = 0;
      for (const double of_scale : {1e-1, 1e-2, 1e-3}) of_scale_ = of_scale, cost = descend();
      if (start == 0 || cost < least) best = unknowns_.head(P_), least = cost;
    }
    return best;
  }

 private:
  using State = typename Shooting<Machine>::State;
  static constexpr int dof = Shooting<Machine>::dof, X = 2 * dof;

  // Gauss-Newton with damping. Returns the cost.
  double descend() {
    double lambda = 1e-3, cost = evaluate(unknowns_, nullptr, nullptr);
    constexpr int iterations = 25;
    constexpr double least_change = 1e-4, most_lambda = 1e8;
    for (int i = 0; i < iterations && lambda < most_lambda; ++i) {
      Eigen::MatrixXd H;
      Eigen::VectorXd g;
      evaluate(unknowns_, &H, &g);
      const double rounding = 1e-12 * H.diagonal().maxCoeff(), before = cost;
      while (cost == before && lambda < most_lambda) {
        Eigen::MatrixXd damped = H;
        damped.diagonal() += lambda * H.diagonal() + Eigen::VectorXd::Constant(H.rows(), rounding);
        Eigen::VectorXd trial = unknowns_ - damped.ldlt().solve(g);
        for (int p = 0; p < P_; ++p) trial(p) = std::max(0.0, std::min(1.0, trial(p)));
        const double next = evaluate(trial, nullptr, nullptr);
        lambda *= next < cost ? 0.2 : 5;
        if (next < cost) unknowns_ = trial, cost = next;
      }
      if (cost > (1 - least_change) * before) break;
    }
    return cost;
  }

  // Splits the record and draws the initial states of the segments.
  void begin(int start, int seed) {
    const auto& d = shooting_.description();
    const auto& rows = shooting_.rows();
    P_ = d.parameters;
    constexpr int windows = 5;
    int n = 0;
    segments_.clear();
    each_window(rows, d.window, [&](const auto* first, int count) {
      if (n++ % windows == 0) segments_.push_back(std::size_t(first - rows.data()) - 1);
      last_ = std::size_t(first - rows.data()) + std::size_t(count) - 1;
    });
    unknowns_ = Eigen::VectorXd::Constant(P_ + X * int(segments_.size()), 0.5);
    Draw place(std::uint64_t(seed) + 1, 1000);
    for (int p = 0; p < P_ && start > 0; ++p) unknowns_(p) = place.uniform(0.1, 0.9);
    const auto model = shooting_.model_of(unknowns_.head(P_));
    scale_.setZero(X);
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(X);
    constexpr int draws = 30;
    for (std::size_t k = 0; k < segments_.size(); ++k) {
      const auto reading = reading_of(d, &rows[segments_[k]], first_window(rows, d.window));
      Draw draw(std::uint64_t(seed) + 1, std::uint32_t(k));
      for (int i = 0; i < draws; ++i) {
        const State s = d.start(model, reading, draw);
        for (int j = 0; j < dof; ++j) unknowns_(at(k) + j) = s.q[j], unknowns_(at(k) + dof + j) = s.u[j];
        if (k > 0) continue;
        const Eigen::VectorXd x = unknowns_.segment(at(k), X);
        mean += x / draws, scale_ += x.cwiseAbs2() / draws;
      }
    }
    scale_ = (scale_ - mean.cwiseAbs2()).cwiseMax(1e-12).cwiseSqrt();
  }
  int at(std::size_t k) const { return P_ + X * int(k); }

  // Residuals of segment k: readings, then the differences to the beginning of the next segment.
  bool residuals(const Eigen::VectorXd& all, std::size_t k, std::vector<double>& out) {
    State s;
    for (int j = 0; j < dof; ++j) s.q[j] = all(at(k) + j), s.u[j] = all(at(k) + dof + j);
    const bool final = k + 1 == segments_.size();
    if (!shooting_.run(all.head(P_), s, segments_[k], final ? last_ : segments_[k + 1], out)) return false;
    for (int j = 0; j < X && !final; ++j)
      out.push_back(((j < dof ? s.q[j] : s.u[j - dof]) - all(at(k + 1) + j)) / (of_scale_ * scale_(j)));
    return true;
  }

  // Returns the cost; with H and g also the normal equations.
  double evaluate(const Eigen::VectorXd& all, Eigen::MatrixXd* H, Eigen::VectorXd* g) {
    if (H) H->setZero(all.size(), all.size()), g->setZero(all.size());
    double cost = 0;
    std::vector<double> r, shifted;
    for (std::size_t k = 0; k < segments_.size(); ++k) {
      if (!residuals(all, k, r)) return 1e15;
      for (const double each : r) cost += each * each;
      if (!H) continue;
      const bool final = k + 1 == segments_.size();
      std::vector<int> columns;
      for (int p = 0; p < P_; ++p) columns.push_back(p);
      for (int j = 0; j < (final ? X : 2 * X); ++j) columns.push_back(at(k) + j);
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(int(r.size()), int(columns.size()));
      for (int c = 0; c < J.cols(); ++c) {
        constexpr double difference = 1e-3;
        const int column = columns[std::size_t(c)];
        const double h = column < P_ ? difference : difference * scale_((column - P_) % X);
        if (column >= at(k) + X) {  // beginning of the next segment
          J(int(r.size()) - X + (column - at(k) - X), c) = -1 / (of_scale_ * scale_((column - P_) % X));
          continue;
        }
        Eigen::VectorXd other = all;
        other(column) += h;
        if (!residuals(other, k, shifted)) continue;
        for (int i = 0; i < J.rows(); ++i) J(i, c) = (shifted[std::size_t(i)] - r[std::size_t(i)]) / h;
      }
      const Eigen::Map<const Eigen::VectorXd> residual(r.data(), int(r.size()));
      const Eigen::MatrixXd JJ = J.transpose() * J;
      const Eigen::VectorXd Jr = J.transpose() * residual;
      for (int a = 0; a < J.cols(); ++a) {
        (*g)(columns[std::size_t(a)]) += Jr(a);
        for (int b = 0; b < J.cols(); ++b) (*H)(columns[std::size_t(a)], columns[std::size_t(b)]) += JJ(a, b);
      }
    }
    return cost;
  }

  Shooting<Machine>& shooting_;
  int P_ = 0;
  std::vector<std::size_t> segments_;  // first rows
  std::size_t last_ = 0;
  double of_scale_ = 1;
  Eigen::VectorXd unknowns_, scale_;
};

template <class Machine>
void measure(int truths, std::FILE* csv) {
  const auto d = Machine::description();
  auto plan = Machine::plan;
  plan.before = 0;
  for (int t = 0; t < truths; ++t) {
    Draw draw(1000, std::uint32_t(t));
    std::vector<double> truth;
    for (int p = 0; p < d.parameters; ++p) {
      const Range& range = d.parameter_of[std::size_t(p)].range;
      truth.push_back(range.low + range.width() * draw.uniform(0.1, 0.9));
    }
    const auto rows = identification::machine_record<Machine>(d, truth, 1, plan);
    const auto report = [&](const char* method, double begin, const auto& value) {
      const double seconds = cpu_seconds() - begin;
      for (int p = 0; p < d.parameters; ++p) {
        const double fitted = value(p);
        const auto& parameter = d.parameter_of[std::size_t(p)];
        std::fprintf(csv, "%s,%s,%d,%s,%.5g,%.5g,%.5g,%.2f\n", d.name, method, t, parameter.name,
                     parameter.range.width(), truth[std::size_t(p)], fitted, seconds);
      }
      std::fflush(csv);
    };
    const auto of_range = [&](const Eigen::VectorXd& theta) {
      return [&d, theta](int p) {
        const Range& range = d.parameter_of[std::size_t(p)].range;
        return range.low + range.width() * theta(p);
      };
    };
    double begin = cpu_seconds();
    FitOptions o;
    o.trials = 0;
    constexpr int members = 100;
    const auto fit = moreau::identify::fit<members>(d, rows, o);
    report("filter", begin, [&](int p) { return fit.parameters[std::size_t(p)].value; });
    Shooting<Machine> shooting(d, rows);
    begin = cpu_seconds();
    report("multiple shooting", begin, of_range(MultipleShooting<Machine>(shooting).solve(t)));
#ifdef MOREAU_NLOPT
    begin = cpu_seconds();
    report("single shooting", begin, of_range(single_shooting(shooting, t)));
#endif
  }
}

}  // namespace

int main(int count, char** words) {
  const int truths = count > 1 ? std::atoi(words[1]) : 1;
  std::FILE* csv = count > 2 && words[2][0] != '-' ? std::fopen(words[2], "w") : stdout;
  if (!csv) return 1;
  std::fprintf(csv, "machine,method,truth,parameter,range,value,fitted,seconds\n");
  measure<identification::Woodpecker>(truths, csv);
  measure<identification::GearDrive>(truths, csv);
  measure<identification::SliderCrank>(truths, csv);
  return csv == stdout ? 0 : std::fclose(csv);
}
