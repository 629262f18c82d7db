# study: loose_pin
# Slider-crank with play in its wrist pin: one dot for each of the last 24 turns.
title = "Wrist pin with play: position of the slider on its pin at a crank angle of 100 degrees"; rows = 1; columns = 1; width = 880; height = 320
load "style.gp"
turns = 24
same = 0.004
place(i) = column(sprintf("place_%d [1]", i))
known(i) = sum [j = i + 1:turns] (abs(place(i) - place(j)) < same)
set xlabel "play [mm]"
set ylabel "position along the guide / play"
plot for [i = 1:turns] "loose_pin.csv" using (1e3 * column("play [m]")):(known(i) > 0 ? NaN : place(i)) with points linetype 1
