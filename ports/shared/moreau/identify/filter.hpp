// Ensemble Kalman filter over parameters and state together.
//
//   member i     logits v_i of the parameters, state (q_i, u_i); a run of the model
//   window       all members advance over its rows, then one update for each row r of the window, in order:
//
//   d_i   = y_r,i - mean(y_r)      s2 = sum d_i^2 / (N - 1)      e = z_r - mean(y_r)
//   R     = sigma^2 / k;  if e^2 > 9 (s2 + R): R = e^2 / 9 - s2   an outlier has the weight of three deviations
//   c     = sum x_i d_i / (N - 1)  of each coordinate x of v, q, u and of the later rows
//   x_i  <- x_i + c / (s2 + R) (e - a d_i),   a = 1 / (1 + sqrt(R / (s2 + R)))
//
// This is the square-root form: mean and covariance of a linear model with Gaussian noise are those of the Kalman
// filter, without random numbers in the update. The k values of a channel in one bin of the window form one row, their
// mean; a rate has one bin. Penetrations that an update causes are removed along the covariance of coordinates and gap.
//
// All memory is in the object. Members are independent between updates, so a program can advance them one by one.
#pragma once
#include "moreau/identify/sensor_memory.hpp"
#include "moreau/identify/statistics.hpp"

namespace moreau::identify {

template <class Description_, int members_, int bins_ = 5>
class Filter {
 public:
  using Description = Description_;
  using Model = typename Description::Model;
  using Real = typename Description::Real;
  using Sample = typename Description::Sample;
  static constexpr int members = members_, bins = bins_, most_parameters = Description::most_parameters;
  static constexpr int most_channels = Description::most_channels, dof = Traits<Model>::dof;
  static constexpr int most_rows = bins * most_channels, most_coordinates = most_parameters + 2 * dof;
  using Belief = identify::Belief<most_parameters>;

  // Factors of the deviations before each update, of the parameters and of the state. Default 1.002: the weight of an
  // update halves within 350 updates. Default 1.03: allows for the errors of the steps within a window.
  double inflation = 1.002, state_inflation = 1.03;
  // Standard deviation of one value of each channel, as assumed by the updates.
  std::array<double, std::size_t(most_channels)> sigma{};
  std::array<Innovations, std::size_t(most_channels)> innovations{};

  explicit Filter(const Description& description) : description_(description), stepper_(description.model, {}) {
    for (int c = 0; c < description.channels; ++c) {
      const Sensor& sensor = description.channel_of[std::size_t(c)].sensor;
      sigma[std::size_t(c)] = sensor.deviation();
      locates_ = locates_ || sensor.kind != Sensor::Kind::value;
    }
  }

  // Draws all members. `rows`: the first window of the record.
  void begin(const Belief& prior, const Sample* rows, int count, std::uint64_t seed) {
    const Reading first = reading_of(description_, rows, count);
    t_ = rows[0].t;
    innovations = {};
    lost_ = 0;
    previous_ = rows[0];
    for (int i = 0; i < members; ++i) {
      Draw draw(seed, std::uint32_t(i));
      Member& m = member_[std::size_t(i)];
      for (int p = 0; p < description_.parameters; ++p)
        m.v[std::size_t(p)] = limited(prior.mean[std::size_t(p)] + draw.normal(prior.deviation[std::size_t(p)]));
      m.alive = true;
      Model model = description_.model;
      auto sensors = description_.sensors();
      description_.set(model, sensors, m.v);
      description_.set_inputs(model, rows[0], sensors);
      m.state = description_.start(model, first, draw);
      m.state.set_time(Real(t_));
      for (int c = 0; c < description_.channels; ++c) {
        const auto& channel = description_.channel_of[std::size_t(c)];
        m.sensor[std::size_t(c)].begin(sensors[std::size_t(c)], double(channel.read(model, m.state)));
      }
    }
  }

  // Advances all members over the rows of one window and updates them.
  void assimilate(const Sample* rows, int count) {
    plan(rows, count);
    for (int i = 0; i < members; ++i) advance(i, rows, count);
    update(rows, count);
  }

