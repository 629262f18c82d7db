# study: rattle_map
# Driven slider-crank: impacts per turn, and difference between turns, over restitution and play.
title = "Driven slider-crank: rattling over restitution and play"; rows = 1; height = 300
load "style.gp"
turns = 9
h(i) = column(sprintf("h_%d [m]", i))
differs(p) = (sum [i = 2:turns] abs(h(i) - h(1))) / (turns - 1) / p
set palette defined (0 "#f7fbff", 0.35 "#9ecae1", 0.7 "#3182bd", 1 "#08306b")
set colorbox
unset grid
unset offsets
set xlabel "eps_N"
set ylabel "play [mm]"
set key off
set cblabel "impacts per turn"
plot "rattle_map.csv" using "eps_N [1]":(1e3 * column("play [m]")):(column("hits [1]") / 10) with image pixels
set cblabel "log10 (difference between turns / play)"
plot "rattle_map.csv" using "eps_N [1]":(1e3 * column("play [m]")):(log10(1e-4 + differs(column("play [m]")))) with image pixels
