# study: loose_pin
# A slider-crank with play in its wrist pin: one dot is one of the last 24 turns.
title = "Loose wrist pin: where the slider is on its pin at 100 degrees of the crank"; rows = 1; columns = 1; width = 880; height = 320
load "style.gp"
turns = 24
same = 0.004
place(i) = column(sprintf("place_%d [1]", i))
known(i) = sum [j = i + 1:turns] (abs(place(i) - place(j)) < same)
set xlabel "play [mm]"
set ylabel "place along the guide, over the play"
plot for [i = 1:turns] "loose_pin.csv" using (1e3 * column("play [m]")):(known(i) > 0 ? NaN : place(i)) with points linetype 1
