// Equations of mechanisms in joint coordinates against those in coordinates of the bodies, for random parts lists (support/random_parts.hpp): at the same
// poses, M, h, rows, gaps and directions in joint coordinates are projections of those in coordinates of the bodies.
//
// J and (dJ/dt) u are tested without the recursions of the tree: the rows of the joints of the tree vanish along J, and
// differences of positions and velocities equal velocities and accelerations.
#include <algorithm>
#include <cmath>
#include <moreau/mechanism.hpp>

#include "support/bits_hash.hpp"
#include "support/joint_coordinates.hpp"
#include "support/random_parts.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
constexpr bool is_double = sizeof(Real) == 8;

// Error bound relative to the sum of the magnitudes of all terms. The largest observed errors are a tenth of it.
constexpr double rounding = is_double ? 2e-13 : 1e-4;
// Error bound of central differences over 1e-5 s, in units of the derivative plus 1.
constexpr double difference = 1e-7;

// Random numbers of a list.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(0x9e3779b97f4a7c15u + seed) {}
  Real between(double low, double high) { return random_.between(Real(low), Real(high)); }
  Point<Real> point() { return {between(-1, 1), between(-1, 1)}; }
  Point<Real> direction() {
    const auto [s, c] = sincos(between(-3, 3));
    return {c, s};
  }

 private:
  test::Random random_;
};

template <class Real_, int A, int B>
void fill(Revolute<Real_, A, B>& joint, Draw& draw) {
  joint.on_A = draw.point(), joint.on_B = draw.point();
}
template <template <class, int, int> class Joint, class Real_, int A, int B>
void fill_guide(Joint<Real_, A, B>& joint, Draw& draw) {
  joint.on_A = draw.point(), joint.on_B = draw.point(), joint.axis = draw.direction();
}
template <class Real_, int A, int B>
void fill(Prismatic<Real_, A, B>& joint, Draw& draw) {
  fill_guide(joint, draw);
}
template <class Real_, int A, int B>
void fill(Weld<Real_, A, B>& joint, Draw& draw) {
  fill_guide(joint, draw);
}
template <class Real_, int A, int B>
void fill(Pull<Real_, A, B>& pull, Draw& draw) {
  pull.force = draw.point(), pull.on_B = draw.point();
}

template <class List>
List random_list(Draw& draw) {
  List list;
  for (auto& body : list.body) body = {draw.between(0.5, 2), draw.between(0.1, 1)};
  std::apply([&](auto&... joint) { (fill(joint, draw), ...); }, list.joints);
  list.gravity.g = draw.point();
  list.pin.on_A = draw.point(), list.pin.on_B = draw.point(), list.pin.play = Real(0.1), list.pin.radius = Real(0.05);
  list.guide.on_A = draw.point(), list.guide.on_B = draw.point(), list.guide.axis = draw.direction();
  list.guide.a = Real(0.2), list.guide.b = Real(0.1), list.guide.play = Real(0.01);
  list.gear.r_A = draw.between(-2, -1), list.gear.r_B = draw.between(1, 2), list.gear.play = Real(0.1);
  list.stop.on_A = draw.point(), list.stop.on_B = draw.point(), list.stop.normal = draw.direction();
  list.spring.on_A = draw.point(), list.spring.on_B = draw.point();
  list.spring.stiffness = draw.between(1, 2), list.spring.damping = draw.between(0, 1);
  list.torsion.stiffness = draw.between(1, 2), list.torsion.damping = draw.between(0, 1);
  list.motor.torque = draw.between(-1, 1), list.motor.damping = draw.between(0, 1);
  list.brake.bound = Real(1), list.seal.bound = Real(1);
  list.seal.axis = draw.direction(), list.seal.on_B = draw.point();
  fill(list.loop_pin, draw), fill(list.loop_rail, draw);
  list.ram.on_A = draw.point(), list.ram.on_B = draw.point(), list.ram.axis = draw.direction();
  list.ram.law.speed = draw.between(-1, 1);
  return list;
}

