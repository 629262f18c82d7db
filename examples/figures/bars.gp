# Bars over time, one row per condition. The area shows long intervals, the outline those shorter than a dot:
#   plot for [row = 1:n] table using "t [s]":(bar(row, column(name))):(row) @area row, \
#        for [row = 1:n] table using "t [s]":(bar(row, column(name))) @outline row
bar(row, yes) = row + (yes == 0 ? 0 : 0.4)
area = "with filledcurves linetype"
outline = "with lines linewidth 0.8 linetype"
set yrange [0.5:*]
