// Prints a model check: one line per checked member with its largest deviation.
#pragma once
#include <moreau/check/findings.hpp>
#include <moreau/port/console.hpp>

namespace moreau::workstation {

template <class Real>
void print_findings(const CheckReport<Real>& report) {
  for (int m = 0; m < detail::members; ++m) {
    const auto member = static_cast<detail::Member>(m);
    if (!report.looked_at(member)) continue;
    const auto& f = report.worst_of(member);
    port::print(f.ok() ? "  ok    " : "  WRONG ", name(member), ", index ", f.index, ", coordinate ", f.coordinate,
                ": deviation ", f.deviation, ", allowed ", f.allowed);
  }
}

}  // namespace moreau::workstation