  // Parts of assimilate().
  void plan(const Sample* rows, int count) {
    row_count_ = 0;
    for (int c = 0; c < description_.channels; ++c) {
      int present = 0;
      for (int n = 0; n < count; ++n) present += is_measured(rows[n], c);
      const bool rate = description_.channel_of[std::size_t(c)].sensor.kind != Sensor::Kind::value;
      const int rows_of_c = present == 0 ? 0 : rate ? 1 : present < bins ? present : bins;
      for (int b = 0; b < rows_of_c; ++b)
        row_[std::size_t(row_count_ + b)] = {c, 0, (b + 1) * present / rows_of_c - b * present / rows_of_c};
      first_row_[std::size_t(c)] = row_count_;
      int seen = 0;
      for (int n = 0; n < count; ++n) {
        if (!is_measured(rows[n], c)) continue;
        Row& row = row_[std::size_t(row_count_ + bin(seen++, present, rows_of_c))];
        row.observed += rows[n].measured[std::size_t(c)] / row.values;
      }
      row_count_ += rows_of_c;
    }
  }

  void advance(int i, const Sample* rows, int count) {
    Member& m = member_[std::size_t(i)];
    auto sensors = description_.sensors();
    stepper_.model = description_.model;
    description_.set(stepper_.model, sensors, m.v);
    stepper_.state = m.state;
    for (int r = 0; r < row_count_; ++r) y_[std::size_t(r)][std::size_t(i)] = 0;
    std::array<Place, std::size_t(most_channels)> place{};  // of the last value of each channel
    for (int c = 0; c < description_.channels; ++c) place[std::size_t(c)].row = first_row_[std::size_t(c)];
    double t = t_;
    for (int n = 0; n < count && m.alive; ++n) {
      description_.set_inputs(stepper_.model, n > 0 ? rows[n - 1] : previous_, sensors);
      const double span = rows[n].t - t;
      if (span > 0) m.alive = run(m, sensors, span);
      t = rows[n].t;
      for (int c = 0; c < description_.channels; ++c) {
        Place& at = place[std::size_t(c)];
        const auto add = [&](double y) {
          y_[std::size_t(at.row)][std::size_t(i)] += y / row_[std::size_t(at.row)].values;
        };
        if (n > 0 && is_measured(rows[n - 1], c)) add(missing_[std::size_t(c)]);
        const double y = m.sensor[std::size_t(c)].read(sensors[std::size_t(c)], span > 0 ? span : 1);
        if (!is_measured(rows[n], c)) continue;
        if (at.used == row_[std::size_t(at.row)].values) ++at.row, at.used = 0;
        ++at.used;
        add(y);
      }
    }
    m.state = stepper_.state;
    gather(i);
  }

  void update(const Sample* rows, int count) {
    previous_ = rows[count - 1];
    t_ = previous_.t;
    replace_lost();
    for (int k = 0; k < coordinates(); ++k)
      inflate(x_[std::size_t(k)], k < description_.parameters ? inflation : state_inflation);
    for (int r = 0; r < row_count_; ++r) inflate(y_[std::size_t(r)], state_inflation);
    for (int r = 0; r < row_count_; ++r) assimilate_row(r);
    for (int i = 0; i < members; ++i) scatter(i);
    remove_penetrations();
  }

  Belief belief() const {
    Belief out;
    for (int p = 0; p < description_.parameters; ++p) {
      double mean = 0, square = 0;
      for (const Member& m : member_) mean += m.v[std::size_t(p)] / members;
      for (const Member& m : member_) square += (m.v[std::size_t(p)] - mean) * (m.v[std::size_t(p)] - mean);
      out.mean[std::size_t(p)] = mean, out.deviation[std::size_t(p)] = moreau::sqrt(square / (members - 1));
    }
    return out;
  }
  double correlation(int p, int q) const {
    const Belief b = belief();
    double sum = 0;
    for (const Member& m : member_)
      sum += (m.v[std::size_t(p)] - b.mean[std::size_t(p)]) * (m.v[std::size_t(q)] - b.mean[std::size_t(q)]);
    return sum / (members - 1) / (b.deviation[std::size_t(p)] * b.deviation[std::size_t(q)]);
  }
  // Mean reading of the members in the last bin of a channel.
  double predicted(int c) const { return predicted_[std::size_t(c)]; }
  long steps() const { return steps_; }
  long lost() const { return lost_; }  // members replaced because their step failed
  const auto& state(int i) const { return member_[std::size_t(i)].state; }
  const auto& logits(int i) const { return member_[std::size_t(i)].v; }

