# data: 10_falling_mass
title = "Falling mass"; rows = 2
load "style.gp"
table = "falling_mass.csv"
set xlabel "t [s]"
set ylabel "z [m]";      plot table using "t [s]":"z [m]"
set ylabel "v [m/s]";    plot table using "t [s]":"v [m/s]"
set ylabel "P_N [N s]";  plot table using "t [s]":"P_N [N s]" with impulses
set ylabel "energy [J]"; plot table using "t [s]":"energy [J]"
