# data: 14_slider_crank
# FLG10, figures 12 and 13: corner 1 and the slider's portrait for four restitutions.
title = "Slider-crank: influence of the restitution"; rows = 4
load "style.gp"
do for [eps in "0.1 0.4 0.6 0.9"] {
  table = "slider_crank_0" . eps[3:3] . ".csv"
  set xlabel "crank turns, eps_N = " . eps
  set ylabel "corner 1, (g_N - c) / c"; plot table using "turns":"corner_1"
  set xlabel "slider's height [mm], eps_N = " . eps
  set ylabel "its velocity [m/s]"; plot table using (1e3 * column("y [m]")):"v [m/s]"
}
