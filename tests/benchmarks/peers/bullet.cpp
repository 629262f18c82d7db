// Bullet: the same mechanisms from bodies, in double precision, with its two kinds of contact solvers.
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "four_bar.hpp"
#include "probes.hpp"

extern btScalar gContactBreakingThreshold;

namespace {

enum class Solver { sequential_impulses, dantzig };

struct Settings {
  const char* name;
  Solver solver;
  int iterations;
  bool for_impacts = true;  // settings for correct rebound of small and slow impacts
};

// Common part of all machines, and objects to delete at the end.
class World {
 public:
  explicit World(const Settings& settings) {
    if (settings.solver == Solver::dantzig) {
      lcp = std::make_unique<btDantzigSolver>();
      solver = std::make_unique<btMultiBodyMLCPConstraintSolver>(lcp.get());
    } else {
      solver = std::make_unique<btMultiBodyConstraintSolver>();
    }
    world = std::make_unique<btMultiBodyDynamicsWorld>(&dispatcher, &broadphase, solver.get(), &configuration);
    world->setGravity(btVector3(0, -9.81, 0));
    auto& info = world->getSolverInfo();
    info.m_numIterations = settings.iterations;
    info.m_leastSquaresResidualThreshold = 0;
    static const double default_threshold = gContactBreakingThreshold;
    gContactBreakingThreshold = default_threshold;
    if (!settings.for_impacts) return;
    gContactBreakingThreshold = 1e-6;             // m: contacts detected earlier rebound less
    info.m_restitutionVelocityThreshold = 0;      // m/s
    info.m_splitImpulsePenetrationThreshold = 1;  // m: penetration is corrected without velocity
  }
  // Shapes and bodies outlive the world.
  template <class Shape, class... Words>
  Shape* shape(const Words&... words) {
    auto made = std::make_unique<Shape>(words...);
    Shape* plain = made.get();
    shapes.push_back(std::move(made));
    return plain;
  }
  void add(std::unique_ptr<btCollisionObject> object, double eps, double mu, int group, int mask) {
    object->setRestitution(eps);
    object->setFriction(mu);
    world->addCollisionObject(object.get(), group, mask);
    objects.push_back(std::move(object));
  }
  void add_body(std::unique_ptr<btRigidBody> body, double eps, double mu, int group = 2, int mask = 1) {
    body->setRestitution(eps);
    body->setFriction(mu);
    body->setActivationState(DISABLE_DEACTIVATION);
    world->addRigidBody(body.get(), group, mask);
    objects.push_back(std::move(body));
  }
  void add_plane(const btVector3& normal, double constant) {
    auto plane = std::make_unique<btCollisionObject>();
    plane->setCollisionShape(shape<btStaticPlaneShape>(normal, constant));
    add(std::move(plane), 1, 1, 1, 2);  // both are multiplied with those of the body
  }
  peers::Report step(double h) {
    world->stepSimulation(h, 0);
    return {-1};
  }
  ~World() {
    for (const auto& object : objects) world->removeCollisionObject(object.get());
  }

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  std::unique_ptr<btDantzigSolver> lcp;
  std::unique_ptr<btMultiBodyConstraintSolver> solver;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;
  std::unique_ptr<btMultiBodyDynamicsWorld> world;
};

// A ball that cannot rotate.
class BlockMachine {
 public:
  peers::Block model;
  struct Body {
    const btRigidBody& body;
    double q(int i) const { return body.getWorldTransform().getOrigin()[i] - (i == 1 ? radius : 0); }
    double u(int i) const { return body.getLinearVelocity()[i]; }
  } state;
  peers::Report step(double h) {
    body_->applyCentralForce(btVector3(model.pull, 0, 0));
    return world_->step(h);
  }

