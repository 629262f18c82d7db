# data: 23_adaptive_orders
# SLG08, figure 12: percussions, position, velocity, step size; error over largest step and base steps.
title = "Impact oscillator with steps of fixed order p, dt_min = dt_max^p"; rows = 3
load "style.gp"
table = "adaptive_oscillator.csv"
set xlabel "t [s]"
set ylabel "P_N_0 [N s]"; plot table using "t [s]":"P_N_0 [N s]" with impulses
set ylabel "x [m]";       plot table using "t [s]":"x [m]"
set ylabel "u_x [m/s]";   plot table using "t [s]":"u_x [m/s]"
set logscale y; set offsets
set ylabel "dt [s]";      plot table using "t [s]":"dt [s]"
set logscale xy
set ylabel "mean error of x [m]"
set xlabel "dt_max [s]"
plot for [p = 1:6] sprintf("order_oscillator_%d.csv", p) using "dt_max [s]":"error [m]" title sprintf("p = %d", p)
set xlabel "base steps"
plot for [p = 1:6] sprintf("order_oscillator_%d.csv", p) using "base_steps":"error [m]" title sprintf("p = %d", p)
