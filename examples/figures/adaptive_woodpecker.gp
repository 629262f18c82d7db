# data: 20_adaptive_woodpecker
# SLG08, figure 13: phase portrait, speeds, step size, order, contact modes. Dots: switching points.
title = "Woodpecker with adjusted steps; dots: switching points"; rows = 3
load "style.gp"
table = "adaptive_woodpecker.csv"; points = "adaptive_woodpecker_switchings.csv"
set xlabel "phi_S [rad]"
set ylabel "omega_S [rad/s]"
plot table using "phi_S [rad]":"u_phi_S [rad/s]", points using "phi_S [rad]":"omega_S [rad/s]" with points
set xlabel "t [s]"
set ylabel "omega_M [rad/s]"
plot table using "t [s]":"u_phi_M [rad/s]", points using "t [s]":"omega_M [rad/s]" with points
set ylabel "omega_S [rad/s]"
plot table using "t [s]":"u_phi_S [rad/s]", points using "t [s]":"omega_S [rad/s]" with points
set ylabel "dt [s]"
set logscale y; set offsets
plot table using "t [s]":"dt [s]"
unset logscale y
set ylabel "order"
set yrange [0:7]
plot table using "t [s]":"order" with fsteps
unset ylabel
set xlabel "t [s], contacts closed and sticking"
load "bars.gp"
set ytics ("sticking" 1, "lower edge" 2, "sticking" 3, "upper edge" 4, "sticking" 5, "beak" 6)
law(row) = "sigma_" . word("T_1 N_1 T_2 N_2 T_0 N_0", row)
plot for [row = 1:6] table using "t [s]":(bar(row, column(law(row)) == 0)):(row) @area row, \
     for [row = 1:6] table using "t [s]":(bar(row, column(law(row)) == 0)) @outline row