  BlockMachine(const peers::Block& block, const peers::BlockStart& start, const Settings& settings)
      : model(block), state{*new btRigidBody(block.mass_of_block, nullptr, nullptr)}, world_(new World(settings)) {
    std::unique_ptr<btRigidBody> body(body_ = const_cast<btRigidBody*>(&state.body));
    body->setCollisionShape(world_->shape<btSphereShape>(radius));
    body->setAngularFactor(0);
    body->setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(start.q(0), start.q(1) + radius, 0)));
    body->setLinearVelocity(btVector3(start.u(0), start.u(1), 0));
    world_->add_plane(btVector3(0, 1, 0), 0);
    world_->world->setGravity(btVector3(0, -block.gravity, 0));
    world_->add_body(std::move(body), block.eps, block.mu);
  }

 private:
  static constexpr double radius = 0.01;
  btRigidBody* body_ = nullptr;
  std::unique_ptr<World> world_;
};

// Three hinges in a chain, spheres at the slider's corners between two planes.
class CrankMachine {
 public:
  peers::Crank model;
  struct Angles {
    const btMultiBody& chain;
    double q(int i) const {
      return sum([&](int j) { return chain.getJointPos(j); }, i);
    }
    double u(int i) const {
      return sum([&](int j) { return chain.getJointVel(j); }, i);
    }
    template <class Joint>
    static double sum(Joint joint, int i) {
      return joint(0) + (i > 0 ? joint(1) : 0) + (i > 1 ? joint(2) : 0);
    }
  } state;
  peers::Report step(double h) { return world_->step(h); }

  CrankMachine(const peers::Crank& m, const peers::CrankStart& start, const Settings& settings)
      : model(m), state{*new btMultiBody(3, 0, btVector3(0, 0, 0), true, false)}, world_(new World(settings)) {
    chain_.reset(const_cast<btMultiBody*>(&state.chain));
    const auto link = [&](int i, double m, double J, double before, double centre) {
      chain_->setupRevolute(i, m, btVector3(J, J, J), i - 1, btQuaternion::getIdentity(), btVector3(0, 0, 1),
                            btVector3(before, 0, 0), btVector3(centre, 0, 0), true);
    };
    link(0, m.m_1, m.J_1, 0, m.l_1 / 2);
    link(1, m.m_2, m.J_2, m.l_1 / 2, m.l_2 / 2);
    link(2, m.m_3, m.J_3, m.l_2 / 2, 0);
    chain_->finalizeMultiDof();
    chain_->setLinearDamping(0);
    chain_->setAngularDamping(0);
    chain_->setMaxCoordinateVelocity(1e6);
    for (int i = 0; i < 3; ++i) {
      chain_->setJointPos(i, start.q(i) - (i > 0 ? start.q(i - 1) : 0));
      chain_->setJointVel(i, start.u(i) - (i > 0 ? start.u(i - 1) : 0));
    }
    world_->world->addMultiBody(chain_.get());

    constexpr double ball = 0.001;
    auto* corners = world_->shape<btCompoundShape>();
    for (int i = 0; i < 4; ++i) {
      const btVector3 at(m.right(i) * m.a, m.upper(i) * m.b, 0);
      corners->addChildShape(btTransform(btQuaternion::getIdentity(), at), world_->shape<btSphereShape>(ball));
    }
    auto slider = std::make_unique<btMultiBodyLinkCollider>(chain_.get(), 2);
    slider->setCollisionShape(corners);
    chain_->getLink(2).m_collider = slider.get();
    world_->add(std::move(slider), m.eps_N, m.mu, 2, 1);
    const double wall = m.play + m.b + ball;
    world_->add_plane(btVector3(0, 1, 0), -wall);
    world_->add_plane(btVector3(0, -1, 0), -wall);
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> origins;
    chain_->forwardKinematics(turns, origins);
    chain_->updateCollisionObjectWorldTransforms(turns, origins);
  }
  ~CrankMachine() { world_->world->removeMultiBody(chain_.get()); }

 private:
  std::unique_ptr<World> world_;
  std::unique_ptr<btMultiBody> chain_;
};

