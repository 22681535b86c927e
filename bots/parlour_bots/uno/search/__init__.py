"""``search``: ``player`` decides, ``belief`` deals worlds that fit the observations, ``playout`` plays them out."""
