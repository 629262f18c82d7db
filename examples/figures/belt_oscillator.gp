# data: 17_belt_oscillator
title = "Block on a belt with friction that falls with the sliding speed"; rows = 2
load "style.gp"
table = "belt_oscillator.csv"
set xlabel "t [s]"
set ylabel "x [m]"; plot table using "t [s]":"x [m]"
set xlabel "x [m]"
set ylabel "v [m/s]"; plot table using "x [m]":"v [m/s]"
set xlabel "t [s]"
set ylabel "friction force [N]"; plot table using "t [s]":"friction [N]"
set xlabel "sliding speed [m/s]"
set ylabel "mu"; plot table using "slip_speed [m/s]":"mu" with points
