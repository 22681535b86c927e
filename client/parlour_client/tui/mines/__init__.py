"""Minesweeper on the screen: the board, who is how far, the odds, and the face that holds them."""
