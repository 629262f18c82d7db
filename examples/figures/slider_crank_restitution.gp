# data: 14_slider_crank
# FLG10, figures 12 and 13: corner 1 and phase portrait of the slider for four coefficients of restitution.
title = "Slider-crank: influence of restitution"; rows = 4
load "style.gp"
do for [eps in "0.1 0.4 0.6 0.9"] {
  table = "slider_crank_0" . eps[3:3] . ".csv"
  set xlabel "crank turns, eps_N = " . eps
  set ylabel "corner 1, (g_N - c) / c"; plot table using "turns":"corner_1"
  set xlabel "height of the slider [mm], eps_N = " . eps
  set ylabel "vertical velocity [m/s]"; plot table using (1e3 * column("y [m]")):"v [m/s]"
}
