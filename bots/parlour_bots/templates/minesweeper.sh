#!/bin/sh
# A bot for Minesweeper. Each line of input after the first is a turn; print the number of a cell to open.
read -r greeting # {"parlour":1,"game":"minesweeper","name":…,"seed":…}: who we are; not to be answered

while read -r turn; do
    # "rows":["..1.", …] is the board, "." a closed cell; cells are numbered row by row, from 0.
    rows=${turn#*\"rows\":[}
    board=$(printf %s "${rows%%]*}" | tr -d '",')
    before=${board%%.*}
    echo ${#before} # anything else goes to standard error: echo hello >&2
done
