# data: 18_thousand_disks
title = "A thousand disks thrown together"; rows = 2; height = 320
load "style.gp"
set size ratio -1
set xtics 0.2
set style circle noclip
set ylabel "y [m]"
set xlabel "x [m], at the start"
plot for [side in "left right"] "disks_" . side . "_0.csv" using "x [m]":"y [m]":"r [m]" with circles
set xlabel "x [m], after 0.3 s"
plot for [side in "left right"] "disks_" . side . "_1.csv" using "x [m]":"y [m]":"r [m]" with circles
set size noratio
set xtics auto
set offsets
set xlabel "contacts in a step"
set logscale xy
set ylabel "step [us], 100 sweeps"; plot "disks_cost.csv" using "contacts":"step [us]" with linespoints pointsize 0.6
unset logscale y
set yrange [0:*]
set ylabel "contact and sweep [ns]"; plot "disks_cost.csv" using "contacts":"contact_and_sweep [ns]" with linespoints pointsize 0.6