 private:
  using Numbers = std::array<double, std::size_t(members)>;
  struct Member {
    std::array<double, std::size_t(most_parameters)> v{};
    State<Model> state{};
    std::array<SensorMemory, std::size_t(most_channels)> sensor{};
    bool alive = true;
  };
  struct Place {
    int row = 0, used = 0;
  };
  struct Row {
    int channel = 0;
    double observed = 0;
    int values = 1;
  };

  static double limited(double v) { return v < -most_logit ? -most_logit : v > most_logit ? most_logit : v; }
  static int bin(int seen, int present, int of) {
    int b = seen * of / present;
    while (b > 0 && seen < b * present / of) --b;
    while (b + 1 < of && seen >= (b + 1) * present / of) ++b;
    return b;
  }
  int coordinates() const { return description_.parameters + 2 * dof; }
  // Executes equal steps of at most dt over a span, in s.
  bool run(Member& m, const typename Description::Sensors& sensors, double span) {
    const double exact = span / description_.dt;
    int steps = static_cast<int>(exact);
    if (exact - steps > 1e-6) ++steps;  // differences of decimal times are not exact
    if (steps < 1) steps = 1;
    const double h = span / steps;
    missing_ = {};
    for (int k = 0; k < steps; ++k) {
      ++steps_;
      if (locates_) impact_.begin(stepper_.state, h);
      if (!stepper_.step(Real(h)).advanced()) return false;
      const bool hit = locates_ && impact_.end(stepper_.state, h);
      for (int c = 0; c < description_.channels; ++c) {
        const Sensor& sensor = sensors[std::size_t(c)];
        if (sensor.kind == Sensor::Kind::value && k + 1 < steps) continue;
        const double w = double(description_.channel_of[std::size_t(c)].read(stepper_.model, stepper_.state));
        const Jump jump = hit ? jump_of(description_, c, stepper_.model, stepper_.state, impact_) : Jump{};
        const double missing = m.sensor[std::size_t(c)].step(sensor, w, h, jump);
        if (k == 0) missing_[std::size_t(c)] = missing;
        if (!is_number(w)) return false;
      }
    }
    return true;
  }
  void gather(int i) {
    const Member& m = member_[std::size_t(i)];
    int k = 0;
    for (int p = 0; p < description_.parameters; ++p) x_[std::size_t(k++)][std::size_t(i)] = m.v[std::size_t(p)];
    for (int j = 0; j < dof; ++j) x_[std::size_t(k++)][std::size_t(i)] = double(m.state.q[j]);
    for (int j = 0; j < dof; ++j) x_[std::size_t(k++)][std::size_t(i)] = double(m.state.u[j]);
  }
  void scatter(int i) {
    Member& m = member_[std::size_t(i)];
    int k = 0;
    for (int p = 0; p < description_.parameters; ++p)
      m.v[std::size_t(p)] = limited(x_[std::size_t(k++)][std::size_t(i)]);
    for (int j = 0; j < dof; ++j) m.state.q[j] = Real(x_[std::size_t(k++)][std::size_t(i)]);
    for (int j = 0; j < dof; ++j) m.state.u[j] = Real(x_[std::size_t(k++)][std::size_t(i)]);
  }
  // A member whose step failed becomes a copy of the next one.
  void replace_lost() {
    for (int i = 0; i < members; ++i) {
      if (member_[std::size_t(i)].alive) continue;
      ++lost_;
      for (int k = 1; k < members; ++k) {
        const int j = (i + k) % members;
        if (!member_[std::size_t(j)].alive) continue;
        member_[std::size_t(i)] = member_[std::size_t(j)];
        for (int r = 0; r < row_count_; ++r) y_[std::size_t(r)][std::size_t(i)] = y_[std::size_t(r)][std::size_t(j)];
        gather(i);
        break;
      }
    }
  }

