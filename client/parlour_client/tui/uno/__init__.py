"""UNO on the screen: cards, the hand, the others, the piles, and the face that holds them together."""