// A pin (a sphere) in a ring (a cylinder of its radius plus clearance): a user-defined pair of Bullet.
class PinInRing : public btCollisionAlgorithm {
 public:
  PinInRing(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObject* a, const btCollisionObject* b,
            bool ring_first)
      : btCollisionAlgorithm(info), manifold_(m_dispatcher->getNewManifold(a, b)), ring_first_(ring_first) {}
  ~PinInRing() override { m_dispatcher->releaseManifold(manifold_); }

  void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b, const btDispatcherInfo&,
                        btManifoldResult* result) override {
    const auto *pin = ring_first_ ? b : a, *ring = ring_first_ ? a : b;
    const double radius = static_cast<const btSphereShape*>(pin->getCollisionShape())->getRadius();
    const double bore = static_cast<const btCylinderShapeZ*>(ring->getCollisionShape())->getRadius();
    const btVector3 centre = pin->getWorldTransform().getOrigin();
    btVector3 outward = centre - ring->getWorldTransform().getOrigin();
    outward.setZ(0);
    const double distance = outward.length(), gap = bore - radius - distance;
    manifold_->clearManifold();  // the previous point has another normal
    if (gap > gContactBreakingThreshold) return;
    outward /= distance;
    result->setPersistentManifold(manifold_);
    if (ring_first_)
      result->addContactPoint(outward, centre + radius * outward, gap);
    else
      result->addContactPoint(-outward, centre + (radius + gap) * outward, gap);
  }
  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                 btManifoldResult*) override {
    return 1;
  }
  void getAllContactManifolds(btManifoldArray& all) override { all.push_back(manifold_); }

  struct Create : btCollisionAlgorithmCreateFunc {
    explicit Create(bool ring_first) : ring_first(ring_first) {}
    bool ring_first;
    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                   const btCollisionObjectWrapper* a,
                                                   const btCollisionObjectWrapper* b) override {
      void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(PinInRing));
      return new (memory) PinInRing(info, a->getCollisionObject(), b->getCollisionObject(), ring_first);
    }
  };

 private:
  btPersistentManifold* manifold_;
  bool ring_first_;
};

// Planar rigid bodies; the crank rotates about the origin without translation.
class FourBarMachine {
 public:
  peers::FourBar model;
  struct Bodies {
    std::array<btRigidBody*, 3> body{};
    double q(int i) const {
      if (i == 0) return phi(0);
      const auto& at = body[std::size_t(i + 2) / 3]->getWorldTransform();
      return i % 3 == 0 ? phi(i / 3) : at.getOrigin()[i % 3 - 1];
    }
    double u(int i) const {
      if (i % 3 == 0) return body[std::size_t(i / 3)]->getAngularVelocity().z();
      return body[std::size_t(i + 2) / 3]->getLinearVelocity()[i % 3 - 1];
    }
    double phi(int b) const {
      const auto& turn = body[std::size_t(b)]->getWorldTransform().getBasis();
      return std::atan2(turn[1][0], turn[0][0]);
    }
  } state;

  explicit FourBarMachine(const Settings& settings) : world_(new World(settings)) {
    const auto& parts = model.parts;
    world_->dispatcher.registerCollisionCreateFunc(SPHERE_SHAPE_PROXYTYPE, CYLINDER_SHAPE_PROXYTYPE, &pin_first_);
    world_->dispatcher.registerCollisionCreateFunc(CYLINDER_SHAPE_PROXYTYPE, SPHERE_SHAPE_PROXYTYPE, &ring_first_);
    const auto start = peers::FourBar::start();
    const double arm = peers::FourBar::half;
    const auto& crank = parts.body[0];
    add(0, 0, crank.J + crank.m * arm * arm, {0, 0, 0}, start.q(0), {0, 0, 0}, start.u(0));
    for (int i = 1; i < 3; ++i)
      add(i, parts.body[i].m, parts.body[i].J, {start.q(3 * i - 2), start.q(3 * i - 1), 0}, start.q(3 * i),
          {start.u(3 * i - 2), start.u(3 * i - 1), 0}, start.u(3 * i));
    auto* ground = world_->shape<btCompoundShape>();
    ring(ground, parts.pivot, parts.pivot.on_A.x);
    auto pedestal = std::make_unique<btCollisionObject>();
    pedestal->setCollisionShape(ground);
    world_->add(std::move(pedestal), std::sqrt(parts.pivot.law.eps_N), std::sqrt(parts.pivot.law.mu), 1, 6);
  }
  peers::Report step(double h) {
    const auto& parts = model.parts;
    const double weight = parts.body[0].m * parts.gravity.g.y * peers::FourBar::half;
    state.body[0]->applyTorque(
        btVector3(0, 0, parts.motor.torque - parts.motor.damping * state.u(0) + weight * std::cos(state.q(0))));
    return world_->step(h);
  }

