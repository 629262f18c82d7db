# data: 14_slider_crank
# FLG10, figures 10 and 11: corners, speeds, phase portraits.
title = "Slider-crank with play, eps_N = 0.4"; rows = 4
load "style.gp"
table = "slider_crank_04.csv"
set xlabel "crank turns"
do for [i = 1:4] {
  set ylabel sprintf("corner %d, (g_N - c) / c", i)
  plot table using "turns":sprintf("corner_%d", i)
}
set ylabel "crank speed [rad/s]";          plot table using "turns":"omega_1 [rad/s]"
set ylabel "connecting rod speed [rad/s]"; plot table using "turns":"omega_2 [rad/s]"
set xlabel "theta_2 [rad]"
set ylabel "omega_2 [rad/s]"; plot table using "theta_2 [rad]":"omega_2 [rad/s]"
set xlabel "height of the slider [mm]"
set ylabel "vertical velocity [m/s]"; plot table using (1e3 * column("y [m]")):"v [m/s]"
