#!/bin/sh
# A bot for UNO. Each line of input after the first is a turn; print the index of an action in its "legal".
read -r greeting # {"parlour":1,"game":"uno","name":…,"seed":…}: who we are; not to be answered

while read -r turn; do
    # What can be played comes first in "legal", drawing and passing last: 0 plays a card if one fits.
    echo 0 # anything else goes to standard error: echo hello >&2
done
