# data: 24_what_accuracy_costs
title = "Cost of accuracy: fixed steps of first and second order, adaptive steps (adjusted, improved)"; rows = 2; height = 290
load "style.gp"
set logscale xy; set offsets
do for [i = 1:3] {
  name = word("woodpecker oscillator crank", i)
  set ylabel i == 2 ? "error [m]" : "error [rad]"
  set xlabel "processor time [s], " . (i == 1 ? "woodpecker: 0.5 s" : i == 2 ? "oscillator: 2 s" : "slider-crank: 0.16 s")
  plot "cost_" . name . "_fixed.csv" using "time [s]":"error" title "first order", \
       "cost_" . name . "_second.csv" using "time [s]":"error" title "second order", \
       "cost_" . name . "_paper.csv" using "time [s]":"error" title "adjusted", \
       "cost_" . name . "_improved.csv" using "time [s]":"error" title "improved"
}