 private:
  template <class Joint>
  void ring(btCompoundShape* shape, const Joint& joint, double at) {
    const double bore = joint.radius + joint.play;
    shape->addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(at, 0, 0)),
                         world_->shape<btCylinderShapeZ>(btVector3(bore, bore, 0.005)));
  }
  template <class Joint>
  void pin(btCompoundShape* shape, const Joint& joint) {
    shape->addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(joint.on_B.x, 0, 0)),
                         world_->shape<btSphereShape>(joint.radius));
  }
  // Fixed position of body 0 by a linear factor of zero.
  void add(int i, double m, double J, const btVector3& at, double phi, const btVector3& v, double omega) {
    const auto& parts = model.parts;
    auto* shape = world_->shape<btCompoundShape>();
    if (i == 0) ring(shape, parts.crank_pin, parts.crank_pin.on_A.x + peers::FourBar::half);
    if (i == 1) pin(shape, parts.crank_pin), ring(shape, parts.rocker_pin, parts.rocker_pin.on_A.x);
    if (i == 2) pin(shape, parts.rocker_pin), pin(shape, parts.pivot);
    auto body = std::make_unique<btRigidBody>(m > 0 ? m : 1, nullptr, shape, btVector3(J, J, J));
    body->setWorldTransform(btTransform(btQuaternion(btVector3(0, 0, 1), phi), at));
    body->setLinearVelocity(v);
    body->setAngularVelocity(btVector3(0, 0, omega));
    body->setLinearFactor(m > 0 ? btVector3(1, 1, 0) : btVector3(0, 0, 0));
    body->setAngularFactor(btVector3(0, 0, 1));
    body->updateInertiaTensor();
    state.body[std::size_t(i)] = body.get();
    const auto& law = parts.pivot.law;  // both bodies' values are multiplied
    world_->add_body(std::move(body), std::sqrt(law.eps_N), std::sqrt(law.mu), i == 1 ? 4 : 2, i == 1 ? 2 : 5);
  }

  PinInRing::Create pin_first_{false}, ring_first_{true};
  std::unique_ptr<World> world_;
};

void probe(const Settings& s) {
  peers::probe({"Bullet", s.name}, [&](const peers::Block& block, const peers::BlockStart& start, double) {
    return BlockMachine(block, start, s);
  });
}

}  // namespace

int main(int count, char** words) {
  peers::read_arguments(count, words);
  for (const Settings& s : {Settings{"sequential impulses, 10 iterations", Solver::sequential_impulses, 10},
                            Settings{"sequential impulses, 50 iterations", Solver::sequential_impulses, 50},
                            Settings{"Dantzig", Solver::dantzig, 50}}) {
    peers::race_crank({"Bullet", s.name}, [&](const peers::Crank& model, const peers::CrankStart& start, double) {
      return CrankMachine(model, start, s);
    });
    peers::race_four_bar({"Bullet", s.name}, [&](double) { return FourBarMachine(s); });
    probe(s);
  }
  probe({"sequential impulses, 10 iterations, its defaults", Solver::sequential_impulses, 10, false});
}
