# data: 14_slider_crank
title = "Slider-crank, eps_N = 0.4: symmetric start and start with a tilt of 0.01 rad"; rows = 1
load "style.gp"
set xlabel "crank turns"
set ylabel "corner 1, (g_N - c) / c"
plot "slider_crank_04.csv" using "turns":"corner_1" title "symmetric", "slider_crank_tilted.csv" using "turns":"corner_1" title "tilted"
set ylabel "tilt theta_3 [rad]"
plot "slider_crank_04.csv" using "turns":"theta_3 [rad]" title "symmetric", \
     "slider_crank_tilted.csv" using "turns":"theta_3 [rad]" title "tilted"
