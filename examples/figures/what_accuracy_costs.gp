# data: 24_what_accuracy_costs
title = "Cost of accuracy: error of the instant of one event"; rows = 2; height = 290
load "style.gp"
set logscale xy; set offsets
set ylabel "error [s]"
do for [i = 1:3] {
  if (i == 1) { eval log_x } else { set xtics auto }
  name = word("woodpecker oscillator crank", i)
  set xlabel "base steps, " . (i == 1 ? "woodpecker: sticking after one cycle" : \
    i == 2 ? "oscillator: third impact" : "slider-crank: first impact on the lower face")
  plot "cost_" . name . "_fixed.csv" using "base_steps":"error [s]" title "fixed", \
       "cost_" . name . "_paper.csv" using "base_steps":"error [s]" title "adjusted", \
       "cost_" . name . "_improved.csv" using "base_steps":"error [s]" title i < 3 ? "secant, even powers" : "secant, closed held"
}
