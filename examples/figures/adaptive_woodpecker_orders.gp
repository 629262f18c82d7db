# data: 23_adaptive_orders
# SLG08, figure 14: error over the largest step. The forces depend on positions only, so an odd p gives order p + 1.
title = "Woodpecker with steps of fixed order p, dt_min = 0.1 ns"; rows = 1
load "style.gp"
eval log_x; set logscale y; set offsets
set ylabel "error of phi_S [rad]"
set xlabel "dt_max [s]"
plot for [p = 1:6] sprintf("order_woodpecker_%d.csv", p) using "dt_max [s]":"error [rad]" title sprintf("p = %d", p)
set xlabel "base steps"
plot for [p = 1:6] sprintf("order_woodpecker_%d.csv", p) using "base_steps":"error [rad]" title sprintf("p = %d", p)