// Poses, Jacobian and accelerations of all bodies.
template <class List>
struct Bodies {
  using Tree = Mechanism<List>;
  using Full = test::BodiesOf<List>;
  using K = detail::TreeKinematics<List>;
  using QTree = Vector<Real, Tree::dof>;
  using QFull = Vector<Real, Full::dof>;

  template <class F>
  static void each(const F& f) {
    detail::for_each_constant<int(List::bodies)>(f);
  }
  static QFull poses(const typename Tree::At& a) {
    QFull q;
    each([&](auto b) {
      const Frame<Real> f = K::template frame<b>(a);
      q(3 * b) = f.r.x, q(3 * b + 1) = f.r.y, q(3 * b + 2) = f.phi;
    });
    return q;
  }
  static QFull speeds(const typename Tree::At& a, const QTree& u) {
    QFull v;
    each([&](auto b) {
      const BodyState<Real> s = K::template state<b>(a, u);
      v(3 * b) = s.v.x, v(3 * b + 1) = s.v.y, v(3 * b + 2) = s.omega;
    });
    return v;
  }
  static QFull accelerations(const typename Tree::At& a, const QTree& u) {
    QFull v = QFull::Zero();
    each([&](auto b) {
      const Point<Real> x = K::template acceleration<b>(a, u);
      v(3 * b) = x.x, v(3 * b + 1) = x.y;
    });
    return v;
  }
  static Matrix<Real, Full::dof, Tree::dof> jacobian(const typename Tree::At& a) {
    Matrix<Real, Full::dof, Tree::dof> J;
    for (int j = 0; j < Tree::dof; ++j) {
      QTree unit = QTree::Zero();
      unit(j) = Real(1);
      const QFull column = speeds(a, unit);
      for (int i = 0; i < Full::dof; ++i) J(i, j) = column(i);
    }
    return J;
  }
};

int mechanisms = 0;
double worst = 0, worst_difference = 0;  // largest observed errors

// Compares two numbers relative to `scale`, the sum of the magnitudes of the terms of `expected`.
void compare(double expected, double actual, double scale) {
  worst = std::max(worst, std::abs(expected - actual) / (1 + scale));
  CHECK_WITHIN(rounding * (1 + scale), expected, actual);
}
void compare_difference(double expected, double actual) {
  worst_difference = std::max(worst_difference, std::abs(expected - actual) / (1 + std::abs(expected)));
  CHECK_WITHIN(difference * (1 + std::abs(expected)), expected, actual);
}

// Returns a^T b and adds the magnitudes of its terms to `scale`.
template <class V, class W>
double product(const V& a, const W& b, double& scale) {
  double sum = 0;
  for (int i = 0; i < int(a.size()); ++i) {
    const double term = double(a(i)) * double(b(i));
    sum += term;
    scale += std::abs(term);
  }
  return sum;
}
template <class J, class V>
void compare_projection(const J& jacobian, const V& full, int j, Real actual) {
  double scale = 0;
  double sum = 0;
  for (int i = 0; i < int(full.size()); ++i) {
    const double term = double(jacobian(i, j)) * double(full(i));
    sum += term, scale += std::abs(term);
  }
  compare(sum, double(actual), scale);
}

// Adds the wrench on a body at index `body` of forces on all bodies.
template <int body, class V>
void add_to(V& forces, Real percussion, const Wrench<Real>& on_body) {
  if constexpr (body != ground) {
    forces(3 * body) += percussion * on_body.force.x;
    forces(3 * body + 1) += percussion * on_body.force.y;
    forces(3 * body + 2) += percussion * on_body.moment;
  }
}

template <unsigned seed>
struct Test {
  using List = random_parts::List<Real, seed>;
  using B = Bodies<List>;
  using Tree = typename B::Tree;
  using Full = typename B::Full;
  using QTree = typename B::QTree;
  using QFull = typename B::QFull;