  static void inflate(Numbers& a, double factor) {
    const double mean = sum(a) / members;
    for (double& each : a) each = mean + factor * (each - mean);
  }

  void assimilate_row(int r) {
    const Row& row = row_[std::size_t(r)];
    Numbers& y = y_[std::size_t(r)];
    const double mean = sum(y) / members, e = row.observed - mean;
    for (int i = 0; i < members; ++i) d_[std::size_t(i)] = y[std::size_t(i)] - mean;
    const double s2 = product(d_, d_) / (members - 1), noise = sigma[std::size_t(row.channel)];
    double R = noise * noise / row.values;
    predicted_[std::size_t(row.channel)] = mean;
    innovations[std::size_t(row.channel)].add(e, s2 + R, row.values);
    if (e * e > 9 * (s2 + R)) R = e * e / 9 - s2;
    const double k = 1 / (s2 + R), a = 1 / (1 + moreau::sqrt(R * k));
    for (int i = 0; i < members; ++i) shift_[std::size_t(i)] = k * (e - a * d_[std::size_t(i)]);
    const auto move = [this](Numbers& x) {
      const double c = product(x, d_) / (members - 1);
      for (int i = 0; i < members; ++i) x[std::size_t(i)] += c * shift_[std::size_t(i)];
    };
    for (int j = 0; j < coordinates(); ++j) move(x_[std::size_t(j)]);
    for (int j = r + 1; j < row_count_; ++j) move(y_[std::size_t(j)]);
  }

  // Moves q of members with a penetration by -g_i cov(q, g) / var(g).
  void remove_penetrations() {
    if constexpr (Traits<Model>::contacts > 0) {
      Model model = description_.model;
      auto sensors = description_.sensors();
      for (int i = 0; i < members; ++i) {
        const Member& m = member_[std::size_t(i)];
        description_.set(model, sensors, m.v);
        description_.set_inputs(model, previous_, sensors);
        const moreau::detail::Evaluation<Model> at(model, m.state.q, Real(t_));
        for (int c = 0; c < Traits<Model>::contacts; ++c) gap_[std::size_t(c)][std::size_t(i)] = double(at.gap(c));
      }
      for (const Numbers& gap : gap_) {
        d_ = gap;
        const double mean = sum(d_) / members;
        bool any = false;
        for (double& each : d_) any = any || each < 0, each -= mean;
        const double s2 = product(d_, d_) / (members - 1);
        if (!any || !(s2 > 0)) continue;
        const int first = description_.parameters;
        for (int j = 0; j < dof; ++j) {
          const double gain = product(x_[std::size_t(first + j)], d_) / (members - 1) / s2;
          for (int i = 0; i < members; ++i)
            if (gap[std::size_t(i)] < 0) member_[std::size_t(i)].state.q[j] -= Real(gain * gap[std::size_t(i)]);
        }
      }
    }
  }

  const Description& description_;
  Stepper<Model> stepper_;
  ImpactOfStep<Model> impact_;
  bool locates_ = false;                                      // a sensor needs the instants of impacts
  std::array<double, std::size_t(most_channels)> missing_{};  // of the readings before the last rows
  std::array<Member, std::size_t(members)> member_{};
  std::array<Numbers, std::size_t(most_coordinates)> x_{};
  std::array<Numbers, std::size_t(most_rows)> y_{};
  std::array<Numbers, std::size_t(Traits<Model>::contacts)> gap_{};
  Numbers d_{}, shift_{};
  std::array<Row, std::size_t(most_rows)> row_{};
  std::array<int, std::size_t(most_channels)> first_row_{};
  std::array<double, std::size_t(most_channels)> predicted_{};
  Sample previous_{};
  double t_ = 0;
  int row_count_ = 0;
  long steps_ = 0, lost_ = 0;
};

}  // namespace moreau::identify
