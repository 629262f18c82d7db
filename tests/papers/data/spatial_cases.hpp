// clang-format off
// Reference solutions in space: tests/papers/solve_spatial_cases.py, which describes the methods.
#pragma once

namespace data {

// Heavy top at t = 1 s: quaternion w, x, y, z; angular velocity along the axes of the body. Largest difference to
// the solution with twice the step: 2e-11.
inline constexpr double heavy_top[] = {-0.0246596292208708, 0.662025478936283, 0.337566749618619, -0.668702368380578, -6.25427539138435, -8.59889059696765, 29.8882194052617};

// Ball in a socket: t, number of impacts; r; quaternion w, x, y, z; v; angular velocity along the axes of the body.
// All impacts slip.
// Largest differences to the solutions with twice the step: 2e-12, 1e-11.
inline constexpr double ball_in_socket[][15] = {
    // impacts at 0.0171164 s
    {0.02, 1, -0.0134589648182516, -0.00626153954716271, -0.0538435172156482, 0.989241425427958, 0.0473203712509052, -0.0767733430807946, 0.115186971807795, 0.487625436563345, 0.109300774939252, -0.255111388964679, 6.9867821736782, -5.15119363568832, 7.82630936674338},
    // impacts at 0.0171164, 0.0363775, 0.0769175, 0.0949861 s
    {0.1, 4, 0.0212591525005238, 0.01052568543504, -0.0540439838044813, 0.810832607961209, 0.155188111237869, -0.319536259258, 0.465149127717865, 0.274941696885496, 0.153451493679714, 0.240127880509472, 0.870451969064379, -6.24409764820213, 10.6182635193092},
};

}  // namespace data
