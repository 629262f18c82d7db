// Siconos: Moreau's time-stepping on the same equations of motion, with its planar contact solvers.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <SolverOptions.h>

#include <SiconosKernel.hpp>
#include <optional>

#include "four_bar.hpp"
#include "probes.hpp"

namespace {

template <class Model>
typename Model::Vector vector(const SiconosVector& v) {
  typename Model::Vector copy;
  for (int i = 0; i < Model::dof; ++i) copy(i) = v.getValue(unsigned(i));
  return copy;
}

// The model at the last requested point: Siconos requests all quantities of a point one by one.
template <class Model>
class Point {
 public:
  using Evaluation = moreau::detail::Evaluation<Model>;
  explicit Point(const Model& model) : model_(model) {}
  const Evaluation& at(const SiconosVector& q) {
    const auto now = vector<Model>(q);
    if (!evaluation_ || now != q_) {
      q_ = now;
      evaluation_.emplace(model_, q_, 0);
    }
    return *evaluation_;
  }

 private:
  const Model model_;
  typename Model::Vector q_;
  std::optional<Evaluation> evaluation_;
};
template <class Model>
using Shared = std::shared_ptr<Point<Model>>;

template <class Model>
class Motion : public LagrangianDS {
 public:
  Motion(const Shared<Model>& model, SP::SiconosVector q, SP::SiconosVector u) : LagrangianDS(q, u), model_(model) {
    _mass = std::make_shared<SimpleMatrix>(Model::dof, Model::dof);
    _forces = std::make_shared<SiconosVector>(Model::dof);
  }
  void computeMass() override { computeMass(_q[0]); }
  void computeMass(SP::SiconosVector q) override {
    const auto M = model_->at(*q).mass();
    for (int i = 0; i < Model::dof; ++i)
      for (int j = 0; j < Model::dof; ++j) _mass->setValue(unsigned(i), unsigned(j), M(i, j));
  }
  void computeForces(double, SP::SiconosVector q, SP::SiconosVector u) override {
    const auto h = model_->at(*q).force(vector<Model>(*u));
    for (int i = 0; i < Model::dof; ++i) _forces->setValue(unsigned(i), h(i));
  }

 private:
  const Shared<Model> model_;
};

template <class Model>
class Contact : public LagrangianScleronomousR {
 public:
  Contact(const Shared<Model>& model, int index) : model_(model), index_(index) {
    _jachq = std::make_shared<SimpleMatrix>(2, Model::dof);
  }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    y.setValue(0, model_->at(*q.vector(0)).gap(index_));
    y.setValue(1, 0);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const auto d = model_->at(*q.vector(0)).directions(index_);
    for (int j = 0; j < Model::dof; ++j) {
      _jachq->setValue(0, unsigned(j), d.w_N(j));
      _jachq->setValue(1, unsigned(j), d.w_T(j));
    }
  }

 private:
  const Shared<Model> model_;
  const int index_;
};

bool failed = false;  // return value of the contact solver in this step

constexpr double theta = 0.5, tolerance = 1e-12;  // of the time integration; of the contact solver

struct Settings {
  const char* name;
  int solver, newton;
};

template <class Model>
class Machine {
 public:
  Model model;
  struct State {
    SP::LagrangianDS motion;
    double q(int i) const { return motion->q()->getValue(unsigned(i)); }
    double u(int i) const { return motion->velocity()->getValue(unsigned(i)); }
  } state;

  template <class Start>
  Machine(const Model& m, const Start& start, double h, const Settings& settings) : model(m) {
    auto q = std::make_shared<SiconosVector>(Model::dof), u = std::make_shared<SiconosVector>(Model::dof);
    for (int i = 0; i < Model::dof; ++i) q->setValue(unsigned(i), start.q(i)), u->setValue(unsigned(i), start.u(i));
    const auto point = std::make_shared<Point<Model>>(m);
    state.motion = std::make_shared<Motion<Model>>(point, q, u);
    auto system = std::make_shared<NonSmoothDynamicalSystem>(0, 1e3);
    system->insertDynamicalSystem(state.motion);
    for (int i = 0; i < Model::contacts; ++i) {
      const auto law = m.law(i);
      auto contact =
          std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(law.eps_N, law.eps_T, law.mu, 2),
                                        std::make_shared<Contact<Model>>(point, i));
      system->link(contact, state.motion);
    }
    auto problem = std::make_shared<FrictionContact>(2, settings.solver);
    problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = tolerance;
    loop_ = std::make_shared<TimeStepping>(system, std::make_shared<TimeDiscretisation>(0, h),
                                           std::make_shared<MoreauJeanOSI>(theta), problem);
    loop_->setNewtonOptions(unsigned(settings.newton));
    loop_->setWarnOnNonConvergence(false);
    loop_->setCheckSolverFunction([](int info, Simulation*) { failed = failed || info != 0; });
    loop_->initialize();
  }

  peers::Report step(double) {
    failed = false;
    loop_->computeOneStep();
    loop_->nextStep();
    return {failed ? 1 : 0};
  }

 private:
  SP::TimeStepping loop_;
};

constexpr Settings settings[] = {
    {"Lemke, 1 Newton iteration", SICONOS_FRICTION_2D_LEMKE, SICONOS_TS_LINEAR},
    {"NSGS to 1e-12, 1 Newton iteration", SICONOS_FRICTION_2D_NSGS, SICONOS_TS_LINEAR},
    {"enumeration, 1 Newton iteration", SICONOS_FRICTION_2D_ENUM, SICONOS_TS_LINEAR},
    {"NSGS to 1e-12, Newton to the end", SICONOS_FRICTION_2D_NSGS, SICONOS_TS_NONLINEAR},
};

}  // namespace

int main(int count, char** words) {
  peers::read_arguments(count, words);
  for (const Settings& s : settings)
    peers::race_crank({"Siconos", s.name}, [&](const peers::Crank& model, const peers::CrankStart& start, double h) {
      return Machine<peers::Crank>(model, start, h, s);
    });
  peers::probe({"Siconos", settings[0].name}, [](const peers::Block& block, const peers::BlockStart& start, double h) {
    return Machine<peers::Block>(block, start, h, settings[0]);
  });
  for (const Settings& s : settings)
    peers::race_woodpecker({"Siconos", s.name}, [&](const peers::Woodpecker& toy, const peers::WoodpeckerStart& start,
                                                    double h) { return Machine<peers::Woodpecker>(toy, start, h, s); });
  for (const Settings& s : settings)
    if (s.solver != SICONOS_FRICTION_2D_ENUM)  // 0.2 ms a step
      peers::race_four_bar({"Siconos", s.name}, [&](double h) {
        return Machine<peers::FourBar>(peers::FourBar{}, peers::FourBar::start(), h, s);
      });
}
