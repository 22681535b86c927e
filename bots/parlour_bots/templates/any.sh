#!/bin/sh
# A bot for THE_GAME. Each line of input after the first is a turn; print the index of an action in its "legal".
read -r greeting # {"parlour":1,"game":"THE_GAME","name":…,"seed":…}: who we are; not to be answered

while read -r turn; do
    # 0 plays the first legal action; "view" says what lies on the table.
    echo 0 # anything else goes to standard error: echo hello >&2
done