  Draw draw;
  const List list = random_list<List>(draw);
  const Tree tree{list};
  const Full full{test::InBodies<List>(list)};
  QTree q, u;

  explicit Test(unsigned n) : draw(1000 * seed + n) {
    for (int j = 0; j < Tree::dof; ++j) q(j) = draw.between(-2, 2), u(j) = draw.between(-1, 1);
  }

  void mass_and_force() const {
    const auto a = tree.at(q, Real(0.3));
    const auto x = full.at(B::poses(a), Real(0.3));
    const auto J = B::jacobian(a);
    const auto M_b = full.mass(x);
    const auto M = tree.mass(a);
    const QFull v = B::speeds(a, u), bias = B::accelerations(a, u);
    QFull F = full.force(x, v);
    for (int i = 0; i < Full::dof; ++i) F(i) -= M_b(i, i) * bias(i);
    const QTree h = tree.force(a, u);
    for (int j = 0; j < Tree::dof; ++j) {
      compare_projection(J, F, j, h(j));
      for (int k = 0; k < Tree::dof; ++k) {
        QFull column;
        for (int i = 0; i < Full::dof; ++i) column(i) = M_b(i, i) * J(i, k);
        compare_projection(J, column, j, M(j, k));
        CHECK(Tree::mass_pattern(j, k) || M(j, k) == Real(0));
      }
    }
  }

