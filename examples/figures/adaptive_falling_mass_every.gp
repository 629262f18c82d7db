# data: 21_adaptive_falling_mass
# SLG08, figure 9: even and odd numbers of substeps.
title = "Falling mass with adjusted steps, 1 2 3 4 substeps: no recovery of the step size"; rows = 1
load "style.gp"
table = "adaptive_fall_every.csv"
set xlabel "t [s]"
set logscale y; set offsets
set ylabel "dt [s]"; plot table using "t [s]":"dt [s]"
unset logscale y
set xlabel "t [s], after the impacts"
set xrange [0.7:0.703]
set yrange [-8:8]
set ylabel "u_z [nm/s]"; plot table using "t [s]":(1e9 * column("u_z [m/s]"))
