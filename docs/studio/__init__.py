"""The pictures of the README, made by ``make pictures`` from the screens themselves."""
