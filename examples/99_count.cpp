// Runs on: host, target
// Instruction time: 128 ns
#include <moreau/mechanism.hpp>
#include <moreau/port/console.hpp>
#include <moreau/port/cycles.hpp>
#include "models/ratchet.hpp"
#include "models/cam_follower.hpp"
using namespace moreau; namespace port = moreau::port;
template <class Law> struct Crank { using Real=float; enum Names{crank,rod,slider,bodies};
 Body<Real> body[bodies]={{0.3f,1e-4f},{0.2f,5e-4f},{0.5f,1e-3f}};
 Revolute<Real,ground,crank> b{{},{-0.05f,0}}; Revolute<Real,crank,rod> c{{0.05f,0},{-0.15f,0}}; Revolute<Real,rod,slider> w{{0.15f,0},{}}; Prismatic<Real,ground,slider> g; Drive<Real,ground,crank,Law> drive; auto parts() const {return std::tie(b,c,w,g,drive);} };
template <class M> void count(const char* name, M model, State<M> s, float dt=1e-4f){ Stepper<M> st{model,s}; port::Stopwatch watch; unsigned worst=0, least=~0u; for(int n=0;n<300;++n){ watch.begin(); (void)st.step(dt); const auto i=port::instructions_of(watch.end()); if(n<2)continue; if(i>worst)worst=unsigned(i); if(i<least)least=unsigned(i);} port::print(name," ",least,"..",worst," u ",st.state.u(2)); }
template <class Law> State<Mechanism<Crank<Law>>> st(const Mechanism<Crank<Law>>& m){ State<Mechanism<Crank<Law>>> s; s.q<<0.05f,0,0,0.25f,0,0,0.4f,0,0; auto r=close_joints(m,s); if(r.status!=Status::ok) port::print("close ", name(r.status)); return s; }
int main(){
 { Mechanism<Crank<ConstantSpeed<float>>> m; m.drive.law=ConstantSpeed<float>(10.0f); count("constant speed (time)",m,st(m)); }
 { Mechanism<Crank<CommandedSpeed<float>>> m; m.drive.law.speed=10; m.drive.law.acceleration=100; count("commanded speed",m,st(m)); }
 { Mechanism<Crank<CommandedPosition<float>>> m; m.drive.law={1,10,100}; count("commanded position",m,st(m)); }
 { models::Ratchet<float> m; count("ratchet",m,models::ratchet_start(m),1e-5f); }
 { models::CamFollower<float> m; count("cam",m,models::cam_follower_start(m),1e-4f); }
}
