// MuJoCo: the same mechanisms from bodies. Its contacts are soft; their stiffness, and the damping for the correct
// rebound, are chosen here as well as possible.
#include <mujoco/mujoco.h>

#include <memory>

#include "four_bar.hpp"
#include "probes.hpp"

namespace {

// A text with embedded numbers.
class Xml {
 public:
  template <class... Parts>
  Xml& add(const Parts&... parts) {
    (append(parts), ...);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  void append(const char* word) { text_ += word; }
  void append(const std::string& word) { text_ += word; }
  void append(double value) {
    char number[40];
    std::snprintf(number, sizeof number, " %.17g", value);
    text_ += number;
  }
  std::string text_;
};

struct World {
  std::unique_ptr<mjModel, void (*)(mjModel*)> scene{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};

  explicit World(const std::string& xml) {
    static mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "world.xml", int(xml.size()));
    std::memcpy(files.filedata[0], xml.data(), xml.size());
    char error[500] = "";
    scene.reset(mj_loadXML("world.xml", &files, error, sizeof error));
    mj_deleteVFS(&files);
    if (!scene) std::fprintf(stderr, "%s\n%s\n", error, xml.c_str()), std::exit(1);
    data.reset(mj_makeData(scene.get()));
  }
  peers::Report step(double) {
    mj_step(scene.get(), data.get());
    return {data->nefc > 0 && data->solver_iter >= scene->opt.iterations ? 1 : 0};
  }
};

// Coordinates of a machine that equal those of its joints.
struct Joints {
  const mjData& data;
  double q(int i) const { return data.qpos[i]; }
  double u(int i) const { return data.qvel[i]; }
};

// Contact parameters: the decay time of a violation, in steps, and its damping ratio.
struct Contact {
  const char* name;
  double steps, damping = 1;
  double impratio = 1;
};

std::string head(double h, const Contact& contact) {
  return Xml()
      .add("<mujoco><compiler angle='radian'/><size nconmax='20' njmax='100'/><option timestep='", h,
           "' gravity='0 0 -9.81' collision='predefined' cone='elliptic' solver='Newton' iterations='100' "
           "impratio='",
           contact.impratio, "'/><worldbody>")
      .text();
}
// dmin = dmax: the impedance does not depend on the penetration.
std::string pair(const char* a, const char* b, double mu, double h, const Contact& contact) {
  return Xml()
      .add("<pair geom1='", a, "' geom2='", b, "' condim='3' friction='", mu, mu, 0.0, 0.0, 0.0, "' solref='",
           contact.steps * h, contact.damping, "' solimp='0.99 0.99 0.001 0.5 2'/>")
      .text();
}

// A ball on two slides, without rotation, above a plane.
class BlockMachine : public World {
 public:
  peers::Block model;
  Joints state;

  BlockMachine(const peers::Block& block, const peers::BlockStart& start, double h, const Contact& contact)
      : World(xml(block, h, contact)), model(block), state{*data} {
    scene->opt.gravity[2] = -block.gravity;
    data->qfrc_applied[0] = block.pull;
    for (int i = 0; i < 2; ++i) data->qpos[i] = start.q(i), data->qvel[i] = start.u(i);
  }

 private:
  static std::string xml(const peers::Block& block, double h, const Contact& contact) {
    constexpr double radius = 0.01;
    return Xml()
        .add(head(h, contact), "<geom name='floor' type='plane' size='1 1 1'/><body pos='0 0", radius,
             "'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>",
             "<geom name='ball' type='sphere' size='", radius, "' mass='", block.mass_of_block,
             "'/></body></worldbody><contact>", pair("floor", "ball", block.mu, h, contact), "</contact></mujoco>")
        .text();
  }
};

// The damping ratio with the correct rebound of an impact, on average.
double damping_for(double eps, double h, Contact contact) {
  double low = 1e-3, high = 1;
  for (int i = 0; i < 30; ++i) {
    contact.damping = (low + high) / 2;
    const auto make = [&](const peers::Block& block, const peers::BlockStart& start, double step) {
      return BlockMachine(block, start, step, contact);
    };
    (peers::rebound(make, h).mean > eps ? low : high) = contact.damping;
  }
  return (low + high) / 2;
}

// Three hinges in a chain, spheres at the slider's corners between two planes.
class CrankMachine : public World {
 public:
  peers::Crank model;
  struct Angles {
    const mjData& data;
    double q(int i) const { return sum(data.qpos, i); }
    double u(int i) const { return sum(data.qvel, i); }
    static double sum(const mjtNum* joint, int i) { return joint[0] + (i > 0 ? joint[1] : 0) + (i > 1 ? joint[2] : 0); }
  } state;

