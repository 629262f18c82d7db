# data: 21_adaptive_falling_mass
# SLG08, figure 10: step size, order, height, velocity.
title = "Falling mass with adjusted steps, 1 3 5 7 substeps"; rows = 2
load "style.gp"
table = "adaptive_fall_odd.csv"
set xlabel "t [s]"
set logscale y; set offsets
set ylabel "dt [s]"; plot table using "t [s]":"dt [s]"
unset logscale y
set yrange [0:7]
set ylabel "order"; plot table using "t [s]":"order" with fsteps
set yrange [*:*]
set ylabel "z [m]";     plot table using "t [s]":"z [m]"
set ylabel "u_z [m/s]"; plot table using "t [s]":"u_z [m/s]"