  // The joints of the tree hold for positions, velocities and accelerations; all other joints have projected rows.
  void joints() const {
    const auto a = tree.at(q, Real(0.3));
    const auto x = full.at(B::poses(a), Real(0.3));
    const auto J = B::jacobian(a);
    const QFull v = B::speeds(a, u), bias = B::accelerations(a, u);
    Full::List::for_each(full, [&](auto i, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detail::brings<detail::bilaterals_in, Part>) {
        for (int k = 0; k < Part::bilaterals; ++k) {
          const int in_full = Full::List::template rows_before<detail::bilaterals_in, i> + k;
          const auto row = full.bilateral(in_full, x);
          double scale = 10;
          const double acceleration = product(row.w, bias, scale) + double(full.bias_acceleration(in_full, x, v));
          if constexpr (B::K::tree.contains(i)) {
            compare(0, double(row.g), 10);
            for (int j = 0; j < Tree::dof; ++j) compare_projection(J, row.w, j, Real(0));
            compare(0, acceleration, scale);
          } else {
            const int in_tree = Tree::List::template rows_before<detail::bilaterals_in, i> + k;
            const auto projected = tree.bilateral(in_tree, a);
            compare(double(row.g), double(projected.g), 10);
            compare(double(row.zeta), double(projected.zeta), 1);
            for (int j = 0; j < Tree::dof; ++j) compare_projection(J, row.w, j, projected.w(j));
            compare(acceleration, double(tree.bias_acceleration(in_tree, a, u)), scale);
          }
        }
      }
    });
  }

  void contacts_and_friction() const {
    const auto a = tree.at(q, Real(0.3));
    const auto x = full.at(B::poses(a), Real(0.3));
    const auto J = B::jacobian(a);
    for (int i = 0; i < Tree::contacts; ++i) {
      compare(double(full.gap(i, x)), double(tree.gap(i, a)), 10);
      const auto in_full = full.directions(i, x);
      const auto in_tree = tree.directions(i, a);
      for (int j = 0; j < Tree::dof; ++j) {
        compare_projection(J, in_full.w_N, j, in_tree.w_N(j));
        compare_projection(J, in_full.w_T.col(0), j, in_tree.w_T(j));
        CHECK(Tree::direction_pattern(i, 0, j) || in_tree.w_N(j) == Real(0));
        CHECK(Tree::direction_pattern(i, 1, j) || in_tree.w_T(j) == Real(0));
      }
    }
    for (int i = 0; i < Tree::frictions; ++i) {
      const auto in_full = full.friction_directions(i, x);
      const auto in_tree = tree.friction_directions(i, a);
      for (int j = 0; j < Tree::dof; ++j) compare_projection(J, in_full.w.col(0), j, in_tree.w(j));
    }
  }

  // Random percussions of contacts, friction and rows change u in a step of dt. The loads of the joints of the tree then
  // balance every body, and they do no work at the joints.
  void loads() {
    const Real dt = Real(1e-3);
    State<Tree> before, after;
    before.q = q - dt / 2 * u, before.u = u;
    after.set_time(dt), after.clock.dt = dt;
    const auto a = tree.at(q, Real(0));
    const auto x = full.at(B::poses(a), Real(0));
    QTree impulse = QTree::Zero();
    QFull on_bodies = QFull::Zero();
    for (int i = 0; i < Tree::contacts; ++i) {
      after.P_N(i) = draw.between(0, 0.1), after.P_T(0, i) = draw.between(-0.1, 0.1);
      const auto in_tree = tree.directions(i, a);
      const auto in_full = full.directions(i, x);
      impulse += after.P_N(i) * in_tree.w_N + after.P_T(0, i) * in_tree.w_T;
      on_bodies += after.P_N(i) * in_full.w_N + after.P_T(0, i) * in_full.w_T;
    }
    for (int i = 0; i < Tree::frictions; ++i) {
      after.P_F(0, i) = draw.between(-0.1, 0.1);
      impulse += after.P_F(0, i) * tree.friction_directions(i, a).w;
      on_bodies += after.P_F(0, i) * full.friction_directions(i, x).w;
    }
    for (int i = 0; i < Tree::bilaterals; ++i) {
      after.P_B(i) = draw.between(-0.1, 0.1);
      impulse += after.P_B(i) * tree.bilateral(i, a).w;
    }
    after.u = u;
    detail::Cholesky<Real, Tree::dof> M;
    CHECK(M.factor(tree.mass(a)));
    for (int round = 0; round < 8; ++round) {
      const QTree mean = Real(0.5) * (u + after.u);
      after.u = u + M.solve(QTree(dt * tree.force(a, mean) + impulse));
    }
    const QTree mean = Real(0.5) * (u + after.u), du = after.u - u;
    const QFull v = B::speeds(a, mean), dv = B::speeds(a, du), bias = B::accelerations(a, mean);
    on_bodies += dt * full.force(x, v);

    const detail::TreeLoads<List> loads(tree, a, before, after);
    Full::List::for_each(full, [&](auto i, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detail::brings<detail::bilaterals_in, Part>) {
        const Frame<Real> frame_A = detail::frame_of<Part::body_A>(a), frame_B = detail::frame_of<Part::body_B>(a);
        if constexpr (B::K::tree.contains(i)) {
          const Wrench<Real> on_B = loads.template on_body_B<i>();
          const Real about_A = on_B.moment + detail::cross(frame_B.r - frame_A.r, on_B.force);
          add_to<Part::body_B>(on_bodies, Real(1), on_B);
          add_to<Part::body_A>(on_bodies, Real(-1), {on_B.force, about_A});
          check_no_work(part, on_B, frame_A, frame_B);
        } else {
          for (int k = 0; k < Part::bilaterals; ++k) {
            const JointRow<Real> row = part.bilateral(k, frame_A, frame_B, Real(0));
            const Real percussion = after.P_B(Tree::List::template rows_before<detail::bilaterals_in, i> + k);
            add_to<Part::body_A>(on_bodies, percussion, row.A);
            add_to<Part::body_B>(on_bodies, percussion, row.B);
          }
        }
      }
    });
    const auto M_b = full.mass(x);
    for (int i = 0; i < Full::dof; ++i) compare(double(M_b(i, i) * (dv(i) + dt * bias(i))), double(on_bodies(i)), 10);
  }
  template <int A_, int B_>
  static void check_no_work(const Revolute<Real, A_, B_>& pin, const Wrench<Real>& on_B, const Frame<Real>&,
                            const Frame<Real>& frame_B) {
    compare(0, double(on_B.moment - detail::cross(frame_B.turn(pin.on_B), on_B.force)), 10);
  }
  template <int A_, int B_>
  static void check_no_work(const Prismatic<Real, A_, B_>& rail, const Wrench<Real>& on_B, const Frame<Real>& frame_A,
                            const Frame<Real>&) {
    compare(0, double(dot(frame_A.turn(rail.axis), on_B.force)), 10);
  }
  template <int A_, int B_>
  static void check_no_work(const Weld<Real, A_, B_>&, const Wrench<Real>&, const Frame<Real>&, const Frame<Real>&) {}

  // Positions, velocities and gaps a short time before and after differ by their rates.
  void differences() const {
    const Real e = Real(1e-5);
    const auto before = tree.at(QTree(q - e * u), Real(0)), at = tree.at(q, Real(0)),
               after = tree.at(QTree(q + e * u), Real(0));
    const auto rate = [e](Real low, Real high) { return double(high - low) / (2 * double(e)); };
    const QFull r_0 = B::poses(before), r_1 = B::poses(after), v = B::speeds(at, u);
    const QFull v_0 = B::speeds(before, u), v_1 = B::speeds(after, u), bias = B::accelerations(at, u);
    for (int i = 0; i < Full::dof; ++i) {
      compare_difference(double(v(i)), rate(r_0(i), r_1(i)));
      compare_difference(double(bias(i)), rate(v_0(i), v_1(i)));
    }
    for (int i = 0; i < Tree::contacts; ++i) {
      double scale = 0;
      const double gamma = product(tree.directions(i, at).w_N, u, scale);
      // At the edge of a clearance circle or at a corner, the rate of a gap jumps; none of these lists is there.
      compare_difference(gamma, rate(tree.gap(i, before), tree.gap(i, after)));
    }
  }
};