  CrankMachine(const peers::Crank& m, const peers::CrankStart& start, double h, const Contact& contact)
      : World(xml(m, h, contact)), model(m), state{*data} {
    restart(start);
  }
  void restart(const peers::CrankStart& start) {
    mj_resetData(scene.get(), data.get());
    for (int i = 0; i < 3; ++i) {
      data->qpos[i] = start.q(i) - (i > 0 ? start.q(i - 1) : 0);
      data->qvel[i] = start.u(i) - (i > 0 ? start.u(i - 1) : 0);
    }
  }

 private:
  static std::string xml(const peers::Crank& m, double h, const Contact& contact) {
    constexpr double ball = 0.001;
    const auto body = [](double at, double m, double J, double centre) {
      return Xml()
          .add("<body pos='", at, 0.0, 0.0, "'><joint type='hinge' axis='0 -1 0'/><inertial mass='", m,
               "' diaginertia='", J, J, J, "' pos='", centre, 0.0, 0.0, "'/>")
          .text();
    };
    const auto corner = [&](int i) {
      return Xml()
          .add("<geom name='", std::string("corner") + char('0' + i), "' type='sphere' size='", ball, "' pos='",
               m.right(i) * m.a, 0.0, m.upper(i) * m.b, "'/>")
          .text();
    };
    const double wall = m.play + m.b + ball;
    Xml all;
    all.add(head(h, contact), "<geom name='upper' type='plane' size='1 1 1' pos='0 0", wall, "' zaxis='0 0 -1'/>",
            "<geom name='lower' type='plane' size='1 1 1' pos='0 0", -wall, "'/>", body(0, m.m_1, m.J_1, m.l_1 / 2),
            body(m.l_1, m.m_2, m.J_2, m.l_2 / 2), body(m.l_2, m.m_3, m.J_3, 0), corner(0), corner(1), corner(2),
            corner(3), "</body></body></body></worldbody><contact>");
    for (int i = 0; i < 4; ++i)
      all.add(pair(i < 2 ? "upper" : "lower", (std::string("corner") + char('0' + i)).c_str(), m.mu, h, contact));
    return all.add("</contact></mujoco>").text();
  }
};

// A pin (a sphere) in a ring (a cylinder of its radius plus clearance): a user-defined pair of MuJoCo.
int pin_in_ring(const mjModel* m, const mjData* d, mjContact* contact, int pin, int ring, mjtNum margin) {
  const mjtNum *centre = d->geom_xpos + 3 * pin, *bearing = d->geom_xpos + 3 * ring;
  const double x = centre[0] - bearing[0], z = centre[2] - bearing[2], distance = std::hypot(x, z);
  const double radius = m->geom_size[3 * pin];
  contact->dist = m->geom_size[3 * ring] - radius - distance;
  if (contact->dist > margin) return 0;
  mju_zero(contact->frame, 9);
  contact->frame[0] = x / distance, contact->frame[2] = z / distance;  // from the pin into the ring
  for (int i = 0; i < 3; ++i) contact->pos[i] = centre[i] + (radius + contact->dist / 2) * contact->frame[i];
  return 1;
}

// The joints are the coordinates of peers::FourBar: the crank on a hinge, coupler and rocker on two slides and a hinge.
class FourBarMachine : public World {
 public:
  peers::FourBar model;
  Joints state;

