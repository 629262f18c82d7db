# data: 12_impact_oscillator
title = "Impact oscillator"; rows = 2
load "style.gp"
table = "impact_oscillator.csv"
set xlabel "t [s]"
set ylabel "x [m]";     plot table using "t [s]":"x [m]"
set ylabel "v [m/s]";   plot table using "t [s]":"v [m/s]"
set ylabel "P_N [N s]"; plot table using "t [s]":"P_N [N s]" with impulses
set xlabel "x [m]"
set ylabel "v [m/s]";   plot table using "x [m]":"v [m/s]"