constexpr int lists = 24, draws = 100;  // 2,400 mechanisms, without those welded to the ground

template <unsigned seed, class F>
void for_draws(const F& f) {
  using List = random_parts::List<Real, seed>;
  if constexpr (detail::TreeList<List>::tree.dof > 0)
    for (unsigned n = 0; n < unsigned(often(draws)); ++n, ++mechanisms) f(Test<seed>(n));
}
template <class F, unsigned... seed>
void for_lists(const F& f, std::integer_sequence<unsigned, seed...>) {
  (for_draws<seed>(f), ...);
}
template <class F>
void for_all(const F& f) {
  for_lists(f, std::make_integer_sequence<unsigned, lists>{});
}

void test_mass_and_force_are_projections(void) {
  for_all([](const auto& test) { test.mass_and_force(); });
  CHECK(mechanisms >= often(2000));
  moreau::port::print(mechanisms, " mechanisms, mass and force: largest error ", worst, " of the terms");
}
void test_joints_hold_or_are_projected(void) {
  for_all([](const auto& test) { test.joints(); });
  moreau::port::print("joints: largest error ", worst, " of the terms");
}
void test_contacts_and_friction_are_projections(void) {
  for_all([](const auto& test) { test.contacts_and_friction(); });
  moreau::port::print("contacts: largest error ", worst, " of the terms");
}
void test_loads_balance_every_body(void) {
  for_all([](auto&& test) { test.loads(); });
  moreau::port::print("loads: largest error ", worst, " of the terms");
}
void test_rates_equal_differences(void) {
  if (!is_double) return;
  for_all([](const auto& test) { test.differences(); });
  moreau::port::print("differences: largest error ", worst_difference);
}

}  // namespace

TEST_MAIN(TEST(test_mass_and_force_are_projections) TEST(test_joints_hold_or_are_projected)
              TEST(test_contacts_and_friction_are_projections) TEST(test_loads_balance_every_body)
                  TEST(test_rates_equal_differences))