  FourBarMachine(double h, const Contact& contact) : World(xml(h, contact)), state{*data} {
    mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_CYLINDER] = pin_in_ring;
    restart();
  }
  void restart() {
    mj_resetData(scene.get(), data.get());
    const auto start = peers::FourBar::start();
    for (int i = 0; i < 7; ++i) data->qpos[i] = start.q(i), data->qvel[i] = start.u(i);
    data->qfrc_applied[0] = model.parts.motor.torque;
  }

 private:
  static std::string xml(double h, const Contact& contact) {
    const peers::FourBar::Parts parts;
    const char* hinge = "<joint type='hinge' axis='0 -1 0'/>";
    const auto inertia = [&](int i, double centre) {
      const auto& body = parts.body[i];
      return Xml()
          .add("<inertial mass='", body.m, "' diaginertia='", body.J, body.J, body.J, "' pos='", centre, 0.0, 0.0,
               "'/>")
          .text();
    };
    const auto round = [](const char* name, const char* type, double size, double at) {
      return Xml()
          .add("<geom name='", name, "' type='", type, "' mass='0' euler='1.5707963267948966 0 0' size='", size, 0.005,
               "' pos='", at, 0.0, 0.0, "'/>")
          .text();
    };
    const auto ring = [&](const char* name, const auto& joint) {
      return round(name, "cylinder", joint.radius + joint.play, joint.on_A.x);
    };
    const auto pin = [&](const char* name, const auto& joint) {
      return round(name, "sphere", joint.radius, joint.on_B.x);
    };
    const std::string loose =
        Xml().add("<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>", hinge).text();
    auto crank_ring = parts.crank_pin;
    crank_ring.on_A.x += peers::FourBar::half;  // the body's origin is its bearing
    const double mu = parts.pivot.law.mu;
    return Xml()
        .add(head(h, contact), ring("ring_3", parts.pivot), "<body><joint type='hinge' axis='0 -1 0' damping='",
             parts.motor.damping, "'/>", inertia(0, peers::FourBar::half), ring("ring_1", crank_ring), "</body><body>",
             loose, inertia(1, 0), pin("pin_1", parts.crank_pin), ring("ring_2", parts.rocker_pin), "</body><body>",
             loose, inertia(2, 0), pin("pin_2", parts.rocker_pin), pin("pin_3", parts.pivot),
             "</body></worldbody><contact>", pair("pin_1", "ring_1", mu, h, contact),
             pair("pin_2", "ring_2", mu, h, contact), pair("pin_3", "ring_3", mu, h, contact), "</contact></mujoco>")
        .text();
  }
};

void probe(const Contact& contact) {
  peers::probe({"MuJoCo", contact.name}, [&](const peers::Block& block, const peers::BlockStart& start, double h) {
    return BlockMachine(block, start, h, contact);
  });
}

}  // namespace

int main(int count, char** words) {
  peers::read_arguments(count, words);
  for (Contact contact :
       {Contact{"time constant 2 h, eps 0.4 by damping", 2}, Contact{"time constant 8 h, eps 0.4 by damping", 8}}) {
    contact.damping = damping_for(peers::Crank{}.eps_N, peers::dt, contact);
    std::unique_ptr<CrankMachine> kept;  // made from XML once; a run starts from it
    peers::race_crank({"MuJoCo", contact.name},
                      [&](const peers::Crank& model, const peers::CrankStart& start, double h) -> CrankMachine& {
                        if (kept && kept->model.J_3 == model.J_3 && kept->scene->opt.timestep == h)
                          kept->restart(start);
                        else
                          kept = std::make_unique<CrankMachine>(model, start, h, contact);
                        return *kept;
                      });
    std::unique_ptr<FourBarMachine> bar;
    peers::race_four_bar({"MuJoCo", contact.name}, [&](double h) -> FourBarMachine& {
      if (bar && bar->scene->opt.timestep == h)
        bar->restart();
      else
        bar = std::make_unique<FourBarMachine>(h, contact);
      return *bar;
    });
    probe(contact);
  }
  probe({"time constant 8 h, damping ratio 1", 8});
  probe({"time constant 8 h, damping ratio 1, impratio 100", 8, 1, 100});
}
